/// A request of any type that gives a `RowDecoder`.
public struct AnyFetchRequest<RowDecoder> {
    private let request: any FetchRequest

    /// Hides the type of a request.
    ///
    ///     let request = AnyFetchRequest(Player.filter(Column("score") > 100))
    ///     let best = try request.fetchAll(db)
    public init(_ request: some FetchRequest<RowDecoder>) {
        // One that hides another, again and again, would need the stack for each.
        self = (request as? Self) ?? Self(hiding: request)
    }

    private init(hiding request: any FetchRequest) {
        self.request = request
    }

    /// The same request, whose rows become another type.
    public func asRequest<T>(of type: T.Type) -> AnyFetchRequest<T> {
        AnyFetchRequest<T>(hiding: request)
    }
}

extension AnyFetchRequest: FetchRequest {
    public var sqlSubquery: SQLSubquery { request.sqlSubquery }

    public func makePreparedRequest(
        _ db: Database, forSingleResult singleResult: Bool = false
    ) throws -> PreparedRequest {
        try request.makePreparedRequest(db, forSingleResult: singleResult)
    }

    public func _fetchSource(_ db: Database, forSingleResult: Bool) throws -> FetchSource {
        try request._fetchSource(db, forSingleResult: forSingleResult)
    }

    public func fetchCount(_ db: Database) throws -> Int {
        try request.fetchCount(db)
    }

    public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
        try request.databaseRegion(db)
    }
}
