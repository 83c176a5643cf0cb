import Foundation
import StrongroomTables

// Aliases
enum Sponsor: AliasName {}
enum Borrower: AliasName {}
enum Ward: AliasName {}
enum Other: AliasName {}
enum Next: AliasName {}
enum Twin: AliasName {}
enum Old: AliasName {}
enum N: AliasName {}

// Rows
@Selection struct VarietyName { let variety: String; let taxon: String }
@Selection struct VarietyStock {
    let name: String; let packets: Int; let seeds: Int; let best: Double?
}
@Selection struct TraitLine {
    let code: String; let title: String; let source: String; let remark: String?
}
@Selection struct LoanCard { let loan: Loan; let member: Member?; let isOpen: Bool }
@Selection struct PacketCard { let packet: Packet; let variety: Variety }
@Selection struct Sponsored { let member: Member; let sponsor: Member? }
@Selection struct FeedLine { let title: String; let text: String }
@Selection struct ShelfDemand { let shelf: String; let loans: Int; let median: Double? }
@Selection struct MemberLine {
    let name: String; let sponsor: String; let openLoans: Int; let lastTaken: Date?
}
@Selection struct OpenLoanRow {
    let id: Int; let variety: String; let member: String; let place: String; let state: String;
    let warnOn: Date?
}
@Selection struct MonthLine {
    let month: Int; let loans: Int; let open: Int; let seeds: Int; let back: Double
}
@Selection struct VarietyDetail {
    let name: String
    @Column(as: [Trait].JSONRepresentation.self) let traits: [Trait]
}
@Selection struct FamilyLine {
    let family: String; let varieties: Int; let seeds: Int
    @Column(as: [Int?].JSONRepresentation.self) let harvests: [Int?]
}
@Selection struct NoteHit { let title: String; let excerpt: String; let member: Int? }
@Selection struct Verdict { let name: String; let best: Int?; let grade: String; let packets: Int }
@Selection struct BorrowerYear {
    let name: String; let seeds: Int
    @Column(as: [String].JSONRepresentation.self) let varieties: [String]
}
@Selection struct ToDo { let label: String; let place: Place }
@Selection struct Ledger {
    let member: String; let day: String; let seeds: Int; let running: Int?; let share: Double?
}
@Selection struct ShelfLine {
    let shelf: String; let varieties: Int; let seeds: Int; let low: Int; let oldest: Int?
}
@Selection struct Facet { let trait: Trait; let varieties: Int; let seeds: Int? }
@Selection struct SowNow { let name: String; let indoors: Bool; let depth: Double?; let seeds: Int }
@Selection struct EventTally {
    let shelf: String; let events: Int; let gifts: Int; let remarks: Int; let lastMove: Date?
}
@Selection struct TestCard {
    let name: String; let place: Place; let germination: Germination?; let trial: Trial?
}
@Selection struct TaxonDemand {
    let taxon: String; let seeds: Int
    @Column(as: [String].JSONRepresentation.self) let members: [String]
    let shelves: String?
}
@Selection struct Balance { let name: String; let lent: Int; let back: Int; let isGood: Bool }

// Rows of common table expressions and of subqueries in FROM.
@Selection struct OpenName { let name: String }
@Selection struct Stock { let varietyID: Variety.ID; let seeds: Int }
@Selection struct BigStock { let varietyID: Variety.ID }
@Selection struct Count { let value: Int }
@Selection struct Branch { let id: Int; let name: String; let depth: Int }
@Selection struct Up { let id: Int; let parentID: Int?; let name: String; let step: Int }
@Selection struct Debtor { let memberID: Int; let loans: Int }
@Selection struct Ranked { let shelf: String; let name: String; let seeds: Int; let place: Int }
@Selection struct Best { let role: Role; let name: String; let seeds: Int; let place: Int }
@Selection struct YearPair {
    let varietyID: Variety.ID; let year: Int; let score: Int?; let before: Int?
}
@Selection struct HarvestLine { let year: Int; let packets: Int }
@Selection struct TrialLine { let year: Int; let trials: Int }
@Selection struct Back { let packetID: Int; let seeds: Int }
@Selection("sums") struct Sums { let memberID: Int; let lent: Int; let back: Int }
@Selection struct Good { let memberID: Int }
@Selection struct Gap { let memberID: Int; let takenAt: Date; let before: Date? }
