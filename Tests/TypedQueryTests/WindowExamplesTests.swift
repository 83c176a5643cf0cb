import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Variety.TableColumns, Packet.TableColumns, Member.TableColumns, Loan.TableColumns,
    Trial.TableColumns
)

@Suite struct WindowExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test(.proves("BYD-002"))
    func `window functions see rows around`() throws {
        try library.check(
            Packet.select { p in
                (
                    p.id, p.place.shelf,
                    rowNumber().over(.partition(by: p.place.shelf).order((p.seeds.desc(), p.id))),
                    p.seeds.sum().over(.partition(by: p.place.shelf))
                )
            }.order { ($0.place.shelf, $0.id) },
            """
            SELECT `packets`.`id`, `packets`.`shelf`, row_number() OVER (PARTITION BY \
            `packets`.`shelf` ORDER BY `packets`.`seeds` DESC, `packets`.`id`), \
            sum(`packets`.`seeds`) OVER (PARTITION BY `packets`.`shelf`) FROM `packets` ORDER BY \
            `packets`.`shelf`, `packets`.`id`
            """,
            [
                [1, "A", 1, 250], [2, "A", 5, 250], [3, "A", 3, 250], [7, "A", 2, 250],
                [11, "A", 4, 250], [4, "B", 1, 285], [5, "B", 2, 285], [6, "B", 3, 285],
                [8, "C", 4, 1535], [9, "C", 2, 1535], [10, "C", 1, 1535], [12, "C", 3, 1535],
            ])
    }

    @Test
    func `window functions see rows around, continued`() throws {
        try library.check(
            Loan.join(Member.all) { $0.memberID.eq($1.id) }.leftJoin(Packet.all) { l, _, p in
                l.packetID.eq(p.id)
            }.where { l, m, _ in m.leftOn.is(nil) && l.takenAt >= day("2025-03-01") }.order {
                l, m, _ in (m.name, l.takenAt, l.id)
            }.limit(6).select { l, m, p in
                Ledger.Columns(
                    member: m.name, day: l.takenAt.strftime("%Y-%m-%d") ?? "", seeds: l.seeds,
                    running: l.seeds.sum().over(
                        .partition(by: m.id).order((l.takenAt, l.id)).rows(
                            from: .start, to: .currentRow)),
                    share: l.seeds.cast(as: Double.self) / p.seeds.nullif(0).cast(as: Double.self))
            },
            """
            SELECT `members`.`name` AS `member`, coalesce(strftime('%Y-%m-%d', \
            `loans`.`takenAt`), '') AS `day`, `loans`.`seeds` AS `seeds`, sum(`loans`.`seeds`) \
            OVER (PARTITION BY `members`.`id` ORDER BY `loans`.`takenAt`, `loans`.`id` ROWS \
            BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS `running`, CAST(`loans`.`seeds` AS \
            REAL) / CAST(nullif(`packets`.`seeds`, 0) AS REAL) AS `share` FROM `loans` JOIN \
            `members` ON `loans`.`memberID` = `members`.`id` LEFT JOIN `packets` ON \
            `loans`.`packetID` = `packets`.`id` WHERE `members`.`leftOn` IS NULL AND \
            `loans`.`takenAt` >= '2025-03-01 00:00:00.000' ORDER BY `members`.`name`, \
            `loans`.`takenAt`, `loans`.`id` LIMIT 6
            """,
            [
                ["Ada Lindqvist", "2026-01-05", 8, 8, 0.2],
                ["Bo O'Hara", "2025-03-01", 10, 10, 0.08333333333333333],
                ["Bo O'Hara", "2025-04-10", 20, 30, 0.1], ["Bo O'Hara", "2026-01-06", 15, 45, 0.2],
                ["Chidi", "2025-03-02", 5, 5, 0.041666666666666664],
                ["Chidi", "2025-08-20", 100, 105, 0.2],
            ])
    }

    @Test
    func `window functions see rows around, continued 2`() throws {
        try library.check(
            Loan.where { $0.takenAt.year.eq(2025) }.group { $0.takenAt.month }.order {
                $0.takenAt.month
            }.select { l in
                (l.takenAt.month, l.count(), l.count().sum().over(.order(l.takenAt.month)))
            },
            """
            SELECT CAST(strftime('%m', `loans`.`takenAt`) AS INTEGER), count(`loans`.`id`), \
            sum(count(`loans`.`id`)) OVER (ORDER BY CAST(strftime('%m', `loans`.`takenAt`) AS \
            INTEGER)) FROM `loans` WHERE CAST(strftime('%Y', `loans`.`takenAt`) AS INTEGER) = \
            2025 GROUP BY CAST(strftime('%m', `loans`.`takenAt`) AS INTEGER) ORDER BY \
            CAST(strftime('%m', `loans`.`takenAt`) AS INTEGER)
            """,
            [[3, 2, 2], [4, 2, 4], [5, 1, 5], [6, 1, 6], [8, 2, 8]])
    }

    @Test
    func `window functions see rows around, continued 3`() throws {
        try library.check(
            Packet.join(Variety.all) { $0.varietyID.eq($1.id) }.where { p, _ in p.seeds > 0 }
                .window(\.byShelf) { p, _ in .partition(by: p.place.shelf).order(p.seeds) }.order {
                    p, v in (p.place.shelf, p.seeds, v.name)
                }.select { p, v in
                    (
                        v.name, ntile(2).over(\.byShelf), percentRank().over(\.byShelf),
                        p.seeds.lead(1, default: -1).over(\.byShelf),
                        p.seeds.sum().over(
                            .order(p.seeds).groups(from: .preceding(1), to: .following(1))
                                .excluding(.ties))
                    )
                },
            """
            SELECT `varieties`.`name`, ntile(2) OVER `byShelf`, percent_rank() OVER `byShelf`, \
            lead(`packets`.`seeds`, 1, -1) OVER `byShelf`, sum(`packets`.`seeds`) OVER (ORDER BY \
            `packets`.`seeds` GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) FROM \
            `packets` JOIN `varieties` ON `packets`.`varietyID` = `varieties`.`id` WHERE \
            `packets`.`seeds` > 0 WINDOW `byShelf` AS (PARTITION BY `packets`.`shelf` ORDER BY \
            `packets`.`seeds`) ORDER BY `packets`.`shelf`, `packets`.`seeds`, `varieties`.`name`
            """,
            [
                ["Rosa Bianca", 1, 0.0, 40, 80], ["Sungold", 1, 0.3333333333333333, 60, 160],
                ["Fish", 2, 0.6666666666666666, 120, 175], ["Black Krim", 2, 1.0, -1, 395],
                ["Dragon's Tongue", 1, 0.0, 75, 75], ["Dragon's Tongue", 1, 0.5, 200, 255],
                ["Hutterite Soup", 2, 1.0, -1, 820], ["Aji \"Amarillo\"", 1, 0.0, 30, 15],
                ["rosa bianca", 1, 0.3333333333333333, 500, 80],
                ["Merveille des Quatre Saisons", 2, 0.6666666666666666, 1000, 1700],
                ["Poppy 🌺 Mix", 2, 1.0, -1, 1500],
            ])
    }

    @Test(.proves("BYD-002"))
    func `windows have parts and orders`() throws {
        try library.check(
            Trial.order { ($0.id.varietyID, $0.id.year) }.select { t in
                (
                    t.id.year, t.score,
                    t.score.lag(1, default: 0).over(
                        .partition(by: t.id.varietyID).order(t.id.year)),
                    rank().over(.order(t.score.desc())), t.count().over()
                )
            },
            """
            SELECT `trials`.`year`, `trials`.`score`, lag(`trials`.`score`, 1, 0) OVER \
            (PARTITION BY `trials`.`varietyID` ORDER BY `trials`.`year`), rank() OVER (ORDER BY \
            `trials`.`score` DESC), count(*) OVER () FROM `trials` ORDER BY \
            `trials`.`varietyID`, `trials`.`year`
            """,
            [
                [2023, 7, 0, 5, 8], [2024, 9, 7, 1, 8], [2024, 9, 0, 1, 8], [2023, nil, 0, 8, 8],
                [2023, 8, 0, 3, 8], [2024, 8, 8, 3, 8], [2024, 6, 0, 6, 8], [2022, 4, 0, 7, 8],
            ])
    }

    @Test
    func `windows have frames`() throws {
        try library.check(
            Loan.order(by: \.takenAt).order(by: \.id).select { l in
                (
                    l.id,
                    l.seeds.avg().over(
                        .order((l.takenAt, l.id)).rows(from: .preceding(2), to: .currentRow)),
                    l.seeds.sum(filter: l.returned.is(nil)).over(
                        .order((l.takenAt, l.id)).rows(from: .start, to: .currentRow))
                )
            },
            """
            SELECT `loans`.`id`, avg(`loans`.`seeds`) OVER (ORDER BY `loans`.`takenAt`, \
            `loans`.`id` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW), sum(`loans`.`seeds`) FILTER \
            (WHERE `loans`.`returned` IS NULL) OVER (ORDER BY `loans`.`takenAt`, `loans`.`id` \
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM `loans` ORDER BY \
            `loans`.`takenAt`, `loans`.`id`
            """,
            [
                [1, 10.0, nil], [2, 7.5, 5], [3, 11.666666666666666, 5],
                [4, 16.666666666666668, 30], [5, 16.333333333333332, 30],
                [8, 76.33333333333333, 30], [6, 101.33333333333333, 130],
                [7, 116.66666666666667, 130], [9, 52.666666666666664, 138],
                [10, 24.333333333333332, 153],
            ])
    }

    @Test(.proves("BYD-004"))
    func `windows have names`() throws {
        try library.check(
            Packet.where { $0.seeds > 0 }.window(\.w) {
                .partition(by: $0.place.shelf).order($0.seeds.desc())
            }.order(by: \.id).select {
                ($0.id, denseRank().over(\.w), $0.seeds.firstValue().over(\.w))
            },
            """
            SELECT `packets`.`id`, dense_rank() OVER `w`, first_value(`packets`.`seeds`) OVER \
            `w` FROM `packets` WHERE `packets`.`seeds` > 0 WINDOW `w` AS (PARTITION BY \
            `packets`.`shelf` ORDER BY `packets`.`seeds` DESC) ORDER BY `packets`.`id`
            """,
            [
                [1, 1, 120], [3, 3, 120], [4, 1, 200], [5, 2, 200], [6, 3, 200], [7, 2, 120],
                [8, 4, 1000], [9, 2, 1000], [10, 1, 1000], [11, 4, 120], [12, 3, 1000],
            ])
    }

    @Test
    func `window functions are operands`() throws {
        try library.check(
            Trial.order { ($0.id.varietyID, $0.id.year) }.select {
                (
                    $0.id.year,
                    $0.score
                        - $0.score.lag(1).over(.partition(by: $0.id.varietyID).order($0.id.year))
                )
            },
            """
            SELECT `trials`.`year`, `trials`.`score` - lag(`trials`.`score`, 1) OVER (PARTITION \
            BY `trials`.`varietyID` ORDER BY `trials`.`year`) FROM `trials` ORDER BY \
            `trials`.`varietyID`, `trials`.`year`
            """,
            [
                [2023, nil], [2024, 2], [2024, nil], [2023, nil], [2023, nil], [2024, 0],
                [2024, nil], [2022, nil],
            ])
    }
}
