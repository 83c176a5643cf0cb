import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Variety.TableColumns, Packet.TableColumns, Member.TableColumns,
    Loan.TableColumns, OpenName.TableColumns, Stock.TableColumns, BigStock.TableColumns,
    Count.TableColumns, Branch.TableColumns, Up.TableColumns, Debtor.TableColumns,
    Sums.TableColumns, Good.TableColumns
)

@Suite struct WithExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `a query reads a table that is made for it`() throws {
        try library.check(
            With {
                Variety.where(\.isOpenPollinated).select { OpenName.Columns(name: $0.name) }
            } query: {
                OpenName.order(by: \.name).limit(2)
            },
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
            With {
                Packet.group(by: \.varietyID).select {
                    Stock.Columns(varietyID: $0.varietyID, seeds: $0.seeds.sum() ?? 0)
                };
                Stock.where { $0.seeds > 50 }.select { BigStock.Columns(varietyID: $0.varietyID) }
            } query: {
                Variety.join(BigStock.all) { $0.id.eq($1.varietyID) }.join(Stock.all) { v, _, s in
                    v.id.eq(s.varietyID)
                }.order { v, _, s in (s.seeds.desc(), v.name) }.select { v, _, s in
                    (v.name, s.seeds)
                }
            },
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
    }

    @Test
    func `tables of With are used in later ones, and by changes, continued`() throws {
        try library.check(
            With {
                Loan.where { $0.returned.is(nil) }.group(by: \.memberID).select {
                    Debtor.Columns(memberID: $0.memberID, loans: $0.count())
                }
            } query: {
                Member.where { $0.id.in(Debtor.where { $0.loans > 1 }.select(\.memberID)) }.update {
                    $0.points -= 1
                }.returning { ($0.id, $0.points) }
            },
            """
            WITH `debtors` AS (SELECT `loans`.`memberID` AS `memberID`, count(`loans`.`id`) AS \
            `loans` FROM `loans` WHERE `loans`.`returned` IS NULL GROUP BY `loans`.`memberID`) \
            UPDATE `members` SET `points` = `members`.`points` - 1 WHERE `members`.`id` IN \
            (SELECT `debtors`.`memberID` FROM `debtors` WHERE `debtors`.`loans` > 1) RETURNING \
            `id`, `points`
            """,
            [[3, 14]])
        try library.check(
            With {
                Packet.where { $0.seeds.eq(0) }.select {
                    Stock.Columns(varietyID: $0.varietyID, seeds: $0.seeds)
                }
            } query: {
                Packet.where { $0.varietyID.in(Stock.select(\.varietyID)) && $0.seeds.eq(0) }
                    .delete().returning(\.id)
            },
            """
            WITH `stocks` AS (SELECT `packets`.`varietyID` AS `varietyID`, `packets`.`seeds` AS \
            `seeds` FROM `packets` WHERE `packets`.`seeds` = 0) DELETE FROM `packets` WHERE \
            `packets`.`varietyID` IN (SELECT `stocks`.`varietyID` FROM `stocks`) AND \
            `packets`.`seeds` = 0 RETURNING `id`
            """,
            [[2]])
    }

    @Test
    func `tables of With are used in later ones, and by changes, continued 2`() throws {
        try library.check(
            With {
                Loan.group(by: \.memberID).select {
                    Sums.Columns(
                        memberID: $0.memberID, lent: $0.seeds.sum() ?? 0,
                        back: $0.returned.sum() ?? 0)
                }; Sums.where { $0.back >= $0.lent }.select { Good.Columns(memberID: $0.memberID) }
            } query: {
                Member.leftJoin(Sums.all) { $0.id.eq($1.memberID) }.leftJoin(Good.all) { m, _, g in
                    m.id.eq(g.memberID)
                }.where { m, _, _ in m.leftOn.is(nil) }.order { m, s, _ in
                    ((s.back ?? 0) - (s.lent ?? 0)).desc(); m.name
                }.limit(5).select { m, s, g in
                    Balance.Columns(
                        name: m.name, lent: s.lent ?? 0, back: s.back ?? 0,
                        isGood: g.memberID.isNot(nil))
                }
            },
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
    func `a table of With reads itself`() throws {
        try library.check(
            With {
                Count(value: 1).union(
                    all: true,
                    Count.where { $0.value < 5 }.select { Count.Columns(value: $0.value + 1) })
            } query: {
                Count.all
            },
            """
            WITH RECURSIVE `counts` AS (SELECT 1 AS `value` UNION ALL SELECT `counts`.`value` + \
            1 AS `value` FROM `counts` WHERE `counts`.`value` < 5) SELECT `counts`.`value` FROM \
            `counts`
            """,
            [[1], [2], [3], [4], [5]])
        try library.check(
            With {
                Taxon.find(1).select { Branch.Columns(id: $0.id, name: $0.name, depth: 0) }.union(
                    all: true,
                    Taxon.join(Branch.all) { $0.parentID.eq($1.id) }.select {
                        Branch.Columns(id: $0.id, name: $0.name, depth: $1.depth + 1)
                    })
            } query: {
                Branch.order { ($0.depth, $0.name) }
            },
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
            With {
                Taxon.where { $0.parentID.is(nil) }.select {
                    Branch.Columns(id: $0.id, name: $0.name, depth: $0.id)
                }.union(
                    all: true,
                    Taxon.join(Branch.all) { $0.parentID.eq($1.id) }.select {
                        Branch.Columns(id: $0.id, name: $1.name, depth: $1.depth)
                    })
            } query: {
                Branch.join(Variety.all) { $0.id.eq($1.taxonID) }.leftJoin(
                    Packet.where { $0.seeds > 0 }
                ) { $1.id.eq($2.varietyID) }.group { b, _, _ in b.name }.having { _, v, _ in
                    v.id.count(distinct: true) > 1
                }.order { b, _, _ in b.name }.select { b, v, p in
                    FamilyLine.Columns(
                        family: b.name, varieties: v.id.count(distinct: true),
                        seeds: p.seeds.sum() ?? 0,
                        harvests: p.harvestYear.jsonGroupArray(
                            distinct: true, order: p.harvestYear, filter: p.harvestYear.isNot(nil)))
                }
            },
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

    @Test
    func `a table of With reads itself, continued 2`() throws {
        try library.check(
            With {
                Taxon.find(12).select {
                    Up.Columns(id: $0.id, parentID: $0.parentID, name: $0.name, step: 0)
                }.union(
                    all: true,
                    Taxon.join(Up.all) { $0.id.eq($1.parentID) }.select {
                        Up.Columns(
                            id: $0.id, parentID: $0.parentID, name: $0.name, step: $1.step + 1)
                    })
            } query: {
                Up.select { $0.name.groupConcat(" › ", order: $0.step.desc()) }
            },
            """
            WITH RECURSIVE `ups` AS (SELECT `taxons`.`id` AS `id`, `taxons`.`parentID` AS \
            `parentID`, `taxons`.`name` AS `name`, 0 AS `step` FROM `taxons` WHERE `taxons`.`id` \
            = 12 UNION ALL SELECT `taxons`.`id` AS `id`, `taxons`.`parentID` AS `parentID`, \
            `taxons`.`name` AS `name`, `ups`.`step` + 1 AS `step` FROM `taxons` JOIN `ups` ON \
            `taxons`.`id` = `ups`.`parentID`) SELECT group_concat(`ups`.`name`, ' › ' ORDER BY \
            `ups`.`step` DESC) FROM `ups`
            """,
            [["Solanaceae › Solanum › Solanum melongena"]])
    }

    @Test
    func `a table of With reads itself, continued 3`() throws {
        try library.check(
            With {
                Count(value: 1).union(
                    all: true,
                    Count.where { $0.value < 12 }.select { Count.Columns(value: $0.value + 1) })
            } query: {
                Count.leftJoin(Loan.all) {
                    $0.value.eq($1.takenAt.month) && $1.takenAt.year.eq(2025)
                }.group { c, _ in c.value }.order { c, _ in c.value }.select {
                    ($0.value, $1.count(), $1.seeds.sum() ?? 0)
                }
            },
            """
            WITH RECURSIVE `counts` AS (SELECT 1 AS `value` UNION ALL SELECT `counts`.`value` + \
            1 AS `value` FROM `counts` WHERE `counts`.`value` < 12) SELECT `counts`.`value`, \
            count(`loans`.`id`), coalesce(sum(`loans`.`seeds`), 0) FROM `counts` LEFT JOIN \
            `loans` ON `counts`.`value` = CAST(strftime('%m', `loans`.`takenAt`) AS INTEGER) AND \
            CAST(strftime('%Y', `loans`.`takenAt`) AS INTEGER) = 2025 GROUP BY `counts`.`value` \
            ORDER BY `counts`.`value`
            """,
            [
                [1, 0, 0], [2, 0, 0], [3, 2, 15], [4, 2, 45], [5, 1, 4], [6, 1, 200], [7, 0, 0],
                [8, 2, 150], [9, 0, 0], [10, 0, 0], [11, 0, 0], [12, 0, 0],
            ])
    }
}
