public import GRDB
import GRDBSQLite

/// A value that a query binds.
public enum Bound: Hashable, Sendable {
    case integer(Int64)
    case text(String)
}

extension Bound: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(stringLiteral value: String) { self = .text(value) }
}

/// What a row of a query becomes.
public protocol QueryRow {
    static var columnNames: [String] { get }
    init(reading columns: inout ColumnReader) throws
}

/// Reads the columns of a row from the first to the last.
public struct ColumnReader {
    let statement: SQLiteStatement
    var index: CInt = 0

    public mutating func integer() -> Int64 {
        defer { index += 1 }
        return sqlite3_column_int64(statement, index)
    }

    public mutating func text() throws -> String {
        defer { index += 1 }
        guard let text = sqlite3_column_text(statement, index) else {
            throw UnexpectedNull(column: Int(index))
        }
        return String(cString: text)
    }
}

public struct UnexpectedNull: Error {
    public let column: Int
}

/// A query that is put together step by step.
public struct Query<Row: QueryRow>: Sendable {
    private let table: String
    private var conditions: [(sql: String, value: Bound)] = []
    private var ordering = ""

    public init(from table: String) { self.table = table }

    public func `where`(_ column: String, _ comparison: String, _ value: Bound) -> Query {
        var query = self
        query.conditions.append(("\(column) \(comparison) ?", value))
        return query
    }

    public func order(by column: String) -> Query {
        var query = self
        query.ordering = " ORDER BY \(column)"
        return query
    }

    var sql: String {
        let columns = Row.columnNames.joined(separator: ", ")
        let filter = conditions.map(\.sql).joined(separator: " AND ")
        return
            "SELECT \(columns) FROM \(table)\(filter.isEmpty ? "" : " WHERE \(filter)")\(ordering)"
    }

    public func fetchCursor(_ db: Database) throws -> QueryCursor<Row> {
        try QueryCursor(db, sql: sql, values: conditions.map(\.value))
    }

    public func fetchAll(_ db: Database) throws -> [Row] { try Array(fetchCursor(db)) }
}

extension Query: DatabaseRegionConvertible {
    public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
        try db.makeStatement(sql: sql).databaseRegion
    }
}
