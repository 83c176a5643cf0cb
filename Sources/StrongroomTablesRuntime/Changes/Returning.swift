public import Strongroom

/// Rows of a statement that gives none.
public enum NoRows: RowShape {
    public typealias Row = Void
    public static func _row(_ decoder: inout some QueryDecoder) throws {}
}

/// A statement that changes a table.
public protocol ChangingStatement: Statement where Shape == NoRows, Row == Void {
    /// The table.
    associatedtype Target: QuerySource
    /// The table under the name that the statement has for it.
    var _table: TableReference { get }
    /// The statements, which are several where rows write different columns.
    var _statements: [QueryFragment] { get }
}

extension ChangingStatement {
    public var _statements: [QueryFragment] { query.isEmpty ? [] : [query] }

    /// Runs the statement; several run in one savepoint.
    public func execute(_ db: Database) throws {
        try db.inOneSavepoint(_statements) { statement in
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
    public typealias Row = Shape.Row
    let changes: [QueryFragment]
    let columns: [ResultColumn]
    let table: TableReference

    public var query: QueryFragment {
        statements(isFetched: false).joined(separator: QueryFragment(text: "; "))
    }
    public var _fetchedQuery: QueryFragment {
        statements(isFetched: true).joined(separator: QueryFragment(text: "; "))
    }

    private func statements(isFetched: Bool) -> [QueryFragment] {
        let list = columns.resultList(isFetched: isFetched).withoutPrefix(of: table)
        return changes.map { $0 + QueryFragment(text: " RETURNING ") + list }
    }

    /// Changes all rows, and gives those columns of them.
    public func fetchAll(_ db: Database) throws -> [Row] {
        var rows: [Row] = []
        try db.inOneSavepoint(statements(isFetched: true)) { statement in
            guard let run = try run(db, statement) else { return }
            while try run.step() { rows.append(try run.decode { try Shape._row(&$0) }) }
        }
        return rows
    }

    /// Fetches the first row, after all rows were changed; nil when there is none.
    public func fetchOne(_ db: Database) throws -> Row? { try fetchAll(db).first }
}

extension ChangingStatement {
    /// Gives columns of the changed rows.
    public func returning<NewShape: RowShape>(
        @SelectionBuilder _ columns: (Target.SideColumns) -> ChosenColumns<NewShape>
    ) -> Returning<NewShape> {
        let chosen = columns(Target._sideColumns(_table)).columns
        return Returning(changes: _statements, columns: chosen, table: _table)
    }

    /// Gives a column of the changed rows, or with `\.self` all of them.
    public func returning<Column: QueryExpression>(
        _ path: KeyPath<Target.SideColumns, Column>
    ) -> Returning<Column.QueryValue> {
        let chosen = Target._sideColumns(_table)[keyPath: path]._resultColumns
        return Returning(changes: _statements, columns: chosen, table: _table)
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
