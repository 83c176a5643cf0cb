/// A statement that inserts rows.
public struct Insert<Target: QuerySource>: ChangingStatement {
    public typealias Shape = NoRows
    public typealias Row = Void
    public let _table: TableReference
    var resolution = ""
    var batches: [InsertBatch]
    var conflict = QueryFragment()

    /// The statement; several joined by semicolons where rows write different columns.
    public var query: QueryFragment {
        _statements.joined(separator: QueryFragment(text: "; "))
    }

    public var _statements: [QueryFragment] {
        batches.map { batch in
            QueryFragment(text: "INSERT \(resolution)INTO ") + QueryFragment([.source(_table)])
                + batch.fragment + conflict
        }
    }
}

/// Rows that write the same columns.
struct InsertBatch: Sendable {
    enum Source: Sendable {
        case defaults
        case rows([QueryFragment])
        case query(QueryFragment)
    }
    var names: [String]
    var source: Source

    var fragment: QueryFragment {
        let list = names.map(\.quotedIdentifier).joined(separator: ", ")
        switch source {
        case .defaults: return QueryFragment(text: " DEFAULT VALUES")
        case .rows(let rows):
            return QueryFragment(text: " (\(list)) VALUES ") + rows.commaSeparated
        case .query(let query): return QueryFragment(text: " (\(list)) ") + query
        }
    }
}

/// A row to insert: what each column is written with, nil where the database gives the value.
public struct InsertedRow<Target>: Sendable {
    let values: [QueryFragment?]
}

/// Rows of a table and its drafts, on lines, in arrays and loops.
@resultBuilder
public enum InsertBuilder<Target: QuerySource> {
    public static func buildExpression(_ row: Target) -> [InsertedRow<Target>] {
        [InsertedRow(row)]
    }
    public static func buildExpression<Draft: TableDraft>(
        _ row: Draft
    ) -> [InsertedRow<Target>] where Draft.Base == Target {
        [InsertedRow(row)]
    }
    public static func buildExpression(_ rows: [Target]) -> [InsertedRow<Target>] {
        rows.map(InsertedRow.init)
    }
    public static func buildExpression<Draft: TableDraft>(
        _ rows: [Draft]
    ) -> [InsertedRow<Target>] where Draft.Base == Target {
        rows.map(InsertedRow.init)
    }
    public static func buildExpression<Columns: SelectionColumns>(
        _ row: Columns
    ) -> [InsertedRow<Target>] where Columns.QueryValue == Target {
        [InsertedRow(values: row._resultColumns.map(\.fragment))]
    }
    public static func buildBlock(_ parts: [InsertedRow<Target>]...) -> [InsertedRow<Target>] {
        parts.flatMap { $0 }
    }
    public static func buildOptional(_ part: [InsertedRow<Target>]?) -> [InsertedRow<Target>] {
        part ?? []
    }
    public static func buildEither(first part: [InsertedRow<Target>]) -> [InsertedRow<Target>] {
        part
    }
    public static func buildEither(second part: [InsertedRow<Target>]) -> [InsertedRow<Target>] {
        part
    }
    public static func buildArray(_ parts: [[InsertedRow<Target>]]) -> [InsertedRow<Target>] {
        parts.flatMap { $0 }
    }
}

extension InsertedRow {
    init(_ row: some QueryRepresentable) {
        var encoder = RowEncoder()
        row._encode(&encoder)
        values = encoder.values.map { $0?.fragment }
    }
}

extension Insert {
    init(rows: [InsertedRow<Target>]) {
        _table = Target._layout.table
        batches = []
        for row in rows { add(row) }
    }

    private mutating func add(_ row: InsertedRow<Target>) {
        let written = zip(Target._layout.columns, row.values).filter {
            $0.0.isWritable && $0.1 != nil
        }
        let names = written.map(\.0.name)
        guard !names.isEmpty else {
            return batches.append(InsertBatch(names: [], source: .defaults))
        }
        var values = written.compactMap(\.1).commaSeparated.parenthesized
        values.shape = .bare
        if let last = batches.last, last.names == names, case .rows(let rows) = last.source {
            batches[batches.count - 1].source = .rows(rows + [values])
        } else {
            batches.append(InsertBatch(names: names, source: .rows([values])))
        }
    }
}

/// What SQLite does with a row that breaks a constraint.
public enum ConflictResolution: String, Sendable, Hashable {
    case replace = "REPLACE"
    case ignore = "IGNORE"
    case abort = "ABORT"
    case fail = "FAIL"
    case rollback = "ROLLBACK"
}

extension Table {
    /// Inserts rows.
    public static func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<Self> _ rows: () -> [InsertedRow<Self>]
    ) -> Insert<Self> {
        var insert = Insert<Self>(rows: rows())
        if let resolution { insert.resolution = "OR \(resolution.rawValue) " }
        return insert
    }

    /// Inserts a row of which the database gives all values.
    public static func insert() -> Insert<Self> {
        Insert(
            _table: _layout.table, batches: [InsertBatch(names: [], source: .defaults)])
    }

    /// Inserts what a query gives.
    public static func insert<Column: WritableTableColumnExpression, Query: Statement>(
        _ column: (SideColumns) -> Column, select query: () -> Query
    ) -> Insert<Self>
    where
        Query.Shape: ScalarShape,
        Query.Shape.SubqueryValue.Unwrapped == Column.QueryValue.Unwrapped
    {
        let inner = query().query
        let names = column(_sideColumns(_layout.table))._columnNames
        let batch = InsertBatch(names: names, source: .query(inner))
        return Insert(_table: _layout.table, batches: inner.isEmpty ? [] : [batch])
    }
}

extension PrimaryKeyedTable {
    /// Inserts rows, or writes their columns into the rows that have their keys.
    public static func upsert(
        @InsertBuilder<Self> _ rows: () -> [InsertedRow<Self>]
    ) -> Insert<Self> {
        var insert = Insert<Self>(rows: rows())
        let keys = _layout.columns.filter { $0.options.contains(.primaryKey) }.map(\.name)
        let written = insert.batches.first?.names.filter { !keys.contains($0) } ?? []
        let target = keys.map(\.quotedIdentifier).joined(separator: ", ")
        let sets = written.map { $0.quotedIdentifier + " = \"excluded\"." + $0.quotedIdentifier }
        let action = sets.isEmpty ? "NOTHING" : "UPDATE SET " + sets.joined(separator: ", ")
        insert.conflict = QueryFragment(text: " ON CONFLICT (\(target)) DO \(action)")
        return insert
    }
}
