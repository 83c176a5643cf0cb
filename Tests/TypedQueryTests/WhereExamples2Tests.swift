import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Suite struct WhereExamples2Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `one of several conditions is enough`() throws {
        try library.check(
            Variety.where(\.isOpenPollinated).any { for w in ["an", "Fi"] { $0.name.contains(w) } }.order(by: \.name).select(\.name),
            """
            SELECT `varieties`.`name` FROM `varieties` WHERE `varieties`.`isOpenPollinated` AND \
            (`varieties`.`name` LIKE '%an%' ESCAPE '\\' OR `varieties`.`name` LIKE '%Fi%' ESCAPE \
            '\\') ORDER BY `varieties`.`name`
            """,
            [["Fish"], ["Rosa Bianca"]])
        try library.check(
            Packet.any { for s in [String]() { $0.place.shelf.eq(s) } }.count(),
            "SELECT count(*) FROM `packets`",
            [[12]])
    }
}
