import Foundation
import StrongroomTables

// Windows and JSON. See `Scripts/typecheck`.

func windows1(_ db: Database) throws {
    _ =
        try Variety
        .where { $0.sowing.jsonExtract(\.indoors).eq(true) }
        .order(by: \.name)
        .select { ($0.name, $0.sowing.jsonExtract(\.depth)) }
        .fetchAll(db)
    _ =
        try Variety
        .where { $0.sowing.jsonExtract(\.months[0]) >= 3 }
        .order(by: \.id)
        .select { ($0.name, $0.sowing.jsonExtract(\.months[-1]), $0.sowing.jsonExtract(\.months)) }
        .fetchAll(db)
    _ =
        try Member
        .where { $0.address.jsonExtract(\.city).eq("Lund") }
        .order(by: \.id)
        .select { ($0.id, $0.address, $0.address.jsonExtract(\.zip)) }
        .fetchAll(db)
    _ =
        try Variety
        .find(V.blackKrim)
        .update { $0.sowing = $0.sowing.jsonSet(\.depth, 1.5).jsonSet(\.months[0], 1) }
        .fetchAll(db)
    _ =
        try Variety
        .find(V.soupBean)
        .update { $0.sowing = $0.sowing.jsonReplace(\.indoors, true).jsonRemove(\.depth) }
        .fetchAll(db)
}

func windows2(_ db: Database) throws {
    _ =
        try Variety
        .where { $0.habit.eq(.perennial) }
        .update { $0.aliases = $0.aliases.jsonAppend("O'Pepper 🌶") }
        .fetchAll(db)
    _ =
        try Member
        .find(6)
        .update {
            $0.address = $0.address.jsonbAppend(\.lines, "Back door").jsonbSet(\.zip, "22223")
        }
        .returning(\.address)
        .fetchAll(db)
    _ =
        try Variety
        .order(by: \.id)
        .limit(4)
        .select {
            (
                $0.name, $0.aliases.jsonArrayLength(), $0.sowing.jsonArrayLength(\.months),
                $0.aliases.jsonEach().count()
            )
        }
        .fetchAll(db)
    _ =
        try Variety
        .where { $0.sowing.jsonEach(\.months).where { $0.value.eq(2) }.exists() }
        .order(by: \.name)
        .select(\.name)
        .fetchAll(db)
    _ =
        try Packet
        .group { $0.place.shelf }
        .order { $0.place.shelf }
        .select {
            ($0.place.shelf, $0.seeds.jsonGroupArray(order: $0.seeds.desc(), filter: $0.seeds > 0))
        }
        .fetchAll(db)
}

func windows3(_ db: Database) throws {
    _ =
        try Trial
        .order { ($0.id.varietyID, $0.id.year) }
        .select { t in
            (
                t.id.year, t.score,
                t.score.lag(1, default: 0).over(.partition(by: t.id.varietyID).order(t.id.year)),
                rank().over(.order(t.score.desc())), t.count().over()
            )
        }
        .fetchAll(db)
    _ =
        try Loan
        .order(by: \.takenAt)
        .order(by: \.id)
        .select { l in
            (
                l.id,
                l.seeds.avg().over(
                    .order((l.takenAt, l.id)).rows(from: .preceding(2), to: .currentRow)),
                l.seeds.sum(filter: l.returned.is(nil)).over(
                    .order((l.takenAt, l.id)).rows(from: .start, to: .currentRow))
            )
        }
        .fetchAll(db)
    _ =
        try Packet
        .where { $0.seeds > 0 }
        .window(\.w) { .partition(by: $0.place.shelf).order($0.seeds.desc()) }
        .order(by: \.id)
        .select { ($0.id, denseRank().over(\.w), $0.seeds.firstValue().over(\.w)) }
        .fetchAll(db)
    _ =
        try Loan
        .where { $0.takenAt.year.eq(2025) }
        .group { $0.takenAt.month }
        .order { $0.takenAt.month }
        .select { l in (l.takenAt.month, l.count(), l.count().sum().over(.order(l.takenAt.month))) }
        .fetchAll(db)
    _ =
        try Member
        .find(2)
        .select { ($0.address.jsonbExtract(\.lines), $0.address.jsonExtract(\.lines[1])) }
        .fetchAll(db)
}

func windows4(_ db: Database) throws {
    _ =
        try Variety
        .where { v in
            v.sowing.jsonEach(\.months).where { $0.value.eq(5) }.exists();
            v.id.in(Packet.where { $0.seeds > 0 }.select(\.varietyID));
            !v.sowing.jsonExtract(\.indoors)
        }
        .update { $0.sowing = $0.sowing.jsonAppend(\.months, 8).jsonSet(\.depth, 2.5) }
        .returning { ($0.name, $0.sowing) }
        .fetchAll(db)
    _ = try Variety.find(V.fish).select { $0.jsonObject() }
        .fetchAll(db)
    _ = try Loan.where { $0.id < 3 }.select { $0.jsonGroupArray(order: $0.id) }
        .fetchAll(db)
    _ = try Event.where { $0.id < 3 }.order(by: \.id).select { $0.jsonObject() }
        .fetchAll(db)
    _ =
        try Variety
        .find(V.merveille)
        .update { $0.aliases = $0.aliases.jsonArrayInsert(\.[1], "Q\"S") }
        .returning(\.aliases)
        .fetchAll(db)
}
