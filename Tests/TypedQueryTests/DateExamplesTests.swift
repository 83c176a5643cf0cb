import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Variety.TableColumns, Packet.TableColumns, Member.TableColumns, Loan.TableColumns,
    Event.TableColumns
)

@Suite struct DateExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `dates are changed in their representation`() throws {
        try library.check(
            Loan.where { $0.id < 3 }.order(by: \.id).select {
                (
                    $0.takenAt(.days(7)), $0.takenAt(.startOfMonth)(.months(1))(.days(-1)),
                    $0.dueAt(.days(7).hours(2))
                )
            },
            """
            SELECT datetime(`loans`.`takenAt`, '7 days', 'subsec'), datetime(`loans`.`takenAt`, \
            'start of month', '1 months', '-1 days', 'subsec'), datetime(`loans`.`dueAt`, '7 \
            days', '2 hours', 'subsec') FROM `loans` WHERE `loans`.`id` < 3 ORDER BY \
            `loans`.`id`
            """,
            [
                ["2025-03-08 10:00:00.000", "2025-03-31 00:00:00.000", "2025-11-08 02:00:00.000"],
                ["2025-03-09 11:30:00.000", "2025-03-31 00:00:00.000", "2025-11-08 02:00:00.000"],
            ])
        try library.check(
            Packet.where { $0.id.eq(1) }.select { $0.germination.testedAt(.days(7)) },
            """
            SELECT unixepoch(`packets`.`testedAt`, 'unixepoch', '7 days') FROM `packets` WHERE \
            `packets`.`id` = 1
            """,
            [[1709856000]])
        try library.check(
            Event.where { $0.id.eq(2) }.select { $0.at(.seconds(0.25)) },
            """
            SELECT unixepoch(`events`.`at`, 'unixepoch', '0.25 seconds', 'subsec') FROM `events` \
            WHERE `events`.`id` = 2
            """,
            [[1709456400.75]])
    }

    @Test
    func `dates are changed in their representation, continued`() throws {
        try library.check(
            Member.where { $0.id.eq(4) }.select { $0.joined(.days(7)) },
            """
            SELECT julianday(`members`.`joined`, '7 days') FROM `members` WHERE `members`.`id` = \
            4
            """,
            [[2459807.25]])
    }

    @Test
    func `dates have all modifiers`() throws {
        try library.check(
            Variety.where { $0.id.eq(V.dragon) }.select {
                (
                    $0.addedOn(.months(-1).floor), $0.addedOn(.months(-1).ceiling),
                    $0.addedOn(.startOfYear), $0.addedOn(.weekday(1))
                )
            },
            """
            SELECT datetime(`varieties`.`added_on`, '-1 months', 'floor', 'subsec'), \
            datetime(`varieties`.`added_on`, '-1 months', 'ceiling', 'subsec'), \
            datetime(`varieties`.`added_on`, 'start of year', 'subsec'), \
            datetime(`varieties`.`added_on`, 'weekday 1', 'subsec') FROM `varieties` WHERE \
            `varieties`.`id` = '00000000-0000-4000-8000-000000000004'
            """,
            [
                [
                    "2024-02-29 23:59:59.999", "2024-03-02 23:59:59.999",
                    "2024-01-01 00:00:00.000", "2024-04-01 23:59:59.999",
                ]
            ])
    }

    @Test
    func `dates are compared with the clock`() throws {
        try library.check(
            Packet.where { $0.germination.testedAt < .now(.startOfMonth) }.count(),
            """
            SELECT count(*) FROM `packets` WHERE `packets`.`testedAt` < unixepoch('now', 'start \
            of month')
            """,
            [[7]])
    }

    @Test
    func `dates have parts`() throws {
        try library.check(
            Loan.where { $0.id.in([4, 10]) }.order(by: \.id).select {
                (
                    $0.takenAt.year, $0.takenAt.dayOfYear, $0.takenAt.weekday,
                    $0.takenAt.fractionalSecond, $0.dueAt.month, $0.dueAt.strftime("%Y-%m")
                )
            },
            """
            SELECT CAST(strftime('%Y', `loans`.`takenAt`) AS INTEGER), CAST(strftime('%j', \
            `loans`.`takenAt`) AS INTEGER), CAST(strftime('%w', `loans`.`takenAt`) AS INTEGER), \
            CAST(strftime('%f', `loans`.`takenAt`) AS REAL), CAST(strftime('%m', \
            `loans`.`dueAt`) AS INTEGER), strftime('%Y-%m', `loans`.`dueAt`) FROM `loans` WHERE \
            `loans`.`id` IN (4, 10) ORDER BY `loans`.`id`
            """,
            [[2025, 101, 5, 0.0, nil, nil], [2026, 6, 2, 0.5, 10, "2026-10"]])
        try library.check(
            Packet.group { $0.germination.testedAt.year }.order { $0.germination.testedAt.year }
                .select { ($0.germination.testedAt.year, $0.count()) },
            """
            SELECT CAST(strftime('%Y', `packets`.`testedAt`, 'unixepoch') AS INTEGER), \
            count(`packets`.`id`) FROM `packets` GROUP BY CAST(strftime('%Y', \
            `packets`.`testedAt`, 'unixepoch') AS INTEGER) ORDER BY CAST(strftime('%Y', \
            `packets`.`testedAt`, 'unixepoch') AS INTEGER)
            """,
            [[nil, 5], [2023, 1], [2024, 6]])
    }

    @Test
    func `dates have distances`() throws {
        try library.check(
            Loan.where { $0.dueAt.isNot(nil) && $0.id < 4 }.order(by: \.id).select {
                $0.dueAt.timeIntervalSince($0.takenAt) / 86400
            },
            """
            SELECT (unixepoch(`loans`.`dueAt`, 'subsec') - unixepoch(`loans`.`takenAt`, \
            'subsec')) / 86400.0 FROM `loans` WHERE `loans`.`dueAt` IS NOT NULL AND `loans`.`id` \
            < 4 ORDER BY `loans`.`id`
            """,
            [[244.58333333333334], [243.52083333333334], [187.61458333333334]])
    }
}
