/// A request made of SQL.
///
///     extension Player {
///         static func named(_ name: String) -> SQLRequest<Player> {
///             "SELECT * FROM player WHERE name = \(name)"
///         }
///     }
///
/// What the columns of a row become may also be a tuple: `SQLRequest<(String, Int)>`.
///
/// Its SQL must be one statement; several throw `SQLITE_MISUSE` when it is used.
public struct SQLRequest<RowDecoder> {
    /// What presents the columns of the SQL in another way, if anything.
    public var adapter: (any RowAdapter)?

    private let literal: SQL
    private let isCached: Bool

    /// Makes a request of SQL that is trusted.
    ///
    /// - Parameters:
    ///   - sql: The query.
    ///   - arguments: The values of the parameters in the SQL.
    ///   - adapter: Presents the columns of each row in another way, if given.
    ///   - cached: Whether `makePreparedRequest` gives the connection's shared statement for the
    ///     SQL, which two cursors must not use at once. Fetching reuses statements anyway.
    public init(
        sql: String, arguments: StatementArguments = StatementArguments(),
        adapter: (any RowAdapter)? = nil, cached: Bool = false
    ) {
        self.init(literal: SQL(sql: sql, arguments: arguments), adapter: adapter, cached: cached)
    }

    /// Makes a request of a literal.
    ///
    /// - Parameters:
    ///   - literal: The SQL, with its arguments.
    ///   - adapter: Presents the columns of each row in another way, if given.
    ///   - cached: As for SQL.
    public init(literal: SQL, adapter: (any RowAdapter)? = nil, cached: Bool = false) {
        self.literal = literal
        self.adapter = adapter
        isCached = cached
    }
}

extension SQLRequest where RowDecoder == Row {
    /// Makes a request of rows.
    public init(
        sql: String, arguments: StatementArguments = StatementArguments(),
        adapter: (any RowAdapter)? = nil, cached: Bool = false
    ) {
        self.init(literal: SQL(sql: sql, arguments: arguments), adapter: adapter, cached: cached)
    }

    /// Makes a request of rows.
    public init(literal: SQL, adapter: (any RowAdapter)? = nil, cached: Bool = false) {
        self.literal = literal
        self.adapter = adapter
        isCached = cached
    }
}

extension SQLRequest: FetchRequest {
    public func makePreparedRequest(
        _ db: Database, forSingleResult singleResult: Bool = false
    ) throws -> PreparedRequest {
        PreparedRequest(
            statement: isCached
                ? try db.cachedStatement(literal: literal) : try db.makeStatement(literal: literal),
            adapter: adapter)
    }

    public func _fetchSource(_ db: Database, forSingleResult: Bool) throws -> FetchSource {
        let (sql, arguments) = try literal.build(db)
        return FetchSource(sql: sql, arguments: arguments, adapter: adapter)
    }
}

extension SQLRequest: SQLSubqueryable {
    public var sqlSubquery: SQLSubquery { SQLSubquery(EmbeddedQuery(literal: literal)) }
}

extension SQLRequest: ExpressibleByStringInterpolation {
    public init(unicodeScalarLiteral: String) {
        self.init(stringLiteral: unicodeScalarLiteral)
    }

    public init(extendedGraphemeClusterLiteral: String) {
        self.init(stringLiteral: extendedGraphemeClusterLiteral)
    }

    public init(stringLiteral: String) {
        self.init(sql: stringLiteral)
    }

    public init(stringInterpolation: SQLInterpolation) {
        self.init(literal: stringInterpolation.literal)
    }
}

/// A query that stands inside another: what may follow its last word must not reach further.
private struct EmbeddedQuery: SQLNode {
    let literal: SQL

    var depth: Int { 1 + literal.depth }

    func write(to sql: inout SQLGenerationContext) throws {
        try sql.transform(\.embeddableStatement) { sql in try literal.write(to: &sql) }
    }
}
