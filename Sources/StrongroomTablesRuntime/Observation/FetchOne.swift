public import StrongroomCore

/// The first row of a query, which changes when the database does.
///
///     struct Shelf {
///         @FetchOne(Item.count()) var count = 0
///         @FetchOne(Item.find(1)) var item: Item?
///     }
///
/// Where there is no row, an optional is nil; of others the last value stays, and `loadError` is
/// `NotFound`. All else is as for `FetchAll`.
@propertyWrapper
public struct FetchOne<Value: Sendable>: Sendable {
    let storage: FetchStorage<Value>

    /// The row.
    public var wrappedValue: Value { storage.store.value }

    /// The row as it is, and each time that it has changed.
    public var values: some AsyncSequence<Value, Never> { storage.store.values }

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

    /// Observes the first row of a table; nil where there is none.
    public init<Wrapped: Table>() where Value == Wrapped?, Wrapped.DefaultScope.Row == Wrapped {
        self.init(database: nil)
    }

    /// Fetches nothing until a query is loaded.
    public init<Wrapped: SelectionTable>() where Value == Wrapped? {
        self.init(database: nil)
    }

    init(
        _ value: Value, _ query: FetchQuery<Value>?, _ database: (any DatabaseReader)?,
        _ scheduler: any ValueObservationScheduler & Hashable, _ first: FirstFetch,
        _ removesDuplicates: Bool
    ) {
        storage = FetchStorage(
            value, query,
            FetchSettings(database, scheduler, removesDuplicates: removesDuplicates), first)
    }
}

extension FetchOne {
    /// Observes the row with the key of a row.
    public init(
        wrappedValue: Value,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    )
    where Value: PrimaryKeyedTable, Value.SideValue == Value {
        self.init(
            wrappedValue, .row(keyOf: wrappedValue), database, scheduler, firstFetch,
            removesDuplicates)
    }

    /// Observes the first row of a table.
    @_disfavoredOverload
    public init(
        wrappedValue: Value,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    )
    where Value: Table, Value.DefaultScope.Row == Value {
        self.init(
            wrappedValue, .row(Value.all), database, scheduler, firstFetch, removesDuplicates)
    }

    /// Observes the first row of a table; nil where there is none.
    @_disfavoredOverload
    public init<Wrapped: Table>(
        wrappedValue: Wrapped? = nil, database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    )
    where Value == Wrapped?, Wrapped.DefaultScope.Row == Wrapped {
        self.init(
            wrappedValue, .optionalRow(Wrapped.all), database, scheduler, firstFetch,
            removesDuplicates)
    }

    /// Fetches nothing until a query is loaded.
    public init(
        wrappedValue: Value,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    )
    where Value: SelectionTable {
        self.init(
            wrappedValue, nil, database, scheduler, firstFetch, removesDuplicates)
    }

    /// Fetches nothing until a query is loaded.
    @_disfavoredOverload
    public init<Wrapped: SelectionTable>(
        wrappedValue: Wrapped? = nil, database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    )
    where Value == Wrapped? {
        self.init(
            wrappedValue, nil, database, scheduler, firstFetch, removesDuplicates)
    }

    /// Observes the first row of a query.
    public init(
        wrappedValue: Value, _ statement: some Statement<Value>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    ) {
        self.init(
            wrappedValue, .row(statement), database, scheduler, firstFetch, removesDuplicates)
    }

    /// Observes the first row of a query; nil where there is none.
    public init<Wrapped>(
        wrappedValue: Wrapped? = nil, _ statement: some Statement<Wrapped>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    )
    where Value == Wrapped? {
        self.init(
            wrappedValue, .optionalRow(statement), database, scheduler, firstFetch,
            removesDuplicates)
    }

    /// Observes a value that may be NULL; nil where there is no row.
    public init<Wrapped>(
        wrappedValue: Wrapped? = nil, _ statement: some Statement<Wrapped?>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    )
    where Value == Wrapped? {
        self.init(
            wrappedValue, .row(statement, { $0 }, none: { nil }), database, scheduler, firstFetch,
            removesDuplicates)
    }
}
