import CSQLCipher
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct LentBytesTests {
    @Test(.proves("MEM-005"))
    func `Bytes are lent where SQLite has them, and rows in an array have their own`() throws {
        let fixture = try FixtureDatabase()
        try fixture.open().read { db throws in
            let statement = try db.makeStatement(
                sql: "SELECT randomblob(1000) AS b UNION ALL SELECT randomblob(1000)")
            let cursor = try Row.fetchCursor(statement)
            while let row = try cursor.next() {
                let own = sqlite3_column_blob(statement.sqliteStatement, 0)
                try row.withUnsafeData(named: "b") { data in
                    let lent = try #require(data)
                    #expect(lent.withUnsafeBytes { $0.baseAddress } == own)
                }
            }
            let rows = try Row.fetchAll(statement)
            let values = rows.map { $0["b"] as Data }
            #expect(values.map(\.count) == [1000, 1000] && values[0] != values[1])
            // The statement has moved on; what was read from the rows does not change any more.
            _ = try Row.fetchOne(statement)
            #expect(rows.map { $0["b"] as Data } == values)
        }
    }
}
