import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Variety.TableColumns, Packet.TableColumns
)

@Suite struct WhereExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `conditions are columns and expressions`() throws {
        try library.check(
            Packet.where { $0.seeds > 0 }.group { $0.place.shelf }.having {
                $0.varietyID.count(distinct: true) > 1
            }.order { ($0.seeds.sum().desc(), $0.place.shelf) }.select {
                ShelfLine.Columns(
                    shelf: $0.place.shelf, varieties: $0.varietyID.count(distinct: true),
                    seeds: $0.seeds.sum() ?? 0, low: $0.count(filter: $0.isLow),
                    oldest: $0.harvestYear.min())
            },
            """
            SELECT `packets`.`shelf` AS `shelf`, count(DISTINCT `packets`.`varietyID`) AS \
            `varieties`, coalesce(sum(`packets`.`seeds`), 0) AS `seeds`, count(`packets`.`id`) \
            FILTER (WHERE `packets`.`seeds` < 50) AS `low`, min(`packets`.`harvestYear`) AS \
            `oldest` FROM `packets` WHERE `packets`.`seeds` > 0 GROUP BY `packets`.`shelf` \
            HAVING count(DISTINCT `packets`.`varietyID`) > 1 ORDER BY sum(`packets`.`seeds`) \
            DESC, `packets`.`shelf`
            """,
            [["C", 4, 1535, 2, 2019], ["B", 2, 285, 1, 2023], ["A", 4, 250, 2, 2022]])
        try library.check(
            Packet.where { $0.germination.sown.isNot(nil) }.group(by: \.harvestYear).having {
                $0.rate.avg() > 0.1
            }.order { $0.harvestYear.desc(nulls: .last) }.limit(3).select {
                (
                    $0.harvestYear, $0.count(), $0.rate.avg().round(2),
                    $0.count(filter: $0.rate >= 0.9)
                )
            },
            """
            SELECT `packets`.`harvestYear`, count(`packets`.`id`), \
            round(avg(CAST(`packets`.`sprouted` AS REAL) / CAST(`packets`.`sown` AS REAL)), 2), \
            count(`packets`.`id`) FILTER (WHERE (CAST(`packets`.`sprouted` AS REAL) / \
            CAST(`packets`.`sown` AS REAL)) >= 0.9) FROM `packets` WHERE `packets`.`sown` IS NOT \
            NULL GROUP BY `packets`.`harvestYear` HAVING avg(CAST(`packets`.`sprouted` AS REAL) \
            / CAST(`packets`.`sown` AS REAL)) > 0.1 ORDER BY `packets`.`harvestYear` DESC NULLS \
            LAST LIMIT 3
            """,
            [[2024, 1, 0.9, 1], [2023, 3, 0.89, 2], [2021, 1, 0.3, 0]])
    }

    @Test
    func `conditions stand on lines, in branches and loops`() throws {
        try library.check(
            Variety.where {
                $0.isOpenPollinated; $0.daysToHarvest <= 80; $0.habit.eq(.annual)
            }.order(by: \.name).select(\.name),
            """
            SELECT `varieties`.`name` FROM `varieties` WHERE `varieties`.`isOpenPollinated` AND \
            `varieties`.`daysToHarvest` <= 80 AND `varieties`.`habit` = 1 ORDER BY \
            `varieties`.`name`
            """,
            [["Black Krim"], ["Dragon's Tongue"], ["Merveille des Quatre Saisons"]])
        try library.check(
            search(text: "", habit: nil, shelves: [], sort: .stock, page: 0),
            """
            SELECT `varieties`.`name` AS `name`, count(`packets`.`id`) AS `packets`, \
            coalesce(sum(`packets`.`seeds`), 0) AS `seeds`, max(CAST(`packets`.`sprouted` AS \
            REAL) / CAST(`packets`.`sown` AS REAL)) AS `best` FROM `varieties` JOIN `packets` ON \
            `varieties`.`id` = `packets`.`varietyID` GROUP BY `varieties`.`id` HAVING \
            sum(`packets`.`seeds`) > 0 ORDER BY sum(`packets`.`seeds`) DESC NULLS LAST, \
            `varieties`.`name` LIMIT 3 OFFSET 0
            """,
            [
                ["Poppy 🌺 Mix", 1, 1000, nil], ["Merveille des Quatre Saisons", 1, 500, 0.9],
                ["Hutterite Soup", 1, 200, 0.96],
            ])
    }

    @Test
    func `conditions stand on lines, in branches and loops, continued`() throws {
        try library.check(
            search(text: "an", habit: nil, shelves: ["B", "Z"], sort: .name, page: 0),
            """
            SELECT `varieties`.`name` AS `name`, count(`packets`.`id`) AS `packets`, \
            coalesce(sum(`packets`.`seeds`), 0) AS `seeds`, max(CAST(`packets`.`sprouted` AS \
            REAL) / CAST(`packets`.`sown` AS REAL)) AS `best` FROM `varieties` JOIN `packets` ON \
            `varieties`.`id` = `packets`.`varietyID` WHERE (`varieties`.`name` LIKE '%an%' \
            ESCAPE '\\' OR EXISTS (SELECT 1 FROM json_each(`varieties`.`aliases`) WHERE \
            `json_each`.`value` LIKE '%an%' ESCAPE '\\')) AND `packets`.`shelf` <> 'B' AND \
            `packets`.`shelf` <> 'Z' GROUP BY `varieties`.`id` HAVING sum(`packets`.`seeds`) > 0 \
            ORDER BY `varieties`.`name` COLLATE `NOCASE` LIMIT 3 OFFSET 0
            """,
            [["Rosa Bianca", 1, 30, 0.8], ["rosa bianca", 1, 30, nil]], ordered: false)
        try library.check(
            search(text: "", habit: .annual, shelves: [], sort: .stock, page: 1),
            """
            SELECT `varieties`.`name` AS `name`, count(`packets`.`id`) AS `packets`, \
            coalesce(sum(`packets`.`seeds`), 0) AS `seeds`, max(CAST(`packets`.`sprouted` AS \
            REAL) / CAST(`packets`.`sown` AS REAL)) AS `best` FROM `varieties` JOIN `packets` ON \
            `varieties`.`id` = `packets`.`varietyID` WHERE `varieties`.`habit` = 1 GROUP BY \
            `varieties`.`id` HAVING sum(`packets`.`seeds`) > 0 ORDER BY sum(`packets`.`seeds`) \
            DESC NULLS LAST, `varieties`.`name` LIMIT 3 OFFSET 3
            """,
            [["Dragon's Tongue", 2, 85, 1.0], ["Sungold", 1, 40, nil]])
    }

    @Test
    func `conditions stand on lines, in branches and loops, continued 2`() throws {
        do {
            let parent: Int? = nil
            try library.check(
                Taxon.where { if let parent { $0.parentID.eq(parent) } else { nil } }.count(),
                "SELECT count(*) FROM `taxons`",
                [[12]])
        }
        try library.check(
            roster(role: .grower, onlyOpen: true, newestFirst: true),
            """
            SELECT `members`.`id`, `members`.`name`, `members`.`email`, `members`.`sponsorID`, \
            `members`.`role`, `members`.`joined`, `members`.`leftOn`, json(`members`.`address`), \
            `members`.`points`, count(`loans`.`id`) FROM `members` LEFT JOIN `loans` ON \
            `members`.`id` = `loans`.`memberID` WHERE `members`.`role` = 'grower' AND \
            `members`.`leftOn` IS NULL GROUP BY `members`.`id` HAVING count(`loans`.`id`) FILTER \
            (WHERE `loans`.`returned` IS NULL) > 0 ORDER BY `members`.`joined` DESC, \
            `members`.`id` LIMIT 3
            """,
            [
                [
                    6, "Farid", "FARID@SEEDS.EXAMPLE", 3, "grower", 2460100.5, nil,
                    "{\"city\":\"Lund\",\"lines\":[\"Stora torg 4\"]}", 22, 2,
                ],
                [
                    2, "Bo O'Hara", "bo@seeds.example", 1, "grower", 2459700.5, nil,
                    "{\"city\":\"Cork\",\"lines\":[\"2 Quay St\",\"Flat 3\"]}", 15, 3,
                ],
                [3, "Chidi", "chidi@seeds.example", 1, "grower", 2459700.5, nil, nil, 15, 2],
            ])
    }

    @Test
    func `conditions of queries are combined`() throws {
        try library.check(
            Variety.where(\.isOpenPollinated).and(.where { $0.habit.is(nil) }).select(\.name),
            """
            SELECT `varieties`.`name` FROM `varieties` WHERE `varieties`.`isOpenPollinated` AND \
            `varieties`.`habit` IS NULL
            """,
            [["Poppy 🌺 Mix"]])
        try library.check(
            (Packet.where {
                $0.place.shelf.eq("C"); $0.seeds > 100
            } || Packet.where { $0.grams.is(nil) }).select(\.id),
            """
            SELECT `packets`.`id` FROM `packets` WHERE (`packets`.`shelf` = 'C' AND \
            `packets`.`seeds` > 100) OR `packets`.`grams` IS NULL
            """,
            [[2], [8], [9], [10]])
        try library.check(
            (!Packet.where { $0.place.shelf.in(["A", "B"]) }).select(\.id),
            "SELECT `packets`.`id` FROM `packets` WHERE NOT (`packets`.`shelf` IN ('A', 'B'))",
            [[8], [9], [10], [12]])
        try library.check(
            Taxon.all.not().count(),
            "SELECT count(*) FROM `taxons` WHERE 0",
            [[0]])
        try library.check(
            Taxon.all.or(Taxon.where { $0.rank.eq(.family) }).count(),
            "SELECT count(*) FROM `taxons` WHERE `taxons`.`rank` = 'family'",
            [[3]])
    }

    @Test
    func `queries on one table are added`() throws {
        try library.check(
            Packet.where { $0.seeds > 50 } + Packet.order { $0.id.desc() }.limit(2)
                + Packet.select(\.id),
            """
            SELECT `packets`.`id` FROM `packets` WHERE `packets`.`seeds` > 50 ORDER BY \
            `packets`.`id` DESC LIMIT 2
            """,
            [[10], [9]])
    }

    @Test
    func `one of several conditions is enough`() throws {
        try library.check(
            Variety.where(\.isOpenPollinated).any { for w in ["an", "Fi"] { $0.name.contains(w) } }
                .order(by: \.name).select(\.name),
            """
            SELECT `varieties`.`name` FROM `varieties` WHERE `varieties`.`isOpenPollinated` AND \
            (`varieties`.`name` LIKE '%an%' ESCAPE '\\' OR `varieties`.`name` LIKE '%Fi%' ESCAPE \
            '\\') ORDER BY `varieties`.`name`
            """,
            [["Fish"], ["Rosa Bianca"]])
        try library.check(
            Packet.any { for s in [String]() { $0.place.shelf.eq(s) } }.count(),
            "SELECT count(*) FROM `packets`",
            [[12]])
    }
}
