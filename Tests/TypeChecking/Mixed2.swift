import Foundation
import StrongroomTables

// Inserts, conditions, raw SQL, dates and text, in no order. See `Scripts/typecheck`.

func mixedB1(_ db: Database) throws {
    _ =
        try Member
        .insert {
            Member(
                id: 1, name: "X", email: "bo@seeds.example", sponsorID: nil, role: .guest,
                joined: day("2026-01-01"), leftOn: nil, address: nil, points: 0)
        }
        .onConflict {
            $0.id
        } doUpdate: {
            $0.points += 1
        }
        .onConflict { $0.email }
        .fetchAll(db)
    _ = try roster(role: .grower, onlyOpen: true, newestFirst: true)
        .fetchAll(db)
    _ = try Trial.insert { Trial.Draft(score: 4, plot: "east") }
        .fetchAll(db)
    _ =
        try Packet
        .order { ($0.seedsPerGram.desc(nulls: .last), $0.id) }
        .limit(4)
        .select { ($0.id, $0.seedsPerGram) }
        .fetchAll(db)
    _ =
        try Packet
        .where { $0.place.in([Place(shelf: "A", box: 1), Place(shelf: "C", box: 1)]) }
        .select(\.id)
        .fetchAll(db)
}

func mixedB2(_ db: Database) throws {
    _ =
        try Event
        .order(by: \.id)
        .select { ($0.id, $0.kind.donated, $0.kind.moved, $0.kind.remark) }
        .fetchAll(db)
    _ =
        try Packet
        .group { $0.place.shelf }
        .order { $0.place.shelf }
        .select(\.place.shelf)
        .count()
        .fetchAll(db)
    _ =
        try Packet
        .where { (($0.seeds + 1) * 2 - 10).gt(100) && !$0.place.box.eq(1) }
        .select(\.id)
        .fetchAll(db)
    _ =
        try Loan
        .order { ($0.dueAt.desc(nulls: .first), $0.id) }
        .reversed()
        .limit(3)
        .select(\.id)
        .fetchAll(db)
    _ = try Values(
        With {
            Taxon.select { OpenName.Columns(name: $0.name) }
        } query: {
            OpenName.where { $0.name.eq("Papaver") }
        }.exists()
    )
    .fetchAll(db)
}

func mixedB3(_ db: Database) throws {
    _ =
        try Packet
        .where { $0.germination.testedAt > day("2024-03-01") }
        .order(by: \.id)
        .select(\.id)
        .fetchAll(db)
    _ =
        try Packet
        .where { $0.id < 4 }
        .order(by: \.id)
        .select { ($0.seeds % 7, $0.seeds & 12, $0.seeds << 1, ~$0.seeds, -$0.seeds) }
        .fetchAll(db)
    _ =
        try Variety
        .where { $0.name.glob("[Rr]osa*") && !$0.name.glob("r*") }
        .select(\.name)
        .fetchAll(db)
    _ =
        try Member
        .where { $0.id < 5 }
        .order(by: \.id)
        .select { $0.email.map { $0.upper() } }
        .fetchAll(db)
    _ =
        try Trait
        .select {
            (
                $0.code.groupConcat(", ", order: $0.code.desc(), filter: $0.code > "e"),
                $0.label.length().cast(as: String.self).groupConcat()
            )
        }
        .fetchAll(db)
}

func mixedB4(_ db: Database) throws {
    _ =
        try Packet
        .where { $0.id.eq(1) }
        .select { $0.germination.testedAt(.days(7)) }
        .fetchAll(db)
    _ =
        try Member
        .where { $0.address.isNot(nil) }
        .order(by: \.id)
        .select { #sql("\($0.address) ->> '$.city'", as: String?.self) }
        .fetchAll(db)
    _ =
        try Packet
        .where { $0.has(Loan.open, by: \.packetID) && $0.seeds > 50 }
        .order(by: \.id)
        .select(\.id)
        .fetchAll(db)
    _ =
        try Member
        .where { $0.email.isNot(nil) }
        .group { $0.name.collate(.nocase) }
        .having { $0.count() > 1 }
        .order { $0.name.collate(.nocase) }
        .select { ($0.name.min(), $0.count(), $0.email.groupConcat(", ", order: $0.email)) }
        .fetchAll(db)
    _ =
        try Variety
        .where(\.isOpenPollinated)
        .any { for w in ["an", "Fi"] { $0.name.contains(w) } }
        .order(by: \.name)
        .select(\.name)
        .fetchAll(db)
}

func mixedB5(_ db: Database) throws {
    _ =
        try ActiveMember
        .unscoped.where { $0.leftOn.isNot(nil) }
        .update { $0.points = 0 }
        .fetchAll(db)
    _ = try Packet.find(1).update { $0.germination = nil }
        .fetchAll(db)
    _ = try Event.find(1).update { $0.kind = .remark("label lost") }
        .fetchAll(db)
    _ = try Trait.as(Old.self).find("odd").delete()
        .fetchAll(db)
    _ =
        try Member
        .find(3)
        .update {
            $0.points.negate(); $0.name.append(" ✿")
        }
        .returning { ($0.points, $0.name) }
        .fetchAll(db)
}
