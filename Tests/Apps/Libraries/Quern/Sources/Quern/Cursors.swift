public import GRDB
import GRDBSQLite

/// The base of the cursors: it binds by the C functions.
public class BoundCursor<Element>: DatabaseCursor {
    public var _isDone = false
    public let _statement: Statement

    init(_ db: Database, sql: String, values: [Bound]) throws {
        _statement = try db.cachedStatement(sql: sql)
        let pointer = _statement.sqliteStatement
        for (value, index) in zip(values, CInt(1)...) {
            let code =
                switch value {
                case .integer(let number): sqlite3_bind_int64(pointer, index, number)
                case .text(let text):
                    sqlite3_bind_text(
                        pointer, index, text, -1,
                        unsafeBitCast(-1, to: sqlite3_destructor_type.self))
                }
            guard code == SQLITE_OK else {
                throw DatabaseError(resultCode: ResultCode(rawValue: code))
            }
        }
    }

    deinit {
        sqlite3_reset(_statement.sqliteStatement)
        sqlite3_clear_bindings(_statement.sqliteStatement)
    }

    public func _element(sqliteStatement: SQLiteStatement) throws -> Element {
        fatalError("a subclass reads the row")
    }
}

/// A cursor over rows of a type.
public final class QueryCursor<Row: QueryRow>: BoundCursor<Row> {
    public override func _element(sqliteStatement: SQLiteStatement) throws -> Row {
        var reader = ColumnReader(statement: sqliteStatement)
        return try Row(reading: &reader)
    }
}

/// A cursor over what an insertion returns.
public final class ReturnedIDs: BoundCursor<Int64> {
    public init(_ db: Database, insertInto table: String, _ column: String, _ values: [Bound])
        throws
    {
        let rows = values.map { _ in "(?)" }.joined(separator: ", ")
        try super.init(
            db, sql: "INSERT INTO \(table)(\(column)) VALUES \(rows) RETURNING id", values: values)
    }

    public override func _element(sqliteStatement: SQLiteStatement) throws -> Int64 {
        sqlite3_column_int64(sqliteStatement, 0)
    }
}
