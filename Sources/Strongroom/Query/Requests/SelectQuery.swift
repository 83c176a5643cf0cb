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

    /// A part that is known, or is to be asked of the database for which SQL is generated.
    enum Clause<Value: Sendable>: Sendable {
        case known(Value)
        case whenConnected(@Sendable (Database) throws -> Value)

        func value(in sql: SQLGenerationContext) throws -> Value {
            switch self {
            case .known(let value): value
            case .whenConnected(let value): try value(sql.database)
            }
        }

        func map<T>(_ transform: @escaping @Sendable (Value) -> T) -> Clause<T> {
            switch self {
            case .known(let value): .known(transform(value))
            case .whenConnected(let value): .whenConnected { try transform(value($0)) }
            }
        }
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
        ordering = .whenConnected { db in
            let sql = SQLGenerationContext(connection: db)
            return try first.value(in: sql) + second.value(in: sql).map(\.sqlOrdering)
        }
    }
}
