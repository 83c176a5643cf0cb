public import StrongroomCore

/// The rows of a query, which change when the database does.
///
///     struct Shelf {
///         @FetchAll var items: [Item]
///         @FetchAll(Item.where(\.isDone).order(by: \.title)) var done
///     }
///
/// The first value is fetched when the wrapper is made, unless `firstFetch:` says otherwise; later
/// ones arrive on the main actor, or where `scheduler:` says. Reading the property in
/// `withObservationTracking` or a view's body registers it; in an `@Observable` class the property is
/// marked `@ObservationIgnored`. Equal queries share one observation. Copies show the same.
@propertyWrapper
public struct FetchAll<Element: Sendable>: Sendable {
    let storage: FetchStorage<FetchedRows<Element, String?>>

    /// The rows.
    public var wrappedValue: [Element] { storage.store.value.rows }

    /// The rows in sections; in one without a name where the query has none.
    public var sections: ResultsSectionCollection<Element, String?> {
        storage.store.value.sections
    }

    /// The rows as they are, and each time that they have changed.
    public var values: some AsyncSequence<[Element], Never> {
        storage.store.values.map(\.rows)
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

    // The compiler looks for these in the type itself, where a property has no value.

    /// Observes all rows of a table, in its default scope.
    public init() where Element: Table, Element.DefaultScope.Row == Element {
        self.init(database: nil)
    }

    /// Fetches nothing until a query is loaded.
    public init() where Element: SelectionTable { self.init(database: nil) }

    init(
        _ value: FetchedRows<Element, String?>, _ query: FetchQuery<FetchedRows<Element, String?>>?,
        _ database: (any DatabaseReader)?,
        _ scheduler: any ValueObservationScheduler & Hashable, _ first: FirstFetch,
        _ removesDuplicates: Bool
    ) {
        storage = FetchStorage(
            value, query,
            FetchSettings(database, scheduler, removesDuplicates: removesDuplicates), first)
    }
}

extension FetchAll {
    /// Observes all rows of a table, in its default scope.
    public init(
        wrappedValue: [Element] = [], database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    )
    where Element: Table, Element.DefaultScope.Row == Element {
        self.init(
            FetchedRows(wrappedValue, name: nil), .rows(Element.all, name: nil), database,
            scheduler, firstFetch, removesDuplicates)
    }

    /// Fetches nothing until a query is loaded.
    public init(
        wrappedValue: [Element] = [], database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    )
    where Element: SelectionTable {
        self.init(
            FetchedRows(wrappedValue, name: nil), nil, database, scheduler, firstFetch,
            removesDuplicates)
    }

    /// Observes the rows of a query.
    public init(
        wrappedValue: [Element] = [], _ statement: some Statement<Element>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    ) {
        self.init(
            FetchedRows(wrappedValue, name: nil), .rows(statement, name: nil), database, scheduler,
            firstFetch, removesDuplicates)
    }

    /// Observes the rows of SQL.
    public init(
        wrappedValue: [Element] = [], _ statement: SQLQueryExpression<Element>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    )
    where Element: QueryRepresentable, Element.QueryOutput == Element {
        self.init(
            FetchedRows(wrappedValue, name: nil), .rows(statement, name: nil), database, scheduler,
            firstFetch, removesDuplicates)
    }

    /// Observes the rows of a query in sections by a column of the first table.
    public init<Query: SelectStatement<Element>, Column: QueryExpression>(
        _ statement: Query,
        sectionBy path: KeyPath<Query.Tables.First.SideColumns, Column>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    )
    where Column.QueryValue.QueryOutput == String {
        self.init(
            FetchedRows(), .rows(statement, .column(statement.firstColumns[keyPath: path])),
            database, scheduler, firstFetch, removesDuplicates)
    }

    /// Observes the rows of a query in sections by a column of the first table.
    public init<Query: SelectStatement<Element>, Column: QueryExpression>(
        _ statement: Query,
        sectionBy path: KeyPath<Query.Tables.First.SideColumns, Column>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    )
    where Column.QueryValue.QueryOutput == String? {
        self.init(
            FetchedRows(), .rows(statement, .column(statement.firstColumns[keyPath: path])),
            database, scheduler, firstFetch, removesDuplicates)
    }

    /// Observes the rows of a query in sections by an expression.
    public init<Query: SelectStatement<Element>>(
        _ statement: Query,
        @SectionBuilder<String?> sectionBy section: (Query.Tables.Arguments) -> FetchedSection<
            String?
        >,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    ) {
        self.init(
            FetchedRows(), .rows(statement, section(statement.arguments)), database, scheduler,
            firstFetch, removesDuplicates)
    }
}
