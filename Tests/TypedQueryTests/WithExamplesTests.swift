import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Suite struct WithExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `a query reads a table that is made for it`() throws {
        try library.check(
            With { Variety.where(\.isOpenPollinated).select { OpenName.Columns(name: $0.name) } } query: { OpenName.order(by: \.name).limit(2) },
            """
            WITH `openNames` AS (SELECT `varieties`.`name` AS `name` FROM `varieties` WHERE \
            `varieties`.`isOpenPollinated`) SELECT `openNames`.`name` FROM `openNames` ORDER BY \
            `openNames`.`name` LIMIT 2
            """,
            [["Aji \"Amarillo\""], ["Black Krim"]])
    }

    @Test
    func `tables of With are used in later ones, and by changes`() throws {
        try library.check(
            With { Packet.group(by: \.varietyID).select { Stock.Columns(varietyID: $0.varietyID, seeds: $0.seeds.sum() ?? 0) }; Stock.where { $0.seeds > 50 }.select { BigStock.Columns(varietyID: $0.varietyID) } } query: { Variety.join(BigStock.all) { $0.id.eq($1.varietyID) }.join(Stock.all) { v, _, s in v.id.eq(s.varietyID) }.order { v, _, s in (s.seeds.desc(), v.name) }.select { v, _, s in (v.name, s.seeds) } },
            """
            WITH `stocks` AS (SELECT `packets`.`varietyID` AS `varietyID`, \
            coalesce(sum(`packets`.`seeds`), 0) AS `seeds` FROM `packets` GROUP BY \
            `packets`.`varietyID`), `bigStocks` AS (SELECT `stocks`.`varietyID` AS `varietyID` \
            FROM `stocks` WHERE `stocks`.`seeds` > 50) SELECT `varieties`.`name`, \
            `stocks`.`seeds` FROM `varieties` JOIN `bigStocks` ON `varieties`.`id` = \
            `bigStocks`.`varietyID` JOIN `stocks` ON `varieties`.`id` = `stocks`.`varietyID` \
            ORDER BY `stocks`.`seeds` DESC, `varieties`.`name`
            """,
            [
                ["Poppy 🌺 Mix", 1000], ["Merveille des Quatre Saisons", 500],
                ["Hutterite Soup", 200], ["Black Krim", 120], ["Dragon's Tongue", 85],
                ["Fish", 60],
            ])
        try library.check(
            With { Loan.where { $0.returned.is(nil) }.group(by: \.memberID).select { Debtor.Columns(memberID: $0.memberID, loans: $0.count()) } } query: { Member.where { $0.id.in(Debtor.where { $0.loans > 1 }.select(\.memberID)) }.update { $0.points -= 1 }.returning { ($0.id, $0.points) } },
            """
            WITH `debtors` AS (SELECT `loans`.`memberID` AS `memberID`, count(`loans`.`id`) AS \
            `loans` FROM `loans` WHERE `loans`.`returned` IS NULL GROUP BY `loans`.`memberID`) \
            UPDATE `members` SET `points` = `members`.`points` - 1 WHERE `members`.`id` IN \
            (SELECT `debtors`.`memberID` FROM `debtors` WHERE `debtors`.`loans` > 1) RETURNING \
            `id`, `points`
            """,
            [[3, 14]])
    }

    @Test
    func `tables of With are used in later ones, and by changes, continued`() throws {
        try library.check(
            With { Packet.where { $0.seeds.eq(0) }.select { Stock.Columns(varietyID: $0.varietyID, seeds: $0.seeds) } } query: { Packet.where { $0.varietyID.in(Stock.select(\.varietyID)) && $0.seeds.eq(0) }.delete().returning(\.id) },
            """
            WITH `stocks` AS (SELECT `packets`.`varietyID` AS `varietyID`, `packets`.`seeds` AS \
            `seeds` FROM `packets` WHERE `packets`.`seeds` = 0) DELETE FROM `packets` WHERE \
            `packets`.`varietyID` IN (SELECT `stocks`.`varietyID` FROM `stocks`) AND \
            `packets`.`seeds` = 0 RETURNING `id`
            """,
            [[2]])
        try library.check(
            With { Taxon.where { $0.rank.eq(.family) }.select { OpenName.Columns(name: $0.name) } } query: { Trait.insert { ($0.code, $0.label) } select: { OpenName.select { ($0.name.lower(), "Family " + $0.name) } }.returning(\.code) },
            """
            WITH `openNames` AS (SELECT `taxons`.`name` AS `name` FROM `taxons` WHERE \
            `taxons`.`rank` = 'family') INSERT INTO `traits` (`code`, `label`) SELECT \
            lower(`openNames`.`name`), 'Family ' || `openNames`.`name` FROM `openNames` \
            RETURNING `code`
            """,
            [["solanaceae"], ["fabaceae"], ["asteraceae"]])
    }

    @Test
    func `tables of With are used in later ones, and by changes, continued 2`() throws {
        try library.check(
            With { Loan.group(by: \.memberID).select { Sums.Columns(memberID: $0.memberID, lent: $0.seeds.sum() ?? 0, back: $0.returned.sum() ?? 0) }; Sums.where { $0.back >= $0.lent }.select { Good.Columns(memberID: $0.memberID) } } query: { Member.leftJoin(Sums.all) { $0.id.eq($1.memberID) }.leftJoin(Good.all) { m, _, g in m.id.eq(g.memberID) }.where { m, _, _ in m.leftOn.is(nil) }.order { m, s, _ in ((s.back ?? 0) - (s.lent ?? 0)).desc(); m.name }.limit(5).select { m, s, g in Balance.Columns(name: m.name, lent: s.lent ?? 0, back: s.back ?? 0, isGood: g.memberID.isNot(nil)) } },
            """
            WITH `sums` AS (SELECT `loans`.`memberID` AS `memberID`, \
            coalesce(sum(`loans`.`seeds`), 0) AS `lent`, coalesce(sum(`loans`.`returned`), 0) AS \
            `back` FROM `loans` GROUP BY `loans`.`memberID`), `goods` AS (SELECT \
            `sums`.`memberID` AS `memberID` FROM `sums` WHERE `sums`.`back` >= `sums`.`lent`) \
            SELECT `members`.`name` AS `name`, coalesce(`sums`.`lent`, 0) AS `lent`, \
            coalesce(`sums`.`back`, 0) AS `back`, `goods`.`memberID` IS NOT NULL AS `isGood` \
            FROM `members` LEFT JOIN `sums` ON `members`.`id` = `sums`.`memberID` LEFT JOIN \
            `goods` ON `members`.`id` = `goods`.`memberID` WHERE `members`.`leftOn` IS NULL \
            ORDER BY coalesce(`sums`.`back`, 0) - coalesce(`sums`.`lent`, 0) DESC, \
            `members`.`name` LIMIT 5
            """,
            [
                ["Bo O'Hara", 45, 50, 1], ["Farid", 75, 75, 1], ["ada lindqvist", 0, 0, 0],
                ["Emi 🌱", 4, 0, 0], ["Ada Lindqvist", 8, 0, 0],
            ])
    }

    @Test
    func `tables of With are used in later ones, and by changes, continued 3`() throws {
        try library.check(
            With { Loan.where { $0.returned.is(nil) }.group(by: \.packetID).select { Back.Columns(packetID: $0.packetID, seeds: $0.seeds.sum() ?? 0) } } query: { Event.insert { ($0.packetID, $0.at, $0.kind.remark) } select: { Back.join(Packet.all) { $0.packetID.eq($1.id) }.where { b, p in b.seeds >= p.seeds / 5 }.order { b, _ in b.packetID }.select { b, p in (p.id, #bind(day("2026-03-01"), as: Date.UnixTimeRepresentation.Subsecond.self), b.seeds.cast(as: String.self) + " of " + p.seeds.cast(as: String.self) + " out") } }.returning { ($0.packetID, $0.kind.remark) } },
            """
            WITH `backs` AS (SELECT `loans`.`packetID` AS `packetID`, \
            coalesce(sum(`loans`.`seeds`), 0) AS `seeds` FROM `loans` WHERE `loans`.`returned` \
            IS NULL GROUP BY `loans`.`packetID`) INSERT INTO `events` (`packetID`, `at`, \
            `remark`) SELECT `packets`.`id`, 1772323200.0, CAST(`backs`.`seeds` AS TEXT) || ' of \
            ' || CAST(`packets`.`seeds` AS TEXT) || ' out' FROM `backs` JOIN `packets` ON \
            `backs`.`packetID` = `packets`.`id` WHERE `backs`.`seeds` >= (`packets`.`seeds` / 5) \
            ORDER BY `backs`.`packetID` RETURNING `packetID`, `remark`
            """,
            [[3, "8 of 40 out"], [5, "15 of 75 out"], [9, "100 of 500 out"]], ordered: false)
    }

    @Test
    func `a table of With reads itself`() throws {
        try library.check(
            With { Count(value: 1).union(all: true, Count.where { $0.value < 5 }.select { Count.Columns(value: $0.value + 1) }) } query: { Count.all },
            """
            WITH RECURSIVE `counts` AS (SELECT 1 AS `value` UNION ALL SELECT `counts`.`value` + \
            1 AS `value` FROM `counts` WHERE `counts`.`value` < 5) SELECT `counts`.`value` FROM \
            `counts`
            """,
            [[1], [2], [3], [4], [5]])
        try library.check(
            With { Taxon.find(1).select { Branch.Columns(id: $0.id, name: $0.name, depth: 0) }.union(all: true, Taxon.join(Branch.all) { $0.parentID.eq($1.id) }.select { Branch.Columns(id: $0.id, name: $0.name, depth: $1.depth + 1) }) } query: { Branch.order { ($0.depth, $0.name) } },
            """
            WITH RECURSIVE `branches` AS (SELECT `taxons`.`id` AS `id`, `taxons`.`name` AS \
            `name`, 0 AS `depth` FROM `taxons` WHERE `taxons`.`id` = 1 UNION ALL SELECT \
            `taxons`.`id` AS `id`, `taxons`.`name` AS `name`, `branches`.`depth` + 1 AS `depth` \
            FROM `taxons` JOIN `branches` ON `taxons`.`parentID` = `branches`.`id`) SELECT \
            `branches`.`id`, `branches`.`name`, `branches`.`depth` FROM `branches` ORDER BY \
            `branches`.`depth`, `branches`.`name`
            """,
            [
                [1, "Solanaceae", 0], [7, "Capsicum", 1], [2, "Solanum", 1],
                [8, "Capsicum annuum", 2], [3, "Solanum lycopersicum", 2],
                [12, "Solanum melongena", 2],
            ])
    }

    @Test
    func `a table of With reads itself, continued`() throws {
        try library.check(
            With { Taxon.where { $0.parentID.is(nil) }.select { Branch.Columns(id: $0.id, name: $0.name, depth: $0.id) }.union(all: true, Taxon.join(Branch.all) { $0.parentID.eq($1.id) }.select { Branch.Columns(id: $0.id, name: $1.name, depth: $1.depth) }) } query: { Branch.join(Variety.all) { $0.id.eq($1.taxonID) }.leftJoin(Packet.where { $0.seeds > 0 }) { $1.id.eq($2.varietyID) }.group { b, _, _ in b.name }.having { _, v, _ in v.id.count(distinct: true) > 1 }.order { b, _, _ in b.name }.select { b, v, p in FamilyLine.Columns(family: b.name, varieties: v.id.count(distinct: true), seeds: p.seeds.sum() ?? 0, harvests: p.harvestYear.jsonGroupArray(distinct: true, order: p.harvestYear, filter: p.harvestYear.isNot(nil))) } },
            """
            WITH RECURSIVE `branches` AS (SELECT `taxons`.`id` AS `id`, `taxons`.`name` AS \
            `name`, `taxons`.`id` AS `depth` FROM `taxons` WHERE `taxons`.`parentID` IS NULL \
            UNION ALL SELECT `taxons`.`id` AS `id`, `branches`.`name` AS `name`, \
            `branches`.`depth` AS `depth` FROM `taxons` JOIN `branches` ON `taxons`.`parentID` = \
            `branches`.`id`) SELECT `branches`.`name` AS `family`, count(DISTINCT \
            `varieties`.`id`) AS `varieties`, coalesce(sum(`packets`.`seeds`), 0) AS `seeds`, \
            json_group_array(DISTINCT `packets`.`harvestYear` ORDER BY `packets`.`harvestYear`) \
            FILTER (WHERE `packets`.`id` IS NOT NULL AND `packets`.`harvestYear` IS NOT NULL) AS \
            `harvests` FROM `branches` JOIN `varieties` ON `branches`.`id` = \
            `varieties`.`taxonID` LEFT JOIN `packets` ON `varieties`.`id` = \
            `packets`.`varietyID` AND `packets`.`seeds` > 0 GROUP BY `branches`.`name` HAVING \
            count(DISTINCT `varieties`.`id`) > 1 ORDER BY `branches`.`name`
            """,
            [
                ["Fabaceae", 2, 285, "[2023,2024]"],
                ["Solanaceae", 6, 285, "[2019,2022,2023,2024]"],
            ])
    }
}
