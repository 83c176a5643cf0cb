/// A table, from which requests can be made where no record type is at hand.
///
///     let players = Table("player")
///     let rows = try players.filter(Column("score") > 1000).fetchAll(db)
///
/// The rows may become records, or anything else that can be fetched: `Table<Player>("player")`.
public struct Table<RowDecoder>: Sendable {
    /// The name of the table, without quotes.
    public var tableName: String

    /// A table, or a view, whose rows become a type.
    ///
    ///     let table = Table<Player>("player")
    ///     let players = try table.filter(Column("score") > 100).fetchAll(db)
    public init(_ tableName: String) {
        self.tableName = tableName
    }
}

extension Table where RowDecoder == Row {
    /// A table, or a view.
    public init(_ tableName: String) {
        self.tableName = tableName
    }
}

extension Table where RowDecoder: TableRecord {
    /// What closures name columns with: the columns of the record type.
    public typealias DatabaseComponents = RowDecoder.DatabaseComponents
}

extension Table: DatabaseRegionConvertible {
    /// All columns of the table, or of the tables that a view reads.
    ///
    /// - Throws: `DatabaseError` when the SQL cannot be made, or does not compile.
    public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
        try all().databaseRegion(db)
    }
}

// The methods of the same name on `all()`.

extension Table {
    /// The request for all rows of the table.
    ///
    ///     let players = try Table<Player>("player").all().fetchAll(db)
    public func all() -> QueryInterfaceRequest<RowDecoder> {
        QueryInterfaceRequest(
            query: SelectQuery(tableName: tableName, selection: [AllColumns()]))
    }

    /// The request for no row.
    public func none() -> QueryInterfaceRequest<RowDecoder> {
        all().none()
    }

    /// A request for all rows, with these columns.
    ///
    ///     let names = try Table("player").select(Column("name"), as: String.self).fetchAll(db)
    public func select(_ selection: any SQLSelectable...) -> QueryInterfaceRequest<RowDecoder> {
        all().select(selection)
    }

    /// A request for all rows, with these columns.
    public func select(_ selection: [any SQLSelectable]) -> QueryInterfaceRequest<RowDecoder> {
        all().select(selection)
    }

    /// A request for all rows, with what a literal selects.
    public func select(literal: SQL) -> QueryInterfaceRequest<RowDecoder> {
        all().select(literal: literal)
    }

    /// A request for all rows, with what trusted SQL selects.
    public func select(
        sql: String, arguments: StatementArguments = StatementArguments()
    ) -> QueryInterfaceRequest<RowDecoder> {
        all().select(sql: sql, arguments: arguments)
    }

    /// A request for all rows, whose columns become a type.
    public func select<T>(
        _ selection: any SQLSelectable..., as type: T.Type = T.self
    ) -> QueryInterfaceRequest<T> {
        all().select(selection, as: type)
    }

    /// A request for all rows, whose columns become a type.
    public func select<T>(
        _ selection: [any SQLSelectable], as type: T.Type = T.self
    ) -> QueryInterfaceRequest<T> {
        all().select(selection, as: type)
    }

    /// A request for all rows; what a literal selects becomes a type.
    public func select<T>(
        literal: SQL, as type: T.Type = T.self
    ) -> QueryInterfaceRequest<T> {
        all().select(literal: literal, as: type)
    }

    /// A request for all rows; what trusted SQL selects becomes a type.
    public func select<T>(
        sql: String, arguments: StatementArguments = StatementArguments(), as type: T.Type = T.self
    ) -> QueryInterfaceRequest<T> {
        all().select(sql: sql, arguments: arguments, as: type)
    }

    /// A request for the primary keys of all rows.
    public func selectPrimaryKey<T>(
        as type: T.Type = T.self
    ) -> QueryInterfaceRequest<T> {
        all().selectPrimaryKey(as: type)
    }

    /// A request for all rows, with these columns besides those of the type.
    public func annotated(
        with selection: any SQLSelectable...
    ) -> QueryInterfaceRequest<RowDecoder> {
        all().annotated(with: selection)
    }

    /// A request for all rows, with these columns besides those of the type.
    public func annotated(
        with selection: [any SQLSelectable]
    ) -> QueryInterfaceRequest<RowDecoder> {
        all().annotated(with: selection)
    }

    /// A request for the rows for which a condition holds.
    ///
    ///     let rows = try Table("player").filter(Column("score") > 100).fetchAll(db)
    public func filter(
        _ predicate: some SQLSpecificExpressible
    ) -> QueryInterfaceRequest<RowDecoder> {
        all().filter(predicate)
    }

    /// A request for the rows for which a literal holds.
    public func filter(literal: SQL) -> QueryInterfaceRequest<RowDecoder> {
        all().filter(literal: literal)
    }

    /// A request for the rows for which trusted SQL holds.
    public func filter(
        sql: String, arguments: StatementArguments = StatementArguments()
    ) -> QueryInterfaceRequest<RowDecoder> {
        all().filter(sql: sql, arguments: arguments)
    }

    /// A request for the row of a primary key, which must be of one column.
    public func filter(key: some DatabaseValueConvertible) -> QueryInterfaceRequest<RowDecoder> {
        all().filter(key: key)
    }

    /// A request for the rows of primary keys, which must be of one column.
    public func filter(
        keys: some Sequence<some DatabaseValueConvertible>
    ) -> QueryInterfaceRequest<RowDecoder> {
        all().filter(keys: keys)
    }

    /// A request for the row whose columns have these values, among which is a unique key.
    public func filter(
        key: [String: (any DatabaseValueConvertible)?]?
    ) -> QueryInterfaceRequest<RowDecoder> {
        all().filter(key: key)
    }

    /// A request for the rows whose columns have these values, among which is a unique key.
    public func filter(
        keys: [[String: (any DatabaseValueConvertible)?]]
    ) -> QueryInterfaceRequest<RowDecoder> {
        all().filter(keys: keys)
    }

    /// A request for all rows, ordered.
    ///
    ///     let rows = try Table("player").order(Column("name")).fetchAll(db)
    public func order(_ orderings: any SQLOrderingTerm...) -> QueryInterfaceRequest<RowDecoder> {
        all().order(orderings)
    }

    /// A request for all rows, ordered.
    public func order(_ orderings: [any SQLOrderingTerm]) -> QueryInterfaceRequest<RowDecoder> {
        all().order(orderings)
    }

    /// A request for all rows, ordered by a literal.
    public func order(literal: SQL) -> QueryInterfaceRequest<RowDecoder> {
        all().order(literal: literal)
    }

    /// A request for all rows, ordered by trusted SQL.
    public func order(
        sql: String, arguments: StatementArguments = StatementArguments()
    ) -> QueryInterfaceRequest<RowDecoder> {
        all().order(sql: sql, arguments: arguments)
    }

    /// A request for all rows, ordered by their primary key.
    public func orderByPrimaryKey() -> QueryInterfaceRequest<RowDecoder> {
        all().orderByPrimaryKey()
    }

    /// A request for some of the rows.
    ///
    ///     let rows = try Table("player").limit(10).fetchAll(db)
    public func limit(_ limit: Int, offset: Int? = nil) -> QueryInterfaceRequest<RowDecoder> {
        all().limit(limit, offset: offset)
    }

    /// A request for all rows, whose table can be named by an alias of any type.
    public func aliased(_ alias: TableAlias<Void>) -> QueryInterfaceRequest<RowDecoder> {
        all().aliased(alias)
    }

    /// A request for all rows, whose table can be named by an alias.
    public func aliased(_ alias: TableAlias<RowDecoder>) -> QueryInterfaceRequest<RowDecoder> {
        all().aliased(alias)
    }
}

extension Table where RowDecoder: Identifiable {
    /// A request for the ids of all rows.
    public func selectID() -> QueryInterfaceRequest<RowDecoder.ID> {
        all().selectID()
    }
}

extension Table where RowDecoder: Identifiable, RowDecoder.ID: DatabaseValueConvertible {
    /// A request for the row of a primary key, which must be of one column.
    public func filter(id: RowDecoder.ID) -> QueryInterfaceRequest<RowDecoder> {
        all().filter(id: id)
    }

    /// A request for the rows of primary keys, which must be of one column.
    public func filter(ids: some Collection<RowDecoder.ID>) -> QueryInterfaceRequest<RowDecoder> {
        all().filter(ids: ids)
    }
}
