public import StrongroomCore

// What the core takes: SQL, requests and regions. A query is a request itself.

extension Statement {
    /// The statement as a literal of Strongroom.
    public var _sql: SQL { _fetchedQuery.literal }

    /// The statement as a request of Strongroom, whose rows are `Row`s.
    public var request: SQLRequest<StrongroomCore.Row> { SQLRequest(literal: _sql) }
}

extension SQL {
    /// A typed statement as a literal.
    ///
    ///     // A typed query inside SQL of your own.
    ///     let best = SQL(Item.where { $0.stars.eq(5) }.select(\.id))
    ///     try SQLRequest<Int>(literal: "SELECT count(*) FROM (\(best))").fetchOne(db)  // 1
    public init(_ statement: some StrongroomTablesRuntime.Statement) { self = statement._sql }

    /// A typed query as a literal.
    public init(_ statement: some ResultStatement) { self = statement._sql }
}

/// The rows of a typed query, where the core asks for the type of a request's rows.
///
/// The core cannot decode it: the query's own fetching functions decode its rows, and those of the
/// core take a type, as in `Row.fetchAll(db, query)`.
public enum DecodedRow<Shape: RowShape> {}

extension ResultStatement {
    public var sqlSubquery: SQLSubquery { SQLRequest<Row>(literal: query.literal).sqlSubquery }

    /// Makes a statement that is ready to run.
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public func makePreparedRequest(
        _ db: Database, forSingleResult singleResult: Bool = false
    ) throws -> PreparedRequest {
        let query = singleResult ? _singleQuery : _fetchedQuery
        return try SQLRequest<Row>(literal: query.literal).makePreparedRequest(db)
    }

    public func _fetchSource(_ db: Database, forSingleResult: Bool) throws -> FetchSource {
        let query = forSingleResult ? _singleQuery : _fetchedQuery
        return try SQLRequest<Row>(literal: query.literal)._fetchSource(
            db, forSingleResult: forSingleResult)
    }

    /// What the query reads.
    ///
    ///     let region = try Item.where { $0.stars > 2 }.databaseRegion(db)
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
        if query.isEmpty { return DatabaseRegion() }
        return try request.databaseRegion(db)
    }
}

extension Statement where Row: Sendable {
    /// An observation of all rows.
    ///
    ///     let titles = Item.order(by: \.title).select(\.title).observation()
    ///     let cancellable = titles.start(
    ///         in: dbQueue, onError: { print($0) }, onChange: { print($0.count) })
    public func observation() -> ValueObservation<ValueReducers.Fetch<[Row]>> {
        ValueObservation.tracking { try self.fetchAll($0) }
    }
}

extension QueryFragment {
    /// The fragment as a literal of Strongroom, which throws the mistakes in it when it is used.
    ///
    /// An empty query is one without rows.
    var literal: SQL {
        var literal = SQL(sql: isEmpty ? "SELECT NULL WHERE 0" : "")
        Self.append(segments, to: &literal)
        return literal
    }

    private static func append(_ segments: [Segment], to literal: inout SQL) {
        for segment in segments {
            switch segment {
            case .subquery(let inner):
                literal.append(sql: "(")
                append(inner, to: &literal)
                literal.append(sql: ")")
            case .source(let table): append(table.source.segments, to: &literal)
            case .deferred(let sql): literal.append(literal: sql.literal)
            case .failure(let error), .binding(.invalid(let error)):
                literal.append(literal: SQL(SQLExpression(FailedQuery(error: error))))
            default:
                let (sql, bindings) = QueryFragment([segment]).prepare { _ in "?" }
                let values = bindings.map(\.databaseValue)
                literal.append(sql: sql, arguments: StatementArguments(unchecked: values))
            }
        }
    }
}

/// A mistake in a query, which is thrown where its SQL is wanted.
private struct FailedQuery: SQLNode {
    let error: QueryBuildingError
    var depth: Int { 0 }
    func write(to sql: inout SQLGenerationContext) throws { throw error }
}
