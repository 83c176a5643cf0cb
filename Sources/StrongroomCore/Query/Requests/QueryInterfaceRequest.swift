/// A request that is made of Swift.
///
///     // SELECT * FROM "player" WHERE "name" = 'O''Reilly' ORDER BY "score" DESC LIMIT 10
///     let players = try Player
///         .filter { $0.name == "O'Reilly" }
///         .order(\.score.desc)
///         .limit(10)
///         .fetchAll(db)
///
/// It comes from the static methods of a `TableRecord` type, or from a `Table`. It is a value:
/// its methods give another one. What fails, a missing table say, fails when it is fetched.
public struct QueryInterfaceRequest<RowDecoder> {
    public var _query: SelectQuery {
        didSet { kept = KeptSQL() }
    }
    private var kept = KeptSQL()

    init(query: SelectQuery) {
        _query = query
    }
}

extension QueryInterfaceRequest: DerivableRequest, QueryRequest {}

extension QueryInterfaceRequest: FetchRequest {
    public var sqlSubquery: SQLSubquery { SQLSubquery(_query) }

    public func makePreparedRequest(
        _ db: Database, forSingleResult singleResult: Bool = false
    ) throws -> PreparedRequest {
        let source = try makeSQL(db, forSingleResult: singleResult)
        let statement = try db.makeStatement(sql: source.sql)
        try statement.setArguments(source.arguments)
        return PreparedRequest(statement: statement, adapter: source.adapter)
    }

    public func _fetchSource(_ db: Database, forSingleResult: Bool) throws -> FetchSource {
        if _query.joins.isEmpty {
            let (sql, arguments, _) = try makeSQL(db, forSingleResult: forSingleResult)
            if db.isRecordingRegion, let rowIDs = try _query.rowIDs(db, sql: sql) {
                db.announce(rowIDs: rowIDs, of: _query.tableName, in: sql)
            }
            return FetchSource(sql: sql, arguments: arguments, adapter: nil)
        }
        let rows = try AssociatedRows(_query, db, isSingle: forSingleResult)
        if rows.hasPrefetches {
            let query = _query
            return FetchSource(
                rows: { try rows.fetchAll(db) },
                shownStatements: { try AssociatedRows.statements(query, db) })
        }
        return FetchSource(sql: rows.sql, arguments: rows.arguments, adapter: rows.adapter)
    }

    /// The SQL of the request, and what presents its columns in another way, if anything.
    func makeSQL(
        _ db: Database, forSingleResult isSingle: Bool = false
    ) throws -> (sql: String, arguments: StatementArguments, adapter: (any RowAdapter)?) {
        guard _query.joins.isEmpty else {
            let rows = try AssociatedRows(_query, db, isSingle: isSingle)
            return (rows.sql, rows.arguments, rows.adapter)
        }
        if isSingle, _query.limit == nil {
            var sql = SQLGenerationContext(connection: db)
            try _query.write(isSingle: true, to: &sql)
            return (sql.sql, sql.arguments, nil)
        }
        let (sql, arguments) = try kept.sql(db) { try _query.write(to: &$0) }
        return (sql, arguments, nil)
    }

    /// Counts the rows that the request would give.
    ///
    /// It is `SELECT COUNT(*) FROM "player"` and the like where that counts right.
    ///
    /// - Throws: `DatabaseError` when the SQL cannot be made, or does not compile.
    public func fetchCount(_ db: Database) throws -> Int {
        try _query.fetchCount(db)
    }

    /// Whether the request would give no row.
    ///
    ///     let nobody = try Player.filter(Column("score") > 100).isEmpty(db)
    ///
    /// - Throws: `DatabaseError` when the SQL cannot be made, or does not compile.
    public func isEmpty(_ db: Database) throws -> Bool {
        try _query.fetchIsEmpty(db)
    }

    /// The tables, columns and rows that the request reads; nothing for `none()`.
    ///
    /// Of rows that are told by their ids, as in `filter(id: 1)`, it is these only.
    ///
    /// - Throws: `DatabaseError` when the SQL cannot be made, or does not compile.
    public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
        if _query.isNone { return DatabaseRegion() }
        if !_query.joins.isEmpty { return try AssociatedRows(_query, db).databaseRegion(db) }
        let statement = try makePreparedRequest(db).statement
        let region = statement.databaseRegion
        guard let rowIDs = try _query.rowIDs(db, sql: statement.sql) else { return region }
        return region.limited(toRows: rowIDs, of: _query.tableName)
    }
}

extension QueryInterfaceRequest {
    /// The same request, whose rows become another type.
    ///
    ///     let rows = Player.all().asRequest(of: Row.self)
    public func asRequest<T>(of type: T.Type) -> QueryInterfaceRequest<T> {
        QueryInterfaceRequest<T>(query: _query)
    }

    /// Gives that many rows at most, instead of the limit before.
    ///
    ///     let page = Player.order(Column("name")).limit(20, offset: 40)
    ///
    /// - Parameters:
    ///   - limit: The largest number of rows.
    ///   - offset: How many rows are left out before.
    public func limit(_ limit: Int, offset: Int? = nil) -> Self {
        refined { $0.limit = SelectQuery.Limit(count: limit, offset: offset) }
    }

    /// Selects these columns, which become a type.
    ///
    ///     let names = try Player.select(Column("name"), as: String.self).fetchAll(db)
    public func select<T>(
        _ selection: any SQLSelectable..., as type: T.Type = T.self
    ) -> QueryInterfaceRequest<T> {
        select(selection, as: type)
    }

    /// Selects these columns, which become a type.
    public func select<T>(
        _ selection: [any SQLSelectable], as type: T.Type = T.self
    ) -> QueryInterfaceRequest<T> {
        select(selection).asRequest(of: type)
    }

    /// Selects what a literal says, which becomes a type.
    public func select<T>(literal: SQL, as type: T.Type = T.self) -> QueryInterfaceRequest<T> {
        select(literal: literal).asRequest(of: type)
    }

    /// Selects what trusted SQL says, which becomes a type.
    public func select<T>(
        sql: String, arguments: StatementArguments = StatementArguments(), as type: T.Type = T.self
    ) -> QueryInterfaceRequest<T> {
        select(sql: sql, arguments: arguments).asRequest(of: type)
    }

    /// Selects the primary key, all columns of it, or the row number where there is none.
    ///
    ///     let ids = try Player.all().selectPrimaryKey(as: Int64.self).fetchAll(db)
    public func selectPrimaryKey<T>(as type: T.Type = T.self) -> QueryInterfaceRequest<T> {
        var query = _query
        query.selection = query.primaryKey().map { $0.map { SQLSelection($0) } }
        return QueryInterfaceRequest<T>(query: query)
    }
}

extension QueryInterfaceRequest where RowDecoder: TableRecord {
    /// The columns that closures are given: those of the rows' type.
    public typealias DatabaseComponents = RowDecoder.DatabaseComponents

    /// Selects these columns, which become a type.
    public func select<T>(
        as type: T.Type = T.self,
        _ selection: (DatabaseComponents) throws -> [any SQLSelectable]
    ) rethrows -> QueryInterfaceRequest<T> {
        try select(selection(RowDecoder.databaseComponents), as: type)
    }

    /// Selects a column, which becomes a type: `select(\.name, as: String.self)`.
    public func select<T>(
        _ selection: (DatabaseComponents) throws -> any SQLSelectable, as type: T.Type = T.self
    ) rethrows -> QueryInterfaceRequest<T> {
        try select([selection(RowDecoder.databaseComponents)], as: type)
    }
}

extension QueryInterfaceRequest where RowDecoder: Identifiable {
    /// Selects the primary key, which becomes the `id` of records.
    public func selectID() -> QueryInterfaceRequest<RowDecoder.ID> {
        selectPrimaryKey()
    }
}
