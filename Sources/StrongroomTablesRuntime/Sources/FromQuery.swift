public import StrongroomCore

// Queries on the rows of another query: SELECT … FROM (SELECT …) AS "rows".

extension QuerySource {
    /// The rows of a query, under the names of this type.
    ///
    ///     let best = Item.group(by: \.year).select { Best.Columns(score: $0.stars.max()) }
    ///     try Best.from(best).fetchAll(db).map(\.score)  // [3, 5]
    public static func from<Query: ResultStatement>(
        _ query: Query
    ) -> Where<Self> where Query.Row == Self {
        var clauses = SelectClauses(unscoped: Self.self)
        let inner = query.query
        clauses.isEmpty = inner.isEmpty
        var source = QueryFragment([.subquery(inner.segments)])
        source.append(text: " AS " + _layout.table.knownName.quotedIdentifier)
        clauses.from.first = source
        return Where(clauses)
    }

    /// The rows of a request of Strongroom, whose columns have the names of this type's.
    ///
    ///     Best.from(request: Player.select(max(Column("score")).forKey("score")))
    public static func from(request: some FetchRequest) -> Where<Self> {
        var clauses = SelectClauses(unscoped: Self.self)
        var source = QueryFragment([.deferred(DeferredSQL(SQL(request)))])
        source.append(text: " AS " + _layout.table.knownName.quotedIdentifier)
        clauses.from.first = source
        return Where(clauses)
    }

    /// The rows of values as a table of `With`, which gives their columns names.
    @_disfavoredOverload
    public static func from<Query: UnnamedRows>(_ query: Query) -> CommonTable {
        var table = CommonTable(_layout, query.query)
        table.namesColumns = true
        return table
    }
}

/// Rows whose columns have no names of their own.
public protocol UnnamedRows: ResultStatement {}

extension Values: UnnamedRows {}
extension Compound: UnnamedRows {}

extension Where {
    /// Makes SQLite use an index, or refuse the statement where it cannot.
    public func indexed(by name: String) -> Where<From> {
        hinted(" INDEXED BY " + name.quotedIdentifier)
    }

    /// Keeps SQLite from using an index.
    public func notIndexed() -> Where<From> { hinted(" NOT INDEXED") }

    private func hinted(_ hint: String) -> Where<From> {
        var result = self
        result._clauses.from.first.append(text: hint)
        return result
    }
}

extension Table {
    /// Makes SQLite use an index, or refuse the statement where it cannot.
    public static func indexed(by name: String) -> Where<Self> { Where().indexed(by: name) }

    /// Keeps SQLite from using an index.
    public static func notIndexed() -> Where<Self> { Where().notIndexed() }
}
