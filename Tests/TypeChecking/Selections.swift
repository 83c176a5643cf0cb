import Foundation
import StrongroomTables

// Results of chosen columns, expressions and types. See `Scripts/typecheck`.

func selections1(_ db: Database) throws {
    _ =
        try Variety
        .where { $0.addedOn >= day("2025-01-01") }
        .order(by: \.addedOn)
        .select(\.name)
        .fetchAll(db)
    _ = try Packet.where { $0.isLow }.select { ($0.id, $0.rate) }
        .fetchAll(db)
    _ =
        try Packet
        .where { $0.place.shelf.eq("A") && $0.place.box.neq(1) }
        .order(by: \.place.box)
        .select { ($0.id, $0.place.box) }
        .fetchAll(db)
    _ =
        try Packet
        .where { $0.germination.isNot(nil) }
        .order { ($0.germination.sprouted.desc(), $0.id) }
        .select { ($0.id, $0.germination) }
        .fetchAll(db)
    _ =
        try Variety
        .where { $0.id.in(Trial.where { $0.score >= 8 }.select(\.id.varietyID)) }
        .order(by: \.name)
        .select(\.name)
        .fetchAll(db)
}

func selections2(_ db: Database) throws {
    _ =
        try Event
        .where { $0.kind.is(\.remark) }
        .order(by: \.id)
        .select { ($0.id, $0.kind.remark) }
        .fetchAll(db)
    _ =
        try Variety
        .order(by: \.id)
        .limit(3)
        .select { ($0.name, #sql("instr(\($0.name), ' ')", as: Int.self)) }
        .fetchAll(db)
    _ =
        try Packet
        .limit(2)
        .order { $0.seeds.desc() }
        .where { $0.place.shelf.eq("A") }
        .select(\.id)
        .fetchAll(db)
    _ =
        try Variety
        .where { v in !Packet.where { $0.varietyID.eq(v.id) && $0.seeds > 20 }.exists() }
        .order(by: \.name)
        .select(\.name)
        .fetchAll(db)
    _ =
        try Variety
        .where(\.isOpenPollinated)
        .and(.where { $0.habit.is(nil) })
        .select(\.name)
        .fetchAll(db)
}

func selections3(_ db: Database) throws {
    _ =
        try Packet
        .where { ($0.seeds.between(20, and: 60) || $0.grams.is(nil)) && $0.place.shelf.neq("C") }
        .select(\.id)
        .fetchAll(db)
    _ =
        try Variety
        .order { ($0.daysToHarvest.asc(nulls: .last), $0.name.collate(.nocase).desc(), $0.id) }
        .select(\.name)
        .fetchAll(db)
    _ =
        try Variety
        .order(by: \.name)
        .limit(3)
        .select { v in
            (
                v.name, Packet.where { $0.varietyID.eq(v.id) }.count(),
                Packet.where { $0.varietyID.eq(v.id) }.select { $0.seeds.max() }
            )
        }
        .fetchAll(db)
    _ =
        try Loan
        .group { $0.takenAt.month }
        .order { $0.takenAt.month }
        .having { $0.count() > 1 }
        .select {
            MonthLine.Columns(
                month: $0.takenAt.month, loans: $0.count(),
                open: $0.count(filter: $0.returned.is(nil)), seeds: $0.seeds.sum() ?? 0,
                back: $0.returned.total())
        }
        .fetchAll(db)
    _ =
        try Packet
        .where { $0.harvestYear < 2023 && $0.grams >= 0.5 }
        .order(by: \.id)
        .select(\.id)
        .fetchAll(db)
}

func selections4(_ db: Database) throws {
    _ =
        try Packet
        .where {
            !($0.seeds > 50 || $0.place.box.eq(2)) && ($0.harvestYear.isNot(nil) || $0.grams < 5.0)
        }
        .order(by: \.id)
        .select(\.id)
        .fetchAll(db)
    _ =
        try Packet
        .where { ($0.seeds > 500).unlikely() && ($0.id > 0).likelihood(0.9) }
        .select(\.id)
        .fetchAll(db)
    _ =
        try Trait
        .order(by: \.code)
        .limit(2)
        .select {
            (
                $0.label.replace("D", "d").trim("t"), $0.label.quote(), $0.code.hex(),
                $0.code.unicode(), $0.code + "/" + $0.label.lower()
            )
        }
        .fetchAll(db)
    _ =
        try Member
        .group { $0.name.collate(.nocase) }
        .having { $0.count() > 1 }
        .select { ($0.name.lower(), $0.count()) }
        .fetchAll(db)
    _ =
        try Variety
        .order(by: \.id)
        .select {
            Case($0.habit).when(.annual, then: "A").when(.biennial, then: "B").when(
                .perennial, then: "P")
        }
        .fetchAll(db)
}

func selections5(_ db: Database) throws {
    _ =
        try Packet
        .where { $0.id < 0 }
        .select { ($0.seeds.sum(), $0.seeds.total(), $0.count(), $0.seeds.max()) }
        .fetchAll(db)
    _ =
        try Loan
        .where { $0.id < 3 }
        .order(by: \.id)
        .select {
            (
                $0.takenAt(.days(7)), $0.takenAt(.startOfMonth)(.months(1))(.days(-1)),
                $0.dueAt(.days(7).hours(2))
            )
        }
        .fetchAll(db)
    _ =
        try Variety
        .where { $0.id.eq(V.dragon) }
        .select {
            (
                $0.addedOn(.months(-1).floor), $0.addedOn(.months(-1).ceiling),
                $0.addedOn(.startOfYear), $0.addedOn(.weekday(1))
            )
        }
        .fetchAll(db)
    _ =
        try Loan
        .where { $0.dueAt.isNot(nil) && $0.id < 4 }
        .order(by: \.id)
        .select { $0.dueAt.timeIntervalSince($0.takenAt) / 86400 }
        .fetchAll(db)
    _ =
        try GrowNote
        .as(N.self)
        .where { $0.match("tomato") }
        .order(by: \.rank)
        .select { $0.title.highlight("<", ">") }
        .fetchAll(db)
}

func selections6(_ db: Database) throws {
    _ =
        try Trait
        .where { $0.label.contains("50%") || $0.label.hasSuffix("f_type") }
        .select(\.code)
        .fetchAll(db)
    _ =
        try Packet
        .where { $0.seeds > 0 }
        .group { $0.place.shelf }
        .having { $0.varietyID.count(distinct: true) > 1 }
        .order { ($0.seeds.sum().desc(), $0.place.shelf) }
        .select {
            ShelfLine.Columns(
                shelf: $0.place.shelf, varieties: $0.varietyID.count(distinct: true),
                seeds: $0.seeds.sum() ?? 0, low: $0.count(filter: $0.isLow),
                oldest: $0.harvestYear.min())
        }
        .fetchAll(db)
    _ =
        try Trait
        .where { SQLQueryExpression<Bool>($0.code.length() > 6) && $0.code.neq("drought") }
        .order(by: \.code)
        .select(\.code)
        .fetchAll(db)
    _ =
        try Member
        .where { $0.joined >= day("2022-01-01") }
        .group { $0.joined.year }
        .having { $0.count() > 1 }
        .order { $0.joined.year.desc() }
        .select {
            (
                $0.joined.year, $0.count(), $0.count(filter: $0.leftOn.is(nil)),
                $0.role.groupConcat(distinct: true)
            )
        }
        .fetchAll(db)
    _ =
        try Event
        .where {
            $0.kind.in([.donated(by: "Ada"), .moved(Event.Move(fromShelf: "B", toShelf: nil))])
        }
        .order(by: \.id)
        .select(\.id)
        .fetchAll(db)
}
