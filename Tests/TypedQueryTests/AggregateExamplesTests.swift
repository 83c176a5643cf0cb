import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Variety.TableColumns, Packet.TableColumns, Trait.TableColumns, Trial.TableColumns
)

@Suite struct AggregateExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `rows and values are counted`() throws {
        try library.check(
            Packet.select {
                (
                    $0.count(), $0.harvestYear.count(), $0.harvestYear.count(distinct: true),
                    $0.seeds.sum(filter: $0.place.shelf.eq("A")), $0.grams.total(), $0.seeds.avg(),
                    $0.harvestYear.min(), $0.grams.max()
                )
            },
            """
            SELECT count(`packets`.`id`), count(`packets`.`harvestYear`), count(DISTINCT \
            `packets`.`harvestYear`), sum(`packets`.`seeds`) FILTER (WHERE `packets`.`shelf` = \
            'A'), total(`packets`.`grams`), avg(`packets`.`seeds`), \
            min(`packets`.`harvestYear`), max(`packets`.`grams`) FROM `packets`
            """,
            [[12, 11, 6, 250, 126.375, 172.5, 2019, 90.0]])
        try library.check(
            Variety.leftJoin(Trial.all) { $0.id.eq($1.id.varietyID) }.group { v, _ in v.id }.order {
                v, _ in v.name
            }.limit(4).select { ($0.name, $1.count()) },
            """
            SELECT `varieties`.`name`, count(`trials`.`varietyID`) FROM `varieties` LEFT JOIN \
            `trials` ON `varieties`.`id` = `trials`.`varietyID` GROUP BY `varieties`.`id` ORDER \
            BY `varieties`.`name` LIMIT 4
            """,
            [
                ["Aji \"Amarillo\"", 0], ["Black Krim", 2], ["Dragon's Tongue", 2], ["Fish", 0],
            ])
    }

    @Test
    func `aggregates have filters`() throws {
        try library.check(
            Packet.where { $0.id < 0 }.select {
                ($0.seeds.sum(), $0.seeds.total(), $0.count(), $0.seeds.max())
            },
            """
            SELECT sum(`packets`.`seeds`), total(`packets`.`seeds`), count(`packets`.`id`), \
            max(`packets`.`seeds`) FROM `packets` WHERE `packets`.`id` < 0
            """,
            [[nil, 0.0, 0, nil]])
    }

    @Test
    func `texts are concatenated in an order`() throws {
        try library.check(
            Trait.select {
                (
                    $0.code.groupConcat(", ", order: $0.code.desc(), filter: $0.code > "e"),
                    $0.label.length().cast(as: String.self).groupConcat()
                )
            },
            """
            SELECT group_concat(`traits`.`code`, ', ' ORDER BY `traits`.`code` DESC) FILTER \
            (WHERE `traits`.`code` > 'e'), group_concat(CAST(length(`traits`.`label`) AS TEXT)) \
            FROM `traits`
            """)
        try library.check(
            Packet.group { $0.place.shelf }.order { $0.place.shelf }.select {
                (
                    $0.place.shelf,
                    $0.varietyID.cast(as: String.self).substr(36).groupConcat(distinct: true)
                )
            },
            """
            SELECT `packets`.`shelf`, group_concat(DISTINCT substr(CAST(`packets`.`varietyID` AS \
            TEXT), 36)) FROM `packets` GROUP BY `packets`.`shelf` ORDER BY `packets`.`shelf`
            """,
            [["A", "1,2,5,9"], ["B", "3,4"], ["C", "6,7,8,0"]])
    }

    @Test(.proves("TEX-025"))
    func `aggregates are called by name`() throws {
        try library.check(
            Trait.select {
                AggregateFunctionExpression<String?>("string_agg", $0.code, "|", order: $0.code)
            },
            "SELECT `string_agg`(`traits`.`code`, '|' ORDER BY `traits`.`code`) FROM `traits`",
            [["compact|drought|early|heirloom|hot|odd|off"]])
        try library.check(
            Trait.select {
                AggregateFunctionExpression<Int>(
                    "count", distinct: true, $0.label, filter: $0.code > "h")
            },
            """
            SELECT `count`(DISTINCT `traits`.`label`) FILTER (WHERE `traits`.`code` > 'h') FROM \
            `traits`
            """,
            [[4]])
    }

    @Test(.proves("TEX-026"))
    func `the largest of optional values is optional once`() throws {
        try library.check(
            Packet.group { $0.place.shelf }.order { $0.place.shelf }.select {
                ($0.place.shelf, $0.grams.max(), $0.germination.sprouted.min(distinct: true))
            },
            """
            SELECT `packets`.`shelf`, max(`packets`.`grams`), min(DISTINCT `packets`.`sprouted`) \
            FROM `packets` GROUP BY `packets`.`shelf` ORDER BY `packets`.`shelf`
            """,
            [["A", 0.5, 0], ["B", 90.0, 10], ["C", 0.625, 45]])
        let largest: [Double?] = try library.queue.read {
            try Packet.select { $0.grams.max() }.fetchAll($0)
        }
        #expect(largest == [90.0])
    }
}
