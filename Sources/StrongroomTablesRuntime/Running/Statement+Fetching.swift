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
    ///
    ///     let rows: [(Int, String)] = try Item.select { ($0.id, $0.title) }.fetchAll(db)
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    @inlinable
    public func fetchAll(_ db: Database) throws -> [Row] {
        guard let run = try started(db) else { return [] }
        var rows: [Row] = []
        while try run.step() { rows.append(try run.row(Shape.self)) }
        return rows
    }

    /// A cursor over the rows.
    ///
    ///     // One row at a time, without an array of all.
    ///     let items = try Item.order(by: \.title).fetchCursor(db)
    ///     while let item = try items.next() { print(item.title) }
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public func fetchCursor(_ db: Database) throws -> QueryCursor<Row> {
        QueryCursor(try run(db), Shape.self)
    }

    /// Fetches the first row; nil when there is none.
    ///
    ///     let dearest = try Item.select { $0.price.max() }.fetchOne(db)
    ///     let bread = try Item.where { $0.title.eq("Bread") }.fetchOne(db)?.stars  // 4
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    @inlinable
    public func fetchOne(_ db: Database) throws -> Row? {
        guard let run = try startedForOne(db), try run.step() else { return nil }
        return try run.row(Shape.self)
    }

    @usableFromInline
    func startedForOne(_ db: Database) throws -> StatementRun? { try run(db, _singleQuery) }

    public var _singleQuery: QueryFragment { _fetchedQuery }

    /// Fetches all rows as a set.
    ///
    ///     let years = try Item.select(\.year).fetchSet(db)
    ///     years == [2025, 2026]  // true
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public func fetchSet(_ db: Database) throws -> Set<Row> where Row: Hashable {
        Set(try fetchAll(db))
    }
}

extension SelectStatement {
    /// Fetches the first row; nil when there is none.
    ///
    ///     let milk = try Item.find(1).fetchOne(db)
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    @inlinable
    public func fetchOne(_ db: Database) throws -> Row? {
        guard let run = try startedForRow(db), try run.step() else { return nil }
        return try run.row(Shape.self)
    }

    @usableFromInline
    func startedForRow(_ db: Database) throws -> StatementRun? {
        try keptRun(db) ?? run(db, _singleQuery)
    }

    /// A run of the kept statement that finds a row by its key; nil for other queries.
    ///
    /// An observation asks which rows are read, and errors may show values: then the text is made.
    private func keptRun(_ db: Database) throws -> StatementRun? {
        let clauses = _clauses
        guard clauses.findOneRow, clauses.isSingleRow, !db.isRecordingRegion,
            !db.configuration.publicStatementArguments
        else { return nil }
        let key = clauses.rowKey
        let known = clauses.kept.statement { $0.kind == .find }
        let form = KeptStatement.Form(kind: .find)
        guard let kept = known ?? clauses.kept.make(form, key, _singleQuery) else { return nil }
        let rows = RowInformation(Shape.self, checksNames: _checksNames)
        return try StatementRun(db, kept, key, rows: rows)
    }

    public var _singleQuery: QueryFragment {
        var clauses = _clauses.resolvedForText
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
    ///
    ///     try #sql("ANALYZE").execute(db)
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public func execute(_ db: Database) throws {
        guard let run = try run(db, query) else { return }
        while try run.step() {}
    }
}

extension QuerySource {
    /// Fetches all rows.
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public static func fetchAll(_ db: Database) throws -> [DefaultScope.Row] {
        try all.fetchAll(db)
    }

    /// Fetches the first row; nil when there is none.
    ///
    ///     let user = try User.fetchOne(db)
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public static func fetchOne(_ db: Database) throws -> DefaultScope.Row? {
        try all.fetchOne(db)
    }

    /// Fetches all rows as a set.
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public static func fetchSet(_ db: Database) throws -> Set<DefaultScope.Row>
    where DefaultScope.Row: Hashable {
        try all.fetchSet(db)
    }

    /// A cursor over the rows.
    ///
    ///     try Folder.fetchCursor(db).forEach { print($0.title) }
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public static func fetchCursor(_ db: Database) throws -> QueryCursor<DefaultScope.Row> {
        try all.fetchCursor(db)
    }

    /// Counts the rows.
    ///
    ///     let count = try Item.fetchCount(db)  // 4
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public static func fetchCount(_ db: Database) throws -> Int { try all.fetchCount(db) }
}
