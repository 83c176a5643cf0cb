import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Variety.TableColumns, Packet.TableColumns, Member.TableColumns,
    Loan.TableColumns
)

@Suite struct OrderExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `rows are grouped`() throws {
        try library.check(
            Loan.group { ($0.memberID, $0.returned.is(nil)) }.having { $0.count() > 1 }.having {
                $0.seeds.sum() > 20
            }.order(by: \.memberID).select {
                ($0.memberID, $0.returned.is(nil), $0.count(), $0.seeds.sum())
            },
            """
            SELECT `loans`.`memberID`, `loans`.`returned` IS NULL, count(`loans`.`id`), \
            sum(`loans`.`seeds`) FROM `loans` GROUP BY `loans`.`memberID`, `loans`.`returned` IS \
            NULL HAVING count(`loans`.`id`) > 1 AND sum(`loans`.`seeds`) > 20 ORDER BY \
            `loans`.`memberID`
            """,
            [[2, 0, 2, 30], [3, 1, 2, 105]])
        try library.check(
            Loan.where { $0.takenAt >= day("2025-01-01") && $0.takenAt < day("2026-01-01") }.group {
                ($0.takenAt.month - 1) / 3
            }.having { $0.seeds.sum() >= 15 }.order { ($0.takenAt.month - 1) / 3 }.select {
                (
                    ($0.takenAt.month - 1) / 3 + 1, $0.count(), $0.memberID.count(distinct: true),
                    Case().when($0.seeds.sum() > 100, then: "busy").else("quiet")
                )
            },
            """
            SELECT ((CAST(strftime('%m', `loans`.`takenAt`) AS INTEGER) - 1) / 3) + 1, \
            count(`loans`.`id`), count(DISTINCT `loans`.`memberID`), CASE WHEN \
            sum(`loans`.`seeds`) > 100 THEN 'busy' ELSE 'quiet' END FROM `loans` WHERE \
            `loans`.`takenAt` >= '2025-01-01 00:00:00.000' AND `loans`.`takenAt` < '2026-01-01 \
            00:00:00.000' GROUP BY (CAST(strftime('%m', `loans`.`takenAt`) AS INTEGER) - 1) / 3 \
            HAVING sum(`loans`.`seeds`) >= 15 ORDER BY (CAST(strftime('%m', `loans`.`takenAt`) \
            AS INTEGER) - 1) / 3
            """,
            [[1, 2, 2, "quiet"], [2, 4, 4, "busy"], [3, 2, 2, "busy"]])
    }

    @Test
    func `rows are grouped, continued`() throws {
        try library.check(
            Member.where { $0.email.isNot(nil) }.group { $0.name.collate(.nocase) }.having {
                $0.count() > 1
            }.order { $0.name.collate(.nocase) }.select {
                ($0.name.min(), $0.count(), $0.email.groupConcat(", ", order: $0.email))
            },
            """
            SELECT min(`members`.`name`), count(`members`.`id`), group_concat(`members`.`email`, \
            ', ' ORDER BY `members`.`email`) FROM `members` WHERE `members`.`email` IS NOT NULL \
            GROUP BY `members`.`name` COLLATE `NOCASE` HAVING count(`members`.`id`) > 1 ORDER BY \
            `members`.`name` COLLATE `NOCASE`
            """,
            [["Ada Lindqvist", 2, "ada2@seeds.example, ada@seeds.example"]])
        try library.check(
            Member.where { $0.joined >= day("2022-01-01") }.group { $0.joined.year }.having {
                $0.count() > 1
            }.order { $0.joined.year.desc() }.select {
                (
                    $0.joined.year, $0.count(), $0.count(filter: $0.leftOn.is(nil)),
                    $0.role.groupConcat(distinct: true)
                )
            },
            """
            SELECT CAST(strftime('%Y', `members`.`joined`) AS INTEGER), count(`members`.`id`), \
            count(`members`.`id`) FILTER (WHERE `members`.`leftOn` IS NULL), \
            group_concat(DISTINCT `members`.`role`) FROM `members` WHERE `members`.`joined` >= \
            2459580.5 GROUP BY CAST(strftime('%Y', `members`.`joined`) AS INTEGER) HAVING \
            count(`members`.`id`) > 1 ORDER BY CAST(strftime('%Y', `members`.`joined`) AS \
            INTEGER) DESC
            """)
    }

    @Test
    func `rows are ordered`() throws {
        try library.check(
            Loan.order { ($0.dueAt.desc(nulls: .first), $0.seeds.asc(nulls: .last)) }.order(
                by: \.id
            ).select { ($0.id, $0.dueAt) },
            """
            SELECT `loans`.`id`, `loans`.`dueAt` FROM `loans` ORDER BY `loans`.`dueAt` DESC \
            NULLS FIRST, `loans`.`seeds` ASC NULLS LAST, `loans`.`id`
            """,
            [
                [4, nil], [8, nil], [9, "2026-10-01 00:00:00.000"],
                [10, "2026-10-01 00:00:00.000"], [7, "2026-02-01 00:00:00.000"],
                [6, "2026-02-01 00:00:00.000"], [5, "2025-12-01 00:00:00.000"],
                [2, "2025-11-01 00:00:00.000"], [1, "2025-11-01 00:00:00.000"],
                [3, "2025-10-15 00:00:00.000"],
            ])
    }

    @Test
    func `orders have directions`() throws {
        try library.check(
            Variety.order {
                ($0.daysToHarvest.asc(nulls: .last), $0.name.collate(.nocase).desc(), $0.id)
            }.select(\.name),
            """
            SELECT `varieties`.`name` FROM `varieties` ORDER BY `varieties`.`daysToHarvest` ASC \
            NULLS LAST, `varieties`.`name` COLLATE `NOCASE` DESC, `varieties`.`id`
            """,
            [
                ["Merveille des Quatre Saisons"], ["Sungold"], ["Dragon's Tongue"], ["Fish"],
                ["Black Krim"], ["Rosa Bianca"], ["rosa bianca"], ["Hutterite Soup"],
                ["Poppy 🌺 Mix"], ["Aji \"Amarillo\""],
            ])
        try library.check(
            Taxon.order { _ in .random }.limit(1).select { _ in 1 },
            "SELECT 1 FROM `taxons` ORDER BY random() LIMIT 1",
            [[1]])
    }

    @Test
    func `rows are limited`() throws {
        try library.check(
            Packet.order(by: \.id).limit(5).offset(4).limit(2).select(\.id),
            "SELECT `packets`.`id` FROM `packets` ORDER BY `packets`.`id` LIMIT 2 OFFSET 4",
            [[5], [6]])
        try library.check(
            Packet.order(by: \.id).offset(10).select(\.id),
            "SELECT `packets`.`id` FROM `packets` ORDER BY `packets`.`id` LIMIT -1 OFFSET 10",
            [[11], [12]])
    }

    @Test
    func `orders are taken back and turned round`() throws {
        try library.check(
            Loan.order { ($0.dueAt.desc(nulls: .first), $0.id) }.reversed().limit(3).select(\.id),
            """
            SELECT `loans`.`id` FROM `loans` ORDER BY `loans`.`dueAt` ASC NULLS LAST, \
            `loans`.`id` DESC LIMIT 3
            """,
            [[3], [2], [1]])
        try library.check(
            Loan.order(by: \.dueAt).unordered().count(),
            "SELECT count(*) FROM `loans`",
            [[10]])
    }
}
