internal import Dispatch
internal import Synchronization

/// The access of a task to a connection. The task runs its closure here, and stays the same task,
/// with its task-local values; the closure need not escape.
///
/// Invariants:
/// 1. No suspended task holds a permit or a connection. To go on, it would need a thread of the
///    cooperative pool, and accesses that wait for that very permit may block all of them. Permits
///    are taken on the way to the connection's queue, and given back there.
/// 2. The task's job runs once: on the queue of its connection, or, when it is let go without one,
///    on a queue where nothing waits.
/// 3. What is in `held` is given back when the job has run, last things first.
actor TaskAccess: SerialExecutor {
    private nonisolated let state = Mutex(State())
    private nonisolated let enter: @Sendable (TaskAccess) -> Void

    private struct State {
        var phase = Phase.waiting
        /// The line in which the access waits.
        var place: (semaphore: FairSemaphore, waiter: FairSemaphore.Waiter)?
        var held: [@Sendable () -> Void] = []
        var job: UnownedJob?
    }

    private enum Phase {
        case waiting
        /// On the queue of a connection, or let go without one.
        case entered(Result<SerializedDatabase, any Error>)
        case running(SerializedDatabase)
        case cancelled
        case ended
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    private init(entering enter: @escaping @Sendable (TaskAccess) -> Void) {
        self.enter = enter
    }

    /// Runs a closure with a connection.
    ///
    /// - Parameter enter: Called once, on any thread. It waits for permits with `wait`, and then
    ///   calls `start` or `leave`.
    /// - Throws: What `body` throws; `CancellationError` when the task is cancelled, be it in the
    ///   line or at work.
    static func run<T: Sendable>(
        _ body: @Sendable (Database) throws -> T,
        entering enter: @escaping @Sendable (TaskAccess) -> Void
    ) async throws -> T {
        try Task.checkCancellation()
        let access = TaskAccess(entering: enter)
        return try await withTaskCancellationHandler {
            try await access.run(body)
        } onCancel: {
            access.cancel()
        }
    }

    /// Called by the runtime, with the job of the task that calls `run`.
    nonisolated func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.job = job }
        enter(self)
    }

    private func run<T: Sendable>(_ body: @Sendable (Database) throws -> T) throws -> T {
        defer { giveBack() }
        let connection = try begin()
        do {
            let result = try connection.access(body)
            _ = end(connection)
            return result
        } catch let error as DatabaseError where error.isInterruptionError {
            // The end of a transaction that was rolled back by a cancellation.
            throw end(connection) ? CancellationError() : error
        } catch {
            _ = end(connection)
            throw error
        }
    }
}

// MARK: - The way to the connection

extension TaskAccess {
    /// Takes permits when it is their turn, until the access ends, and calls a function then.
    ///
    /// The function is not called when the task is cancelled in the line.
    nonisolated func wait(
        for semaphore: FairSemaphore, _ count: Int = 1, then next: @escaping @Sendable () -> Void
    ) {
        let waiter = FairSemaphore.Waiter(count: count) { [self] in
            hold { semaphore.signal(count) }
            next()
        }
        let isAdmitted = state.withLock { state -> Bool? in
            if case .cancelled = state.phase { return nil }
            if semaphore.takeOrWait(waiter) { return true }
            state.place = (semaphore, waiter)
            return false
        }
        switch isAdmitted {
        case true: waiter.enter()
        case false: break
        case nil: leave(throwing: CancellationError())
        }
    }

    /// Has something done when the access ends.
    nonisolated func hold(_ giveBack: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.place = nil
            state.held.append(giveBack)
        }
    }

    /// Runs the closure with a connection whose turn was taken.
    nonisolated func start(on connection: SerializedDatabase) {
        resume(with: .success(connection), on: connection.queue)
    }

    /// Lets the task go without a connection.
    nonisolated func leave(throwing error: any Error) {
        resume(with: .failure(error), on: Self.exit)
    }

    private static let exit = DispatchQueue(label: "TaskAccess.exit")

    private nonisolated func resume(
        with entry: Result<SerializedDatabase, any Error>, on queue: DispatchQueue
    ) {
        let job = state.withLock { state -> UnownedJob? in
            if case .waiting = state.phase { state.phase = .entered(entry) }
            defer { state.job = nil }
            return state.job
        }
        guard let job else { return }
        queue.async { job.runSynchronously(on: self.unownedExecutor) }
    }

    private nonisolated func giveBack() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for giveBack in held.reversed() { giveBack() }
    }
}

// MARK: - Cancellation

extension TaskAccess {
    /// Stops the access; afterwards its statements throw `CancellationError`.
    private nonisolated func cancel() {
        let place = state.withLock { state in
            switch state.phase {
            case .waiting, .entered:
                state.phase = .cancelled
            case .running(let connection):
                state.phase = .cancelled
                // Under the lock: it must not hit the access that comes next.
                connection.signals.isCancelled = true
                connection.interrupt()
            case .cancelled, .ended:
                break
            }
            defer { state.place = nil }
            return state.place
        }
        if let place, place.semaphore.leave(place.waiter) {
            leave(throwing: CancellationError())
        }
    }

    private nonisolated func begin() throws -> SerializedDatabase {
        try state.withLock { state in
            guard case .entered(let entry) = state.phase else { throw CancellationError() }
            let connection = try entry.get()
            state.phase = .running(connection)
            return connection
        }
    }

    /// - Returns: Whether the access was cancelled.
    private nonisolated func end(_ connection: SerializedDatabase) -> Bool {
        state.withLock { state in
            defer { state.phase = .ended }
            guard case .cancelled = state.phase else { return false }
            connection.signals.isCancelled = false
            return true
        }
    }
}
