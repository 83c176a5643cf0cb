import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Variety.TableColumns, Packet.TableColumns, Member.TableColumns,
    Loan.TableColumns, Trait.TableColumns, VarietyTrait.TableColumns, Trial.TableColumns
)

@Suite struct JoinExamples3Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `a right join makes earlier tables optional`() throws {
        try library.check(
            VarietyTrait.join(Variety.where { $0.isOpenPollinated }) { $0.varietyID.eq($1.id) }
                .rightJoin(Trait.all) { vt, _, t in vt.traitCode.eq(t.code) }.group { _, _, t in
                    t.code
                }.order { _, v, t in (v.id.count().desc(), t.code) }.select { _, v, t in
                    (t.label, v.id.count(), v.name.min())
                },
            """
            SELECT `traits`.`label`, count(`varieties`.`id`), min(`varieties`.`name`) FROM \
            `varietiesTraits` JOIN `varieties` ON `varietiesTraits`.`varietyID` = \
            `varieties`.`id` RIGHT JOIN `traits` ON `varietiesTraits`.`traitCode` = \
            `traits`.`code` AND `varieties`.`isOpenPollinated` GROUP BY `traits`.`code` ORDER BY \
            count(`varieties`.`id`) DESC, `traits`.`code`
            """,
            [
                ["Heirloom", 5, "Black Krim"], ["Hot 🌶", 2, "Aji \"Amarillo\""],
                ["Compact", 1, "Dragon's Tongue"], ["Drought tolerant", 1, "Hutterite Soup"],
                ["Early", 1, "Dragon's Tongue"], ["50% off_type", 0, nil],
                ["500 offxtype", 0, nil],
            ])
    }

    @Test
    func `joins chain and nest`() throws {
        try library.check(
            Variety.leftJoin(VarietyTrait.all) { $0.id.eq($1.varietyID) }.leftJoin(Trait.all) {
                $1.traitCode.eq($2.code)
            }.where { v, _, _ in v.taxonID.eq(6) }.order { v, _, t in (v.name, t.label) }.select {
                ($0.name, $2)
            },
            """
            SELECT `varieties`.`name`, `traits`.`code`, `traits`.`label` FROM `varieties` LEFT \
            JOIN `varietiesTraits` ON `varieties`.`id` = `varietiesTraits`.`varietyID` LEFT JOIN \
            `traits` ON `varietiesTraits`.`traitCode` = `traits`.`code` WHERE \
            `varieties`.`taxonID` = 6 ORDER BY `varieties`.`name`, `traits`.`label`
            """,
            [
                ["Dragon's Tongue", "compact", "Compact"], ["Dragon's Tongue", "early", "Early"],
                ["Dragon's Tongue", "heirloom", "Heirloom"],
                ["Hutterite Soup", "drought", "Drought tolerant"],
                ["Hutterite Soup", "heirloom", "Heirloom"],
            ])
    }

    @Test(.proves("TQS-024"))
    func `clauses of the joined query are merged`() throws {
        try library.check(
            Variety.where { $0.isOpenPollinated }.order(by: \.name).select(\.name).join(
                Packet.where { $0.place.shelf.eq("A") }.order { $0.seeds.desc() }.select(\.seeds)
            ) { $0.id.eq($1.varietyID) },
            """
            SELECT `varieties`.`name`, `packets`.`seeds` FROM `varieties` JOIN `packets` ON \
            `varieties`.`id` = `packets`.`varietyID` WHERE `varieties`.`isOpenPollinated` AND \
            `packets`.`shelf` = 'A' ORDER BY `varieties`.`name`, `packets`.`seeds` DESC
            """,
            [
                ["Black Krim", 120], ["Black Krim", 0], ["Fish", 60], ["Rosa Bianca", 30],
            ])
        try library.check(
            Taxon.group(by: \.id).having { $0.id > 2 }.join(
                Variety.group(by: \.habit).having { $0.count() >= 1 }
            ) { $0.id.eq($1.taxonID) }.order { t, v in (t.id, v.habit) }.select {
                ($0.id, $1.habit, $1.count())
            },
            """
            SELECT `taxons`.`id`, `varieties`.`habit`, count(`varieties`.`id`) FROM `taxons` \
            JOIN `varieties` ON `taxons`.`id` = `varieties`.`taxonID` GROUP BY `taxons`.`id`, \
            `varieties`.`habit` HAVING `taxons`.`id` > 2 AND count(`varieties`.`id`) >= 1 ORDER \
            BY `taxons`.`id`, `varieties`.`habit`
            """,
            [
                [3, 1, 2], [6, 1, 2], [7, 3, 1], [8, 3, 1], [10, 1, 1], [11, nil, 1], [12, nil, 1],
                [12, 3, 1],
            ])
    }

    @Test
    func `conditions of the outer side go into ON`() throws {
        try library.check(
            Variety.where { $0.habit.eq(.perennial) }.fullJoin(Trial.where { $0.id.year.eq(2022) })
            { $0.id.eq($1.id.varietyID) }.select { ($0.name, $1.id.year) },
            """
            SELECT `varieties`.`name`, `trials`.`year` FROM (SELECT `varieties`.`id`, \
            `varieties`.`name`, `varieties`.`taxonID`, `varieties`.`habit`, \
            `varieties`.`aliases`, `varieties`.`sowing`, `varieties`.`isOpenPollinated`, \
            `varieties`.`daysToHarvest`, `varieties`.`added_on` FROM `varieties` WHERE \
            `varieties`.`habit` = 3) AS `varieties` FULL JOIN (SELECT `trials`.`varietyID`, \
            `trials`.`year`, `trials`.`score`, `trials`.`plot` FROM `trials` WHERE \
            `trials`.`year` = 2022) AS `trials` ON `varieties`.`id` = `trials`.`varietyID`
            """,
            [["Fish", nil], ["Aji \"Amarillo\"", nil], ["Rosa Bianca", 2022]])
    }

    @Test
    func `a joined query with a limit is a subquery`() throws {
        try library.check(
            Variety.join(Packet.order { $0.seeds.desc() }.limit(3)) { $0.id.eq($1.varietyID) }.order
            { _, p in p.seeds.desc() }.select { ($0.name, $1.seeds) },
            """
            SELECT `varieties`.`name`, `packets`.`seeds` FROM `varieties` JOIN (SELECT \
            `packets`.`id`, `packets`.`varietyID`, `packets`.`seeds`, `packets`.`grams`, \
            `packets`.`harvestYear`, `packets`.`shelf`, `packets`.`box`, `packets`.`sown`, \
            `packets`.`sprouted`, `packets`.`testedAt`, `packets`.`seedsPerGram`, \
            `packets`.`createdAt` FROM `packets` ORDER BY `packets`.`seeds` DESC LIMIT 3) AS \
            `packets` ON `varieties`.`id` = `packets`.`varietyID` ORDER BY `packets`.`seeds` \
            DESC
            """,
            [
                ["Poppy 🌺 Mix", 1000], ["Merveille des Quatre Saisons", 500],
                ["Hutterite Soup", 200],
            ])
    }

    @Test
    func `a joined query with a limit is a subquery, continued`() throws {
        try library.check(
            Member.where { $0.role.eq(.grower) }.leftJoin(
                Loan.where { $0.returned.is(nil) }.order { $0.takenAt.desc() }.limit(3)
            ) { $0.id.eq($1.memberID) }.group { m, _ in m.id }.having { _, l in l.count() < 3 }
                .order { m, _ in m.name }.select { m, l in (m.name, l.count(), l.takenAt.max()) },
            """
            SELECT `members`.`name`, count(`loans`.`id`), max(`loans`.`takenAt`) FROM `members` \
            LEFT JOIN (SELECT `loans`.`id`, `loans`.`packetID`, `loans`.`memberID`, \
            `loans`.`ticket`, `loans`.`seeds`, `loans`.`takenAt`, `loans`.`dueAt`, \
            `loans`.`returned` FROM `loans` WHERE `loans`.`returned` IS NULL ORDER BY \
            `loans`.`takenAt` DESC LIMIT 3) AS `loans` ON `members`.`id` = `loans`.`memberID` \
            WHERE `members`.`role` = 'grower' GROUP BY `members`.`id` HAVING count(`loans`.`id`) \
            < 3 ORDER BY `members`.`name`
            """,
            [
                ["Bo O'Hara", 1, "2026-01-06 10:30:00.500"],
                ["Chidi", 1, "2025-08-20 12:00:00.000"], ["Farid", 0, nil],
            ])
    }

    @Test
    func `a joined query with a limit is a subquery, continued 2`() throws {
        try library.check(
            Taxon.leftJoin(Variety.group(by: \.taxonID).having { $0.count() > 1 }) {
                $0.id.eq($1.taxonID)
            }.where { t, _ in t.rank.eq(.species) }.order { t, _ in t.id }.select {
                ($0.name, $1.taxonID)
            },
            """
            SELECT `taxons`.`name`, `varieties`.`taxonID` FROM `taxons` LEFT JOIN (SELECT \
            `varieties`.`id`, `varieties`.`name`, `varieties`.`taxonID`, `varieties`.`habit`, \
            `varieties`.`aliases`, `varieties`.`sowing`, `varieties`.`isOpenPollinated`, \
            `varieties`.`daysToHarvest`, `varieties`.`added_on` FROM `varieties` GROUP BY \
            `varieties`.`taxonID` HAVING count(`varieties`.`id`) > 1) AS `varieties` ON \
            `taxons`.`id` = `varieties`.`taxonID` WHERE `taxons`.`rank` = 'species' ORDER BY \
            `taxons`.`id`
            """,
            [
                ["Solanum lycopersicum", 3], ["Phaseolus vulgaris", 6], ["Capsicum annuum", nil],
                ["Lactuca sativa", nil], ["Solanum melongena", 12],
            ])
    }

    @Test
    func `a condition may be constant`() throws {
        try library.check(
            Taxon.where { $0.rank.eq(.family) }.join(Trait.where { $0.code.in(["early", "hot"]) }) {
                _, _ in true
            }.order { t, x in (t.id, x.code) }.select { ($0.name, $1.code) },
            """
            SELECT `taxons`.`name`, `traits`.`code` FROM `taxons` JOIN `traits` ON 1 WHERE \
            `taxons`.`rank` = 'family' AND `traits`.`code` IN ('early', 'hot') ORDER BY \
            `taxons`.`id`, `traits`.`code`
            """,
            [
                ["Solanaceae", "early"], ["Solanaceae", "hot"], ["Fabaceae", "early"],
                ["Fabaceae", "hot"], ["Asteraceae", "early"], ["Asteraceae", "hot"],
            ])
    }

    @Test
    func `a table that is joined twice needs another name`() throws {
        try library.check(
            Member.join(Member.all) { $0.sponsorID.eq($1.id) },
            """
            SELECT `members`.`id`, `members`.`name`, `members`.`email`, `members`.`sponsorID`, \
            `members`.`role`, `members`.`joined`, `members`.`leftOn`, json(`members`.`address`), \
            `members`.`points`, `members`.`id`, `members`.`name`, `members`.`email`, \
            `members`.`sponsorID`, `members`.`role`, `members`.`joined`, `members`.`leftOn`, \
            json(`members`.`address`), `members`.`points`/* `members` is joined twice; use 'as(_:)' */ \
            FROM `members` JOIN `members` ON `members`.`sponsorID` = `members`.`id`
            """,
            error: "\"members\" is joined twice; use 'as(_:)'")
    }
}
