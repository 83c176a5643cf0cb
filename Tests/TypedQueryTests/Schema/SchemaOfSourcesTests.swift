import Foundation
import StrongroomTables
import StrongroomTablesCheck
import StrongroomTestSupport
import Testing

/// The schemas that the check of sources reads, beside those of the compiled types.
@Suite struct SchemaOfSourcesTests {
    private static let types: [any StrongroomTables.Table.Type] = [
        Ship.self, Crate.self, CrateOfLot.self, CrateWithUUID.self, CrateWithTotal.self,
        CrateWithPrice.self, CrateView.self, CrateWithoutRowID.self, Seal.self, Owner.self,
        Notice.self, Spare.self, Taxon.self, Variety.self, Packet.self, Member.self,
        ActiveMember.self, Loan.self, RecentLoan.self, Trait.self, VarietyTrait.self, Trial.self,
        Event.self, GrowNote.self, Podcast.self, Episode.self, Listener.self, EpisodeText.self,
        Attachment.self,
    ]

    @Test(.proves("GEN-012"))
    func `agree with those of the types`() throws {
        let files = ["Schema/SchemaTables.swift", "SeedTables.swift", "PodcastSchema.swift"]
            .map { PackageFiles.path(of: "Tests/TypedQueryTests/\($0)") }
        let found = try CheckTables.schemas(inFiles: files)
        for type in Self.types {
            let schema = type.schema
            let read = try #require(found.first { $0.typeName == schema.typeName })
            #expect(read == schema, "\(differences(read, schema))")
        }
    }

    private func differences(_ read: TableSchema, _ schema: TableSchema) -> [String] {
        zip(read.columns, schema.columns).filter { $0 != $1 }.map { "\($0)\n\($1)" }
    }
}
