/// A statement that inserts rows.
public struct Insert<Target: QuerySource>: ChangingStatement {
    public typealias Shape = NoRows
    public typealias Row = Void
    public internal(set) var _table: TableReference
    var resolution: ConflictResolution?
    let source: InsertSource
    var conflict = InsertConflict.none

    var batches: [InsertBatch] { source.batches(Target._layout) }

    /// The statement; several joined by semicolons where rows write different columns.
    public var query: QueryFragment {
        _statements(variables: .max).joined(separator: QueryFragment(text: "; "))
    }

    public func _statements(variables: Int) -> [QueryFragment] {
        batches.flatMap { batch in
            batch.parts(variables: variables).map { part in
                QueryFragment(text: "INSERT \(resolution.sql)INTO ")
                    + QueryFragment([.source(_table)])
                    + part + conflict.fragment(writing: batch.names, Target._layout)
            }
        }
    }
}

extension Insert {
    @usableFromInline
    init(_ rows: consuming InsertedRows<Target>, _ resolution: ConflictResolution?) {
        self.init(rows: rows.rows, resolution)
    }

    init(rows: consuming [InsertedRow], _ resolution: ConflictResolution? = nil) {
        let layout = Target._layout
        self.init(layout.table, InsertSource(rows, layout), resolution)
    }

    private init(
        _ table: TableReference, _ source: consuming InsertSource,
        _ resolution: ConflictResolution?
    ) {
        _table = table
        self.source = source
        self.resolution = resolution
    }

    private init(_ batch: InsertBatch?) {
        self.init(Target._layout.table, .batches(batch.map { [$0] } ?? []), nil)
    }

    /// A row of which the database gives all values.
    init(defaults resolution: ConflictResolution?) {
        let batch = InsertBatch(names: [], source: .defaults)
        self.init(Target._layout.table, .batches([batch]), resolution)
    }

    init(_ names: [String], rows: [[QueryFragment]]) {
        let values = rows.map { row in
            var value = row.commaSeparated.parenthesized
            value.shape = .bare
            return value
        }
        self.init(rows.isEmpty ? nil : InsertBatch(names: names, source: .rows(values)))
    }

    init(_ names: [String], query: some Statement) {
        let inner = query.query
        let source = InsertBatch.Source.query(inner, endsWithTable: query.endsWithTable)
        self.init(inner.isEmpty ? nil : InsertBatch(names: names, source: source))
    }

    func resolving(_ resolution: ConflictResolution?) -> Insert {
        var result = self
        result.resolution = resolution
        return result
    }
}

extension Statement {
    /// Whether the text ends with the name of a table, or with a query in its place.
    var endsWithTable: Bool {
        if let select = self as? any SelectStatement {
            return select._clauses.resolved.endWithTable
        }
        return (self as? any TableEnding)?.lastEndsWithTable ?? false
    }
}

/// A statement made of others, of which the last may end with the name of a table.
protocol TableEnding {
    var lastEndsWithTable: Bool { get }
}

extension SelectClauses {
    /// Whether the text ends with the name of a table.
    var endWithTable: Bool {
        let isJoined = from.joins.last.map { !$0.conditions.isEmpty || $0.using != nil } ?? false
        return !isJoined && conditions.isEmpty && groups.isEmpty && havings.isEmpty
            && windows.isEmpty && orders.isEmpty && limit == nil && offset == nil
    }
}

/// What SQLite does with a row that breaks a constraint.
public enum ConflictResolution: String, Sendable, Hashable {
    /// Deletes the rows that are in the way.
    case replace = "REPLACE"
    /// Leaves this row out, and goes on.
    case ignore = "IGNORE"
    /// Undoes what the statement has changed; the default.
    case abort = "ABORT"
    /// Ends the statement, and keeps what it has changed before.
    case fail = "FAIL"
    /// Rolls the whole transaction back.
    case rollback = "ROLLBACK"
}

extension ConflictResolution? {
    /// What stands behind INSERT or UPDATE, with a space at its end.
    var sql: String { map { "OR \($0.rawValue) " } ?? "" }
}

extension Table {
    /// Inserts rows.
    ///
    ///     try Item.insert {
    ///         Item.Draft(title: "Tea", folderID: 1)
    ///         Item.Draft(title: "Rice", stars: 2)
    ///     }.execute(db)
    // Inlined, the types are known where they would have to be looked up.
    @inlinable
    public static func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<Self> _ rows: () -> InsertedRows<Self>
    ) -> Insert<Self> {
        Insert(rows(), resolution)
    }

    /// Inserts a row of which the database gives all values.
    public static func insert(or resolution: ConflictResolution? = nil) -> Insert<Self> {
        Insert(defaults: resolution)
    }

    /// Inserts values into columns.
    ///
    ///     // Only these columns: the others have the defaults of the schema.
    ///     Folder.insert { ($0.id, $0.title) } values: { (3, "attic"); (4, "cellar") }
    ///     // INSERT INTO "folders" ("id", "title") VALUES (3, 'attic'), (4, 'cellar')
    public static func insert<Shape>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<Shape>,
        @WrittenRowsBuilder<Shape> values: () -> [[QueryFragment]]
    ) -> Insert<Self> {
        let names = columns(_sideColumns(_layout.table)).names
        return Insert(names, rows: values()).resolving(resolution)
    }

    /// Inserts values into a column.
    public static func insert<Column: WritableTableColumnExpression>(
        or resolution: ConflictResolution? = nil, _ column: KeyPath<SideColumns, Column>,
        @WrittenRowsBuilder<WrittenValue<Column.QueryValue>> values: () -> [[QueryFragment]]
    ) -> Insert<Self> {
        let names = _sideColumns(_layout.table)[keyPath: column]._columnNames
        return Insert(names, rows: values()).resolving(resolution)
    }

    /// Inserts what a query gives.
    ///
    ///     Folder.insert { $0.title } select: { Item.where(\.isDone).select(\.title) }
    ///     // INSERT INTO "folders" ("title") SELECT "items"."title" FROM "items" WHERE
    ///     // "items"."isDone"
    public static func insert<Value, Query: Statement>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<WrittenValue<Value>>,
        select query: () -> Query
    ) -> Insert<Self>
    where
        Query.Shape: ScalarShape,
        Query.Shape.SubqueryValue.Unwrapped == Value.Unwrapped
    {
        let names = columns(_sideColumns(_layout.table)).names
        return Insert(names, query: query()).resolving(resolution)
    }

    /// Inserts a value, whose type follows from the column.
    ///
    ///     Folder.insert { $0.title } select: { Values(#sql("'Groceries'")) }
    ///     // INSERT INTO "folders" ("title") SELECT 'Groceries'
    @_disfavoredOverload
    public static func insert<Value>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<WrittenValue<Value>>,
        select query: () -> Values<Value>
    ) -> Insert<Self> where Value: QueryRepresentable {
        let names = columns(_sideColumns(_layout.table)).names
        return Insert(names, query: query()).resolving(resolution)
    }

    /// Inserts what a query gives.
    public static func insert<Shape: WrittenTuple, Query: Statement>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<Shape>,
        select query: () -> Query
    ) -> Insert<Self>
    where Query.Shape: WrittenTuple, Query.Shape.PlainRow == Shape.PlainRow {
        let names = columns(_sideColumns(_layout.table)).names
        return Insert(names, query: query()).resolving(resolution)
    }
}
