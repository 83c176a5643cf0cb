/// A table as one query knows it: its name, its schema, and the alias that it has there.
public final class TableReference: Sendable {
    /// The name of the table in its schema.
    public let name: String
    /// The schema of an attached database, if the table is in one.
    public let schema: String?
    /// The name under which the query knows the table, where that is another one.
    public let alias: String?
    /// What stands in FROM in place of the name: a function, a pragma or a query.
    let fragment: QueryFragment?
    /// The name under which the query knows the table, between quotes.
    let qualifiedName: String
    /// What stands before the columns.
    let prefix: String
    /// The type whose columns the table has, where it is known.
    let type: (any _ColumnGroup.Type)?
    /// Whether a join may miss its rows. The same table is equal, however it is joined.
    let isOuter: Bool

    /// Makes a reference to a table.
    public convenience init(
        _ name: String, schema: String? = nil, alias: String? = nil,
        fragment: QueryFragment? = nil
    ) {
        self.init(name, schema: schema, alias: alias, fragment: fragment, type: nil)
    }

    init(
        _ name: String, schema: String?, alias: String?, fragment: QueryFragment?,
        type: (any _ColumnGroup.Type)?, isOuter: Bool = false
    ) {
        self.type = type
        self.isOuter = isOuter
        self.name = name
        self.schema = schema
        self.alias = alias
        self.fragment = fragment
        let own = schema.map { $0.quotedIdentifier + "." + name.quotedIdentifier }
        qualifiedName = alias?.quotedIdentifier ?? own ?? name.quotedIdentifier
        prefix = qualifiedName + "."
    }

    /// The name by which columns are qualified.
    var knownName: String { alias ?? name }

    /// The same table under another name.
    func aliased(_ alias: String?) -> TableReference {
        TableReference(name, schema: schema, alias: alias, fragment: fragment, type: type)
    }

    /// The same table where a join may miss its rows.
    var outer: TableReference {
        TableReference(
            name, schema: schema, alias: alias, fragment: fragment, type: type, isOuter: true)
    }

    /// Whether the name alone stands where a query takes rows from the table.
    var isPlain: Bool { alias == nil && fragment == nil }

    /// The table where a query takes rows from it.
    var source: QueryFragment {
        let own = schema.map { $0.quotedIdentifier + "." } ?? ""
        var result = fragment ?? QueryFragment(text: own + name.quotedIdentifier)
        if let alias { result.append(text: " AS " + alias.quotedIdentifier) }
        return result
    }
}

extension TableReference: Hashable {
    /// Whether both are the same table under the same name.
    public static func == (lhs: TableReference, rhs: TableReference) -> Bool {
        lhs === rhs
            || lhs.prefix == rhs.prefix && lhs.name == rhs.name && lhs.schema == rhs.schema
                && lhs.fragment == rhs.fragment
    }

    /// Hashes the name under which the table is known.
    public func hash(into hasher: inout Hasher) { hasher.combine(prefix) }
}
