/// A statement that inserts rows.
public struct Insert<Target: QuerySource>: ChangingStatement {
    public typealias Shape = NoRows
    public typealias Row = Void
    public internal(set) var _table: TableReference
    var resolution: ConflictResolution?
    var batches: [InsertBatch]
    var conflict = InsertConflict.none

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

/// Rows that write the same columns.
struct InsertBatch: Sendable {
    enum Source: Sendable {
        case defaults
        case rows([QueryFragment])
        /// Rows of valid values alone, one after the other, and whether some are dates or UUIDs.
        case values([QueryBinding], hasMoments: Bool)
        case query(QueryFragment, endsWithTable: Bool)
    }
    var names: [String]
    var source: Source

    /// What follows the name of the table: in several parts where a connection does not take so many
    /// variables in one statement.
    func parts(variables: Int) -> [QueryFragment] {
        let list = " (\(names.map(\.quotedIdentifier).joined(separator: ", "))) "
        switch source {
        case .defaults: return [QueryFragment(text: " DEFAULT VALUES")]
        case .query(let query, _): return [QueryFragment(text: list) + query]
        case .values(let values, let hasMoments):
            let width = names.count
            let count = max(variables / width, 1) * width
            return stride(from: 0, to: values.count, by: count).map { start in
                let part = Array(values[start..<min(start + count, values.count)])
                return QueryFragment([
                    .text(list + "VALUES "), .tuples(part, width: width, hasMoments: hasMoments),
                ])
            }
        case .rows(let rows):
            let head = QueryFragment(text: list + "VALUES ")
            let most = rows.lazy.map(\.variableCount).max() ?? 0
            let size = most == 0 ? rows.count : max(variables / most, 1)
            guard size < rows.count else { return [head + rows.commaSeparated] }
            return stride(from: 0, to: rows.count, by: size).map { start in
                head + rows[start..<min(start + size, rows.count)].commaSeparated
            }
        }
    }

    /// Whether SQLite would take ON CONFLICT for the condition of a join.
    var needsCondition: Bool {
        if case .query(_, endsWithTable: true) = source { true } else { false }
    }
}

extension QueryFragment {
    /// The number of values outside of subqueries.
    var variableCount: Int {
        segments.lazy.map { segment in
            switch segment {
            case .binding, .moment: 1
            case .tuples(let values, _, _): values.count
            case .subquery(let inner): QueryFragment(inner).variableCount
            default: 0
            }
        }.reduce(0, +)
    }
}

extension Insert {
    init(rows: [InsertedRow]) {
        _table = Target._layout.table
        batches = []
        if let plain = InsertedRow.plainRows(of: rows) {
            let source = InsertBatch.Source.values(plain.values, hasMoments: plain.hasMoments)
            let names = Self.names(of: plain.written)
            batches = [InsertBatch(names: names, source: source)]
            return
        }
        let rows =
            rows.contains { $0.plainRows != nil } ? rows.flatMap(\.singleRows) : rows
        let isWritable = Target._layout.isWritable
        var start = 0
        while start < rows.count {
            let written = rows[start].written(isWritable)
            // A row of which the database gives all values has a statement of its own.
            var end = start + 1
            while end < rows.count, written.contains(true), rows[end].writes(written, isWritable) {
                end += 1
            }
            add(rows[start..<end], written)
            start = end
        }
    }

    private mutating func add(_ rows: ArraySlice<InsertedRow>, _ written: [Bool]) {
        let names = Self.names(of: written)
        let source: InsertBatch.Source
        if names.isEmpty {
            source = .defaults
        } else if let values = Self.values(rows, written, count: names.count) {
            source = values
        } else {
            source = .rows(rows.map { $0.tuple(written) })
        }
        batches.append(InsertBatch(names: names, source: source))
    }

    private static func names(of written: [Bool]) -> [String] {
        let layout = Target._layout
        if written == layout.isWritable { return layout.writableNames }
        return zip(layout.columns, written).filter(\.1).map(\.0.name)
    }

    /// Rows that consist of plain values; nil for others.
    private static func values(
        _ rows: ArraySlice<InsertedRow>, _ written: [Bool], count: Int
    ) -> InsertBatch.Source? {
        var values: [QueryBinding] = []
        var hasMoments = false
        values.reserveCapacity(rows.count * count)
        for row in rows {
            guard row.append(written, to: &values, &hasMoments) else { return nil }
        }
        return .values(values, hasMoments: hasMoments)
    }

    init(_ names: [String], rows: [[QueryFragment]]) {
        _table = Target._layout.table
        let values = rows.map { row in
            var value = row.commaSeparated.parenthesized
            value.shape = .bare
            return value
        }
        batches = rows.isEmpty ? [] : [InsertBatch(names: names, source: .rows(values))]
    }

    init(_ names: [String], query: some Statement) {
        _table = Target._layout.table
        let inner = query.query
        let source = InsertBatch.Source.query(inner, endsWithTable: query.endsWithTable)
        batches = inner.isEmpty ? [] : [InsertBatch(names: names, source: source)]
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
    public static func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<Self> _ rows: () -> InsertedRows<Self>
    ) -> Insert<Self> {
        Insert(rows: rows().rows).resolving(resolution)
    }

    /// Inserts a row of which the database gives all values.
    public static func insert(or resolution: ConflictResolution? = nil) -> Insert<Self> {
        Insert(_table: _layout.table, batches: [InsertBatch(names: [], source: .defaults)])
            .resolving(resolution)
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
