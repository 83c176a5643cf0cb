public import Observation
internal import Synchronization

/// A value of the database as a property to read, of which Swift's `Observation` tells the changes.
///
///     @MainActor @Observable final class Board {
///         let players: ObservedValue<[Player]>
///         var title: String { "\(players.value.count) players" }
///
///         init(_ database: any DatabaseReader) {
///             players = ObservedValue(
///                 initially: [], of: .tracking { db in try Player.fetchAll(db) }, in: database)
///         }
///     }
///
/// Code that reads `value` or `error` inside `withObservationTracking`, such as a view's body, is
/// notified before it changes, on the thread on which values arrive: that of the main actor unless
/// a scheduler names another. Both can also be read elsewhere, but a change between
/// the read and the start of the tracking would be missed there: that is how the framework works.
///
/// The observation goes on as long as this object is held, and keeps the database open. It does not
/// hold the object. Each value that arrives is a change, even one that equals the one before:
/// `ValueObservation.removeDuplicates()` leaves these out.
public final class ObservedValue<Value: Sendable>: Observable, DatabaseCancellable {
    private struct State {
        var value: Value
        var error: (any Error)?
        var isOver = false
        /// What ends the observation: at the latest when this object goes.
        var cancellable: AnyDatabaseCancellable?
    }

    private let registrar = ObservationRegistrar()
    private let state: Mutex<State>

    private init(initially value: Value) {
        state = Mutex(State(value: value))
    }

    /// Observes a value, which changes on the main actor.
    ///
    /// - Parameters:
    ///   - value: What it is before the first value has arrived.
    ///   - observation: What tells the values.
    ///   - reader: The queue, pool or snapshot to observe.
    ///   - scheduler: `.immediate` has the first value arrive before this returns.
    @MainActor public convenience init(
        initially value: Value, of observation: ValueObservation<some ValueReducer<Value>>,
        in reader: any DatabaseReader,
        scheduling scheduler: some ValueObservationMainActorScheduler = .mainActor
    ) {
        self.init(initially: value)
        let cancellable = observation.start(in: reader, scheduling: scheduler) { [weak self] in
            self?.fail($0)
        } onChange: { [weak self] in
            self?.receive($0)
        }
        state.withLock { $0.cancellable = cancellable }
    }

    /// Observes a value, which changes where a scheduler says.
    ///
    /// For programs whose main thread does not run the main queue, such as servers on Linux.
    ///
    /// - Parameters:
    ///   - value: What it is before the first value has arrived.
    ///   - observation: What tells the values.
    ///   - reader: The queue, pool or snapshot to observe.
    ///   - scheduler: Where values arrive, such as `.async(onQueue:)`.
    public convenience init(
        initially value: Value, of observation: ValueObservation<some ValueReducer<Value>>,
        in reader: any DatabaseReader, scheduling scheduler: some ValueObservationScheduler
    ) {
        self.init(initially: value)
        let cancellable = observation.start(in: reader, scheduling: scheduler) { [weak self] in
            self?.fail($0)
        } onChange: { [weak self] in
            self?.receive($0)
        }
        state.withLock { $0.cancellable = cancellable }
    }

    /// The latest value that has arrived; before the first, the one that was given initially.
    public var value: Value {
        registrar.access(self, keyPath: \.value)
        return state.withLock { $0.value }
    }

    /// Why no more values arrive: the last one stays. Nil as long as nothing has failed.
    public var error: (any Error)? {
        registrar.access(self, keyPath: \.error)
        return state.withLock { $0.error }
    }

    /// Ends the observation: from now on neither the value nor the error changes.
    public func cancel() {
        let cancellable = state.withLock { state in
            state.isOver = true
            defer { state.cancellable = nil }
            return state.cancellable
        }
        cancellable?.cancel()
    }

    // Nobody is told, and nothing is let go, under the lock.

    private func receive(_ next: Value) {
        guard !isOver else { return }
        var value = next
        registrar.withMutation(of: self, keyPath: \.value) {
            state.withLock { state in
                if !state.isOver { swap(&state.value, &value) }
            }
        }
    }

    private func fail(_ error: any Error) {
        guard !isOver else { return }
        registrar.withMutation(of: self, keyPath: \.error) {
            state.withLock { state in
                if !state.isOver { state.error = error }
            }
        }
    }

    private var isOver: Bool { state.withLock { $0.isOver } }
}
