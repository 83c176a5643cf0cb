internal import Dispatch

/// Runs the jobs of tasks on a dispatch queue.
final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(queue: DispatchQueue) {
        self.queue = queue
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// Where a task goes to run a closure on a dispatch queue: it stays the same task, with its
/// task-local values, and the closure need not escape.
actor QueueActor {
    private nonisolated let executor: QueueExecutor

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(queue: DispatchQueue) {
        executor = QueueExecutor(queue: queue)
    }

    func run<T: Sendable>(_ body: @Sendable () throws -> T) rethrows -> T {
        try body()
    }
}
