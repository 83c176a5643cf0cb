public import StrongroomCore

/// Rows of a statement that gives none.
public enum NoRows: RowShape {
    /// Nothing.
    public typealias Row = Void
    public static func _row(_ decoder: inout some QueryDecoder) throws {}
}

/// A statement that changes a table.
public protocol ChangingStatement: Statement where Shape == NoRows, Row == Void {
    /// The table.
    associatedtype Target: QuerySource
    /// The table under the name that the statement has for it.
    var _table: TableReference { get }
    /// The statements.
    ///
    /// There are several where rows write different columns, or have more values than one takes.
    func _statements(variables: Int) -> [QueryFragment]
    /// Runs the statement.
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    func execute(_ db: Database) throws
}

extension ChangingStatement {
    public func _statements(variables: Int) -> [QueryFragment] {
        let query = query
        return query.isEmpty ? [] : [query]
    }

    /// Runs the statement; several run in one savepoint.
    ///
    /// In a migration, write SQL instead: a typed statement changes when its type does, and the
    /// migration of an old database then does something else than it did.
    ///
    ///     try Item.where(\.isDone).update { $0.stars += 1 }.execute(db)
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public func execute(_ db: Database) throws { try executeAll(db) }

    func executeAll(_ db: Database) throws {
        let statements = _statements(variables: db.maximumStatementArgumentCount)
        try db.inOneSavepoint(statements) { statement in
            guard let run = try run(db, statement) else { return }
            while try run.step() {}
        }
    }
}

extension Database {
    func inOneSavepoint(
        _ statements: [QueryFragment], _ body: (QueryFragment) throws -> Void
    ) throws {
        guard statements.count > 1 else { return try statements.forEach(body) }
        try inSavepoint {
            try statements.forEach(body)
            return .commit
        }
    }
}

/// A changing statement that gives columns of the rows which it changed.
public struct Returning<Shape: RowShape>: Statement {
    public typealias Row = Shape.RowValue
    let changes: any ChangingStatement
    let columns: [ResultColumn]
    let table: TableReference

    public var query: QueryFragment {
        statements(isFetched: false).joined(separator: QueryFragment(text: "; "))
    }
    public var _fetchedQuery: QueryFragment {
        statements(isFetched: true).joined(separator: QueryFragment(text: "; "))
    }

    func statements(isFetched: Bool, variables: Int = .max) -> [QueryFragment] {
        let list = columns.resultList(isFetched: isFetched).withoutPrefix(of: table)
        return changes._statements(variables: variables).map {
            $0 + QueryFragment(text: " RETURNING ") + list
        }
    }

    /// Makes sure that the table has the columns: they stand without its name, and SQLite reads a
    /// quoted name that it does not know as a text.
    private func requireColumns(_ db: Database) throws {
        let names = columns.flatMap { $0.fragment.segments.columnNames(of: table) }
        guard !changes.query.isEmpty else { return }
        try db.requireColumns(names, of: table, in: query)
    }

    /// Changes all rows, and gives those columns of them.
    ///
    ///     let done = Item.where(\.isDone)
    ///     let removed: [Item] = try done.delete().returning(\.self).fetchAll(db)
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public func fetchAll(_ db: Database) throws -> [Row] {
        var rows: [Row] = []
        try requireColumns(db)
        let statements = statements(
            isFetched: true, variables: db.maximumStatementArgumentCount)
        try db.inOneSavepoint(statements) { statement in
            guard let run = try run(db, statement) else { return }
            while try run.step() { rows.append(try run.decode { try Shape._row(&$0) }) }
        }
        return rows
    }

    /// A cursor over the rows. Where there are several statements, each begins when the rows of the
    /// one before are read.
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public func fetchCursor(_ db: Database) throws -> ReturningCursor<Row> {
        try requireColumns(db)
        let statements = statements(
            isFetched: true, variables: db.maximumStatementArgumentCount)
        return ReturningCursor(statements.map { statement in { try run(db, statement) } }) {
            try Shape._row(&$0)
        }
    }

    /// Fetches all rows as a set.
    ///
    ///     let touched = try Item.update { $0.stars = 0 }.returning(\.year).fetchSet(db)
    ///     touched == [2025, 2026]  // true
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public func fetchSet(_ db: Database) throws -> Set<Row> where Row: Hashable {
        Set(try fetchAll(db))
    }

    /// Fetches the first row, after all rows were changed; nil when there is none.
    ///
    ///     let id = try Folder.insert { Folder.Draft(title: "attic") }.returning(\.id).fetchOne(db)
    ///     // 3
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public func fetchOne(_ db: Database) throws -> Row? { try fetchAll(db).first }
}

/// A cursor over what changing statements give, one after the other.
public final class ReturningCursor<Element>: Cursor {
    private var waiting: [() throws -> StatementRun?]
    private var current: StatementRun?
    private let decode: (inout StatementDecoder) throws -> Element

    init(
        _ statements: [() throws -> StatementRun?],
        decode: @escaping (inout StatementDecoder) throws -> Element
    ) {
        waiting = statements.reversed()
        self.decode = decode
    }

    /// The next row; nil at the end.
    ///
    /// - Throws: `DatabaseError`, or `QueryDecodingError` when the row does not fit its type.
    public func next() throws -> Element? {
        while true {
            if let current, try current.step() { return try current.decode(decode) }
            guard let start = waiting.popLast() else { return nil }
            current = try start()
        }
    }
}

extension ChangingStatement {
    /// Gives columns of the changed rows.
    ///
    ///     let new = Item.insert { Item.Draft(title: "Tea") }.returning { ($0.id, $0.title) }
    ///     try new.fetchAll(db)  // [(5, "Tea")]
    public func returning<NewShape: RowShape>(
        @SelectionBuilder _ columns: (Target.SideColumns) -> ChosenColumns<NewShape>
    ) -> Returning<NewShape> {
        let chosen = columns(Target._sideColumns(_table)).columns
        return Returning(changes: self, columns: chosen, table: _table)
    }

    /// Gives a column of the changed rows, or with `\.self` all of them.
    ///
    ///     let ids = try Item.where(\.isDone).delete().returning(\.id).fetchAll(db)  // [2]
    public func returning<Column: QueryExpression>(
        _ path: KeyPath<Target.SideColumns, Column>
    ) -> Returning<Column.QueryValue> {
        let chosen = Target._sideColumns(_table)[keyPath: path]._resultColumns
        return Returning(changes: self, columns: chosen, table: _table)
    }
}

extension [QueryFragment.Segment] {
    /// The columns of a table outside of subqueries.
    fileprivate func columnNames(of table: TableReference) -> [String] {
        compactMap { segment in
            guard case .column(table, let name) = segment else { return nil }
            return name
        }
    }
}

extension QueryFragment {
    /// The fragment with bare columns of a table; in subqueries they keep the table's own name.
    func withoutPrefix(of table: TableReference) -> QueryFragment {
        let own = table.aliased(nil)
        let result = segments.map { segment -> Segment in
            switch segment {
            case .column(table, let name): .text(name.quotedIdentifier)
            case .subquery(let inner): .subquery(Self.replacing(table, own, in: inner))
            default: segment
            }
        }
        return QueryFragment(result, shape: shape)
    }

    static func replacing(
        _ table: TableReference, _ other: TableReference, in segments: [Segment]
    ) -> [Segment] {
        segments.map { segment in
            switch segment {
            case .column(table, let name): .column(other, name)
            case .hiddenColumn(table): .hiddenColumn(other)
            case .name(table): .name(other)
            case .source(table): .source(other)
            case .subquery(let inner): .subquery(replacing(table, other, in: inner))
            default: segment
            }
        }
    }
}
