import Foundation
import StrongroomTables

// Inserts, conditions, raw SQL, dates and text, in no order. See `Scripts/typecheck`.

func mixedA1(_ db: Database) throws {
    _ =
        try ActiveMember
        .where { $0.points > 10 }
        .order { ($0.points.desc(), $0.name) }
        .fetchAll(db)
    _ = try Taxon.none.where { $0.rank.eq(.genus) }.order(by: \.name)
        .fetchAll(db)
    _ = try Trial.find(Trial.ID(varietyID: V.dragon, year: 2024))
        .fetchAll(db)
    _ =
        try Trait
        .insert { Trait.Columns(code: "late", label: #sql("upper('late')")) }
        .returning(\.self)
        .fetchAll(db)
    _ =
        try Packet
        .where { $0.id.in([1, 4]) }
        .select {
            (
                ($0.seeds + 1 + $0.place.box) * 2, $0.seeds * 2 + $0.place.box * 3,
                ($0.seeds - 1) - (10 - $0.place.box)
            )
        }
        .fetchAll(db)
}

func mixedA2(_ db: Database) throws {
    _ =
        try Event
        .insert { Event(id: 20, packetID: nil, at: day("2026-03-01"), kind: .donated(by: "Grete")) }
        .fetchAll(db)
    _ = try #sql(
        "SELECT \(Loan.columns), \(Member.columns) FROM \(Loan.self) JOIN \(Member.self) ON \(Loan.memberID) = \(Member.id) WHERE \(Loan.id) = \(4)",
        as: (Loan, Member).self
    )
    .fetchAll(db)
    _ = try #sql(
        "SELECT \(42), \(Habit.perennial), \(Optional<Int>.none), \(day("2026-03-01")), \(day("2026-03-01"), as: Date.UnixTimeRepresentation.self)",
        as: (Int, Habit, Int?, Date, Int).self
    )
    .fetchAll(db)
    _ = try #sql("SELECT count(*) FROM packets WHERE id IN \(sequence: [1, 2, 99])", as: Int.self)
        .fetchAll(db)
    _ = try #sql(
        "SELECT (\(Packet.count())) - (\(Packet.where { $0.seeds.eq(0) }.count()))", as: Int.self
    )
    .fetchAll(db)
}

func mixedA3(_ db: Database) throws {
    _ = try Trait.where { $0.label.eq("a?b'--\u{0}c") }.count()
        .fetchAll(db)
    _ = try search(text: "", habit: nil, shelves: [], sort: .stock, page: 0)
        .fetchAll(db)
    _ = try search(text: "", habit: .annual, shelves: [], sort: .stock, page: 1)
        .fetchAll(db)
    _ =
        try Packet
        .where { $0.germination.testedAt < .now(.startOfMonth) }
        .count()
        .fetchAll(db)
    _ =
        try Taxon
        .insert {
            ($0.name, $0.rank, $0.parentID)
        } values: {
            ("Rubus", .genus, nil)
        }
        .returning { ($0.id, $0.rank) }
        .fetchAll(db)
}

func mixedA4(_ db: Database) throws {
    _ =
        try Packet
        .insert { Packet.Draft(varietyID: V.aji, seeds: 12, place: Place(shelf: "C", box: 9)) }
        .returning { ($0.id, $0.seedsPerGram, $0.createdAt) }
        .fetchAll(db)
    _ =
        try Taxon
        .insert {
            Taxon.Draft(name: "A", rank: .genus); Taxon.Draft(name: "B", rank: .genus);
            Taxon(id: 50, name: "C", rank: .genus, parentID: nil);
            Taxon.Draft(name: "D", rank: .genus)
        }
        .returning { ($0.id, $0.name) }
        .fetchAll(db)
    _ =
        try Trait
        .insert {
            Trait(code: "hot", label: "New")
        } onConflictDoUpdate: { _ in
        }
        .fetchAll(db)
    _ =
        try Trial
        .insert {
            Trial(id: Trial.ID(varietyID: V.fish, year: 2024), score: 3, plot: "east");
            Trial(id: Trial.ID(varietyID: V.dragon, year: 2024), score: 1, plot: "east")
        } onConflict: {
            $0.id
        }
        .fetchAll(db)
    _ =
        try VarietyTrait
        .insert {
            ($0.varietyID, $0.traitCode)
        } select: {
            Variety.select { ($0.id, "early") }
        } onConflict: {
            ($0.varietyID, $0.traitCode)
        }
        .fetchAll(db)
}

func mixedA5(_ db: Database) throws {
    _ =
        try Taxon
        .upsert { Taxon.Draft(name: "Rheum", rank: .genus, parentID: nil) }
        .returning(\.id)
        .fetchAll(db)
    _ =
        try Member
        .insert {
            Member.Draft(
                name: "Hana", email: nil, joined: day("2026-03-01"),
                address: Address(city: "Žilina", lines: ["A/1"], zip: nil))
        }
        .returning { ($0.id, $0.address, $0.role) }
        .fetchAll(db)
    _ =
        try Trait
        .insert(or: .ignore) {
            Trait(code: "odd", label: "Ignored"); Trait(code: "new", label: "New")
        }
        .returning(\.code)
        .fetchAll(db)
    _ = try Values(
        day("2026-03-01"), Date(timeIntervalSince1970: 0.25), Date(timeIntervalSince1970: -1)
    )
    .fetchAll(db)
    _ = try #sql("SELECT label, code FROM traits WHERE code = 'hot'", as: Trait.self)
        .fetchAll(db)
}
