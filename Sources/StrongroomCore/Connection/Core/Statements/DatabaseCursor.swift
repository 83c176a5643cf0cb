/// A cursor over the rows of a statement.
///
/// It belongs to the database access that created it: afterwards, the statement is reused, and
/// `next()` traps.
///
/// Its properties describe the statement: a row adapter does not change them. If rows that a cursor
/// is about to visit change meanwhile, SQLite does not define what it returns.
///
/// A class in a library conforms with three members, and inherits all others:
///
///     final class NameCursor: DatabaseCursor {
///         var _isDone = false
///         let _statement: Statement
///
///         init(_ db: Database) throws {
///             _statement = try db.makeStatement(sql: "SELECT name FROM player WHERE score > ?")
///             try _statement.setArguments([500])
///         }
///
///         func _element(sqliteStatement: SQLiteStatement) throws -> String {
///             String(sqliteStatement: sqliteStatement, index: 0)
///         }
///     }
///
/// It can bind values with SQLite's C functions, and reset the statement when it is released. It
/// must not call `sqlite3_step`: observations would not notice what the statement writes.
public protocol DatabaseCursor<Element>: Cursor {
    /// The type of the elements, declared again so that `_element(sqliteStatement:)` determines it.
    associatedtype Element

    /// Whether the cursor has returned all its elements. Apps do not use it.
    var _isDone: Bool { get set }

    /// The statement, which no other cursor uses at the same time. Apps do not use it.
    var _statement: Statement { get }

    /// Creates an element from the statement's current row. Apps do not call it.
    ///
    /// - Throws: Why the row does not decode. The cursor can continue with the next row.
    func _element(sqliteStatement: SQLiteStatement) throws -> Element
}

extension DatabaseCursor {
    /// The statement's arguments, without values bound by C functions.
    public var arguments: StatementArguments { _statement.arguments }
    /// The number of columns of the statement's rows.
    public var columnCount: Int { _statement.columnCount }
    /// The names of the columns of the statement's rows, left to right.
    public var columnNames: [String] { _statement.columnNames }
    /// The statement's SQL.
    public var sql: String { _statement.sql }
    /// The region that the statement reads.
    public var databaseRegion: DatabaseRegion { _statement.databaseRegion }

    /// Moves to the next row; nil at the end, and from then on.
    ///
    /// - Throws: `DatabaseError` with the statement and its arguments, which every later call
    ///   throws again; `CancellationError` if the access's task is cancelled; what decoding throws.
    @inlinable
    public func next() throws -> Element? {
        if _isDone { return nil }
        guard try _statement.step(of: self) else {
            _isDone = true
            return nil
        }
        return try _element(sqliteStatement: _statement.sqliteStatement)
    }
}

/// The cursor behind every fetch: each row of a statement becomes an element.
///
/// After a database error, every later `next()` throws that error again, and the statement does not
/// run again. After a decoding error, `next()` continues with the next row.
public final class DecodingCursor<Reader: RowReading>: StatementCursor, DatabaseCursor {
    public typealias Element = Reader.Element

    @inlinable
    public func next() throws -> Element? {
        guard try step() else { return nil }
        if let unadapted, let element = Reader.decodeStanding(unadapted) { return element }
        return try Reader.decode(row)
    }

    /// Creates an element from the statement's current row.
    ///
    /// - Throws: `RowDecodingError` if the row does not decode.
    public func _element(sqliteStatement: SQLiteStatement) throws -> Element {
        if let unadapted, let element = Reader.decodeStanding(unadapted) { return element }
        return try Reader.decode(row)
    }
}

// As for every cursor, but element by element: a closure would be lent each, and copy it.

extension RangeReplaceableCollection {
    /// Collects the remaining elements of a cursor.
    ///
    ///     let names = try Array(String.fetchCursor(db, sql: "SELECT name FROM player"))
    ///
    /// - Throws: What the cursor throws: `DatabaseError`, or what decoding throws.
    @inlinable
    public init<Reader: RowReading>(
        _ cursor: DecodingCursor<Reader>
    ) throws where Reader.Element == Element {
        self.init()
        while let element = try cursor.next() { append(element) }
    }
}

extension Set {
    /// Collects the remaining elements of a cursor.
    ///
    /// - Throws: What the cursor throws: `DatabaseError`, or what decoding throws.
    @inlinable
    public init<Reader: RowReading>(
        _ cursor: DecodingCursor<Reader>
    ) throws where Reader.Element == Element {
        self.init()
        while let element = try cursor.next() { insert(element) }
    }
}

/// The part of a cursor that does not depend on its elements.
public class StatementCursor {
    final let statement: Statement
    /// The statement in C, unless an adapter stands between it and the elements.
    @usableFromInline final let unadapted: SQLiteStatement?
    /// Where the statement goes when the cursor is done with it: the cache, under this SQL.
    private let cacheKey: String?
    private let adaptation: RowAdaptation?
    private let accessNumber: Int
    // Safety: a cursor is used on one executor, and none of its accesses overlap.
    @exclusivity(unchecked) private final var isAtEnd = false
    /// The error that ended the cursor, and that every later step throws.
    @exclusivity(unchecked) private final var failure: (any Error)?
    /// The statement's layout, and what the adapter has made of it. Two properties: as one, each
    /// look at it retains both.
    @exclusivity(unchecked) private final var adaptedBase: RowLayout?
    @exclusivity(unchecked) private final var adapted: RowLayout?

    /// Starts a statement that its caller owns.
    @usableFromInline
    init(
        _ statement: Statement, arguments: StatementArguments?, adapter: (any RowAdapter)?
    ) throws(DatabaseError) {
        self.statement = statement
        cacheKey = nil
        adaptation = adapter?._adaptation
        unadapted = adapter == nil ? statement.sqliteStatement : nil
        accessNumber = statement.database.access.number
        try statement.start(arguments: arguments)
    }

    /// Starts a statement of the connection's cache.
    @usableFromInline
    init(
        _ database: Database, sql: String, arguments: StatementArguments,
        adapter: (any RowAdapter)?
    ) throws {
        statement = try database.checkOutStatement(sql)
        cacheKey = sql
        adaptation = adapter?._adaptation
        unadapted = adapter == nil ? statement.sqliteStatement : nil
        accessNumber = statement.database.access.number
        try statement.start(arguments: arguments)
    }

    deinit {
        guard let cacheKey else { return statement.reset() }
        statement.database.keptStatements.cache.checkIn(statement, as: cacheKey)
    }

    /// The statement that the cursor steps.
    public final var _statement: Statement { statement }
    /// Whether the cursor has returned all its elements.
    public final var _isDone: Bool {
        get { isAtEnd }
        set { isAtEnd = newValue }
    }

    /// The statement's arguments.
    public final var arguments: StatementArguments { statement.arguments }
    /// The number of columns of the statement's rows.
    public final var columnCount: Int { statement.columnCount }
    /// The names of the columns of the statement's rows, left to right.
    public final var columnNames: [String] { statement.columnNames }
    /// The statement's SQL.
    public final var sql: String { statement.sql }
    /// The region that the statement reads.
    public final var databaseRegion: DatabaseRegion { statement.databaseRegion }

    /// The current row, as the adapter presents it.
    @usableFromInline final var row: Row {
        let row = statement.row
        guard let adapted else { return row }
        return Row(storage: row.storage, layout: adapted)
    }

    /// The current row as `row` is once it is kept, at less cost where it is kept anyway.
    final var keptRow: Row {
        let base = adaptedBase ?? statement.layout
        let cells = RowStorage.keeping(statement.sqliteStatement, layout: base)
        return Row(storage: cells, layout: adapted ?? base)
    }

    @usableFromInline final func step() throws -> Bool {
        if isAtEnd {
            if let failure { throw failure }
            return false
        }
        guard accessNumber == statement.database.access.number else {
            fatalError("A cursor was used after the database access that made it.")
        }
        do {
            let hasRow = try statement.step()
            if adaptation != nil { try adapt() }
            if !hasRow { isAtEnd = true }
            return hasRow
        } catch {
            isAtEnd = true
            failure = error
            throw error
        }
    }

    /// Adapts the columns, which are known for sure once the statement has made its first step.
    private final func adapt() throws(DatabaseError) {
        if let adaptedBase, statement.isLayout(adaptedBase) { return }
        let base = statement.layout
        adapted = try adaptation?(base)
        adaptedBase = base
    }
}

/// A cursor of rows.
public typealias RowCursor = DecodingCursor<RowReader<Row>>
/// A cursor of values that are read through `DatabaseValue`.
public typealias DatabaseValueCursor<Value: DatabaseValueConvertible> =
    DecodingCursor<ValueReader<Value>>
/// A cursor of values that are read directly from the statement.
public typealias FastDatabaseValueCursor<
    Value: DatabaseValueConvertible & StatementColumnConvertible
> = DecodingCursor<FastValueReader<Value>>
