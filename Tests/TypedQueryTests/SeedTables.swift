import Foundation
import StrongroomTables

/// A node of the plant tree: family, genus or species. Refers to itself.
@Table struct Taxon: Identifiable, Hashable {
    let id: Int
    var name = ""
    var rank: Rank = .species
    var parentID: Int?
}
enum Rank: String, QueryBindable { case family, genus, species }
/// What the library can offer. The key is a UUID, stored as lower-case text.
@Table struct Variety: Identifiable {
    let id: UUID
    var name = ""
    var taxonID: Taxon.ID
    var habit: Habit?
    @Column(as: [String].JSONRepresentation.self) var aliases: [String] = []
    @Column(as: Sowing?.JSONRepresentation.self) var sowing: Sowing?
    var isOpenPollinated = true
    var daysToHarvest: Int?
    @Column("added_on") var addedOn: Date
}
enum Habit: Int, QueryBindable { case annual = 1, biennial, perennial }
/// A JSON document; a selection, so that paths into it can be written.
@Selection struct Sowing: Codable, Hashable {
    var depth: Double?
    var indoors = false
    @Column(as: [Int].JSONRepresentation.self) var months: [Int] = []
}
/// A paper bag on a shelf: two column groups, a generated and a lazy column.
@Table struct Packet: Identifiable {
    let id: Int
    var varietyID: Variety.ID
    var seeds = 0
    var grams: Double?
    var harvestYear: Int?
    var place: Place
    var germination: Germination?
    @Column(generated: .stored) let seedsPerGram: Double?
    @Column(lazyInitializable: true) var createdAt: Date
    static let stocked = Self.where { $0.seeds > 0 }
}
@Selection struct Place: Hashable { var shelf = "A"; var box = 1 }
@Selection struct Germination: Hashable {
    var sown: Int
    var sprouted: Int
    @Column(as: Date.UnixTimeRepresentation.self) var testedAt: Date
}
extension Packet.TableColumns {
    var isLow: some QueryExpression<Bool> { seeds < 50 }
    var rate: some QueryExpression<Double?> {
        germination.sprouted.cast(as: Double.self) / germination.sown.cast(as: Double.self)
    }
}
/// A person. Refers to itself by the sponsor; the address is JSONB.
@Table struct Member: Identifiable {
    let id: Int
    var name = ""
    var email: String?
    var sponsorID: Int?
    var role: Role = .grower
    @Column(as: Date.JulianDayRepresentation.self) var joined: Date
    var leftOn: Date?
    @Column(as: Address?.JSONBRepresentation.self) var address: Address?
    var points = 0
}
enum Role: String, QueryBindable { case steward, grower, guest }
@Selection struct Address: Codable, Hashable {
    var city = ""
    @Column(as: [String].JSONRepresentation.self) var lines: [String] = []
    var zip: String?
}
/// The same table with a default scope.
@Table("members") struct ActiveMember: Identifiable {
    let id: Int
    var name = ""
    var points = 0
    var leftOn: Date?
    static let all = Self.where { $0.leftOn.is(nil) }
}
/// Seeds lent. The ticket is a UUID of 16 bytes.
@Table struct Loan: Identifiable {
    let id: Int
    var packetID: Packet.ID
    var memberID: Member.ID
    @Column(as: UUID.BytesRepresentation.self) var ticket: UUID
    var seeds: Int
    var takenAt: Date
    var dueAt: Date?
    var returned: Int?
    static let open = Self.where { $0.returned.is(nil) }
}
/// A default scope with order and limit.
@Table("loans") struct RecentLoan: Identifiable {
    let id: Int
    var seeds: Int
    var takenAt: Date
    static let all = Self.order { $0.takenAt.desc() }.limit(3)
}
/// A text key.
@Table struct Trait {
    @Column(primaryKey: true) let code: String
    var label = ""
}
/// Many to many, without a key of its own.
@Table("varietiesTraits") struct VarietyTrait { let varietyID: Variety.ID; let traitCode: String }
/// A key of two columns; the table is WITHOUT ROWID.
@Table(withoutRowID: true) struct Trial {
    @Selection struct ID: Hashable { let varietyID: Variety.ID; let year: Int }
    let id: ID
    var score: Int?
    var plot = ""
}
/// What happened to a packet: one of three kinds of payload.
@Table struct Event: Identifiable {
    let id: Int
    var packetID: Packet.ID?
    @Column(as: Date.UnixTimeRepresentation.Subsecond.self) var at: Date
    var kind: Kind
    @Selection enum Kind: Hashable {
        case donated(by: String)
        case moved(Event.Move)
        case remark(String)
    }
    @Selection struct Move: Hashable { let fromShelf: String; let toShelf: String? }
}
/// FTS5; "author" is UNINDEXED.
@Table struct GrowNote: FullTextTable { var title = ""; var body = ""; var author = "" }
