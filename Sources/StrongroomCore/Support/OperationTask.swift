internal import Synchronization

/// Long work that has begun on its own thread: await it, follow its progress, or cancel it.
///
/// The methods that begin with `start` make one. No thread of Swift's tasks is blocked meanwhile, so an
/// actor goes on with its other work.
///
///     let rotation = dbPool.startRotation(to: newKey)
///     for await progress in rotation.progress {
///         print(progress.phase.rawValue, progress.fractionCompleted ?? 0)
///     }
///     try await rotation.value
public final class OperationTask<Success: Sendable>: Sendable {
    // 1. The work runs once, whether its result is asked for or not.
    // 2. Whoever waits for the result waits until the work has really ended, also after a cancellation:
    //    nothing goes on behind the caller's back.

    private enum State {
        case running([CheckedContinuation<Success, any Error>])
        case ended(Result<Success, any Error>)
    }

    /// How far the work is. The sequence ends with the work.
    ///
    /// It can be iterated once. A reader that is too slow misses steps, not the end.
    public let progress: AsyncStream<OperationProgress>

    private let steps: AsyncStream<OperationProgress>.Continuation
    private let state = Mutex<State>(.running([]))
    private let isCancelled = Atomic(false)

    /// Begins the work.
    ///
    /// - Parameter work: Calls its handler as long operations do. What the handler throws ends it.
    package init(
        _ work: @escaping @Sendable (@escaping OperationProgress.Handler) throws -> Success
    ) {
        (progress, steps) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(100))
        let thread = BackgroundThread { [self] in
            end(Result { try work(note) })
        }
        // The system gave no thread.
        if case .failure(let error) = thread.result { end(.failure(error)) }
    }

    private func note(_ step: OperationProgress) throws {
        if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
        steps.yield(step)
    }

    private func end(_ result: Result<Success, any Error>) {
        let waiting = state.withLock { state -> [CheckedContinuation<Success, any Error>] in
            guard case .running(let waiting) = state else { return [] }
            state = .ended(result)
            return waiting
        }
        steps.finish()
        for continuation in waiting { continuation.resume(with: result) }
    }

    /// The result, when the work has ended.
    ///
    /// If the task that waits is cancelled, so is the work.
    ///
    /// - Throws: What the method without `start` throws; `CancellationError` if the work was cancelled in
    ///   time. Work that can no longer be stopped has its result.
    public var value: Success {
        get async throws {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let result = state.withLock { state -> Result<Success, any Error>? in
                        switch state {
                        case .ended(let result): return result
                        case .running(let waiting):
                            state = .running(waiting + [continuation])
                            return nil
                        }
                    }
                    if let result { continuation.resume(with: result) }
                }
            } onCancel: {
                cancel()
            }
        }
    }

    /// Asks the work to end at its next step.
    ///
    /// What was not finished has not happened: the database, the copy or the repository is as it was before.
    public func cancel() {
        isCancelled.store(true, ordering: .relaxed)
    }
}
