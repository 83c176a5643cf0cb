import Strongroom
import StrongroomTestSupport
import Testing

/// Statements and tables that say little.
@Suite struct EmptyListTests {
    @Test(.proves("CMP-38"))
    func `A table expression without names has those of its query`() throws {
        let names = CommonTableExpression<Row>(
            named: "names", columns: [], sql: "SELECT 'Arthur' AS name")
        let row = try DatabaseQueue().read { try names.all().with(names).fetchOne($0) }
        #expect(row?["name"] == "Arthur")
    }

    @Test(.proves("CMP-39"))
    func `A literal without values gets them later`() throws {
        try DatabaseQueue().read { db throws in
            #expect(try Int.fetchOne(db.makeStatement(literal: "SELECT ?"), arguments: [1]) == 1)
            for number in [2, 3] {
                let statement = try db.cachedStatement(literal: "SELECT ?")
                #expect(try Int.fetchOne(statement, arguments: [number]) == number)
            }
            let statements = try db.allStatements(literal: "SELECT ?; SELECT ?")
            while let statement = try statements.next() {
                #expect(try Int.fetchOne(statement, arguments: [4]) == 4)
            }
        }
    }
}
