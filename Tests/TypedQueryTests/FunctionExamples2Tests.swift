import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Variety.TableColumns, Packet.TableColumns
)

@Suite struct FunctionExamples2Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `cases choose between values`() throws {
        try library.check(
            Variety.order(by: \.id).select {
                Case($0.habit).when(.annual, then: "A").when(.biennial, then: "B").when(
                    .perennial, then: "P")
            },
            """
            SELECT CASE `varieties`.`habit` WHEN 1 THEN 'A' WHEN 2 THEN 'B' WHEN 3 THEN 'P' END \
            FROM `varieties` ORDER BY `varieties`.`id`
            """,
            [["A"], ["A"], ["A"], ["A"], ["P"], ["P"], ["A"], [nil], ["P"], [nil]])
        do {
            let stops = [100, 10]
            try library.check(
                Packet.group { p in
                    stops.reduce(Case()) { $0.when(p.seeds >= $1, then: $1) }.else(0)
                }.order { $0.seeds.min() }.select { p in (p.seeds.min(), p.seeds.max(), p.count())
                },
                """
                SELECT min(`packets`.`seeds`), max(`packets`.`seeds`), count(`packets`.`id`) FROM \
                `packets` GROUP BY CASE WHEN `packets`.`seeds` >= 100 THEN 100 WHEN \
                `packets`.`seeds` >= 10 THEN 10 ELSE 0 END ORDER BY min(`packets`.`seeds`)
                """,
                [[0, 5, 2], [10, 75, 6], [120, 1000, 4]])
        }
    }

    @Test
    func `values are cast`() throws {
        try library.check(
            Packet.where { $0.id < 3 }.order(by: \.id).select {
                (
                    $0.seeds.cast(as: Double.self), $0.grams.cast(as: Int.self),
                    $0.seeds.cast(as: String.self), $0.place.shelf.cast(as: [UInt8].self)
                )
            },
            """
            SELECT CAST(`packets`.`seeds` AS REAL), CAST(`packets`.`grams` AS INTEGER), \
            CAST(`packets`.`seeds` AS TEXT), CAST(`packets`.`shelf` AS BLOB) FROM `packets` \
            WHERE `packets`.`id` < 3 ORDER BY `packets`.`id`
            """,
            [[120.0, 0, "120", .hex("41")], [0.0, nil, "0", .hex("41")]])
    }

    @Test
    func `conditions choose, and storage classes are told`() throws {
        try library.check(
            Packet.where { $0.id < 4 }.order(by: \.id).select {
                (iif($0.seeds.eq(0), "empty", "stocked"), $0.grams.typeof())
            },
            """
            SELECT iif(`packets`.`seeds` = 0, 'empty', 'stocked'), typeof(`packets`.`grams`) \
            FROM `packets` WHERE `packets`.`id` < 4 ORDER BY `packets`.`id`
            """,
            [["stocked", "real"], ["empty", "null"], ["stocked", "real"]])
    }
}
