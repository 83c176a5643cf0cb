import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know this before it checks the first query on it.
private typealias Columns = Packet.TableColumns

@Suite struct BeyondExamples3Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `chains stay flat`() throws {
        try library.check(
            Packet.where { (($0.seeds + 1) * 2 - 10).gt(100) && !$0.place.box.eq(1) }.select(\.id),
            """
            SELECT `packets`.`id` FROM `packets` WHERE (((`packets`.`seeds` + 1) * 2) - 10) > \
            100 AND NOT (`packets`.`box` = 1)
            """,
            [[7], [10]])
        try library.check(
            Packet.where {
                ($0.seeds.between(20, and: 60) || $0.grams.is(nil)) && $0.place.shelf.neq("C")
            }.select(\.id),
            """
            SELECT `packets`.`id` FROM `packets` WHERE ((`packets`.`seeds` BETWEEN 20 AND 60) OR \
            `packets`.`grams` IS NULL) AND `packets`.`shelf` <> 'C'
            """,
            [[2], [3], [7], [11]])
        try library.check(
            Packet.find(1).select { $0.seeds + ($0.place.box + 1) },
            """
            SELECT `packets`.`seeds` + (`packets`.`box` + 1) FROM `packets` WHERE `packets`.`id` \
            = 1
            """,
            [[122]])
    }
}
