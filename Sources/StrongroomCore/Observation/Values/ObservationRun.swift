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
///    thread at a time takes from there, makes values (`isMaking`) and appends them to `ready`; one
///    thread at a time takes from there and calls the observer (`isDelivering`).
/// 4. A failure is the last in `ready`: nothing is fetched after it, and nothing is told after it.
/// 5. Once `cancel()` has set `ended`, no call of the observer begins. One that has begun on another
///    thread may still be in progress.
/// 6. Nobody is called under the lock, and nothing is let go under it.
/// 7. What the writer knows of it is touched on the writer's executor only (`ObservedWatch`).
/// 8. It holds the observer, and the function that fetches, until it has ended (`steps`).
/// 9. Values that `pacer` keeps are told by one task, of which it has one at most.
final class ObservationRun: Sendable {
    typealias Fetched = Result<ObservationSteps.Fetched, any Error>

    let tracking: ObservationTracking
    let requiresWriteAccess: Bool
    let events: ObservationEvents
    private let scheduler: any ValueObservationScheduler
    private let pacer: (any ObservationPacer)?
    /// Whether to make a value takes no time and calls nobody, not even by the scheduler.
    private let makesAtOnce: Bool
    private let state: Mutex<State>

    enum Phase {
        case starting
        case observing
        case fetching(isStale: Bool)
        case ended
    }

    private struct State {
        var phase = Phase.starting
        var fetched: [Fetched] = []
        var ready: [Ready] = []
        var isMaking = false
        var isDelivering = false
        /// Whether a failure is in `ready`, or was.
        var hasFailed = false
        /// What is done with values, and what stops the changes coming; nil once it has ended.
        var steps: ObservationSteps?
        var stop: (@Sendable () -> Void)?
    }

    /// What the observer is to be called with.
    private enum Ready {
        case value(ObservationSteps.Value)
        case failure(any Error)
    }

    init<Reducer>(
        _ observation: ValueObservation<Reducer>, scheduler: any ValueObservationScheduler,
        onError: @escaping @Sendable (any Error) -> Void,
        onChange: @escaping @Sendable (Reducer.Value) -> Void
    ) {
        tracking = observation.tracking
        requiresWriteAccess = observation.requiresWriteAccess
        events = observation.events
        self.scheduler = scheduler
        pacer = observation.pace?.makePacer()
        let steps = ObservationSteps(
            observation.reducer, onError: onError, onChange: onChange)
        makesAtOnce = steps.makesAtOnce && scheduler is any LateScheduler
        var state = State()
        state.steps = steps
        self.state = Mutex(state)
    }

    var schedulerWantsImmediateValue: Bool { scheduler.immediateInitialValue() }

    /// What is done with values; nil when nothing is wanted any more.
    var steps: ObservationSteps? { state.withLock { $0.steps } }

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
        if end() { events.didCancel?() }
    }

    /// - Returns: Whether it had not ended before.
    private func end() -> Bool {
        var last = State()
        let isFirst = state.withLock { state in
            if case .ended = state.phase { return false }
            state.phase = .ended
            swap(&state.steps, &last.steps)
            swap(&state.stop, &last.stop)
            swap(&state.ready, &last.ready)
            swap(&state.fetched, &last.fetched)
            return true
        }
        pacer?.cancel()
        last.stop?()
        return isFirst
    }
}

// MARK: - Fetching

extension ObservationRun {
    /// Begins the fetch that a commit asks for, unless one is under way, which another will follow.
    ///
    /// - Returns: How to fetch, if it is to be done.
    func beginFetch() -> ObservationSteps? {
        state.withLock { state in
            switch state.phase {
            case .starting, .ended:
                return nil
            case .observing:
                state.phase = .fetching(isStale: false)
                return state.steps
            case .fetching:
                state.phase = .fetching(isStale: true)
                return nil
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
    func fetch(_ db: Database, _ steps: ObservationSteps) throws -> ObservationSteps.Fetched {
        if requiresWriteAccess {
            var fetched: ObservationSteps.Fetched?
            try db.inSavepoint {
                fetched = try steps.fetch(db)
                return .commit
            }
            guard let fetched else { throw Database.abortedTransactionError }
            return fetched
        }
        if db.isInsideTransaction { return try db.readOnly { try steps.fetch(db) } }
        return try db.isolatedRead(steps.fetch)
    }
}

// MARK: - Delivering

extension ObservationRun {
    /// Takes what was fetched, or why it could not be, and makes values of it.
    func receive(_ result: Fetched) {
        if accept(result) { makeSoon() }
    }

    /// Makes values on a thread of its own, unless there is nothing to make and nobody to call.
    func makeSoon() {
        if makesAtOnce { makeAll() } else { DispatchQueue.global().async { self.makeAll() } }
    }

    /// Appends what was fetched to the rest.
    ///
    /// - Returns: Whether to call `makeAll()`, which nobody does at the moment.
    func accept(_ result: Fetched) -> Bool {
        state.withLock { state in
            if case .ended = state.phase { return false }
            if state.hasFailed { return false }
            state.fetched.append(result)
            defer { state.isMaking = true }
            return !state.isMaking
        }
    }

    /// - Parameter isImmediate: Whether the observer is called with the first value before this
    ///   returns; with others, such as those that it has written itself meanwhile, later.
    func makeAll(isImmediate: Bool = false) {
        var isImmediate = isImmediate
        while let next = takeFetched() {
            let ready: Ready?
            do {
                ready = try next.get().make().map { .value($0) }
            } catch {
                events.didFail?(error)
                ready = .failure(error)
            }
            guard let ready, isDue(ready) else { continue }
            tell(ready, isImmediate: isImmediate)
            isImmediate = false
        }
    }

    /// Whether to tell it now; a value that is not due is told later, or is replaced by another.
    private func isDue(_ ready: Ready) -> Bool {
        guard let pacer, case .value(let value) = ready else { return true }
        return pacer.isDue(value) { value in self.tell(.value(value), isImmediate: false) }
    }

    private func tell(_ ready: Ready, isImmediate: Bool) {
        guard accept(ready) else { return }
        if isImmediate { deliver() } else { scheduler.schedule { self.deliver() } }
    }

    private func takeFetched() -> Fetched? {
        state.withLock { state in
            guard !state.fetched.isEmpty else {
                state.isMaking = false
                return nil
            }
            return state.fetched.removeFirst()
        }
    }

    /// - Returns: Whether the observer still wants it.
    private func accept(_ ready: Ready) -> Bool {
        state.withLock { state in
            if case .ended = state.phase { return false }
            if case .failure = ready {
                state.hasFailed = true
                state.fetched = []
            }
            state.ready.append(ready)
            return true
        }
    }

    /// Calls the observer with all that is ready: the only function that does.
    private func deliver() {
        while let (ready, steps) = takeReady() {
            switch ready {
            case .value(let value): value.tell()
            case .failure(let error):
                _ = end()
                steps.fail(error)
            }
            state.withLock { $0.isDelivering = false }
        }
    }

    private func takeReady() -> (Ready, ObservationSteps)? {
        state.withLock { state in
            guard !state.isDelivering, let steps = state.steps, !state.ready.isEmpty else {
                return nil
            }
            state.isDelivering = true
            return (state.ready.removeFirst(), steps)
        }
    }
}
