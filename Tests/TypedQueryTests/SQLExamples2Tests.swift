import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know this before it checks the first query on it.
private typealias Columns = Trait.TableColumns

@Suite struct SQLExamples2Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `the type of an expression is forgotten`() throws {
        try library.check(
            Trait.where { SQLQueryExpression<Bool>($0.code.length() > 6) && $0.code.neq("drought") }
                .order(by: \.code).select(\.code),
            """
            SELECT `traits`.`code` FROM `traits` WHERE length(`traits`.`code`) > 6 AND \
            `traits`.`code` <> 'drought' ORDER BY `traits`.`code`
            """,
            [["compact"], ["heirloom"]])
    }

    @Test
    func `values with NUL characters are bound`() throws {
        try library.check(
            Trait.where { $0.label.eq("a?b'--\u{0}c") }.count(),
            """
            SELECT count(*) FROM `traits` WHERE `traits`.`label` = CAST(X'613f62272d2d0063' AS \
            TEXT)
            """,
            [[0]])
    }
}
