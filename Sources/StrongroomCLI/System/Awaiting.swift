import Dispatch
import Synchronization

/// Work that suspends, for commands, which do not.
enum Awaiting {
    /// Runs a closure as a task, and waits for it on this thread; whoever interrupts the command cancels it.
    static func result<T: Sendable>(
        _ cancellation: Cancellation, _ body: @escaping @Sendable () async throws -> T
    ) throws -> T {
        let done = DispatchSemaphore(value: 0)
        let box = ResultBox<T>()
        let task = Task.detached {
            do {
                let value = try await body()
                box.value.withLock { $0 = .success(value) }
            } catch {
                box.value.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        try cancellation.onCancel({ task.cancel() }) { done.wait() }
        guard let result = box.value.withLock({ $0 }) else { throw CancellationError() }
        if case .failure(is CancellationError) = result { try cancellation.check() }
        return try result.get()
    }

    private final class ResultBox<T: Sendable>: Sendable {
        let value = Mutex<Result<T, any Error>?>(nil)
    }
}
