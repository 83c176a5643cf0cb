/// A request that knows its SQL, and the type that its rows become.
///
///     let request: SQLRequest<Player> = "SELECT * FROM player WHERE name = \(name)"
///     let players = try dbQueue.read { db in
///         try request.fetchAll(db)
///     }
///
/// Adopt it for types of your own by turning them into another request, such as `SQLRequest`.
public protocol FetchRequest<RowDecoder>: SQLSubqueryable, DatabaseRegionConvertible {
    /// What each row becomes, unless the caller of a fetching function asks for another type.
    ///
    /// It is a `Row`, a value, or a tuple of values.
    associatedtype RowDecoder

    /// Makes a statement that is ready to run.
    ///
    /// - Parameters:
    ///   - db: The connection to use.
    ///   - singleResult: A hint that one row is enough, which a request may use to ask the database
    ///     for no more.
    /// - Throws: `DatabaseError` when the SQL cannot be made, or does not compile.
    func makePreparedRequest(
        _ db: Database, forSingleResult singleResult: Bool
    ) throws -> PreparedRequest

    /// Counts the rows that the request would give.
    ///
    ///     let count = try Player.filter(Column("score") > 100).fetchCount(db)
    ///
    /// - Throws: `DatabaseError` when the SQL cannot be made, or does not compile.
    func fetchCount(_ db: Database) throws -> Int

    /// Says where the rows come from. Not to be customised.
    func _fetchSource(_ db: Database, forSingleResult: Bool) throws -> FetchSource
}

extension FetchRequest {
    public func _fetchSource(_ db: Database, forSingleResult: Bool) throws -> FetchSource {
        FetchSource(try makePreparedRequest(db, forSingleResult: forSingleResult))
    }

    /// Counts the rows that the request would give, by `SELECT COUNT(*) FROM (…)`.
    ///
    /// - Throws: `DatabaseError` when the SQL cannot be made, or does not compile.
    public func fetchCount(_ db: Database) throws -> Int {
        let statement = try makePreparedRequest(db, forSingleResult: false).statement
        let sql = "SELECT COUNT(*) FROM (\(statement.sql.embeddableStatement))"
        return try Int.fetchOne(db, sql: sql, arguments: statement.arguments) ?? 0
    }

    /// The tables and columns that the request reads.
    ///
    /// - Throws: `DatabaseError` when the SQL cannot be made, or does not compile.
    public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
        try makePreparedRequest(db, forSingleResult: false).statement.databaseRegion
    }
}
