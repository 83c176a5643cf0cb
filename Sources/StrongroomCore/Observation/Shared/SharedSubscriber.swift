internal import Synchronization

/// One observer of a shared observation, and the values in line for it.
final class SharedSubscriber<Element: Sendable>: Sendable {
    typealias Observer = @Sendable (Result<Element, any Error>) -> Void

    private let state: Mutex<State>

    private struct State {
        var line: [Result<Element, any Error>] = []
        var isDelivering = false
        /// nil once cancelled.
        var observer: Observer?
    }

    init(_ observer: @escaping Observer) {
        var state = State()
        state.observer = observer
        self.state = Mutex(state)
    }

    func accept(_ outcome: Result<Element, any Error>) {
        state.withLock { $0.line.append(outcome) }
    }

    func cancel() {
        var last = State()
        state.withLock { state in
            swap(&state.observer, &last.observer)
            swap(&state.line, &last.line)
        }
    }

    /// Calls the observer with all that is in line, unless another thread does.
    func deliver() {
        while true {
            let next: (Result<Element, any Error>, Observer)? = state.withLock { state in
                guard !state.isDelivering, let observer = state.observer, !state.line.isEmpty else {
                    return nil
                }
                state.isDelivering = true
                return (state.line.removeFirst(), observer)
            }
            guard let (outcome, observer) = next else { return }
            observer(outcome)
            state.withLock { $0.isDelivering = false }
        }
    }
}
