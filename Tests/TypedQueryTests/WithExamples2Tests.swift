import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Variety.TableColumns, Packet.TableColumns, Loan.TableColumns,
    OpenName.TableColumns, Stock.TableColumns, Count.TableColumns
)

@Suite struct WithExamples2Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `a table of With reads itself, continued 4`() throws {
        try library.check(
            With {
                Count(value: 0).union(
                    all: true,
                    Count.where { $0.value < 6 }.select { Count.Columns(value: $0.value + 1) })
            } query: {
                Count.leftJoin(Loan.where { $0.seeds >= 10 }) { $0.value.eq($1.takenAt.weekday) }
                    .group { c, _ in c.value }.having { _, l in l.count() > 0 }.order { c, l in
                        (l.count().desc(), c.value)
                    }.select { ($0.value, $1.count()) }
            },
            """
            WITH RECURSIVE `counts` AS (SELECT 0 AS `value` UNION ALL SELECT `counts`.`value` + \
            1 AS `value` FROM `counts` WHERE `counts`.`value` < 6) SELECT `counts`.`value`, \
            count(`loans`.`id`) FROM `counts` LEFT JOIN `loans` ON `counts`.`value` = \
            CAST(strftime('%w', `loans`.`takenAt`) AS INTEGER) AND `loans`.`seeds` >= 10 GROUP \
            BY `counts`.`value` HAVING count(`loans`.`id`) > 0 ORDER BY count(`loans`.`id`) \
            DESC, `counts`.`value`
            """,
            [[3, 2], [0, 1], [2, 1], [4, 1], [5, 1], [6, 1]])
    }

    @Test
    func `tables of With may be empty`() throws {
        try library.check(
            With {
                Variety.none.select { OpenName.Columns(name: $0.name) }
            } query: {
                OpenName.count()
            },
            """
            WITH `openNames` AS (SELECT NULL AS `name` WHERE 0) SELECT count(*) FROM `openNames`
            """,
            [[0]])
        try library.check(
            With {
                Variety.select { OpenName.Columns(name: $0.name) }
            } query: {
                OpenName.none
            },
            "",
            [])
    }

    @Test
    func `With is a statement like others`() throws {
        try library.check(
            Values(
                With {
                    Taxon.select { OpenName.Columns(name: $0.name) }
                } query: {
                    OpenName.where { $0.name.eq("Papaver") }
                }.exists()),
            """
            SELECT EXISTS (WITH `openNames` AS (SELECT `taxons`.`name` AS `name` FROM `taxons`) \
            SELECT 1 FROM `openNames` WHERE `openNames`.`name` = 'Papaver')
            """,
            [[1]])
        try library.check(
            With {
                Packet.group(by: \.varietyID).select {
                    Stock.Columns(varietyID: $0.varietyID, seeds: $0.seeds.sum() ?? 0)
                }
            } query: {
                Stock.where { $0.seeds < 20 }.join(Variety.all) { $0.varietyID.eq($1.id) }.select {
                    ($1.name, "scarce")
                }.union(
                    all: true,
                    Stock.where { $0.seeds > 400 }.join(Variety.all) { $0.varietyID.eq($1.id) }
                        .select { ($1.name, "plenty") }
                ).order { ($0.1, $0.0) }
            },
            """
            WITH `stocks` AS (SELECT `packets`.`varietyID` AS `varietyID`, \
            coalesce(sum(`packets`.`seeds`), 0) AS `seeds` FROM `packets` GROUP BY \
            `packets`.`varietyID`) SELECT `varieties`.`name`, 'scarce' FROM `stocks` JOIN \
            `varieties` ON `stocks`.`varietyID` = `varieties`.`id` WHERE `stocks`.`seeds` < 20 \
            UNION ALL SELECT `varieties`.`name`, 'plenty' FROM `stocks` JOIN `varieties` ON \
            `stocks`.`varietyID` = `varieties`.`id` WHERE `stocks`.`seeds` > 400 ORDER BY 2, 1
            """,
            [
                ["Merveille des Quatre Saisons", "plenty"], ["Poppy 🌺 Mix", "plenty"],
                ["Aji \"Amarillo\"", "scarce"],
            ])
    }

    @Test
    func `values are rows without a table`() throws {
        try library.check(
            Values(1, "a", true).union(all: true, Values(2, "b", false)),
            "SELECT 1, 'a', 1 UNION ALL SELECT 2, 'b', 0",
            [[1, "a", 1], [2, "b", 0]])
        try library.check(
            Values(Place(shelf: "Q", box: 9)),
            "SELECT 'Q' AS `shelf`, 9 AS `box`",
            [["Q", 9]])
    }
}
