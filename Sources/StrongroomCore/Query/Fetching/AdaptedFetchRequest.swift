/// A request whose rows go through one more row adapter.
public struct AdaptedFetchRequest<Base: FetchRequest> {
    private let base: Base
    private let adapter: @Sendable (Database) throws -> any RowAdapter

    init(_ base: Base, adapter: @escaping @Sendable (Database) throws -> any RowAdapter) {
        self.base = base
        self.adapter = adapter
    }
}

extension AdaptedFetchRequest: FetchRequest {
    public typealias RowDecoder = Base.RowDecoder

    public var sqlSubquery: SQLSubquery { base.sqlSubquery }

    public func makePreparedRequest(
        _ db: Database, forSingleResult singleResult: Bool = false
    ) throws -> PreparedRequest {
        var request = try base.makePreparedRequest(db, forSingleResult: singleResult)
        request.adapter = try chain(request.adapter, db)
        return request
    }

    public func _fetchSource(_ db: Database, forSingleResult: Bool) throws -> FetchSource {
        var source = try base._fetchSource(db, forSingleResult: forSingleResult)
        source.adapter = try chain(source.adapter, db)
        return source
    }

    public func fetchCount(_ db: Database) throws -> Int {
        try base.fetchCount(db)
    }

    public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
        try base.databaseRegion(db)
    }

    private func chain(_ first: (any RowAdapter)?, _ db: Database) throws -> any RowAdapter {
        let second = try adapter(db)
        guard let first else { return second }
        return ChainedRowAdapter(first: first, second: second)
    }
}

extension FetchRequest {
    /// The same request, whose rows go through an adapter, after those that it has already.
    ///
    /// - Parameter adapter: Makes the adapter each time when the request is used.
    public func adapted(
        _ adapter: @escaping @Sendable (Database) throws -> any RowAdapter
    ) -> AdaptedFetchRequest<Self> {
        AdaptedFetchRequest(self, adapter: adapter)
    }
}
