import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Suite struct BeyondExamples2Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `BYD-011`() throws {
        try library.check(
            Loan.join(Packet.all) { $0.packetID.eq($1.id) }.where { _, p in p.place.shelf.eq("C") }.update { loan, packet in loan.seeds = loan.seeds + packet.place.box },
            """
            UPDATE `loans` SET `seeds` = `loans`.`seeds` + `packets`.`box` FROM `packets` WHERE \
            `loans`.`packetID` = `packets`.`id` AND `packets`.`shelf` = 'C'
            """,
            [],
            after: "SELECT `id`, `seeds` FROM `loans` WHERE `packetID` IN (9, 10) ORDER BY `id`",
            [[6, 101], [7, 51], [8, 202]])
        try library.check(
            With { Loan.where { $0.returned.isNot(nil) }.group(by: \.packetID).select { Back.Columns(packetID: $0.packetID, seeds: $0.returned.sum() ?? 0) } } query: { Packet.join(Back.where { $0.seeds > 0 }) { $0.id.eq($1.packetID) }.update { p, b in p.seeds = p.seeds + b.seeds }.returning { ($0.id, $0.seeds) } },
            """
            WITH `backs` AS (SELECT `loans`.`packetID` AS `packetID`, \
            coalesce(sum(`loans`.`returned`), 0) AS `seeds` FROM `loans` WHERE \
            `loans`.`returned` IS NOT NULL GROUP BY `loans`.`packetID`) UPDATE `packets` SET \
            `seeds` = `packets`.`seeds` + `backs`.`seeds` FROM `backs` WHERE `packets`.`id` = \
            `backs`.`packetID` AND `backs`.`seeds` > 0 RETURNING `id`, `seeds`
            """,
            [[1, 150], [4, 220], [9, 575]])
    }

    @Test
    func `results of compounds are ordered`() throws {
        try library.check(
            Packet.where { $0.seeds > 400 }.select { ($0.varietyID, $0.seeds) }.union(Packet.where { $0.place.shelf.eq("A") }.select { ($0.varietyID, $0.seeds) }).order { ($0.1.desc(), $0.0) }.limit(3).offset(1),
            """
            SELECT `packets`.`varietyID`, `packets`.`seeds` FROM `packets` WHERE \
            `packets`.`seeds` > 400 UNION SELECT `packets`.`varietyID`, `packets`.`seeds` FROM \
            `packets` WHERE `packets`.`shelf` = 'A' ORDER BY 2 DESC, 1 LIMIT 3 OFFSET 1
            """,
            [
                ["00000000-0000-4000-8000-000000000007", 500],
                ["00000000-0000-4000-8000-000000000001", 120],
                ["00000000-0000-4000-8000-000000000005", 60],
            ])
    }

    @Test
    func `texts contain any characters`() throws {
        try library.check(
            Trait.where { $0.label.contains("50%") || $0.label.hasSuffix("f_type") }.select(\.code),
            """
            SELECT `traits`.`code` FROM `traits` WHERE `traits`.`label` LIKE '%50\\%%' ESCAPE \
            '\\' OR `traits`.`label` LIKE '%f\\_type' ESCAPE '\\'
            """,
            [["odd"]])
        try library.check(
            Variety.where { $0.name.contains("rosa", caseSensitive: true) }.select(\.name),
            """
            SELECT `varieties`.`name` FROM `varieties` WHERE instr(`varieties`.`name`, 'rosa') > \
            0
            """,
            [["rosa bianca"]])
    }

    @Test
    func `tables of With are materialised and named`() throws {
        try library.check(
            With { Packet.where { $0.seeds > 0 }.group(by: \.varietyID).select { Stock.Columns(varietyID: $0.varietyID, seeds: $0.seeds.total().cast(as: Int.self)) }.materialized() } query: { Stock.where { $0.seeds.eq(Stock.as(Other.self).select { $0.seeds.max() }) }.select(\.varietyID) },
            """
            WITH `stocks` AS MATERIALIZED (SELECT `packets`.`varietyID` AS `varietyID`, \
            CAST(total(`packets`.`seeds`) AS INTEGER) AS `seeds` FROM `packets` WHERE \
            `packets`.`seeds` > 0 GROUP BY `packets`.`varietyID`) SELECT `stocks`.`varietyID` \
            FROM `stocks` WHERE `stocks`.`seeds` = (SELECT max(`others`.`seeds`) FROM `stocks` \
            AS `others`)
            """,
            [["00000000-0000-4000-8000-000000000008"]])
        try library.check(
            With { OpenName.from(Values("Fish").union(all: true, Values("Sungold"))) } query: { Variety.join(OpenName.all) { $0.name.eq($1.name) }.order { v, _ in v.id }.select { v, _ in v.id } },
            """
            WITH `openNames` (`name`) AS (SELECT 'Fish' UNION ALL SELECT 'Sungold') SELECT \
            `varieties`.`id` FROM `varieties` JOIN `openNames` ON `varieties`.`name` = \
            `openNames`.`name` ORDER BY `varieties`.`id`
            """,
            [
                ["00000000-0000-4000-8000-000000000002"], ["00000000-0000-4000-8000-000000000005"],
            ])
    }

    @Test
    func `BYD-019`() throws {
        try library.check(
            Member.insert { Member(id: 1, name: "X", email: "bo@seeds.example", sponsorID: nil, role: .guest, joined: day("2026-01-01"), leftOn: nil, address: nil, points: 0) }.onConflict { $0.id } doUpdate: { $0.points += 1 }.onConflict { $0.email },
            """
            INSERT INTO `members` (`id`, `name`, `email`, `sponsorID`, `role`, `joined`, \
            `leftOn`, `address`, `points`) VALUES (1, 'X', 'bo@seeds.example', NULL, 'guest', \
            2461041.5, NULL, NULL, 0) ON CONFLICT (`id`) DO UPDATE SET `points` = \
            `members`.`points` + 1 ON CONFLICT (`email`) DO NOTHING
            """,
            [],
            after: "SELECT `id`, `points` FROM `members` WHERE `id` < 3 ORDER BY `id`",
            [[1, 41], [2, 15]])
    }

    @Test
    func `functions give rows`() throws {
        try library.check(
            Variety.find(V.blackKrim).join(Variety.columns.sowing.jsonTree()) { _, t in t.type.eq("integer") }.select { _, t in (t.path, t.value) },
            """
            SELECT `json_tree`.`path`, `json_tree`.`value` FROM `varieties` JOIN \
            json_tree(`varieties`.`sowing`) ON `json_tree`.`type` = 'integer' WHERE \
            `varieties`.`id` = '00000000-0000-4000-8000-000000000001'
            """,
            [["$.months", 2], ["$.months", 3], ["$.months", 4]])
        try library.check(
            Series(2019...2025, by: 2).leftJoin(Packet.all) { $0.value.eq($1.harvestYear) }.group { s, _ in s.value }.order { s, _ in s.value }.select { ($0.value, $1.count()) },
            """
            SELECT `series`.`value`, count(`packets`.`id`) FROM (WITH RECURSIVE `series` \
            (`value`) AS (SELECT 2019 UNION ALL SELECT `series`.`value` + 2 FROM `series` WHERE \
            (`series`.`value` + 2) <= 2025) SELECT `series`.`value` FROM `series`) AS `series` \
            LEFT JOIN `packets` ON `series`.`value` = `packets`.`harvestYear` GROUP BY \
            `series`.`value` ORDER BY `series`.`value`
            """,
            [[2019, 1], [2021, 1], [2023, 4], [2025, 0]])
    }

    @Test
    func `an index is named`() throws {
        try library.check(
            Loan.indexed(by: "by_member").where { $0.memberID.eq(2) }.select(\.id),
            """
            SELECT `loans`.`id` FROM `loans` INDEXED BY `by_member` WHERE `loans`.`memberID` = 2
            """,
            [[1], [3], [10]],
            setup: ["CREATE INDEX `by_member` ON `loans` (`memberID`)"])
    }

    @Test
    func `BYD-022`() throws {
        try library.check(
            try Loan.where { $0.memberID.eq(2) }.select(\.id).explainQueryPlan(db).uses(index: "by_member"),
            "EXPLAIN QUERY PLAN SELECT `loans`.`id` FROM `loans` WHERE `loans`.`memberID` = 2",
            setup: ["CREATE INDEX `by_member` ON `loans` (`memberID`)"])
    }

    @Test
    func `BYD-026`() throws {
        try library.check(
            Packet.update(changed, from: old),
            "UPDATE `packets` SET `seeds` = 39, `box` = 3 WHERE `packets`.`id` = 3",
            [],
            after: "SELECT `seeds`, `shelf`, `box` FROM `packets` WHERE `id` = 3",
            [[39, "A", 3]])
    }

    @Test
    func `BYD-027`() throws {
        try library.check(
            Packet.update(changed, ifUnchangedFrom: old),
            """
            UPDATE `packets` SET `seeds` = 39, `harvestYear` = NULL WHERE `packets`.`id` = 3 AND \
            `packets`.`seeds` IS 40 AND `packets`.`harvestYear` IS 2024
            """,
            [],
            after: "SELECT `seeds`, `harvestYear` FROM `packets` WHERE `id` = 3",
            [[39, nil]])
    }
}
