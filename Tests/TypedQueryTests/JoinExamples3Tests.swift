import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Suite struct JoinExamples3Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `outer joins give optional rows, continued 5`() throws {
        try library.check(
            Trait.leftJoin(VarietyTrait.all) { $0.code.eq($1.traitCode) }.leftJoin(Packet.where { $0.seeds > 20 }) { $1.varietyID.eq($2.varietyID) }.group { t, _, _ in t.code }.having { t, vt, p in vt.varietyID.count(distinct: true) > 0 || t.label.length() > 10 }.order { t, _, p in (p.seeds.sum().desc(nulls: .last), t.label.collate(.nocase)) }.select { t, vt, p in Facet.Columns(trait: t, varieties: vt.varietyID.count(distinct: true), seeds: p.seeds.sum()) },
            """
            SELECT `traits`.`code` AS `code`, `traits`.`label` AS `label`, count(DISTINCT \
            `varietiesTraits`.`varietyID`) AS `varieties`, sum(`packets`.`seeds`) AS `seeds` \
            FROM `traits` LEFT JOIN `varietiesTraits` ON `traits`.`code` = \
            `varietiesTraits`.`traitCode` LEFT JOIN `packets` ON `varietiesTraits`.`varietyID` = \
            `packets`.`varietyID` AND `packets`.`seeds` > 20 GROUP BY `traits`.`code` HAVING \
            count(DISTINCT `varietiesTraits`.`varietyID`) > 0 OR length(`traits`.`label`) > 10 \
            ORDER BY sum(`packets`.`seeds`) DESC NULLS LAST, `traits`.`label` COLLATE `NOCASE`
            """,
            [
                ["heirloom", "Heirloom", 5, 485], ["drought", "Drought tolerant", 1, 200],
                ["early", "Early", 2, 115], ["compact", "Compact", 1, 75], ["hot", "Hot 🌶", 2, 60],
                ["odd", "50% off_type", 0, nil], ["off", "500 offxtype", 0, nil],
            ])
    }

    @Test
    func `outer joins give optional rows, continued 6`() throws {
        try library.check(
            Packet.leftJoin(Loan.open) { $0.id.eq($1.packetID) }.where { p, _ in p.harvestYear.isNot(nil) }.group { p, _ in Case().when(p.harvestYear >= 2023, then: "fresh").when(p.harvestYear >= 2021, then: "aging").else("old") }.having { p, _ in p.count() >= 1 }.order { p, _ in p.harvestYear.max().desc() }.select { p, l in (p.harvestYear.min(), p.harvestYear.max(), p.id.count(distinct: true), l.count()) },
            """
            SELECT min(`packets`.`harvestYear`), max(`packets`.`harvestYear`), count(DISTINCT \
            `packets`.`id`), count(`loans`.`id`) FROM `packets` LEFT JOIN `loans` ON \
            `packets`.`id` = `loans`.`packetID` AND `loans`.`returned` IS NULL WHERE \
            `packets`.`harvestYear` IS NOT NULL GROUP BY CASE WHEN `packets`.`harvestYear` >= \
            2023 THEN 'fresh' WHEN `packets`.`harvestYear` >= 2021 THEN 'aging' ELSE 'old' END \
            HAVING count(`packets`.`id`) >= 1 ORDER BY max(`packets`.`harvestYear`) DESC
            """,
            [[2023, 2024, 7, 5], [2021, 2022, 2, 0], [2019, 2020, 2, 0]])
        try library.check(
            Packet.leftJoin(Event.where { $0.kind.is(\.remark) }) { $0.id.eq($1.packetID) }.leftJoin(Loan.open) { p, _, l in p.id.eq(l.packetID) }.where { p, e, l in e.id.isNot(nil) || l.id.isNot(nil) }.order { p, e, l in (p.id, e.id, l.id) }.limit(6).select { p, e, l in (p.id, e.kind.remark, l.id, l.dueAt) },
            """
            SELECT `packets`.`id`, `events`.`remark`, `loans`.`id`, `loans`.`dueAt` FROM \
            `packets` LEFT JOIN `events` ON `packets`.`id` = `events`.`packetID` AND \
            `events`.`remark` IS NOT NULL LEFT JOIN `loans` ON `packets`.`id` = \
            `loans`.`packetID` AND `loans`.`returned` IS NULL WHERE `events`.`id` IS NOT NULL OR \
            `loans`.`id` IS NOT NULL ORDER BY `packets`.`id`, `events`.`id`, `loans`.`id` LIMIT \
            6
            """,
            [
                [1, nil, 2, "2025-11-01 00:00:00.000"], [3, nil, 9, "2026-10-01 00:00:00.000"],
                [4, "It's mouldy?", 4, nil], [5, nil, 10, "2026-10-01 00:00:00.000"],
                [7, "", nil, nil], [9, nil, 6, "2026-02-01 00:00:00.000"],
            ])
    }

    @Test
    func `a right join makes earlier tables optional`() throws {
        try library.check(
            VarietyTrait.join(Variety.where { $0.isOpenPollinated }) { $0.varietyID.eq($1.id) }.rightJoin(Trait.all) { vt, _, t in vt.traitCode.eq(t.code) }.group { _, _, t in t.code }.order { _, v, t in (v.id.count().desc(), t.code) }.select { _, v, t in (t.label, v.id.count(), v.name.min()) },
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
            Variety.leftJoin(VarietyTrait.all) { $0.id.eq($1.varietyID) }.leftJoin(Trait.all) { $1.traitCode.eq($2.code) }.where { v, _, _ in v.taxonID.eq(6) }.order { v, _, t in (v.name, t.label) }.select { ($0.name, $2) },
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
        try library.check(
            Variety.leftJoin(Packet.join(Loan.open) { $0.id.eq($1.packetID) }) { $0.id.eq($1.varietyID) }.order { v, _, l in (v.name, l.id) }.limit(5).select { v, p, l in (v.name, p.id, l.id) },
            """
            SELECT `varieties`.`name`, `packets`.`id`, `loans`.`id` FROM `varieties` LEFT JOIN \
            (`packets` JOIN `loans` ON `packets`.`id` = `loans`.`packetID`) ON `varieties`.`id` \
            = `packets`.`varietyID` AND `loans`.`returned` IS NULL ORDER BY `varieties`.`name`, \
            `loans`.`id` LIMIT 5
            """,
            [
                ["Aji \"Amarillo\"", nil, nil], ["Black Krim", 1, 2], ["Dragon's Tongue", 5, 10],
                ["Fish", nil, nil], ["Hutterite Soup", 4, 4],
            ])
    }

    @Test
    func `clauses of the joined query are merged`() throws {
        try library.check(
            Variety.where { $0.isOpenPollinated }.order(by: \.name).select(\.name).join(Packet.where { $0.place.shelf.eq("A") }.order { $0.seeds.desc() }.select(\.seeds)) { $0.id.eq($1.varietyID) },
            """
            SELECT `varieties`.`name`, `packets`.`seeds` FROM `varieties` JOIN `packets` ON \
            `varieties`.`id` = `packets`.`varietyID` WHERE `varieties`.`isOpenPollinated` AND \
            `packets`.`shelf` = 'A' ORDER BY `varieties`.`name`, `packets`.`seeds` DESC
            """,
            [
                ["Black Krim", 120], ["Black Krim", 0], ["Fish", 60], ["Rosa Bianca", 30],
            ])
        try library.check(
            Taxon.group(by: \.id).having { $0.id > 2 }.join(Variety.group(by: \.habit).having { $0.count() >= 1 }) { $0.id.eq($1.taxonID) }.order { t, v in (t.id, v.habit) }.select { ($0.id, $1.habit, $1.count()) },
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
            Variety.where { $0.habit.eq(.perennial) }.fullJoin(Trial.where { $0.id.year.eq(2022) }) { $0.id.eq($1.id.varietyID) }.select { ($0.name, $1.id.year) },
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
}
