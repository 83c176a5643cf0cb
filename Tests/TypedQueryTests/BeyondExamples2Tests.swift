import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Variety.TableColumns, Packet.TableColumns, Member.TableColumns,
    Loan.TableColumns, Trait.TableColumns, OpenName.TableColumns, Stock.TableColumns,
    Gap.TableColumns
)

@Suite struct BeyondExamples2Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `a query takes rows from another, continued 5`() throws {
        try library.check(
            Gap.from(
                Loan.where { $0.returned.isNot(nil) }.select { l in
                    Gap.Columns(
                        memberID: l.memberID, takenAt: l.takenAt,
                        before: l.takenAt.lag(1).over(
                            .partition(by: l.memberID).order((l.takenAt, l.id))))
                }
            ).where { $0.before.isNot(nil) }.join(Member.all) { $0.memberID.eq($1.id) }.order {
                g, m in (m.name, g.takenAt)
            }.limit(5).select { g, m in
                (m.name, (g.takenAt.timeIntervalSince(g.before) / 86400).round(1))
            },
            """
            SELECT `members`.`name`, round((unixepoch(`gaps`.`takenAt`, 'subsec') - \
            unixepoch(`gaps`.`before`, 'subsec')) / 86400.0, 1) FROM (SELECT `loans`.`memberID` \
            AS `memberID`, `loans`.`takenAt` AS `takenAt`, lag(`loans`.`takenAt`, 1) OVER \
            (PARTITION BY `loans`.`memberID` ORDER BY `loans`.`takenAt`, `loans`.`id`) AS \
            `before` FROM `loans` WHERE `loans`.`returned` IS NOT NULL) AS `gaps` JOIN `members` \
            ON `gaps`.`memberID` = `members`.`id` WHERE `gaps`.`before` IS NOT NULL ORDER BY \
            `members`.`name`, `gaps`.`takenAt` LIMIT 5
            """,
            [["Bo O'Hara", 40.0]])
    }

    @Test
    func `results of compounds are ordered`() throws {
        try library.check(
            Packet.where { $0.seeds > 400 }.select { ($0.varietyID, $0.seeds) }.union(
                Packet.where { $0.place.shelf.eq("A") }.select { ($0.varietyID, $0.seeds) }
            ).order { ($0.1.desc(), $0.0) }.limit(3).offset(1),
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

    @Test(.proves("BYD-014"))
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

        try library.check(
            Trait.where { $0.label.hasPrefix("50%") || $0.label.contains("a\\b") }.count(),
            """
            SELECT count(*) FROM `traits` WHERE `traits`.`label` LIKE '50\\%%' ESCAPE '\\' OR \
            `traits`.`label` LIKE '%a\\\\b%' ESCAPE '\\'
            """,
            [[1]])
        try library.check(
            Trait.where { $0.label.hasPrefix("H", caseSensitive: true) }.count(),
            "SELECT count(*) FROM `traits` WHERE substr(`traits`.`label`, 1, 1) = 'H'",
            [[2]])
        try library.check(
            Trait.where { $0.label.hasSuffix("XTYPE", caseSensitive: true) }.count(),
            "SELECT count(*) FROM `traits` WHERE substr(`traits`.`label`, -5) = 'XTYPE'",
            [[0]])
    }

    @Test
    func `tables of With are materialised and named`() throws {
        try library.check(
            With {
                Packet.where { $0.seeds > 0 }.group(by: \.varietyID).select {
                    Stock.Columns(
                        varietyID: $0.varietyID, seeds: $0.seeds.total().cast(as: Int.self))
                }.materialized()
            } query: {
                Stock.where { $0.seeds.eq(Stock.as(Other.self).select { $0.seeds.max() }) }.select(
                    \.varietyID)
            },
            """
            WITH `stocks` AS MATERIALIZED (SELECT `packets`.`varietyID` AS `varietyID`, \
            CAST(total(`packets`.`seeds`) AS INTEGER) AS `seeds` FROM `packets` WHERE \
            `packets`.`seeds` > 0 GROUP BY `packets`.`varietyID`) SELECT `stocks`.`varietyID` \
            FROM `stocks` WHERE `stocks`.`seeds` = (SELECT max(`others`.`seeds`) FROM `stocks` \
            AS `others`)
            """,
            [["00000000-0000-4000-8000-000000000008"]])
        try library.check(
            With {
                OpenName.from(Values("Fish").union(all: true, Values("Sungold")))
            } query: {
                Variety.join(OpenName.all) { $0.name.eq($1.name) }.order { v, _ in v.id }.select {
                    v, _ in v.id
                }
            },
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
    func `functions give rows`() throws {
        try library.check(
            Variety.find(V.blackKrim).join(Variety.columns.sowing.jsonTree()) { _, t in
                t.type.eq("integer")
            }.select { _, t in (t.path, t.value) },
            """
            SELECT `json_tree`.`path`, `json_tree`.`value` FROM `varieties` JOIN \
            json_tree(`varieties`.`sowing`) ON `json_tree`.`type` = 'integer' WHERE \
            `varieties`.`id` = '00000000-0000-4000-8000-000000000001'
            """,
            [["$.months", 2], ["$.months", 3], ["$.months", 4]])
        try library.check(
            Series(2019...2025, by: 2).leftJoin(Packet.all) { $0.value.eq($1.harvestYear) }.group {
                s, _ in s.value
            }.order { s, _ in s.value }.select { ($0.value, $1.count()) },
            """
            SELECT `series`.`value`, count(`packets`.`id`) FROM (WITH RECURSIVE `series` \
            (`value`) AS (SELECT 2019 UNION ALL SELECT `series`.`value` + 2 FROM `series` WHERE \
            (`series`.`value` + 2) <= 2025) SELECT `series`.`value` FROM `series`) AS `series` \
            LEFT JOIN `packets` ON `series`.`value` = `packets`.`harvestYear` GROUP BY \
            `series`.`value` ORDER BY `series`.`value`
            """,
            [[2019, 1], [2021, 1], [2023, 4], [2025, 0]])
    }

    @Test(.proves("BYD-021"))
    func `an index is named`() throws {
        try library.check(
            Loan.indexed(by: "by_member").where { $0.memberID.eq(2) }.select(\.id),
            """
            SELECT `loans`.`id` FROM `loans` INDEXED BY `by_member` WHERE `loans`.`memberID` = 2
            """,
            [[1], [3], [10]],
            setup: ["CREATE INDEX `by_member` ON `loans` (`memberID`)"])

        try library.check(
            Loan.notIndexed().where { $0.memberID.eq(2) }.select(\.id),
            "SELECT `loans`.`id` FROM `loans` NOT INDEXED WHERE `loans`.`memberID` = 2",
            [[1], [3], [10]])
    }

    @Test
    func `pages follow one another`() throws {
        do {
            let last = try library.queue.read { try Loan.find($0, key: 6) }
            try library.check(
                Loan.order { ($0.takenAt, $0.id) }.after(last).limit(3).select(\.id),
                """
                SELECT `loans`.`id` FROM `loans` WHERE (`loans`.`takenAt`, `loans`.`id`) > \
                ('2025-08-20 12:00:00.000', 6) ORDER BY `loans`.`takenAt`, `loans`.`id` LIMIT 3
                """,
                [[7], [9], [10]])
        }
        do {
            let last = try library.queue.read { try Packet.find($0, key: 11) }
            try library.check(
                Packet.where { $0.seeds > 0 }.order { ($0.seeds.desc(), $0.id) }.after(last).limit(
                    3
                ).select { ($0.id, $0.seeds) },
                """
                SELECT `packets`.`id`, `packets`.`seeds` FROM `packets` WHERE `packets`.`seeds` > 0 \
                AND (`packets`.`seeds` < 30 OR (`packets`.`seeds` = 30 AND `packets`.`id` > 11)) \
                ORDER BY `packets`.`seeds` DESC, `packets`.`id` LIMIT 3
                """,
                [[12, 30], [6, 10], [8, 5]])
        }
    }

    @Test
    func `pages follow one another, continued`() throws {
        do {
            let last = try library.queue.read { try Variety.find($0, key: V.fish) }
            try library.check(
                Variety.where(\.isOpenPollinated).join(Taxon.all) { $0.taxonID.eq($1.id) }.order {
                    v, _ in (v.addedOn, v.id)
                }.after(last).limit(3).select { ($0.name, $1.name) },
                """
                SELECT `varieties`.`name`, `taxons`.`name` FROM `varieties` JOIN `taxons` ON \
                `varieties`.`taxonID` = `taxons`.`id` WHERE `varieties`.`isOpenPollinated` AND \
                (`varieties`.`added_on`, `varieties`.`id`) > ('2025-01-10 12:00:00.000', \
                '00000000-0000-4000-8000-000000000005') ORDER BY `varieties`.`added_on`, \
                `varieties`.`id` LIMIT 3
                """,
                [
                    ["Aji \"Amarillo\"", "Capsicum"],
                    ["Merveille des Quatre Saisons", "Lactuca sativa"], ["Poppy 🌺 Mix", "Papaver"],
                ])
        }
    }

    @Test
    func `pages follow one another, continued 2`() throws {
        do {
            let last = try library.queue.read { try Loan.find($0, key: 6) }
            try library.check(
                Loan.order { ($0.dueAt.asc(nulls: .last), $0.id) }.after(last).limit(4).select {
                    ($0.id, $0.dueAt)
                },
                """
                SELECT `loans`.`id`, `loans`.`dueAt` FROM `loans` WHERE `loans`.`dueAt` > \
                '2026-02-01 00:00:00.000' OR `loans`.`dueAt` IS NULL OR (`loans`.`dueAt` IS \
                '2026-02-01 00:00:00.000' AND `loans`.`id` > 6) ORDER BY `loans`.`dueAt` ASC NULLS \
                LAST, `loans`.`id` LIMIT 4
                """,
                [
                    [7, "2026-02-01 00:00:00.000"], [9, "2026-10-01 00:00:00.000"],
                    [10, "2026-10-01 00:00:00.000"], [4, nil],
                ])
        }
    }
}
