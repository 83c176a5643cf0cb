import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Packet.TableColumns, Trait.TableColumns, VarietyTrait.TableColumns
)

@Suite struct BeyondExamples3Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `columns are qualified`() throws {
        try library.check(
            Trait.as(Old.self).find("hot").update { $0.label = "Hot" }.returning { t in
                (t.code, VarietyTrait.where { $0.traitCode.eq(t.code) }.count())
            },
            """
            UPDATE `traits` AS `olds` SET `label` = 'Hot' WHERE `olds`.`code` = 'hot' RETURNING \
            `code`, (SELECT count(*) FROM `varietiesTraits` WHERE `varietiesTraits`.`traitCode` \
            = `traits`.`code`)
            """,
            [["hot", 2]])
    }

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
