import CSQLCipher
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct StoredValueTests {
    /// An identifier that cannot be mistaken for that of another type.
    struct Tagged<Tag, RawValue>: RawRepresentable {
        var rawValue: RawValue

        init(rawValue: RawValue) {
            self.rawValue = rawValue
        }
    }

    struct Even: DatabaseValueConvertible, StatementColumnConvertible, Equatable {
        var number: Int
        var isFromStatement = false

        var databaseValue: DatabaseValue { number.databaseValue }

        static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Even? {
            Int.fromDatabaseValue(dbValue).flatMap { $0.isMultiple(of: 2) ? Even(number: $0) : nil }
        }

        init(number: Int) {
            self.number = number
        }

        init?(sqliteStatement: SQLiteStatement, index: CInt) {
            number = Int(sqlite3_column_int64(sqliteStatement, index))
            isFromStatement = true
            guard number.isMultiple(of: 2) else { return nil }
        }
    }

    /// Takes NULL for a value of its own, which only `fromStatement` can do.
    struct Lenient: DatabaseValueConvertible, StatementColumnConvertible {
        var text: String

        var databaseValue: DatabaseValue { text.databaseValue }

        static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Lenient? { nil }

        init(text: String) {
            self.text = text
        }

        init?(sqliteStatement: SQLiteStatement, index: CInt) { nil }

        static func fromStatement(
            _ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt
        ) -> Lenient? {
            Lenient(text: String.fromStatement(sqliteStatement, atUncheckedIndex: index) ?? "none")
        }
    }

    @Test(.proves("VAL-008", "VAL-015", "VAL-016", "VAL-023", "VAL-024", "VAL-025", "VAL-027"))
    func `Another program finds the values in the encrypted file as documented`() throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        let uuid = try #require(UUID(uuidString: "69BF8A9C-D9F0-4777-BD11-93451D84CBCF"))
        let values: [(any DatabaseValueConvertible)?] = [
            true, Int.max, Int8.min, Int16.min, Int32.min, Int64.min, UInt(7), UInt8.max,
            UInt16.max,
            UInt32.max, UInt64(7), Float(1.5), 2.5, CGFloat(3.5), "", "a\nb", Data(),
            Data([0, 255]),
            Date(timeIntervalSince1970: 0.25), Decimal(10), Decimal(21) / 2, uuid,
            URL(string: "https://example.com/a?b"), NSNull(), nil,
            DatabaseDateComponents(DateComponents(hour: 9, minute: 30), format: .HM),
        ]
        try queue.write { db throws in
            try db.execute(sql: "CREATE TABLE t(v)")
            for value in values {
                try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [value])
            }
        }
        try queue.close()
        let found = try fixture.shell().rows("SELECT v FROM t ORDER BY rowid").map { $0[0] }
        #expect(
            found == [
                1, .integer(.max), -128, -32768, -2_147_483_648, .integer(.min), 7, 255, 65535,
                4_294_967_295, 7, 1.5, 2.5, 3.5, "", "a\nb", .blob(Data()), .blob(Data([0, 255])),
                "1970-01-01 00:00:00.250", "10", "10.5",
                .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) }),
                "https://example.com/a?b", nil, nil, "09:30",
            ])
    }

    @Test func `A type of one's own reads straight from statements, or through DatabaseValue`()
        throws
    {
        try DatabaseQueue().read { db throws in
            let evens = try Even.fetchAll(db, sql: "SELECT 2 UNION ALL SELECT 4")
            #expect(evens.map(\.number) == [2, 4])
            #expect(evens.allSatisfy { $0.isFromStatement })
            let cursor = try Row.fetchCursor(db, sql: "SELECT 2")
            let row = try #require(try cursor.next())
            #expect((row[0] as Even).isFromStatement)
            #expect(try cursor.next() == nil)
            #expect((row[0] as Even).isFromStatement == false)
            #expect(throws: RowDecodingError.self) { try Even.fetchAll(db, sql: "SELECT 3") }
            #expect(throws: RowDecodingError.self) { try Even.fetchAll(db, sql: "SELECT NULL") }
            #expect(try Even?.fetchAll(db, sql: "SELECT NULL") == [nil])
            #expect(try Lenient.fetchAll(db, sql: "SELECT NULL").map(\.text) == ["none"])
        }
    }

    @Test(.proves("VAL-031"))
    func `A generic wrapper conforms when what it wraps does`() throws {
        typealias ID = Tagged<Even, UUID>
        let id = ID(rawValue: UUID())
        #expect(id.databaseValue == id.rawValue.databaseValue)
        try DatabaseQueue().read { db throws in
            let read = try ID.fetchOne(db, sql: "SELECT ?", arguments: [id])
            #expect(read?.rawValue == id.rawValue)
            let request: SQLRequest<ID> = "SELECT \(id)"
            #expect(try request.fetchOne(db)?.rawValue == id.rawValue)
            let row = try #require(try Row.fetchOne(db, sql: "SELECT ? AS id", arguments: [id]))
            #expect((row["id"] as ID).rawValue == id.rawValue)
            let statement = try db.makeStatement(sql: "SELECT ?")
            #expect(id.bind(to: statement.sqliteStatement, at: 1) == SQLITE_OK)
            #expect(id.bind(to: statement.sqliteStatement, at: 2) == SQLITE_RANGE)
        }
    }

    @Test(.proves("VAL-027"))
    func `NSNull is NULL`() throws {
        #expect(NSNull().databaseValue == .null)
        #expect(DatabaseValue(value: NSNull()) == .null)
        #expect(NSNull.fromDatabaseValue(.null) == nil)
        #expect(NSNull.fromDatabaseValue(0.databaseValue) == nil)
    }

    @Test(.proves("VAL-033", "VAL-034"))
    func `Any value is converted, or is known not to be one`() throws {
        #expect(DatabaseValue(value: "x") == "x".databaseValue)
        #expect(DatabaseValue(value: Int?.some(1) as Any) == 1.databaseValue)
        #expect(DatabaseValue(value: Int?.none as Any) == .null)
        #expect(DatabaseValue(value: Set<Int>?.none as Any) == .null)
        #expect(DatabaseValue(value: Set<Int>?.some([]) as Any) == nil)
        #expect(DatabaseValue(value: Set<Int>()) == nil)
        #expect(DatabaseValue(value: DatabaseValue.null) == .null)
        #expect(DatabaseValue.null.isNull && !0.databaseValue.isNull && !"".databaseValue.isNull)
        try DatabaseQueue().read { db throws in
            let statement = try db.makeStatement(sql: "SELECT NULL, 1, 1.5, 'a', x'01'")
            let pointer = statement.sqliteStatement
            #expect(sqlite3_step(pointer) == SQLITE_ROW)
            let storages = (0..<5).map {
                DatabaseValue(sqliteStatement: pointer, index: $0).storage
            }
            sqlite3_reset(pointer)
            #expect(
                storages == [.null, .int64(1), .double(1.5), .string("a"), .blob(Data([1]))])
            #expect(
                storages.map { $0.value?.databaseValue.description ?? "nil" } == [
                    "nil", "1", "1.5", "\"a\"", "Data(1 bytes)",
                ])
        }
    }

    @Test(.proves("VAL-035"))
    func `Numbers are equal when neither loses anything in the comparison`() {
        let numbers: [(Int64, Double, Bool)] = [
            (0, 0, true), (0, -0.0, true), (1, 1, true), (1, 1.5, false), (-1, -1, true),
            (1 << 53, 0x1p53, true), ((1 << 53) + 1, 0x1p53, false), (.max, 0x1p63, false),
            (.min, -0x1p63, true), (0, .infinity, false), (.max, .infinity, false),
        ]
        for (integer, real, isEqual) in numbers {
            let (integer, real) = (integer.databaseValue, real.databaseValue)
            #expect((integer == real) == isEqual)
            #expect((real == integer) == isEqual)
            if isEqual { #expect(Set([integer, real]).count == 1) }
        }
        #expect("e\u{301}".databaseValue == "é".databaseValue)
        #expect("a".databaseValue != Data("a".utf8).databaseValue)
        #expect(DatabaseValue.null == .null)
        #expect(DatabaseValue.null != 0.databaseValue)
        #expect("".databaseValue != .null)
        #expect(DatabaseValue.Storage.int64(1) != .double(1))
    }

    @Test(.proves("VAL-001", "VAL-005"))
    func `Values are fetched from SQL, statements and requests, from the leftmost column`() throws {
        try DatabaseQueue().read { db throws in
            let sql = "SELECT ?, 'x' UNION ALL SELECT 2, 'y' ORDER BY 1"
            let last = SuffixRowAdapter(fromIndex: 1)
            let cursor: FastDatabaseValueCursor<Int> = try Int.fetchCursor(
                db, sql: sql, arguments: [1])
            #expect(try cursor.next() == 1)
            #expect(try Int.fetchAll(db, sql: sql, arguments: [1]) == [1, 2])
            #expect(try Int.fetchSet(db, sql: sql, arguments: [1]) == [1, 2])
            #expect(try Int.fetchOne(db, sql: sql, arguments: [1]) == 1)
            #expect(
                try String.fetchAll(db, sql: sql, arguments: [1], adapter: last) == ["x", "y"])
            #expect(try String.fetchOne(db, sql: sql, arguments: [1], adapter: last) == "x")

            let statement = try db.makeStatement(sql: sql)
            let values: DatabaseValueCursor<DatabaseValue> = try DatabaseValue.fetchCursor(
                statement, arguments: [1])
            #expect(try values.next() == 1.databaseValue)
            #expect(try Int.fetchAll(statement) == [1, 2])
            #expect(try Int.fetchSet(statement) == [1, 2])
            #expect(try Int.fetchOne(statement) == 1)

            let request: SQLRequest<Int> = "SELECT \(1) UNION ALL SELECT 2 ORDER BY 1"
            #expect(try request.fetchCursor(db).next() == 1)
            #expect(try request.fetchAll(db) == [1, 2])
            #expect(try request.fetchSet(db) == [1, 2])
            #expect(try Int.fetchOne(db, request) == 1)
            #expect(throws: RowDecodingError.self) {
                try SQLRequest<Grape>(sql: "SELECT 'tea'").fetchAll(db)
            }
        }
        #expect(Int.fromMissingColumn() == nil)
        #expect(Int?.fromMissingColumn() == .some(nil))
    }

    enum Grape: String, DatabaseValueConvertible { case chardonnay, merlot }
    enum Columns: String, ColumnExpression { case score }
    enum CodingColumns: String, CodingKey, ColumnExpression { case score }

    @Test(.proves("VAL-002", "VAL-032"))
    func `Optionals and database values stand in SQL as what they hold`() throws {
        func operand(_ value: some SQLSpecificExpressible) -> SQL {
            "\(value.sqlExpression), \(value.sqlSelection), \(value.sqlOrdering)"
        }
        try DatabaseQueue().inDatabase { db throws in
            func written(_ literal: SQL) throws -> [String] {
                let (sql, arguments) = try literal.build(db)
                return [sql, arguments.description]
            }
            #expect(try written(operand(1.databaseValue)) == ["?, ?, ?", "[1, 1, 1]"])
            #expect(try written(operand(DatabaseValue?.none)) == ["NULL, NULL, NULL", "[]"])
            #expect(try written(operand(DatabaseValue?.some(.null))) == ["NULL, NULL, NULL", "[]"])
            #expect(try written("\(Int?.some(1)) \(Int?.none)") == ["? NULL", "[1]"])
            #expect(try written("\(Grape.merlot)") == ["?", "[\"merlot\"]"])
            #expect(try written("\(Columns.score)") == ["\"score\"", "[]"])
            #expect(try written("\(CodingColumns.score)") == ["\"score\"", "[]"])
            let statement = try db.makeStatement(sql: "SELECT ?")
            #expect(Int?.some(1).bind(to: statement.sqliteStatement, at: 1) == SQLITE_OK)
            #expect(
                DatabaseValue.null.bind(to: statement.sqliteStatement, at: 1) == SQLITE_OK)
        }
        let values: [DatabaseValue] = [
            .null, 1.databaseValue, 1.5.databaseValue, "a".databaseValue,
            Data([1, 2]).databaseValue,
        ]
        #expect(Set(values).count == 5)
        #expect(values.map(\.description) == ["NULL", "1", "1.5", "\"a\"", "Data(2 bytes)"])
    }
}

extension StoredValueTests.Tagged: SQLExpressible where RawValue: SQLExpressible {}
extension StoredValueTests.Tagged: StatementBinding where RawValue: StatementBinding {}
extension StoredValueTests.Tagged: StatementColumnConvertible
where RawValue: StatementColumnConvertible {}
extension StoredValueTests.Tagged: DatabaseValueConvertible
where RawValue: DatabaseValueConvertible {}
