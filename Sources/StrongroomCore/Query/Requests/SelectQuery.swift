/// What a request selects, from where, and in which order: the opaque value behind requests.
///
/// Requests hold one and forward to it; how it becomes SQL is said in its extensions.
public struct SelectQuery: Sendable {
    /// What stands before the query, to be used in it like tables.
    var definitions: [CommonTableDefinition] = []
    var tableName: String
    /// Those who can ask for this table by identity.
    var aliases: [TableAliasBase] = []
    var selection: Clause<[SQLSelection]>
    /// Tables that are joined to this one, or fetched after it.
    var joins: [Join] = []
    var isDistinct = false
    /// All must hold.
    var filters: [Clause<SQLExpression>] = []
    var groups: Clause<[SQLExpression]>?
    /// All must hold.
    var groupFilters: [Clause<SQLExpression>] = []
    private(set) var ordering: Clause<[SQLOrdering]>?
    /// Whether the ordering is to be turned around, with that of all that is joined.
    private(set) var isReversed = false
    var limit: Limit?
    /// Whether it was asked for nothing, whatever comes after.
    var isNone = false

    struct Limit: Sendable {
        var count: Int
        var offset: Int?
    }

    init(tableName: String, selection: [any SQLSelectable]) {
        self.tableName = tableName
        self.selection = .known(selection.map(\.sqlSelection))
    }
}

// MARK: - Keys

extension SelectQuery {
    /// The columns of the primary key of the table; the row number where it has none.
    func primaryKey() -> Clause<[SQLExpression]> {
        .whenConnected { [tableName] db in
            try db.primaryKey(tableName).columns.map { Column($0).sqlExpression }
        }
    }

    /// What tells the rows of the table apart: the row number where there is one.
    func rowIdentity() -> Clause<[SQLExpression]> {
        .whenConnected { [tableName] db in
            try db.rowIdentity(of: tableName).map { Column($0).sqlExpression }
        }
    }

    /// The columns of the primary key; all columns of a view whose key nobody knows.
    private func keyOrAllColumns() -> Clause<[SQLExpression]> {
        .whenConnected { [tableName] db in
            try db.keyOrAllColumns(of: tableName).map { Column($0).sqlExpression }
        }
    }

    /// Orders the rows, instead of the ordering before.
    mutating func order(by ordering: Clause<[SQLOrdering]>?) {
        self.ordering = ordering
        isReversed = false
    }

    /// Turns the ordering around, and that of what is joined, now or later.
    mutating func reverseOrdering() {
        isReversed.toggle()
    }

    /// Takes over the ordering of another query of the same table, if it has one.
    mutating func takeOrdering(of other: SelectQuery) {
        guard other.ordering != nil else { return }
        ordering = other.ordering
        isReversed = other.isReversed
    }

    /// The ordering of the table's own rows.
    ///
    /// - Parameter isReversed: Whether that of the table to which this one is joined is turned around.
    func orderings(
        in sql: SQLGenerationContext, isReversed: Bool = false
    ) throws -> [SQLOrdering] {
        let orderings = try ordering?.value(in: sql) ?? []
        return isReversed != self.isReversed ? orderings.map(\.reversed) : orderings
    }

    mutating func removeOrdering() {
        order(by: nil)
        for index in joins.indices where !joins[index].isPrefetched {
            joins[index].query.removeOrdering()
        }
    }

    /// Adds the primary keys to the ordering, so that it leaves nothing open. Where the ordering is
    /// turned around, so are they.
    mutating func stabilizeOrdering() {
        for index in joins.indices where !joins[index].isPrefetched {
            joins[index].query.stabilizeOrdering()
        }
        let first = ordering ?? .known([])
        let second = keyOrAllColumns()
        ordering = .whenConnected(after: first.depth) { db in
            let sql = SQLGenerationContext(connection: db)
            return try first.value(in: sql) + second.value(in: sql).map(\.sqlOrdering)
        }
    }
}
