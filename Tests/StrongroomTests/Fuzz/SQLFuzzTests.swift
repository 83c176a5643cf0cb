import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct SQLFuzzTests {
    /// What would end a quote, a comment or a statement, if anything interpolated became SQL.
    static let pieces = [
        "'", "\"", "`", "[", "]", ";", "--", "/*", "*/", "?", "?1", ":a", "\\", "\n", " ", "a", "é",
        "DROP TABLE t", "\u{301}", "🐴", ")", "(", "%", "x'00'",
    ]

    @Test func `What is interpolated stays a value or a name`() throws {
        try DatabaseQueue().inDatabase { db throws in
            try db.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)")
            let inputCount = try Fuzzing().run("SQL interpolation") { generator in
                let value = generator.text(of: Self.pieces, upTo: 6)
                try check(value, generator.text(of: Self.pieces, upTo: 6), db)
            }
            #expect(inputCount > 0)
        }
    }

    private func check(_ value: String, _ name: String, _ db: Database) throws {
        let list = [value, name]
        let inner: SQL = "SELECT \(value) AS \(identifier: name)"
        let request: SQLRequest<Row> = """
            WITH \(identifier: name) AS (\(inner))
            SELECT *, \(value) IN \(list), \(value) AS 'v' FROM \(identifier: name)
            """
        guard !name.contains("\0") else {
            // SQLite would stop reading there.
            let row = try? request.fetchOne(db)
            try Fuzzing.expect(row == nil, "\(name.debugDescription) was not refused")
            return
        }
        let row = try #require(try request.fetchOne(db))
        try Fuzzing.expect(row.count == 3, "\(row)")
        try Fuzzing.expect(Array(row.columnNames)[0] == name, "\(row) for \(name)")
        try Fuzzing.expect(row[0] as String == value && row[2] as String == value, "\(row)")
        try Fuzzing.expect(row[1] as Bool, "\(row)")
        try db.execute(literal: "UPDATE t SET a = \(value) WHERE \(value) = \(name)")
        let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t")
        try Fuzzing.expect(count == 1, "t was changed by \(value.debugDescription)")
    }
}
