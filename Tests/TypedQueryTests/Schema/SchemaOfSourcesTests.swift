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
        Notice.self, Spare.self, Manifest.self, Taxon.self, Variety.self, Packet.self, Member.self,
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
            var wanted = schema
            for index in schema.columns.indices where index < read.columns.count {
                // Sources write these two as they like: `[String]` is `Array<String>`.
                wanted.columns[index].type = read.columns[index].type
                wanted.columns[index].representation = read.columns[index].representation
            }
            #expect(read == wanted, "\(schema.typeName)")
        }
    }
}
