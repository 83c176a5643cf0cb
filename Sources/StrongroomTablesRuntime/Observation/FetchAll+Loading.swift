public import StrongroomCore

extension FetchAll {
    /// Observes another query, without sections.
    ///
    /// - Throws: Why there is no value; `CancellationError` when the task is cancelled.
    @discardableResult
    public func load(
        _ statement: some Statement<Element>, database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler()
    ) async throws -> FetchSubscription {
        let settings = storage.store.settings(database, scheduler)
        return try await storage.store.load(.rows(statement, name: nil), settings)
    }

    /// Observes SQL, without sections.
    ///
    /// - Throws: Why there is no value; `CancellationError` when the task is cancelled.
    @discardableResult
    public func load(
        _ statement: SQLQueryExpression<Element>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler()
    ) async throws -> FetchSubscription
    where Element: QueryRepresentable, Element.QueryOutput == Element {
        let settings = storage.store.settings(database, scheduler)
        return try await storage.store.load(.rows(statement, name: nil), settings)
    }

    /// Observes another query in sections by a column of the first table.
    ///
    /// - Throws: Why there is no value; `CancellationError` when the task is cancelled.
    @discardableResult
    public func load<Query: SelectStatement<Element>, Column: QueryExpression>(
        _ statement: Query,
        sectionBy path: KeyPath<Query.Tables.First.SideColumns, Column>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler()
    ) async throws -> FetchSubscription
    where Column.QueryValue.QueryOutput == String {
        let settings = storage.store.settings(database, scheduler)
        return try await storage.store.load(
            .rows(statement, .column(statement.firstColumns[keyPath: path])), settings)
    }

    /// Observes another query in sections by a column of the first table.
    ///
    /// - Throws: Why there is no value; `CancellationError` when the task is cancelled.
    @discardableResult
    public func load<Query: SelectStatement<Element>, Column: QueryExpression>(
        _ statement: Query,
        sectionBy path: KeyPath<Query.Tables.First.SideColumns, Column>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler()
    ) async throws -> FetchSubscription
    where Column.QueryValue.QueryOutput == String? {
        let settings = storage.store.settings(database, scheduler)
        return try await storage.store.load(
            .rows(statement, .column(statement.firstColumns[keyPath: path])), settings)
    }

    /// Observes another query in sections by an expression.
    ///
    /// - Throws: Why there is no value; `CancellationError` when the task is cancelled.
    @discardableResult
    public func load<Query: SelectStatement<Element>>(
        _ statement: Query,
        @SectionBuilder<String?> sectionBy section: (Query.Tables.Arguments) -> FetchedSection<
            String?
        >,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler()
    ) async throws -> FetchSubscription {
        let settings = storage.store.settings(database, scheduler)
        return try await storage.store.load(
            .rows(statement, section(statement.arguments)), settings)
    }
}
