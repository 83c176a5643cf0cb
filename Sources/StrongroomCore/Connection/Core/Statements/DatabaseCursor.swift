/// A cursor over the rows of a statement.
///
/// It belongs to the database access that made it: the statement is another's afterwards, and
/// `next()` traps.
///
/// Its properties describe the statement: a row adapter does not change them. What a cursor gives
/// when the rows that it is about to visit are changed meanwhile, SQLite leaves open.
///
/// A class of a library conforms with three members, and has all others from here:
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
/// It may bind values with the C functions of SQLite, and reset the statement when it goes. It must
/// not step with `sqlite3_step`: no observation would be told what the statement writes.
public protocol DatabaseCursor<Element>: Cursor {
    /// What the cursor gives: declared again, so that `_element(sqliteStatement:)` tells it.
    associatedtype Element

    /// Whether the cursor has given all its elements. Apps do not use it.
    var _isDone: Bool { get set }

    /// The statement, which no other cursor uses at the same time. Apps do not use it.
    var _statement: Statement { get }

    /// Makes an element of the row at which the statement stands. Apps do not call it.
    ///
    /// - Throws: Why the row can't be decoded. The cursor can go on with the following row.
    func _element(sqliteStatement: SQLiteStatement) throws -> Element
}

extension DatabaseCursor {
    /// The statement's arguments. Values that were bound by C functions are not among them.
    public var arguments: StatementArguments { _statement.arguments }
    /// The number of columns that the statement gives.
    public var columnCount: Int { _statement.columnCount }
    /// The names of the columns that the statement gives, left to right.
    public var columnNames: [String] { _statement.columnNames }
    /// The statement's SQL.
    public var sql: String { _statement.sql }
    /// What the statement reads.
    public var databaseRegion: DatabaseRegion { _statement.databaseRegion }

    /// Moves to the next row; nil at the end, and for ever after.
    ///
    /// - Throws: `DatabaseError` with the statement and its arguments, which every later call throws
    ///   again; `CancellationError` when the access's task is cancelled; what decoding throws.
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
/// After a database error every later `next()` throws that error again, and the statement does not
/// run again; after a decoding error `next()` goes on with the following row.
public final class DecodingCursor<Reader: RowReading>: StatementCursor, DatabaseCursor {
    public typealias Element = Reader.Element

    @inlinable
    public func next() throws -> Element? {
        guard try step() else { return nil }
        if let unadapted, let element = Reader.decodeStanding(unadapted) { return element }
        return try Reader.decode(row)
    }

    /// Makes an element of the row at which the statement stands.
    ///
    /// - Throws: `RowDecodingError` when the row's content is unsuitable.
    public func _element(sqliteStatement: SQLiteStatement) throws -> Element {
        if let unadapted, let element = Reader.decodeStanding(unadapted) { return element }
        return try Reader.decode(row)
    }
}

// As for every cursor, but element by element: a closure would be lent each, and copy it.

extension RangeReplaceableCollection {
    /// Collects what a cursor still has to give.
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
    /// Collects what a cursor still has to give.
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

/// What a cursor is whatever its elements are.
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
    /// Whether the cursor has given all its elements.
    public final var _isDone: Bool {
        get { isAtEnd }
        set { isAtEnd = newValue }
    }

    /// The statement's arguments.
    public final var arguments: StatementArguments { statement.arguments }
    /// The number of columns that the statement gives.
    public final var columnCount: Int { statement.columnCount }
    /// The names of the columns that the statement gives, left to right.
    public final var columnNames: [String] { statement.columnNames }
    /// The statement's SQL.
    public final var sql: String { statement.sql }
    /// What the statement reads.
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
/// A cursor of values that read themselves through `DatabaseValue`.
public typealias DatabaseValueCursor<Value: DatabaseValueConvertible> =
    DecodingCursor<ValueReader<Value>>
/// A cursor of values that read themselves straight from the statement.
public typealias FastDatabaseValueCursor<
    Value: DatabaseValueConvertible & StatementColumnConvertible
> = DecodingCursor<FastValueReader<Value>>
