public import StrongroomCore

/// A cursor over the rows of a typed statement.
///
/// It belongs to the database access that made it. After a database error it is at its end; after a
/// row that does not fit its type, `next()` goes on with the following row.
public final class QueryCursor<Element>: Cursor {
    private let run: StatementRun?
    private let row: (StatementRun) throws -> Element

    init<Shape: RowShape>(_ run: StatementRun?, _ shape: Shape.Type)
    where Shape.RowValue == Element {
        self.run = run
        row = { try $0.row(shape) }
    }

    /// The next row; nil at the end.
    ///
    /// - Throws: `DatabaseError`, or `QueryDecodingError` when the row does not fit its type.
    public func next() throws -> Element? {
        guard let run, try run.step() else { return nil }
        return try row(run)
    }
}

/// One execution of a statement of the connection's cache.
///
/// Invariant: the statement is the run's own until the run is freed, which gives it back.
@usableFromInline
final class StatementRun {
    let database: Database
    let statement: StrongroomCore.Statement
    let sql: String
    /// The statement for people, which has its values only where the configuration allows it.
    private let query: QueryFragment?
    let layout: TableLayout?
    @usableFromInline let pointer: SQLiteStatement
    /// Whether SQLite's conversions are used where a storage class does not fit.
    @usableFromInline let isCoercing: Bool
    private var isAtEnd = false
    /// The columns in the order of the row's type, where the result has another one.
    @usableFromInline let order: [Int]?

    convenience init(_ database: Database, _ query: QueryFragment, rows: RowInformation) throws {
        if let failure = query.failure { throw failure }
        let query = try query.resolved(database)
        let (sql, bindings) = query.prepared
        try self.init(database, sql, bindings, of: query, rows)
    }

    /// Runs a kept statement, where no error shows values.
    convenience init(
        _ database: Database, _ kept: KeptStatement, _ values: [QueryBinding], rows: RowInformation
    ) throws {
        try self.init(database, kept.sql, values, of: kept.query, rows)
    }

    private init(
        _ database: Database, _ sql: String, _ bindings: [QueryBinding], of query: QueryFragment,
        _ rows: RowInformation
    ) throws {
        self.database = database
        self.sql = sql
        self.query = database.configuration.publicStatementArguments ? query : nil
        isCoercing = database.configuration.typedDecoding == .coercing
        layout = rows.layout
        do {
            statement = try database.checkOutStatement(sql)
        } catch let error as DatabaseError {
            throw error.explained(database, query)
        }
        pointer = statement.sqliteStatement
        do {
            order = rows.checksNames ? try rows.order(of: statement.columnNames) : nil
        } catch {
            database.checkIn(statement, as: sql)
            throw error
        }
        // From here on the run is complete: it gives the statement back, also when this throws.
        let arguments = StatementArguments(unchecked: bindings.map(\.databaseValue))
        try statement.start(arguments: arguments)
    }

    private var shownSQL: String { query?.description ?? sql }

    deinit { database.checkIn(statement, as: sql) }

    @usableFromInline
    func step() throws -> Bool {
        if isAtEnd { return false }
        do {
            let hasRow = try statement.step()
            isAtEnd = !hasRow
            return hasRow
        } catch {
            isAtEnd = true
            throw error
        }
    }

    /// The row at which the statement stands.
    @inlinable
    func row<Shape: RowShape>(_ shape: Shape.Type) throws -> Shape.RowValue {
        if let order { return try row(shape, in: order) }
        return try decode { try Shape._row(&$0) }
    }

    /// The same of a result whose columns have another order than the type's.
    @usableFromInline
    func row<Shape: RowShape>(_ shape: Shape.Type, in order: [Int]) throws -> Shape.RowValue {
        var decoder = OrderedDecoder(
            order: order, statement: StatementDecoder(pointer, isCoercing: isCoercing))
        do {
            return try Shape._row(&decoder)
        } catch var error as QueryDecodingError {
            throw completed(&error)
        }
    }

    @inlinable
    func decode<Element>(
        _ decode: (inout StatementDecoder) throws -> Element
    ) throws -> Element {
        var decoder = StatementDecoder(pointer, isCoercing: isCoercing)
        do {
            return try decode(&decoder)
        } catch var error as QueryDecodingError {
            throw completed(&error)
        }
    }

    /// The error with what is known of its column.
    @usableFromInline
    func completed(_ error: inout QueryDecodingError) -> QueryDecodingError {
        guard error.sql == nil else { return error }
        error.sql = shownSQL
        let names = statement.columnNames
        if names.indices.contains(error.column) { error.name = names[error.column] }
        if let layout, layout.columns.indices.contains(error.column) {
            error.property = layout.typeName + "." + layout.columns[error.column].property
        }
        return error
    }
}
