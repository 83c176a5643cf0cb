// Compiled on Linux against small stubs of SwiftUI alone: it never ran.

#if canImport(SwiftUI)
public import StrongroomCore
public import SwiftUI

extension FetchStorage: DynamicProperty {}

extension FetchAll: DynamicProperty {
    /// Takes over the query of a view that was made again.
    public func update() { storage.update() }
}

extension SectionedFetchAll: DynamicProperty {
    /// Takes over the query of a view that was made again.
    public func update() { storage.update() }
}

extension FetchOne: DynamicProperty {
    /// Takes over the query of a view that was made again.
    public func update() { storage.update() }
}

extension Fetch: DynamicProperty {
    /// Takes over the request of a view that was made again.
    public func update() { storage.update() }
}

/// Has values arrive on the main actor, in an animation.
public struct AnimatedFetchScheduler: ValueObservationScheduler, Hashable {
    private let animation: Animation?

    /// Has values arrive in an animation.
    public init(animation: Animation?) { self.animation = animation }

    public func immediateInitialValue() -> Bool { false }

    public func schedule(_ action: @escaping @Sendable () -> Void) {
        DelayedMainActorValueObservationScheduler().schedule {
            withAnimation(animation) { action() }
        }
    }
}

extension ValueObservationScheduler where Self == AnimatedFetchScheduler {
    /// Has values arrive on the main actor, in an animation.
    public static func animation(_ animation: Animation?) -> Self {
        AnimatedFetchScheduler(animation: animation)
    }
}

extension FetchAll {
    /// Observes all rows of a table, whose changes are animated.
    public init(
        wrappedValue: [Element] = [], database: (any DatabaseReader)? = nil, animation: Animation
    ) where Element: Table, Element.DefaultScope.Row == Element {
        self.init(
            wrappedValue: wrappedValue, database: database, scheduler: .animation(animation))
    }

    /// Observes the rows of a query, whose changes are animated.
    public init(
        wrappedValue: [Element] = [], _ statement: some Statement<Element>,
        database: (any DatabaseReader)? = nil, animation: Animation
    ) {
        self.init(
            wrappedValue: wrappedValue, statement, database: database,
            scheduler: .animation(animation))
    }

    /// Observes another query, whose changes are animated.
    ///
    /// - Throws: Why there is no value; `CancellationError` when the task is cancelled.
    @discardableResult
    public func load(
        _ statement: some Statement<Element>, database: (any DatabaseReader)? = nil,
        animation: Animation
    ) async throws -> FetchSubscription {
        try await load(statement, database: database, scheduler: .animation(animation))
    }
}

extension FetchOne {
    /// Observes the first row of a query, whose changes are animated.
    public init(
        wrappedValue: Value, _ statement: some Statement<Value>,
        database: (any DatabaseReader)? = nil, animation: Animation
    ) {
        self.init(
            wrappedValue: wrappedValue, statement, database: database,
            scheduler: .animation(animation))
    }

    /// Observes the first row of a query, whose changes are animated; nil where there is none.
    public init<Wrapped>(
        wrappedValue: Wrapped? = nil, _ statement: some Statement<Wrapped>,
        database: (any DatabaseReader)? = nil, animation: Animation
    ) where Value == Wrapped? {
        self.init(
            wrappedValue: wrappedValue, statement, database: database,
            scheduler: .animation(animation))
    }

    /// Observes the first row of another query, whose changes are animated.
    ///
    /// - Throws: Why there is no value; `CancellationError` when the task is cancelled.
    @discardableResult
    public func load(
        _ statement: some Statement<Value>, database: (any DatabaseReader)? = nil,
        animation: Animation
    ) async throws -> FetchSubscription {
        try await load(statement, database: database, scheduler: .animation(animation))
    }
}

extension Fetch {
    /// Observes what a request fetches; its changes are animated.
    public init(
        wrappedValue: Value, _ request: some FetchKeyRequest<Value>,
        database: (any DatabaseReader)? = nil, animation: Animation
    ) {
        self.init(
            wrappedValue: wrappedValue, request, database: database,
            scheduler: .animation(animation))
    }

    /// Observes another request; its changes are animated.
    ///
    /// - Throws: Why there is no value; `CancellationError` when the task is cancelled.
    @discardableResult
    public func load(
        _ request: some FetchKeyRequest<Value>, database: (any DatabaseReader)? = nil,
        animation: Animation
    ) async throws -> FetchSubscription {
        try await load(request, database: database, scheduler: .animation(animation))
    }
}
#endif
