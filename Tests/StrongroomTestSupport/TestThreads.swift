@preconcurrency import Foundation

/// Threads for tests: a few more than there are processors.
///
/// Tests wait: for other processes, for locks, for the disk. Swift gives tasks as many threads as there
/// are processors, so that one test that waits leaves a processor idle.
final class TestThreads: TaskExecutor {
    static let shared = TestThreads()

    private let jobs = JobQueue()

    private init() {
        // What the tests have said is there, also when a run is ended from outside.
        setvbuf(stdout, nil, _IOLBF, 0)
        for _ in 0..<(ProcessInfo.processInfo.activeProcessorCount + 2) {
            Thread { [jobs] in
                while true {
                    jobs.next().runSynchronously(on: TestThreads.shared.asUnownedTaskExecutor())
                }
            }.start()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.append(UnownedJob(job))
    }
}

/// What is to be done, in the order in which it came.
private final class JobQueue: @unchecked Sendable {
    // Safety: the condition's lock is held by whoever touches the others.
    private let condition = NSCondition()
    private var waiting: [UnownedJob] = []
    /// Those before it are done.
    private var first = 0

    func append(_ job: UnownedJob) {
        condition.withLock { waiting.append(job) }
        condition.signal()
    }

    /// The next job, waited for.
    func next() -> UnownedJob {
        condition.withLock {
            while first == waiting.count {
                waiting.removeAll(keepingCapacity: true)
                first = 0
                condition.wait()
            }
            defer { first += 1 }
            return waiting[first]
        }
    }
}
