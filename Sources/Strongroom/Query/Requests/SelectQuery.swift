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
    var ordering: Clause<[SQLOrdering]>?
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

    mutating func orderByPrimaryKey() {
        ordering = primaryKey().map { $0.map(\.sqlOrdering) }
    }

    /// Turns the ordering around, and that of what is joined.
    mutating func reverseOrdering() {
        ordering = ordering?.map { $0.map(\.reversed) }
        for index in joins.indices where !joins[index].isPrefetched {
            joins[index].query.reverseOrdering()
        }
    }

    mutating func removeOrdering() {
        ordering = nil
        for index in joins.indices where !joins[index].isPrefetched {
            joins[index].query.removeOrdering()
        }
    }

    /// Adds the primary keys to the ordering, so that it leaves nothing open.
    mutating func stabilizeOrdering() {
        for index in joins.indices where !joins[index].isPrefetched {
            joins[index].query.stabilizeOrdering()
        }
        let first = ordering ?? .known([])
        let second = primaryKey()
        ordering = .whenConnected(after: first.depth) { db in
            let sql = SQLGenerationContext(connection: db)
            return try first.value(in: sql) + second.value(in: sql).map(\.sqlOrdering)
        }
    }
}
