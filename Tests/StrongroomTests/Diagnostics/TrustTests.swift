import Strongroom
import StrongroomTestSupport
import Testing

/// What a database contains throws where the caller can catch it, and traps where it said otherwise.
@Suite struct TrustTests {
    private static func oddRow() throws -> Row {
        try DatabaseQueue().read { db in
            try #require(try Row.fetchOne(db, sql: "SELECT 'x' AS a, NULL AS b, 300 AS c"))
        }
    }

    @Test(.proves("ERR-010", "ERR-013"))
    func `Unsuitable content throws where it is decoded`() throws {
        let row = try Self.oddRow()
        let readings: [(String, () throws -> Any)] = [
            ("column: \"a\"", { try row.decode(Int.self, forColumn: "a") }),
            ("column: \"b\"", { try row.decode(String.self, forColumn: "b") }),
            ("column: \"c\"", { try row.decode(Int8.self, forColumn: "c") }),
            ("d", { try row.decode(Int.self, forColumn: "d") }),
        ]
        for (reason, read) in readings {
            let error = #expect(throws: RowDecodingError.self) { try read() }
            #expect(error?.description.contains(reason) == true)
        }
        #expect(throws: RowDecodingError.self) {
            try DatabaseQueue().read { try Int.fetchAll($0, sql: "SELECT 1 UNION ALL SELECT NULL") }
        }
    }

    @Test(.proves("ERR-010"))
    func `Subscripts trap on what is unsuitable`() async {
        await #expect(processExitsWith: .failure) {
            let row = try Self.oddRow()
            _ = row["a"] as Int
        }
        await #expect(processExitsWith: .failure) {
            let row = try Self.oddRow()
            _ = row["b"] as String
        }
        await #expect(processExitsWith: .failure) {
            let row = try Self.oddRow()
            _ = row["d"] as Int
        }
    }

    @Test(.proves("ERR-012"))
    func `Arguments of unknown origin are refused, not trapped on`() throws {
        struct NoValue {}
        #expect(StatementArguments(["name": NoValue()] as [String: Any]) == nil)
        let untrusted: [String: Any] = ["name": "Arthur", "score": 1.5]
        let arguments = try #require(StatementArguments(untrusted))
        try DatabaseQueue().read { db throws in
            let select = try db.makeStatement(sql: "SELECT :name || :score")
            try select.setArguments(arguments)
            #expect(try String.fetchOne(select) == "Arthur1.5")
            let other = try db.makeStatement(sql: "SELECT :name, :id")
            let error = #expect(throws: DatabaseError.self) { try other.setArguments(arguments) }
            #expect(error?.resultCode == .SQLITE_MISUSE)
        }
    }
}
