internal import Dispatch
internal import Synchronization

/// A thread of its own for something long, while the one that waits for it can do something else.
///
/// It holds itself until it has ended; who no longer cares for it need not wait.
package final class BackgroundThread<Outcome: Sendable>: Sendable {
    private let outcome = Mutex<Result<Outcome, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    /// The work has failed already where the system gives no more threads: in the caller's own it would
    /// wait for what only the caller can do.
    ///
    /// - Parameter whenDone: Called by the work's thread when ``result`` is there.
    package init(
        _ body: @escaping @Sendable () throws -> Outcome,
        whenDone: @escaping @Sendable () -> Void = {}
    ) {
        let thread = SystemThread { [self] in
            end(Result { try body() })
            whenDone()
        }
        if let thread {
            thread.detach()
        } else {
            end(.failure(ThreadShortage()))
        }
    }

    private func end(_ result: Result<Outcome, any Error>) {
        outcome.withLock { $0 = result }
        isDone.signal()
    }

    /// Nil until it has ended.
    package var result: Result<Outcome, any Error>? { outcome.withLock { $0 } }

    /// Waits for the end, once.
    ///
    /// - Parameter everyMoment: Called on the waiting thread every 25 ms; what it throws ends the
    ///   waiting, but not the work.
    package func wait(_ everyMoment: () throws -> Void = {}) throws -> Outcome {
        while isDone.wait(timeout: .now() + .milliseconds(25)) == .timedOut { try everyMoment() }
        guard let result else { preconditionFailure("The work has ended without a result") }
        return try result.get()
    }
}

/// The system gives no more threads: its limits of processes (`ulimit -u`) or of memory (`ulimit -v`) are
/// reached.
package struct ThreadShortage: Error, CustomStringConvertible {
    package let description = "the system gives no more threads"
}
