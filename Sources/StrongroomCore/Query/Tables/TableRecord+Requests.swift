// The requests with which a chain begins: each is the method of the same name on `all()`.

extension TableRecord {
    /// The request for all rows of the table, as the type selects them.
    ///
    ///     // SELECT * FROM "player"
    ///     let request = Player.all()
    public static func all() -> QueryInterfaceRequest<Self> {
        QueryInterfaceRequest(
            query: SelectQuery(tableName: databaseTableName, selection: databaseSelection))
    }

    /// The request for no row.
    ///
    ///     let nothing = Player.none()
    public static func none() -> QueryInterfaceRequest<Self> {
        all().none()
    }

    /// A request for all rows, with these columns.
    ///
    ///     let names = try Player.select(Column("name"), as: String.self).fetchAll(db)
    public static func select(_ selection: any SQLSelectable...) -> QueryInterfaceRequest<Self> {
        all().select(selection)
    }

    /// A request for all rows, with these columns.
    public static func select(_ selection: [any SQLSelectable]) -> QueryInterfaceRequest<Self> {
        all().select(selection)
    }

    /// A request for all rows, with these columns: `Player.select { [$0.name, $0.score] }`.
    public static func select(
        _ selection: (DatabaseComponents) throws -> [any SQLSelectable]
    ) rethrows -> QueryInterfaceRequest<Self> {
        try all().select(selection)
    }

    /// A request for all rows, with one column: `Player.select(\.name)`.
    public static func select(
        _ selection: (DatabaseComponents) throws -> any SQLSelectable
    ) rethrows -> QueryInterfaceRequest<Self> {
        try all().select(selection)
    }

    /// A request for all rows, with what a literal selects.
    public static func select(literal: SQL) -> QueryInterfaceRequest<Self> {
        all().select(literal: literal)
    }

    /// A request for all rows, with what trusted SQL selects.
    public static func select(
        sql: String, arguments: StatementArguments = StatementArguments()
    ) -> QueryInterfaceRequest<Self> {
        all().select(sql: sql, arguments: arguments)
    }

    /// A request for all rows, whose columns become a type.
    public static func select<T>(
        _ selection: any SQLSelectable..., as type: T.Type = T.self
    ) -> QueryInterfaceRequest<T> {
        all().select(selection, as: type)
    }

    /// A request for all rows, whose columns become a type.
    public static func select<T>(
        _ selection: [any SQLSelectable], as type: T.Type = T.self
    ) -> QueryInterfaceRequest<T> {
        all().select(selection, as: type)
    }

    /// A request for all rows, whose columns become a type.
    public static func select<T>(
        as type: T.Type = T.self,
        _ selection: (DatabaseComponents) throws -> [any SQLSelectable]
    ) rethrows -> QueryInterfaceRequest<T> {
        try all().select(as: type, selection)
    }

    /// A request for all rows, of which a column becomes a type.
    public static func select<T>(
        _ selection: (DatabaseComponents) throws -> any SQLSelectable, as type: T.Type = T.self
    ) rethrows -> QueryInterfaceRequest<T> {
        try all().select(selection, as: type)
    }

    /// A request for all rows; what a literal selects becomes a type.
    public static func select<T>(
        literal: SQL, as type: T.Type = T.self
    ) -> QueryInterfaceRequest<T> {
        all().select(literal: literal, as: type)
    }

    /// A request for all rows; what trusted SQL selects becomes a type.
    public static func select<T>(
        sql: String, arguments: StatementArguments = StatementArguments(), as type: T.Type = T.self
    ) -> QueryInterfaceRequest<T> {
        all().select(sql: sql, arguments: arguments, as: type)
    }

    /// A request for the primary keys of all rows.
    ///
    ///     let ids = try Player.selectPrimaryKey(as: Int64.self).fetchAll(db)
    public static func selectPrimaryKey<T>(
        as type: T.Type = T.self
    ) -> QueryInterfaceRequest<T> {
        all().selectPrimaryKey(as: type)
    }

    /// A request for all rows, with these columns besides those of the type.
    public static func annotated(
        with selection: any SQLSelectable...
    ) -> QueryInterfaceRequest<Self> {
        all().annotated(with: selection)
    }

    /// A request for all rows, with these columns besides those of the type.
    public static func annotated(
        with selection: [any SQLSelectable]
    ) -> QueryInterfaceRequest<Self> {
        all().annotated(with: selection)
    }

    /// A request for all rows, with these columns besides those of the type.
    public static func annotated(
        with selection: (DatabaseComponents) throws -> [any SQLSelectable]
    ) rethrows -> QueryInterfaceRequest<Self> {
        try all().annotated(with: selection)
    }

    /// A request for all rows, with a column besides those of the type.
    public static func annotated(
        with selection: (DatabaseComponents) throws -> any SQLSelectable
    ) rethrows -> QueryInterfaceRequest<Self> {
        try all().annotated(with: selection)
    }

    /// A request for the rows for which a condition holds.
    ///
    ///     let heroes = try Player.filter(Column("score") > 1000).fetchAll(db)
    public static func filter(
        _ predicate: any SQLSpecificExpressible
    ) -> QueryInterfaceRequest<Self> {
        all().filter(predicate)
    }

    /// A request for the rows for which a condition holds: `Player.filter { $0.score > 1000 }`.
    public static func filter(
        _ predicate: (DatabaseComponents) throws -> SQLExpression
    ) rethrows -> QueryInterfaceRequest<Self> {
        try all().filter(predicate)
    }

    /// The same for a column or a value of Swift: `filter { _ in true }`.
    ///
    /// It is a method of its own, so that `$0.a == $0.b` is never taken for a `Bool`, and because
    /// the compiler finds the operators of long conditions soon when it knows what they make.
    @_disfavoredOverload
    public static func filter(
        _ predicate: (DatabaseComponents) throws -> any SQLExpressible
    ) rethrows -> QueryInterfaceRequest<Self> {
        try all().filter(predicate)
    }

    /// A request for the rows for which a literal holds.
    public static func filter(literal: SQL) -> QueryInterfaceRequest<Self> {
        all().filter(literal: literal)
    }

    /// A request for the rows for which trusted SQL holds.
    public static func filter(
        sql: String, arguments: StatementArguments = StatementArguments()
    ) -> QueryInterfaceRequest<Self> {
        all().filter(sql: sql, arguments: arguments)
    }

    /// A request for the row of a primary key, which must be of one column.
    public static func filter(key: some DatabaseValueConvertible) -> QueryInterfaceRequest<Self> {
        all().filter(key: key)
    }

    /// A request for the rows of primary keys, which must be of one column.
    public static func filter(
        keys: some Sequence<some DatabaseValueConvertible>
    ) -> QueryInterfaceRequest<Self> {
        all().filter(keys: keys)
    }

    /// A request for the row whose columns have these values, among which is a unique key.
    public static func filter(
        key: [String: (any DatabaseValueConvertible)?]?
    ) -> QueryInterfaceRequest<Self> {
        all().filter(key: key)
    }

    /// A request for the rows whose columns have these values, among which is a unique key.
    public static func filter(
        keys: [[String: (any DatabaseValueConvertible)?]]
    ) -> QueryInterfaceRequest<Self> {
        all().filter(keys: keys)
    }

    /// A request for all rows, ordered.
    ///
    ///     let players = try Player.order(Column("score").desc).fetchAll(db)
    public static func order(_ orderings: any SQLOrderingTerm...) -> QueryInterfaceRequest<Self> {
        all().order(orderings)
    }

    /// A request for all rows, ordered.
    public static func order(_ orderings: [any SQLOrderingTerm]) -> QueryInterfaceRequest<Self> {
        all().order(orderings)
    }

    /// A request for all rows, ordered: `Player.order { [$0.score.desc, $0.name] }`.
    public static func order(
        _ orderings: (DatabaseComponents) throws -> [any SQLOrderingTerm]
    ) rethrows -> QueryInterfaceRequest<Self> {
        try all().order(orderings)
    }

    /// A request for all rows, ordered: `Player.order(\.score.desc)`.
    public static func order(
        _ ordering: (DatabaseComponents) throws -> any SQLOrderingTerm
    ) rethrows -> QueryInterfaceRequest<Self> {
        try all().order(ordering)
    }

    /// A request for all rows, ordered by a literal.
    public static func order(literal: SQL) -> QueryInterfaceRequest<Self> {
        all().order(literal: literal)
    }

    /// A request for all rows, ordered by trusted SQL.
    public static func order(
        sql: String, arguments: StatementArguments = StatementArguments()
    ) -> QueryInterfaceRequest<Self> {
        all().order(sql: sql, arguments: arguments)
    }

    /// A request for all rows, ordered by their primary key.
    ///
    ///     let players = try Player.orderByPrimaryKey().fetchAll(db)
    public static func orderByPrimaryKey() -> QueryInterfaceRequest<Self> {
        all().orderByPrimaryKey()
    }

    /// A request for some of the rows.
    ///
    ///     let some = try Player.limit(10).fetchAll(db)
    public static func limit(_ limit: Int, offset: Int? = nil) -> QueryInterfaceRequest<Self> {
        all().limit(limit, offset: offset)
    }

    /// A request for all rows, whose table can be named by an alias.
    ///
    ///     let alias = TableAlias<Player>()
    ///     let request = Player.aliased(alias)
    public static func aliased(_ alias: TableAlias<Self>) -> QueryInterfaceRequest<Self> {
        all().aliased(alias)
    }

    /// A request for all rows, whose table can be named by an alias of any type.
    public static func aliased(_ alias: TableAlias<Void>) -> QueryInterfaceRequest<Self> {
        all().aliased(alias)
    }
}

extension TableRecord where Self: Identifiable {
    /// A request for the ids of all rows.
    public static func selectID() -> QueryInterfaceRequest<ID> {
        all().selectID()
    }
}

extension TableRecord where Self: Identifiable, ID: DatabaseValueConvertible {
    /// A request for the row of a primary key, which must be of one column.
    public static func filter(id: ID) -> QueryInterfaceRequest<Self> {
        all().filter(id: id)
    }

    /// A request for the rows of primary keys, which must be of one column.
    public static func filter(ids: some Collection<ID>) -> QueryInterfaceRequest<Self> {
        all().filter(ids: ids)
    }
}
