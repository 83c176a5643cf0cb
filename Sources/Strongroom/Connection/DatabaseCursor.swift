/// A cursor over the rows of a statement. It must not leave the database access that made it.
public protocol DatabaseCursor<Element>: Cursor {
    /// The statement's arguments.
    var arguments: StatementArguments { get }
    /// The number of columns that the statement gives.
    var columnCount: Int { get }
    /// The names of the columns that the statement gives, left to right.
    var columnNames: [String] { get }
    /// The statement's SQL.
    var sql: String { get }
}

/// The cursor behind every fetch: each row of a statement becomes an element.
///
/// After a database error every later `next()` throws that error again, and the statement does not
/// run again; after a decoding error `next()` goes on with the following row.
public final class DecodingCursor<Element: RowDecodable>: StatementCursor, DatabaseCursor {
    @inlinable
    public func next() throws -> Element? {
        guard try step() else { return nil }
        return try Element._decode(row)
    }

}

/// What a cursor is whatever its elements are.
public class StatementCursor {
    final let statement: Statement
    /// Where the statement goes when the cursor is done with it: the cache, under this SQL.
    private let cacheKey: String?
    // Safety: a cursor is used on one executor, and none of its accesses overlap.
    @exclusivity(unchecked) private final var state = State.ready

    private enum State {
        case ready
        case ended
        case failed(DatabaseError)
    }

    /// Starts a statement that its caller owns.
    @usableFromInline
    init(_ statement: Statement, arguments: StatementArguments?) throws(DatabaseError) {
        self.statement = statement
        cacheKey = nil
        try statement.start(arguments: arguments)
    }

    /// Starts a statement of the connection's cache.
    @usableFromInline
    init(_ database: Database, sql: String, arguments: StatementArguments) throws(DatabaseError) {
        statement = try database.checkOutStatement(sql)
        cacheKey = sql
        try statement.start(arguments: arguments)
    }

    deinit {
        guard let cacheKey else { return statement.reset() }
        statement.database.statementCache.checkIn(statement, as: cacheKey)
    }

    public final var arguments: StatementArguments { statement.arguments }
    public final var columnCount: Int { statement.columnCount }
    public final var columnNames: [String] { statement.columnNames }
    public final var sql: String { statement.sql }

    @usableFromInline final var row: Row { statement.row }

    @usableFromInline final func step() throws(DatabaseError) -> Bool {
        guard case .ready = state else {
            if case .failed(let error) = state { throw error }
            return false
        }
        do throws(DatabaseError) {
            guard try statement.step() else {
                state = .ended
                return false
            }
            return true
        } catch {
            state = .failed(error)
            statement.database.statementCache.unshare(statement)
            throw error
        }
    }
}

/// A cursor of rows.
public typealias RowCursor = DecodingCursor<Row>
/// A cursor of values that read themselves through `DatabaseValue`.
public typealias DatabaseValueCursor<Value: DatabaseValueConvertible> = DecodingCursor<Value>
/// A cursor of values that read themselves straight from the statement.
public typealias FastDatabaseValueCursor<
    Value: DatabaseValueConvertible & StatementColumnConvertible
> = DecodingCursor<Value>
