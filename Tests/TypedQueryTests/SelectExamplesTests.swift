import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Variety.TableColumns, Packet.TableColumns, Loan.TableColumns,
    Trait.TableColumns, Trial.TableColumns
)

@Suite struct SelectExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `columns are selected, one or a tuple`() throws {
        try library.check(
            Taxon.select(\.name),
            "SELECT `taxons`.`name` FROM `taxons`",
            [
                ["Solanaceae"], ["Solanum"], ["Solanum lycopersicum"], ["Fabaceae"], ["Phaseolus"],
                ["Phaseolus vulgaris"], ["Capsicum"], ["Capsicum annuum"], ["Asteraceae"],
                ["Lactuca sativa"], ["Papaver"], ["Solanum melongena"],
            ])
    }

    @Test(.proves("TQS-003"))
    func `chained selects append`() throws {
        try library.check(
            Taxon.select(\.id).where { $0.parentID.is(nil) }.select(\.name),
            """
            SELECT `taxons`.`id`, `taxons`.`name` FROM `taxons` WHERE `taxons`.`parentID` IS \
            NULL
            """,
            [[1, "Solanaceae"], [4, "Fabaceae"], [9, "Asteraceae"], [11, "Papaver"]])
    }

    @Test
    func `whole tables stand in tuples`() throws {
        try library.check(
            Loan.join(Packet.all) { $0.packetID.eq($1.id) }.where { l, _ in l.seeds >= 100 }.select
            { ($0, $1.seeds) },
            """
            SELECT `loans`.`id`, `loans`.`packetID`, `loans`.`memberID`, `loans`.`ticket`, \
            `loans`.`seeds`, `loans`.`takenAt`, `loans`.`dueAt`, `loans`.`returned`, \
            `packets`.`seeds` FROM `loans` JOIN `packets` ON `loans`.`packetID` = `packets`.`id` \
            WHERE `loans`.`seeds` >= 100
            """,
            [
                [
                    6, 9, 3, .hex("00000000000040008000000000000006"), 100,
                    "2025-08-20 12:00:00.000", "2026-02-01 00:00:00.000", nil, 500,
                ],
                [
                    8, 10, 4, .hex("00000000000040008000000000000008"), 200,
                    "2025-06-01 00:00:00.000", nil, 0, 1000,
                ],
            ])
    }

    @Test
    func `map projects what was selected`() throws {
        try library.check(
            Variety.join(Taxon.all) { $0.taxonID.eq($1.id) }.select {
                ($0.name, $1.name, $0.daysToHarvest)
            }.map { v, t, _ in VarietyName.Columns(variety: v, taxon: t) },
            """
            SELECT `varieties`.`name` AS `variety`, `taxons`.`name` AS `taxon` FROM `varieties` \
            JOIN `taxons` ON `varieties`.`taxonID` = `taxons`.`id`
            """,
            [
                ["Black Krim", "Solanum lycopersicum"], ["Sungold", "Solanum lycopersicum"],
                ["Hutterite Soup", "Phaseolus vulgaris"],
                ["Dragon's Tongue", "Phaseolus vulgaris"], ["Fish", "Capsicum annuum"],
                ["Aji \"Amarillo\"", "Capsicum"],
                ["Merveille des Quatre Saisons", "Lactuca sativa"], ["Poppy 🌺 Mix", "Papaver"],
                ["Rosa Bianca", "Solanum melongena"], ["rosa bianca", "Solanum melongena"],
            ])
    }

    @Test
    func `values are columns`() throws {
        try library.check(
            Trait.where { $0.code < "e" }.select { ("trait", $0.code, 1, true) },
            "SELECT 'trait', `traits`.`code`, 1, 1 FROM `traits` WHERE `traits`.`code` < 'e'",
            [["trait", "compact", 1, 1], ["trait", "drought", 1, 1]])
    }

    @Test
    func `the order of the methods does not matter`() throws {
        try library.check(
            Packet.limit(2).order { $0.seeds.desc() }.where { $0.place.shelf.eq("A") }.select(\.id),
            """
            SELECT `packets`.`id` FROM `packets` WHERE `packets`.`shelf` = 'A' ORDER BY \
            `packets`.`seeds` DESC LIMIT 2
            """,
            [[1], [7]])
    }

    @Test
    func `distinct is set and taken back`() throws {
        try library.check(
            Variety.distinct().order(by: \.habit).select(\.habit),
            "SELECT DISTINCT `varieties`.`habit` FROM `varieties` ORDER BY `varieties`.`habit`",
            [[nil], [1], [3]])
        try library.check(
            Variety.distinct().distinct(false).select(\.habit).count(),
            "SELECT `varieties`.`habit`, count(*) FROM `varieties`")
    }

    @Test
    func `rows are counted`() throws {
        try library.check(
            Packet.count { $0.seeds > 0 && $0.germination.sown.isNot(nil) },
            """
            SELECT count(*) FILTER (WHERE `packets`.`seeds` > 0 AND `packets`.`sown` IS NOT \
            NULL) FROM `packets`
            """,
            [[6]])
        try library.check(
            Packet.group { $0.place.shelf }.order { $0.place.shelf }.select(\.place.shelf).count(),
            """
            SELECT `packets`.`shelf`, count(*) FROM `packets` GROUP BY `packets`.`shelf` ORDER \
            BY `packets`.`shelf`
            """,
            [["A", 5], ["B", 3], ["C", 4]])
    }

    @Test
    func `exists is an expression`() throws {
        try library.check(
            Variety.where { v in !Packet.where { $0.varietyID.eq(v.id) && $0.seeds > 20 }.exists() }
                .order(by: \.name).select(\.name),
            """
            SELECT `varieties`.`name` FROM `varieties` WHERE NOT EXISTS (SELECT 1 FROM `packets` \
            WHERE `packets`.`varietyID` = `varieties`.`id` AND `packets`.`seeds` > 20) ORDER BY \
            `varieties`.`name`
            """,
            [["Aji \"Amarillo\""]])
        try library.check(
            Variety.where { v in
                v.isOpenPollinated
                    && Packet.where { $0.varietyID.eq(v.id) && $0.seeds >= 10 }.exists();
                !Loan.join(Packet.all) { $0.packetID.eq($1.id) }.where { l, p in
                    p.varietyID.eq(v.id) && l.returned.is(nil)
                }.exists(); v.habit.in([.annual, .perennial])
            }.order { ($0.daysToHarvest.asc(nulls: .last), $0.name) }.limit(3).select {
                ($0.name, $0.daysToHarvest)
            },
            """
            SELECT `varieties`.`name`, `varieties`.`daysToHarvest` FROM `varieties` WHERE \
            `varieties`.`isOpenPollinated` AND EXISTS (SELECT 1 FROM `packets` WHERE \
            `packets`.`varietyID` = `varieties`.`id` AND `packets`.`seeds` >= 10) AND NOT EXISTS \
            (SELECT 1 FROM `loans` JOIN `packets` ON `loans`.`packetID` = `packets`.`id` WHERE \
            `packets`.`varietyID` = `varieties`.`id` AND `loans`.`returned` IS NULL) AND \
            `varieties`.`habit` IN (1, 3) ORDER BY `varieties`.`daysToHarvest` ASC NULLS LAST, \
            `varieties`.`name` LIMIT 3
            """,
            [["Fish", 80], ["Rosa Bianca", 83]])
    }

    @Test
    func `exists is an expression, continued`() throws {
        try library.check(
            Packet.join(Variety.all) { $0.varietyID.eq($1.id) }.where { p, v in
                p.seeds < 100;
                p.germination.sprouted.cast(as: Double.self)
                    / p.germination.sown.cast(as: Double.self) < 0.9 || p.germination.sown.is(nil);
                !Trial.where { $0.id.varietyID.eq(v.id) }.exists()
            }.order { p, v in (p.harvestYear.asc(nulls: .first), v.name.lower()) }.limit(5).select {
                p, v in
                ToDo.Columns(
                    label: v.name.upper() + " (" + (p.harvestYear.cast(as: String.self) ?? "?")
                        + ")", place: p.place)
            },
            """
            SELECT upper(`varieties`.`name`) || ' (' || coalesce(CAST(`packets`.`harvestYear` AS \
            TEXT), '?') || ')' AS `label`, `packets`.`shelf` AS `shelf`, `packets`.`box` AS \
            `box` FROM `packets` JOIN `varieties` ON `packets`.`varietyID` = `varieties`.`id` \
            WHERE `packets`.`seeds` < 100 AND ((CAST(`packets`.`sprouted` AS REAL) / \
            CAST(`packets`.`sown` AS REAL)) < 0.9 OR `packets`.`sown` IS NULL) AND NOT EXISTS \
            (SELECT 1 FROM `trials` WHERE `trials`.`varietyID` = `varieties`.`id`) ORDER BY \
            `packets`.`harvestYear` ASC NULLS FIRST, lower(`varieties`.`name`) LIMIT 5
            """,
            [
                ["AJI \"AMARILLO\" (2019)", "C", 1], ["FISH (2022)", "A", 3],
                ["ROSA BIANCA (2023)", "C", 2],
            ])
    }
}
