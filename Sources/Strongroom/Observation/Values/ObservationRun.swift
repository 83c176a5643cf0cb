internal import Dispatch
internal import Synchronization

/// One observer of a value, from its start to its end.
///
/// Invariants:
/// 1. `phase` goes from `starting` to `observing`, between this and `fetching` as often as the
///    database changes, and from wherever it is to `ended`, which it never leaves.
/// 2. At most one fetch is under way. A commit during a concurrent fetch sets `isStale`, and another
///    fetch follows: none is forgotten, several may become one.
/// 3. What is fetched is appended to `fetched` in the order of the states it was fetched from. One
///    thread at a time takes from there, makes values (`isReducing`) and appends them to `ready`;
///    one thread at a time takes from there and calls the observer (`isDelivering`).
/// 4. A failure is the last in `ready`: nothing is fetched after it, and nothing is told after it.
/// 5. Once `cancel()` has set `ended`, no call of the observer begins. One that has begun on another
///    thread may still be in progress.
/// 6. Nobody is called under the lock, and nothing is let go under it.
/// 7. What the writer knows of it is touched on the writer's executor only (`ObservedWatch`).
final class ObservationRun<Reducer: ValueReducer>: Sendable {
    typealias Outcome = Result<Reducer.Value, any Error>

    let observation: ValueObservation<Reducer>
    private let scheduler: any ValueObservationScheduler
    private let schedulesLater: Bool
    private let state: Mutex<State>

    enum Phase {
        case starting
        case observing
        case fetching(isStale: Bool)
        case ended
    }

    private struct State {
        var phase = Phase.starting
        /// nil while values are being made.
        var reducer: Reducer?
        var fetched: [Result<Reducer.Fetched, any Error>] = []
        var ready: [Outcome] = []
        var isReducing = false
        var isDelivering = false
        /// Whether a failure is in `ready`, or was.
        var hasFailed = false
        /// The observer, and what stops the changes coming; nil once it has ended.
        var observer: (@Sendable (Outcome) -> Void)?
        var stop: (@Sendable () -> Void)?
    }

    init(
        _ observation: ValueObservation<Reducer>, scheduler: any ValueObservationScheduler,
        observer: @escaping @Sendable (Outcome) -> Void
    ) {
        self.observation = observation
        self.scheduler = scheduler
        schedulesLater = scheduler is any LateScheduler
        var state = State()
        state.reducer = observation.reducer
        state.observer = observer
        self.state = Mutex(state)
    }

    var schedulerWantsImmediateValue: Bool { scheduler.immediateInitialValue() }

    /// Whether nothing is wanted any more.
    var hasEnded: Bool {
        state.withLock { state in
            if case .ended = state.phase { return true }
            return false
        }
    }

    /// Says what is to be done when it ends; does it at once when it has.
    func onEnd(_ stop: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if case .ended = state.phase { return true }
            state.stop = stop
            return false
        }
        if hasEnded { stop() }
    }

    func cancel() {
        if end() { observation.events.didCancel?() }
    }

    /// - Returns: Whether it had not ended before.
    private func end() -> Bool {
        var last = State()
        let isFirst = state.withLock { state in
            if case .ended = state.phase { return false }
            state.phase = .ended
            swap(&state.observer, &last.observer)
            swap(&state.stop, &last.stop)
            swap(&state.ready, &last.ready)
            swap(&state.fetched, &last.fetched)
            return true
        }
        last.stop?()
        return isFirst
    }
}

// MARK: - Fetching

extension ObservationRun {
    /// Begins the fetch that a commit asks for, unless one is under way, which another will follow.
    ///
    /// - Returns: Whether to fetch.
    func beginFetch() -> Bool {
        state.withLock { state in
            switch state.phase {
            case .starting, .ended:
                return false
            case .observing:
                state.phase = .fetching(isStale: false)
                return true
            case .fetching:
                state.phase = .fetching(isStale: true)
                return false
            }
        }
    }

    /// Ends a fetch, or the start.
    ///
    /// - Returns: Whether to fetch again.
    func endFetch() -> Bool {
        state.withLock { state in
            switch state.phase {
            case .starting, .observing, .fetching(isStale: false):
                state.phase = .observing
                return false
            case .fetching(isStale: true):
                state.phase = .fetching(isStale: false)
                return true
            case .ended:
                return false
            }
        }
    }

    /// Fetches in one transaction, which forbids writes unless they are wanted.
    func fetch(_ db: Database) throws -> Reducer.Fetched {
        if observation.requiresWriteAccess {
            var fetched: Reducer.Fetched?
            try db.inSavepoint {
                fetched = try observation.reducer._fetch(db)
                return .commit
            }
            guard let fetched else { throw Database.abortedTransactionError }
            return fetched
        }
        if db.isInsideTransaction { return try db.readOnly { try observation.reducer._fetch(db) } }
        return try db.isolatedRead { try observation.reducer._fetch($0) }
    }
}

// MARK: - Delivering

extension ObservationRun {
    /// Takes what was fetched, or why it could not be, and makes values of it.
    func receive(_ result: Result<Reducer.Fetched, any Error>) {
        if accept(result) { reduceSoon() }
    }

    /// Makes values on a thread of its own, unless there is nothing to make and nobody to call.
    func reduceSoon() {
        if Reducer._isIdentity, schedulesLater {
            reduceAll()
        } else {
            DispatchQueue.global().async { self.reduceAll() }
        }
    }

    /// Appends what was fetched to the rest.
    ///
    /// - Returns: Whether to call `reduceAll()`, which nobody does at the moment.
    func accept(_ result: Result<Reducer.Fetched, any Error>) -> Bool {
        state.withLock { state in
            if case .ended = state.phase { return false }
            if state.hasFailed { return false }
            state.fetched.append(result)
            defer { state.isReducing = true }
            return !state.isReducing
        }
    }

    /// - Parameter isImmediate: Whether the observer is called before this returns.
    func reduceAll(isImmediate: Bool = false) {
        while let (next, reducer) = takeFetched() {
            var reducer = reducer
            let outcome: Outcome?
            do {
                outcome = try reducer._value(try next.get()).map { .success($0) }
            } catch {
                observation.events.didFail?(error)
                outcome = .failure(error)
            }
            let isWanted = state.withLock { [reducer, outcome] state in
                state.reducer = reducer
                if case .ended = state.phase { return false }
                guard let outcome else { return false }
                if case .failure = outcome {
                    state.hasFailed = true
                    state.fetched = []
                }
                state.ready.append(outcome)
                return true
            }
            guard isWanted else { continue }
            if isImmediate { deliver() } else { scheduler.schedule { self.deliver() } }
        }
    }

    private func takeFetched() -> (Result<Reducer.Fetched, any Error>, Reducer)? {
        state.withLock { state in
            guard let reducer = state.reducer, !state.fetched.isEmpty else {
                state.isReducing = false
                return nil
            }
            state.reducer = nil
            return (state.fetched.removeFirst(), reducer)
        }
    }

    /// Calls the observer with all that is ready: the only function that does.
    private func deliver() {
        while let (outcome, observer) = takeReady() {
            if case .failure = outcome { _ = end() }
            observer(outcome)
            state.withLock { $0.isDelivering = false }
        }
    }

    private func takeReady() -> (Outcome, @Sendable (Outcome) -> Void)? {
        state.withLock { state in
            guard !state.isDelivering, let observer = state.observer, !state.ready.isEmpty else {
                return nil
            }
            state.isDelivering = true
            return (state.ready.removeFirst(), observer)
        }
    }
}
