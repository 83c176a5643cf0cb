public import StrongroomCore

/// The rows of a query in sections whose names have any type.
///
///     struct Shelf {
///         @SectionedFetchAll(Item.order(by: \.title), sectionBy: \.stars) var items
///         // $items.sections: ResultsSectionCollection<Item, Int?>
///     }
@propertyWrapper
public struct SectionedFetchAll<Element: Sendable, Name: Hashable & Sendable>: Sendable {
    let storage: FetchStorage<FetchedRows<Element, Name>>

    /// The rows, in the order of the sections.
    public var wrappedValue: [Element] { storage.store.value.rows }

    /// The rows in sections.
    public var sections: ResultsSectionCollection<Element, Name> { storage.store.value.sections }

    /// The sections as they are, and each time that they have changed.
    public var values: some AsyncSequence<ResultsSectionCollection<Element, Name>, Never> {
        storage.store.values.map(\.sections)
    }

    /// The wrapper itself. Setting it replaces the query, the value and the observation.
    public var projectedValue: Self {
        get { self }
        nonmutating set { storage.store.adopt(newValue.storage.store) }
    }

    /// Whether a load is under way, or the first fetch.
    public var isLoading: Bool { storage.store.isLoading }

    /// Why the last fetch gave no value; nil after one that did.
    public var loadError: (any Error)? { storage.store.error }

    /// Fetches now: afterwards the value shows every write committed before.
    ///
    ///     @MainActor func refresh(_ store: Store) async throws {
    ///         try await store.$items.load()
    ///     }
    ///
    /// - Throws: Why there is no value, which is `loadError`, too; `CancellationError` when the task
    ///   is cancelled.
    @discardableResult
    public func load() async throws -> FetchSubscription { try await storage.store.load() }

    init(
        _ value: FetchedRows<Element, Name>, _ query: FetchQuery<FetchedRows<Element, Name>>?,
        _ database: (any DatabaseReader)?,
        _ scheduler: any ValueObservationScheduler & Hashable, _ first: FirstFetch,
        _ removesDuplicates: Bool
    ) {
        storage = FetchStorage(
            value, query,
            FetchSettings(database, scheduler, removesDuplicates: removesDuplicates), first)
    }
}

extension SectionedFetchAll {
    /// Observes the rows of a query in sections by a column of the first table.
    public init<Query: SelectStatement<Element>, Column: QueryExpression>(
        _ statement: Query,
        sectionBy path: KeyPath<Query.Tables.First.SideColumns, Column>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    )
    where Column.QueryValue.QueryOutput == Name {
        self.init(
            FetchedRows(), .rows(statement, .column(statement.firstColumns[keyPath: path])),
            database, scheduler, firstFetch, removesDuplicates)
    }

    /// Observes the rows of a query in sections by an expression.
    public init<Query: SelectStatement<Element>>(
        _ statement: Query,
        @SectionBuilder<Name> sectionBy section: (Query.Tables.Arguments) -> FetchedSection<Name>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    ) {
        self.init(
            FetchedRows(), .rows(statement, section(statement.arguments)), database, scheduler,
            firstFetch, removesDuplicates)
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
    where Column.QueryValue.QueryOutput == Name {
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
        @SectionBuilder<Name> sectionBy section: (Query.Tables.Arguments) -> FetchedSection<Name>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler()
    ) async throws -> FetchSubscription {
        let settings = storage.store.settings(database, scheduler)
        return try await storage.store.load(
            .rows(statement, section(statement.arguments)), settings)
    }
}
