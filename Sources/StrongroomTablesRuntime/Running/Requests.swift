public import StrongroomCore

// What the core takes: SQL, requests and regions.

extension Statement {
    /// The statement as a literal of Strongroom.
    public var _sql: SQL {
        let (sql, bindings) = _fetchedQuery.prepare { _ in "?" }
        return SQL(
            sql: sql, arguments: StatementArguments(unchecked: bindings.map(\.databaseValue)))
    }

    /// The statement as a request of Strongroom, whose rows are `Row`s.
    public var request: SQLRequest<StrongroomCore.Row> { SQLRequest(literal: _sql) }
}

extension SQL {
    /// A typed statement as a literal.
    public init(_ statement: some StrongroomTablesRuntime.Statement) { self = statement._sql }
}

extension SelectStatement {
    /// What the query reads.
    public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
        if _clauses.resolved.isEmpty { return DatabaseRegion() }
        return try request.databaseRegion(db)
    }
}

extension Where: DatabaseRegionConvertible {}
extension Select: DatabaseRegionConvertible {}

extension Statement where Row: Sendable {
    /// An observation of all rows.
    public func observation() -> ValueObservation<ValueReducers.Fetch<[Row]>> {
        ValueObservation.tracking { try self.fetchAll($0) }
    }
}
