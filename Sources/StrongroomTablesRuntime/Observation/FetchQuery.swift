internal import StrongroomCore

/// What a wrapper fetches.
struct FetchQuery<Value: Sendable>: Sendable {
    /// Equal keys fetch the same.
    let key: FetchKey
    /// Whether the same tables, columns and rows are read each time.
    let isConstant: Bool
    /// Whether two values are equal; nil where nothing tells.
    let areEqual: (@Sendable (Value, Value) -> Bool)?
    let fetch: @Sendable (Database) throws -> Value
}

/// Where a wrapper fetches, and where its values arrive.
struct FetchSettings: Sendable {
    var database: any DatabaseReader
    var scheduler: any ValueObservationScheduler & Hashable
    var removesDuplicates: Bool

    init(
        _ database: (any DatabaseReader)?, _ scheduler: any ValueObservationScheduler & Hashable,
        removesDuplicates: Bool
    ) {
        self.database = database ?? DefaultDatabase.current
        self.scheduler = Self.resolved(scheduler) ?? DefaultDatabase.scheduler
        self.removesDuplicates = removesDuplicates
    }

    /// The settings of another load: what it does not name stays.
    func with(
        _ database: (any DatabaseReader)?, _ scheduler: any ValueObservationScheduler & Hashable
    ) -> Self {
        var settings = self
        if let database { settings.database = database }
        if let scheduler = Self.resolved(scheduler) { settings.scheduler = scheduler }
        return settings
    }

    private static func resolved(
        _ scheduler: any ValueObservationScheduler & Hashable
    ) -> (any ValueObservationScheduler & Hashable)? {
        scheduler is DefaultFetchScheduler ? nil : scheduler
    }

    var hasDatabase: Bool { !DefaultDatabaseLookup.isBlank(database) }
}

/// Any value that tells one query from another.
struct FetchKey: Hashable, Sendable {
    private let base: any Hashable & Sendable

    init(_ base: any Hashable & Sendable) { self.base = base }

    static func == (lhs: Self, rhs: Self) -> Bool {
        AnyHashable(lhs.base) == AnyHashable(rhs.base)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(base)) }
}

/// Wrappers with equal identity share one observation.
struct FetchIdentity: Hashable, Sendable {
    private let database: ObjectIdentifier
    private let value: ObjectIdentifier
    private let query: FetchKey
    private let scheduler: FetchKey
    private let removesDuplicates: Bool

    init<Value>(_ query: FetchQuery<Value>, _ settings: FetchSettings) {
        database = ObjectIdentifier(settings.database)
        value = ObjectIdentifier(Value.self)
        self.query = query.key
        scheduler = FetchKey(settings.scheduler)
        removesDuplicates = settings.removesDuplicates
    }
}

/// How values of a type are compared, where they can be.
func equality<Value>(of type: Value.Type) -> (@Sendable (Value, Value) -> Bool)? {
    func comparing<Other: Equatable & SendableMetatype>(
        _ type: Other.Type
    ) -> @Sendable (Value, Value) -> Bool {
        { ($0 as? Other) == ($1 as? Other) }
    }
    guard let type = type as? any (Equatable & SendableMetatype).Type else { return nil }
    return comparing(type)
}

/// The scheduler of wrappers that name none: the one of `DefaultDatabase.scheduler`.
public struct DefaultFetchScheduler: ValueObservationScheduler, Hashable {
    /// Makes the scheduler.
    public init() {}

    public func immediateInitialValue() -> Bool { false }

    public func schedule(_ action: @escaping @Sendable () -> Void) {
        DefaultDatabase.scheduler.schedule(action)
    }
}

/// When a wrapper fetches its first value.
public enum FirstFetch: Sendable, Hashable {
    /// On the thread that makes the wrapper, before the initialiser returns.
    case immediate
    /// Later: it is published as all others.
    case background
    /// When `load()` is called.
    case onLoad
}
