public import Strongroom

extension Database {
    /// The SQL that a closure runs, statement after statement, with the values in it, but for what
    /// asks for the schema.
    public func capturedSQL(_ body: () throws -> Void) rethrows -> [String] {
        let statements = Locked<[String]>([])
        trace { event in statements.withLock { $0.append(event.expandedDescription) } }
        defer { trace(options: []) }
        try body()
        return statements.withLock { $0.filter { !$0.contains("pragma_") && !$0.hasPrefix("-- ") } }
    }

    /// The SQL of a request, with the values in it.
    public func sql(of request: some FetchRequest) throws -> String {
        let statements = try capturedSQL { _ = try Row.fetchOne(self, AsIs(request)) }
        return statements.last ?? ""
    }
}

/// A request that gives its statement for many rows, even when one is asked for.
private struct AsIs<Base: FetchRequest>: FetchRequest {
    typealias RowDecoder = Base.RowDecoder
    let base: Base

    init(_ base: Base) {
        self.base = base
    }

    var sqlSubquery: SQLSubquery { base.sqlSubquery }

    func makePreparedRequest(_ db: Database, forSingleResult: Bool) throws -> PreparedRequest {
        try base.makePreparedRequest(db, forSingleResult: false)
    }
}
