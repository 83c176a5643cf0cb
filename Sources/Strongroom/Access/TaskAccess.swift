internal import Synchronization

/// An access on behalf of a task: what its cancellation has to stop, and when no more.
final class TaskAccess: Sendable {
    private let state = Mutex(State.waiting)
    private let connection: SerializedDatabase

    private enum State {
        case waiting
        case running
        case cancelled
        case ended
    }

    init(_ connection: SerializedDatabase) {
        self.connection = connection
    }

    /// Stops the access; afterwards its statements throw `CancellationError`.
    func cancel() {
        state.withLock { state in
            switch state {
            case .waiting:
                state = .cancelled
            case .running:
                state = .cancelled
                // Under the lock: it must not hit the access that comes next.
                connection.signals.isCancelled = true
                connection.interrupt()
            case .cancelled, .ended:
                break
            }
        }
    }

    /// Runs the access, on its connection's queue.
    ///
    /// - Throws: What `body` throws, and `CancellationError`.
    func run<T>(_ body: () throws -> T) throws -> T {
        try state.withLock { state in
            if state == .cancelled { throw CancellationError() }
            state = .running
        }
        do {
            let result = try body()
            _ = end()
            return result
        } catch let error as DatabaseError where error.isInterruptionError {
            // The end of a transaction that was rolled back by a cancellation.
            throw end() ? CancellationError() : error
        } catch {
            _ = end()
            throw error
        }
    }

    /// - Returns: Whether the access was cancelled.
    private func end() -> Bool {
        state.withLock { state in
            defer { state = .ended }
            guard state == .cancelled else { return false }
            connection.signals.isCancelled = false
            return true
        }
    }
}
