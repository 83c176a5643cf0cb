public import Dispatch
public import GRDB
import Synchronization

/// Delivers values on a queue, the first one while the observation starts.
public struct QueueScheduler: ValueObservationScheduler, Hashable {
    public let queue: DispatchQueue

    public init(_ queue: DispatchQueue) { self.queue = queue }

    public static func == (left: QueueScheduler, right: QueueScheduler) -> Bool {
        left.queue === right.queue
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(queue)) }

    public func immediateInitialValue() -> Bool { true }

    public func schedule(_ action: @escaping @Sendable () -> Void) { queue.async(execute: action) }
}

/// A property that follows the database.
@propertyWrapper
public final class Watched<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value
        var error: (any Error)?
        var cancellable: AnyDatabaseCancellable?
    }

    private let state: Mutex<State>
    /// The values from the first one on.
    public let values: AsyncStream<Value>

    public init(
        wrappedValue: Value, _ request: some DatabaseRegionConvertible & Sendable,
        in reader: any DatabaseReader,
        scheduling scheduler: some ValueObservationScheduler & Hashable,
        fetch: @escaping @Sendable (Database) throws -> Value
    ) {
        state = Mutex(State(value: wrappedValue))
        let (values, continuation) = AsyncStream.makeStream(of: Value.self)
        self.values = values
        let observation = ValueObservation.tracking(region: request, fetch: fetch)
        let cancellable = observation.start(in: reader, scheduling: scheduler) {
            [weak self] error in
            self?.state.withLock { $0.error = error }
            continuation.finish()
        } onChange: { [weak self] value in
            self?.state.withLock { $0.value = value }
            continuation.yield(value)
        }
        state.withLock { $0.cancellable = cancellable }
    }

    public var wrappedValue: Value { state.withLock { $0.value } }
    public var projectedValue: Watched { self }
    public var error: (any Error)? { state.withLock { $0.error } }
}

/// One number per table and reader, however many ask for it.
@MainActor public final class Counts {
    private struct Key: Hashable {
        let reader: ObjectIdentifier
        let table: String
        let scheduler: AnyHashable
    }

    private var counts: [Key: Watched<Int>] = [:]

    public init() {}

    public func count(
        of table: String, in reader: any DatabaseReader,
        scheduling scheduler: some ValueObservationScheduler & Hashable
    ) -> Watched<Int> {
        let key = Key(
            reader: ObjectIdentifier(reader), table: table, scheduler: AnyHashable(scheduler))
        if let count = counts[key] { return count }
        let table = Table(table)
        let count = Watched(wrappedValue: 0, table, in: reader, scheduling: scheduler) { db in
            try table.fetchCount(db)
        }
        counts[key] = count
        return count
    }
}
