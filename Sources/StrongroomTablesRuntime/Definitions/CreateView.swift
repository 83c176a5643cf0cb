/// A statement that makes a view, whose rows are those of a query.
public struct CreateView: Statement {
    public typealias Row = Void
    public typealias Shape = NoRows
    /// The name of the view.
    public let name: String
    public let query: QueryFragment
    private let schema: String?

    init(_ layout: TableLayout, as rows: QueryFragment, isTemporary: Bool, ifNotExists: Bool) {
        name = layout.table.name
        let own = layout.table.schema
        // A temporary view is in no other schema.
        let isElsewhere = isTemporary && own != nil && own?.lowercased() != "temp"
        schema = isTemporary ? nil : own
        var result = QueryFragment(text: isTemporary ? "CREATE TEMPORARY VIEW " : "CREATE VIEW ")
        if ifNotExists { result.append(text: "IF NOT EXISTS ") }
        let names = layout.columns.map(\.name.quotedIdentifier).joined(separator: ", ")
        result.append(text: "\(DefinedName(name, schema: schema).text) (\(names)) AS ")
        result += rows
        if rows.isEmpty { result += QueryFragment(failure: "a view of an empty query") }
        if isElsewhere { result += QueryFragment(failure: "a temporary view has no schema") }
        if rows.hasMoment { FixedValue.warn("view \"\(name)\"") }
        query = result.stored
    }

    /// The statement that removes the view.
    public func drop(ifExists: Bool = false) -> SQLStatement {
        DefinedName(name, schema: schema).drop("VIEW", ifExists: ifExists)
    }
}

extension Table {
    /// A view of this connection with the rows of a query.
    ///
    ///     try Done.createTemporaryView(as: Item.where(\.isDone).select {
    ///         Done.Columns(id: $0.id, title: $0.title)
    ///     }).execute(db)
    public static func createTemporaryView<Rows: ResultStatement>(
        ifNotExists: Bool = false, as rows: Rows
    ) -> CreateView where Rows.Row == Self {
        CreateView(_layout, as: rows.query, isTemporary: true, ifNotExists: ifNotExists)
    }

    /// A view of this connection with the rows of a query in SQL.
    public static func createTemporaryView(
        ifNotExists: Bool = false, as rows: SQLQueryExpression<Self>
    ) -> CreateView {
        CreateView(_layout, as: rows.query, isTemporary: true, ifNotExists: ifNotExists)
    }

    /// A view of the file with the rows of a query.
    ///
    /// In a migration, write its SQL: a typed statement changes when its type does.
    public static func createView<Rows: ResultStatement>(
        ifNotExists: Bool = false, as rows: Rows
    ) -> CreateView where Rows.Row == Self {
        CreateView(_layout, as: rows.query, isTemporary: false, ifNotExists: ifNotExists)
    }

    /// A view of the file with the rows of a query in SQL.
    public static func createView(
        ifNotExists: Bool = false, as rows: SQLQueryExpression<Self>
    ) -> CreateView {
        CreateView(_layout, as: rows.query, isTemporary: false, ifNotExists: ifNotExists)
    }
}
