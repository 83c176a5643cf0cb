import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Variety.TableColumns, Packet.TableColumns, Member.TableColumns,
    Loan.TableColumns
)

@Suite struct ComparisonExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `values are compared`() throws {
        try library.check(
            Variety.where { $0.habit.eq(.perennial) }.order(by: \.id).select(\.name),
            """
            SELECT `varieties`.`name` FROM `varieties` WHERE `varieties`.`habit` = 3 ORDER BY \
            `varieties`.`id`
            """,
            [["Fish"], ["Aji \"Amarillo\""], ["Rosa Bianca"]])
        try library.check(
            Variety.where { $0.habit.neq(.annual) }.order(by: \.id).select(\.name),
            """
            SELECT `varieties`.`name` FROM `varieties` WHERE `varieties`.`habit` <> 1 ORDER BY \
            `varieties`.`id`
            """,
            [["Fish"], ["Aji \"Amarillo\""], ["Rosa Bianca"]])
    }

    @Test
    func `NULL is a value like any other for IS`() throws {
        try library.check(
            Variety.where { $0.habit.isNot(.annual) }.order(by: \.id).select(\.name),
            """
            SELECT `varieties`.`name` FROM `varieties` WHERE `varieties`.`habit` IS NOT 1 ORDER \
            BY `varieties`.`id`
            """,
            [
                ["Fish"], ["Aji \"Amarillo\""], ["Poppy 🌺 Mix"], ["Rosa Bianca"], ["rosa bianca"],
            ])
        do {
            let parent: Int? = nil
            try library.check(
                Taxon.where { $0.parentID.is(parent) }.order(by: \.id).select(\.id),
                """
                SELECT `taxons`.`id` FROM `taxons` WHERE `taxons`.`parentID` IS NULL ORDER BY \
                `taxons`.`id`
                """,
                [[1], [4], [9], [11]])
        }
    }

    @Test
    func `values have an order`() throws {
        try library.check(
            Packet.where { $0.harvestYear < 2023 && $0.grams >= 0.5 }.order(by: \.id).select(\.id),
            """
            SELECT `packets`.`id` FROM `packets` WHERE `packets`.`harvestYear` < 2023 AND \
            `packets`.`grams` >= 0.5 ORDER BY `packets`.`id`
            """,
            [[7]])
        try library.check(
            Member.where { $0.joined < day("2022-06-01") }.order(by: \.id).select(\.id),
            """
            SELECT `members`.`id` FROM `members` WHERE `members`.`joined` < 2459731.5 ORDER BY \
            `members`.`id`
            """,
            [[1], [2], [3]])
    }

    @Test
    func `conditions are combined`() throws {
        try library.check(
            Packet.where {
                !($0.seeds > 50 || $0.place.box.eq(2))
                    && ($0.harvestYear.isNot(nil) || $0.grams < 5.0)
            }.order(by: \.id).select(\.id),
            """
            SELECT `packets`.`id` FROM `packets` WHERE NOT (`packets`.`seeds` > 50 OR \
            `packets`.`box` = 2) AND (`packets`.`harvestYear` IS NOT NULL OR `packets`.`grams` < \
            5.0) ORDER BY `packets`.`id`
            """,
            [[2], [8], [11]])
    }

    @Test
    func `plain values take the representation of the column`() throws {
        try library.check(
            Packet.where { $0.germination.testedAt > day("2024-03-01") }.order(by: \.id).select(
                \.id),
            """
            SELECT `packets`.`id` FROM `packets` WHERE `packets`.`testedAt` > 1709251200 ORDER \
            BY `packets`.`id`
            """,
            [[4], [6], [9], [11]])
        try library.check(
            Loan.where { $0.ticket.in([ticket(3), ticket(9)]) }.order(by: \.id).select(\.id),
            """
            SELECT `loans`.`id` FROM `loans` WHERE `loans`.`ticket` IN \
            (X'00000000000040008000000000000003', X'00000000000040008000000000000009') ORDER BY \
            `loans`.`id`
            """,
            [[3], [9]])
    }

    @Test
    func `values are in lists`() throws {
        try library.check(
            Packet.where {
                $0.harvestYear.in([2023]) && $0.place.shelf.notIn(["C"]) && $0.id.notIn([])
            }.order(by: \.id).select(\.id),
            """
            SELECT `packets`.`id` FROM `packets` WHERE `packets`.`harvestYear` = 2023 AND \
            `packets`.`shelf` <> 'C' AND 1 ORDER BY `packets`.`id`
            """,
            [[1], [4], [11]])
        try library.check(
            Packet.where { $0.id.in([Int]()) }.count(),
            "SELECT count(*) FROM `packets` WHERE 0",
            [[0]])
    }

    @Test
    func `values are in ranges`() throws {
        try library.check(
            Packet.where { $0.seeds.in(30...75) }.order(by: \.id).select(\.id),
            """
            SELECT `packets`.`id` FROM `packets` WHERE `packets`.`seeds` BETWEEN 30 AND 75 ORDER \
            BY `packets`.`id`
            """,
            [[3], [5], [7], [11], [12]])
        try library.check(
            Packet.where { $0.seeds.in(30..<75) && $0.id.in(5...) }.order(by: \.id).select(\.id),
            """
            SELECT `packets`.`id` FROM `packets` WHERE `packets`.`seeds` >= 30 AND \
            `packets`.`seeds` < 75 AND `packets`.`id` >= 5 ORDER BY `packets`.`id`
            """,
            [[7], [11], [12]])
    }

    @Test
    func `SQLite is told what is likely`() throws {
        try library.check(
            Packet.where { ($0.seeds > 500).unlikely() && ($0.id > 0).likelihood(0.9) }.select(
                \.id),
            """
            SELECT `packets`.`id` FROM `packets` WHERE unlikely(`packets`.`seeds` > 500) AND \
            likelihood(`packets`.`id` > 0, 0.9)
            """,
            [[10]])
    }
}
