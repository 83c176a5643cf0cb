import CSQLCipher
import Strongroom
import StrongroomTestSupport
import Testing

/// Values that read themselves from statements.
@Suite struct StatementColumnTests {
    /// A temperature, which is told in the database by a number or by a word.
    struct Temperature: DatabaseValueConvertible, StatementColumnConvertible, Hashable {
        var degrees: Double
        var isFast = false

        init(degrees: Double) { self.degrees = degrees }

        init?(sqliteStatement: SQLiteStatement, index: CInt) {
            guard sqlite3_column_type(sqliteStatement, index) == SQLITE_FLOAT else { return nil }
            degrees = sqlite3_column_double(sqliteStatement, index)
            isFast = true
        }

        var databaseValue: DatabaseValue { degrees.databaseValue }

        static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
            guard case .double(let degrees) = dbValue.storage else { return nil }
            return Self(degrees: degrees)
        }
    }

    /// A value that NULL and unsuitable content have one of, too.
    struct Level: DatabaseValueConvertible, StatementColumnConvertible, Hashable {
        let value: Int

        // What it is made of has no initialiser that may fail.
        init?(sqliteStatement: SQLiteStatement, index: CInt) { return nil }

        private init(value: Int) { self.value = value }

        static func fromStatement(
            _ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt
        ) -> Self? {
            Self(value: Int(sqlite3_column_int64(sqliteStatement, index)) + 100)
        }

        var databaseValue: DatabaseValue { value.databaseValue }

        static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
            Int.fromDatabaseValue(dbValue).map { Self(value: $0) }
        }
    }

    struct Reading: FetchableRecord {
        let temperature: Temperature
        let missing: Temperature?

        init(row: Row) {
            temperature = row["temperature"]
            missing = row["missing"]
        }
    }

    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
    }

    @Test(.proves("VAL-003"))
    func `Fetches, records and rows of cursors take the fast path, kept rows the other`() throws {
        let sql = "SELECT 21.5 AS temperature, NULL AS missing"
        try queue.read { db throws in
            #expect(try Temperature.fetchOne(db, sql: sql)?.isFast == true)
            #expect(try Temperature.fetchAll(db, sql: sql).map(\.isFast) == [true])
            #expect(try Temperature.fetchSet(db, sql: sql).map(\.isFast) == [true])
            #expect(try Temperature.fetchCursor(db, sql: sql).next()?.isFast == true)
            #expect(try Temperature?.fetchAll(db, sql: "SELECT NULL") == [nil])
            #expect(try Reading.fetchAll(db, sql: sql).map(\.temperature.isFast) == [true])
            #expect(try Reading.fetchAll(db, sql: sql).map(\.missing) == [nil])
            let rows = try Row.fetchCursor(db, sql: sql)
            let row = try #require(try rows.next())
            #expect((row["temperature"] as Temperature).isFast)
            #expect((row[0] as Temperature).isFast)
            let kept = try #require(try Row.fetchOne(db, sql: sql))
            #expect((kept["temperature"] as Temperature).isFast == false)
            #expect((kept["temperature"] as Temperature).degrees == 21.5)
        }
    }

    @Test(.proves("VAL-003"))
    func `Unsuitable content fails, and says where`() throws {
        try queue.read { db throws in
            let error = #expect(throws: RowDecodingError.self) {
                try Temperature.fetchAll(db, sql: "SELECT 1.5 UNION ALL SELECT 'warm'")
            }
            #expect(error?.description.contains("Temperature") == true)
            #expect(error?.description.contains("\"warm\"") == true)
            #expect(throws: RowDecodingError.self) {
                try Temperature.fetchAll(db, sql: "SELECT NULL")
            }
            #expect(try Temperature.fetchOne(db, sql: "SELECT NULL") == nil)
        }
    }

    @Test(.proves("VAL-003"))
    func `A type may read itself in its own way`() throws {
        try queue.read { db throws in
            #expect(try Level.fetchOne(db, sql: "SELECT 7")?.value == 107)
            #expect(try Level.fetchAll(db, sql: "SELECT 7").map(\.value) == [107])
            let rows = try Row.fetchCursor(db, sql: "SELECT 7 AS level")
            #expect((try rows.next()?["level"] as Level?)?.value == 107)
        }
    }
}
