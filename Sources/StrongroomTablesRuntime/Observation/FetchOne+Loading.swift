public import StrongroomCore

extension FetchOne {
    /// Observes the first row of SQL.
    public init(
        wrappedValue: Value, _ statement: SQLQueryExpression<Value>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    )
    where Value: QueryRepresentable, Value.QueryOutput == Value {
        self.init(
            wrappedValue, .row(statement), database, scheduler, firstFetch, removesDuplicates)
    }

    /// Observes the first row of SQL; nil where there is none.
    public init<Wrapped>(
        wrappedValue: Wrapped? = nil, _ statement: SQLQueryExpression<Wrapped>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    )
    where Value == Wrapped?, Wrapped: QueryRepresentable, Wrapped.QueryOutput == Wrapped {
        self.init(
            wrappedValue, .optionalRow(statement), database, scheduler, firstFetch,
            removesDuplicates)
    }

    /// Observes the first row of another query.
    ///
    /// - Throws: Why there is no value; `CancellationError` when the task is cancelled.
    @discardableResult
    public func load(
        _ statement: some Statement<Value>, database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler()
    ) async throws -> FetchSubscription {
        let settings = storage.store.settings(database, scheduler)
        return try await storage.store.load(.row(statement), settings)
    }

    /// Observes the first row of another query; nil where there is none.
    ///
    /// - Throws: Why there is no value; `CancellationError` when the task is cancelled.
    @discardableResult
    public func load<Wrapped>(
        _ statement: some Statement<Wrapped>, database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler()
    ) async throws -> FetchSubscription
    where Value == Wrapped? {
        let settings = storage.store.settings(database, scheduler)
        return try await storage.store.load(.optionalRow(statement), settings)
    }

    /// Observes a value that may be NULL; nil where there is no row.
    ///
    /// - Throws: Why there is no value; `CancellationError` when the task is cancelled.
    @discardableResult
    public func load<Wrapped>(
        _ statement: some Statement<Wrapped?>, database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler()
    ) async throws -> FetchSubscription
    where Value == Wrapped? {
        let settings = storage.store.settings(database, scheduler)
        return try await storage.store.load(.row(statement, { $0 }, none: { nil }), settings)
    }

    /// Observes the first row of SQL.
    ///
    /// - Throws: Why there is no value; `CancellationError` when the task is cancelled.
    @discardableResult
    public func load(
        _ statement: SQLQueryExpression<Value>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler()
    ) async throws -> FetchSubscription
    where Value: QueryRepresentable, Value.QueryOutput == Value {
        let settings = storage.store.settings(database, scheduler)
        return try await storage.store.load(.row(statement), settings)
    }
}

extension FetchQuery where Value: PrimaryKeyedTable {
    /// The row with the key of a row.
    static func row(keyOf row: Value) -> Self where Value.SideValue == Value {
        let clauses = Value.clauses(ofKeyOf: row)
        let condition = clauses.conditions.conjunction?.description ?? ""
        return .row(Where<Value>(clauses), key: condition)
    }
}
