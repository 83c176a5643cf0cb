internal import Synchronization

/// Where an engine says how it stands, and who is told.
final class StatusBoard: Sendable {
    private struct State {
        var status: SyncStatus
        var readers: [Int: AsyncStream<SyncStatus>.Continuation] = [:]
        var nextReader = 0
    }

    private let state: Mutex<State>

    init(_ status: SyncStatus) {
        state = Mutex(State(status: status))
    }

    deinit {
        state.withLock { state in
            for reader in state.readers.values { reader.finish() }
        }
    }

    var status: SyncStatus { state.withLock { $0.status } }

    func change(_ body: (inout SyncStatus) -> Void) {
        state.withLock { state in
            let old = state.status
            body(&state.status)
            guard state.status != old else { return }
            for reader in state.readers.values { reader.yield(state.status) }
        }
    }

    /// The status now, and whenever it changes.
    var statuses: AsyncStream<SyncStatus> {
        AsyncStream { continuation in
            let number = state.withLock { state in
                defer { state.nextReader += 1 }
                state.readers[state.nextReader] = continuation
                continuation.yield(state.status)
                return state.nextReader
            }
            continuation.onTermination = { [weak self] _ in
                self?.remove(number)
            }
        }
    }

    private func remove(_ number: Int) {
        // Whoever is removed may end, and come back here.
        let reader = state.withLock { $0.readers.removeValue(forKey: number) }
        _ = reader
    }
}
