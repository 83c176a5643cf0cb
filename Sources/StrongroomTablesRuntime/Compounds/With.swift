/// A query on tables that are made for it: `WITH … SELECT …`.
///
///     let done = Item.where(\.isDone).select { Done.Columns(id: $0.id, title: $0.title) }
///     With { done } query: { Done.select(\.title) }
public struct With<Shape: RowShape>: ResultStatement {
    public typealias Row = Shape.RowValue
    let members: [CommonTable]
    let inner: any Statement

    /// Makes the tables, and the query on them.
    ///
    ///     // Each folder with its depth in the tree.
    ///     let levels = With {
    ///         Folder.where { $0.parentID.is(nil) }.select { Level.Columns(id: $0.id, depth: 0) }
    ///             .union(
    ///                 all: true,
    ///                 Folder.join(Level.all) { $0.parentID.eq($1.id) }
    ///                     .select { Level.Columns(id: $0.id, depth: $1.depth + 1) })
    ///     } query: {
    ///         Level.order(by: \.depth).select { ($0.id, $0.depth) }
    ///     }
    ///     try levels.fetchAll(db)  // [(1, 0), (2, 1)]
    public init<Inner: Statement>(
        @CommonTableBuilder _ members: () -> [CommonTable], query: () -> Inner
    ) where Inner.Shape == Shape {
        self.members = members()
        inner = query()
    }

    /// Makes the tables, of which one gives the rows.
    public init<From: QuerySource>(
        @CommonTableBuilder _ members: () -> [CommonTable], query: () -> From.Type
    ) where Shape == WholeRows<Tables1<From>> {
        self.members = members()
        inner = Where<From>()
    }

    public var query: QueryFragment { with(inner.query) }
    public var _fetchedQuery: QueryFragment { with(inner._fetchedQuery) }
    public var _singleQuery: QueryFragment { with(inner._singleQuery) }
    public var _endsInOrder: Bool { false }
    public var _existsQuery: QueryFragment { with(result._existsQuery) }
    public var _countQuery: QueryFragment { with(result._countQuery) }

    private var result: any ResultStatement { inner as? any ResultStatement ?? Values(1) }

    private func with(_ statement: QueryFragment) -> QueryFragment {
        if statement.isEmpty { return statement }
        let isRecursive = members.contains(where: \.readsItself)
        return QueryFragment(text: isRecursive ? "WITH RECURSIVE " : "WITH ")
            + members.map(\.fragment).commaSeparated + QueryFragment(text: " ") + statement
    }
}

extension With: TableEnding {
    var lastEndsWithTable: Bool { inner.endsWithTable }
}

/// One table of `With`.
public struct CommonTable: Sendable {
    let layout: TableLayout
    let body: QueryFragment
    /// Whether the table is named with its columns, since its query does not name them.
    var namesColumns = false
    var hint = ""

    init(_ layout: TableLayout, _ body: QueryFragment) {
        self.layout = layout
        self.body = body.isEmpty ? layout.emptyQuery : body
    }

    /// A recursive table whose first part is empty has no rows.
    init(_ layout: TableLayout, of statement: some ResultStatement) {
        let first = (statement as? any CompoundStatement)?.flatParts.first
        let hasNoStart = first?.1.segments.read(layout.table) ?? false
        self.init(layout, hasNoStart ? QueryFragment() : statement.query)
    }

    var readsItself: Bool { body.segments.read(layout.table) }

    var fragment: QueryFragment {
        var result = QueryFragment(text: layout.table.name.quotedIdentifier)
        if namesColumns {
            let names = layout.columns.map(\.name.quotedIdentifier).joined(separator: ", ")
            result.append(text: " (\(names))")
        }
        result.append(text: " AS " + hint)
        result.append(QueryFragment([.subquery(body.segments)]))
        return result
    }
}

extension TableLayout {
    /// A query with the columns and no row.
    fileprivate var emptyQuery: QueryFragment {
        let nulls = columns.map { "NULL AS " + $0.name.quotedIdentifier }.joined(separator: ", ")
        return QueryFragment(text: "SELECT \(nulls) WHERE 0")
    }
}

extension [QueryFragment.Segment] {
    /// Whether a query takes rows from a table.
    fileprivate func read(_ table: TableReference) -> Bool {
        contains { segment in
            switch segment {
            case .source(let other): other.name == table.name && other.schema == nil
            case .subquery(let inner): inner.read(table)
            default: false
            }
        }
    }
}

/// The tables of `With`, one on each line.
@resultBuilder
public enum CommonTableBuilder {
    public static func buildExpression<S: ResultStatement>(
        _ statement: S
    ) -> [CommonTable] where S.Row: _ColumnGroup {
        [CommonTable(S.Row._layout, of: statement)]
    }
    public static func buildExpression<Row: _ColumnGroup>(
        _ statement: SQLQueryExpression<Row>
    ) -> [CommonTable] {
        var table = CommonTable(Row._layout, statement.queryFragment)
        table.namesColumns = true
        return [table]
    }
    @_disfavoredOverload
    public static func buildExpression<Row: _ColumnGroup>(_ row: Row) -> [CommonTable] {
        [CommonTable(Row._layout, Values(row).query)]
    }
    public static func buildExpression(_ table: CommonTable) -> [CommonTable] { [table] }
    public static func buildBlock(_ parts: [CommonTable]...) -> [CommonTable] {
        parts.flatMap { $0 }
    }
    public static func buildOptional(_ part: [CommonTable]?) -> [CommonTable] { part ?? [] }
    public static func buildEither(first part: [CommonTable]) -> [CommonTable] { part }
    public static func buildEither(second part: [CommonTable]) -> [CommonTable] { part }
}

extension ResultStatement where Row: _ColumnGroup {
    /// As a table of `With`: computed once, whatever SQLite would do by itself.
    ///
    ///     With {
    ///         Item.select { Done.Columns(id: $0.id, title: $0.title) }.materialized()
    ///     } query: {
    ///         Done.select(\.title)
    ///     }
    ///     // WITH "dones" AS MATERIALIZED (SELECT "items"."id" AS "id", "items"."title" AS
    ///     // "title" FROM "items") SELECT "dones"."title" FROM "dones"
    public func materialized() -> CommonTable { hinted("MATERIALIZED ") }

    /// As a table of `With`: a part of the queries that read it.
    ///
    ///     With {
    ///         Item.select { Done.Columns(id: $0.id, title: $0.title) }.notMaterialized()
    ///     } query: {
    ///         Done.find(1).select(\.title)
    ///     }
    ///     // WITH "dones" AS NOT MATERIALIZED (SELECT "items"."id" AS "id", "items"."title" AS
    ///     // "title" FROM "items") SELECT "dones"."title" FROM "dones" WHERE "dones"."id" = 1
    public func notMaterialized() -> CommonTable { hinted("NOT MATERIALIZED ") }

    private func hinted(_ hint: String) -> CommonTable {
        var table = CommonTable(Row._layout, of: self)
        table.hint = hint
        return table
    }
}

extension With: QueryTerm where Shape: ScalarShape {
    public typealias TermBase = Shape.SubqueryValue.Unwrapped
    public typealias TermValue = Shape.SubqueryValue
}

extension With: OrderingExpression where Shape: ScalarShape {}

extension With: AssignedExpression where Shape: ScalarShape {}

extension With: QueryExpression where Shape: ScalarShape {
    public typealias QueryValue = Shape.SubqueryValue
    public typealias AssignedValue = Shape.SubqueryValue.Unwrapped
    /// The query in parentheses.
    public var queryFragment: QueryFragment { asOperand }
}
