/// A statement that makes an index.
public struct CreateIndex: Statement {
    public typealias Row = Void
    public typealias Shape = NoRows
    /// The name of the index.
    public let name: String
    public let query: QueryFragment
    let schema: String?

    /// The statement that removes the index.
    public func drop(ifExists: Bool = false) -> SQLStatement {
        DefinedName(name, schema: schema).drop("INDEX", ifExists: ifExists)
    }
}

extension Table {
    /// An index of the table, for tests and temporary data; in a migration, write SQL.
    ///
    ///     try Item.createIndex("byFolder", on: { ($0.folderID, $0.title.collate(.nocase)) })
    ///         .execute(db)
    public static func createIndex(
        _ name: String, ifNotExists: Bool = false,
        @TermBuilder on terms: (SideColumns) -> [OrderingTerm], unique isUnique: Bool = false,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> CreateIndex {
        let table = _layout.table
        let columns = _sideColumns(table)
        var result = QueryFragment(text: isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ")
        if ifNotExists { result.append(text: "IF NOT EXISTS ") }
        let own = DefinedName(name, schema: table.schema).text
        result.append(text: "\(own) ON \(table.name.quotedIdentifier) (")
        let list = terms(columns).flatMap(\.terms).map { $0.fragment.withoutPrefix(of: table) }
        result += list.commaSeparated
        result.append(text: ")")
        let filter = conditions(columns).map { $0.withoutPrefix(of: table) }
        if let condition = filter.conjunction {
            result.append(text: " WHERE ")
            result.append(condition)
        }
        if list.isEmpty { result += QueryFragment(failure: "an index needs a column") }
        return CreateIndex(name: name, query: result.stored, schema: table.schema)
    }
}
