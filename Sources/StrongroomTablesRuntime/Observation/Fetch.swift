public import StrongroomCore

/// What a wrapper fetches by code of its own: several queries in one transaction.
///
///     struct Summary: FetchKeyRequest {
///         struct Value { var count = 0; var done: [Item] = [] }
///
///         func fetch(_ db: Database) throws -> Value {
///             Value(
///                 count: try Item.fetchCount(db), done: try Item.where(\.isDone).fetchAll(db))
///         }
///     }
public protocol FetchKeyRequest<Value>: Hashable, Sendable {
    /// What is fetched.
    associatedtype Value: Sendable
    /// Fetches the value, in one state of the database.
    ///
    /// - Throws: Why there is none.
    func fetch(_ db: Database) throws -> Value
}

/// A value that a request fetches, which changes when the database does.
///
///     struct Shelf {
///         @Fetch(Summary()) var summary = Summary.Value()
///     }
///
/// All else is as for `FetchAll`.
@propertyWrapper
public struct Fetch<Value: Sendable>: Sendable {
    let storage: FetchStorage<Value>

    /// The value.
    public var wrappedValue: Value { storage.store.value }

    /// The value as it is, and each time that it has changed.
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

extension Fetch {
    /// Observes what a request fetches.
    public init(
        wrappedValue: Value, _ request: some FetchKeyRequest<Value>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    ) {
        self.init(
            wrappedValue, .request(request), database, scheduler, firstFetch, removesDuplicates)
    }

    /// Fetches nothing until a request is loaded.
    public init(
        wrappedValue: Value,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler(),
        firstFetch: FirstFetch = .immediate, removesDuplicates: Bool = true
    ) {
        self.init(
            wrappedValue, nil, database, scheduler, firstFetch, removesDuplicates)
    }

    /// Observes another request.
    ///
    /// - Throws: Why there is no value; `CancellationError` when the task is cancelled.
    @discardableResult
    public func load(
        _ request: some FetchKeyRequest<Value>,
        database: (any DatabaseReader)? = nil,
        scheduler: some ValueObservationScheduler & Hashable = DefaultFetchScheduler()
    ) async throws -> FetchSubscription {
        let settings = storage.store.settings(database, scheduler)
        return try await storage.store.load(.request(request), settings)
    }
}

extension FetchQuery {
    fileprivate static func request(_ request: some FetchKeyRequest<Value>) -> Self {
        FetchQuery(
            key: FetchKey(request), isConstant: false, areEqual: equality(of: Value.self),
            fetch: request.fetch)
    }
}
