internal import Synchronization

/// When the values of an observation are told that follow each other quickly.
struct ObservationPace: Sendable {
    enum Kind: Sendable {
        /// One value at most in each interval: the first, and then the latest.
        case throttled
        /// The first value, and then each that no other has followed for an interval.
        case debounced
    }

    /// Makes what keeps the values of one observer.
    let makePacer: @Sendable () -> any ObservationPacer

    init(_ kind: Kind, _ interval: Duration, _ clock: some Clock<Duration>) {
        makePacer = { ClockPacer(kind, interval, clock) }
    }
}

/// What keeps the values of one observer until their time has come.
protocol ObservationPacer: Sendable {
    /// Keeps a value, in place of one that is kept already, unless its time has come.
    ///
    /// - Parameter tell: Called later with the value that is kept then, one call at a time.
    /// - Returns: Whether the value is to be told now.
    func isDue(
        _ value: ObservationSteps.Value,
        later tell: @escaping @Sendable (ObservationSteps.Value) -> Void
    ) -> Bool

    /// Forgets what is kept.
    func cancel()
}

/// Invariants:
/// 1. One task at most waits, from the value that begins an interval until a value has been told and no
///    other is kept: values are told in their order.
/// 2. The first value is always due.
private final class ClockPacer<C: Clock<Duration>>: ObservationPacer {
    typealias Value = ObservationSteps.Value

    private struct State {
        var isFirst = true
        var kept: Value?
        /// When the interval ends, and whether it has.
        var deadline: C.Instant
        var hasEnded = true
        var isWaiting = false
        var task: Task<Void, Never>?
        var isOver = false
    }

    private let kind: ObservationPace.Kind
    private let interval: Duration
    private let clock: C
    private let state: Mutex<State>

    init(_ kind: ObservationPace.Kind, _ interval: Duration, _ clock: C) {
        self.kind = kind
        self.interval = interval
        self.clock = clock
        state = Mutex(State(deadline: clock.now))
    }

    func isDue(_ value: Value, later tell: @escaping @Sendable (Value) -> Void) -> Bool {
        state.withLock { state in
            // Of one that is over, its run says so.
            if state.isOver { return true }
            let isDue = state.isFirst || (kind == .throttled && !state.isWaiting)
            state.isFirst = false
            if !isDue { state.kept = value }
            if kind == .debounced || isDue {
                state.deadline = clock.now.advanced(by: interval)
                state.hasEnded = false
            }
            if !state.isWaiting, kind == .throttled || !isDue {
                state.isWaiting = true
                state.task = Task { await self.tellKept(tell) }
            }
            return isDue
        }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isOver = true
            state.kept = nil
            return state.task
        }
        task?.cancel()
    }

    private func tellKept(_ tell: @Sendable (Value) -> Void) async {
        while let deadline = nextDeadline() {
            do {
                try await clock.sleep(until: deadline, tolerance: nil)
            } catch {
                return
            }
            if let value = takeKept(at: deadline) { tell(value) }
        }
    }

    /// - Returns: nil when no interval is under way, which ends the wait.
    private func nextDeadline() -> C.Instant? {
        state.withLock { state in
            state.isWaiting = !state.hasEnded && !state.isOver
            return state.isWaiting ? state.deadline : nil
        }
    }

    /// - Returns: The value that is kept, unless its time was put off.
    private func takeKept(at deadline: C.Instant) -> Value? {
        state.withLock { state in
            guard state.deadline == deadline else { return nil }
            let value = state.kept
            state.kept = nil
            if kind == .throttled, value != nil {
                state.deadline = clock.now.advanced(by: interval)
            } else {
                state.hasEnded = true
            }
            return value
        }
    }
}
