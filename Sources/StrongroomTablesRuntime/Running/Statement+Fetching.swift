public import StrongroomCore

extension Statement {
    func run(_ db: Database, _ query: QueryFragment? = nil) throws -> StatementRun? {
        let query = query ?? _fetchedQuery
        if query.isEmpty { return nil }
        try announceKeptRows(db, query)
        return try StatementRun(
            db, query, rows: RowInformation(Shape.self, checksNames: _checksNames))
    }

    @usableFromInline
    func started(_ db: Database) throws -> StatementRun? { try run(db) }

    /// Fetches all rows.
    @inlinable
    public func fetchAll(_ db: Database) throws -> [Row] {
        guard let run = try started(db) else { return [] }
        var rows: [Row] = []
        while try run.step() {
            if run.order != nil {
                rows.append(try run.row(Shape.self))
                continue
            }
            var decoder = StatementDecoder(run.pointer, isCoercing: run.isCoercing)
            do {
                rows.append(try Shape._row(&decoder))
            } catch var error as QueryDecodingError {
                throw run.completed(&error)
            }
        }
        return rows
    }

    /// A cursor over the rows.
    public func fetchCursor(_ db: Database) throws -> QueryCursor<Row> {
        QueryCursor(try run(db), Shape.self)
    }

    /// Fetches the first row; nil when there is none.
    public func fetchOne(_ db: Database) throws -> Row? {
        guard let run = try run(db, _singleQuery), try run.step() else { return nil }
        return try run.row(Shape.self)
    }

    public var _singleQuery: QueryFragment { _fetchedQuery }

    /// Fetches all rows as a set.
    public func fetchSet(_ db: Database) throws -> Set<Row> where Row: Hashable {
        Set(try fetchAll(db))
    }
}

extension SelectStatement {
    public var _singleQuery: QueryFragment {
        var clauses = _clauses.resolved
        if clauses.limit == nil, !clauses.isSingleRow { clauses.limit = 1.queryFragment }
        return clauses.fragment(isFetched: true)
    }
}

extension SelectClauses {
    /// The statement that counts the rows.
    var countingQuery: QueryFragment {
        if isEmpty { return QueryFragment() }
        var counted = self
        if isRestricted || !columns.isEmpty && columns.contains(where: { $0.isAggregate }) {
            var result = QueryFragment(text: "SELECT count(*) FROM ")
            result += QueryFragment([.subquery(fragment(isFetched: false).segments)])
            return result
        }
        counted.columns = [.count]
        counted.orders = []
        return counted.fragment(isFetched: false)
    }
}

extension Statement where Row == Void {
    /// Runs the statement.
    public func execute(_ db: Database) throws {
        guard let run = try run(db, query) else { return }
        while try run.step() {}
    }
}

extension QuerySource {
    /// Fetches all rows.
    public static func fetchAll(_ db: Database) throws -> [DefaultScope.Row] {
        try all.fetchAll(db)
    }

    /// Fetches the first row; nil when there is none.
    public static func fetchOne(_ db: Database) throws -> DefaultScope.Row? {
        try all.fetchOne(db)
    }

    /// Fetches all rows as a set.
    public static func fetchSet(_ db: Database) throws -> Set<DefaultScope.Row>
    where DefaultScope.Row: Hashable {
        try all.fetchSet(db)
    }

    /// A cursor over the rows.
    public static func fetchCursor(_ db: Database) throws -> QueryCursor<DefaultScope.Row> {
        try all.fetchCursor(db)
    }

    /// Counts the rows.
    public static func fetchCount(_ db: Database) throws -> Int { try all.fetchCount(db) }
}
