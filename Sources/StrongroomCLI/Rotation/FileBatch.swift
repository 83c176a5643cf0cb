import Dispatch
import StrongroomCore
import Synchronization

/// Does something with many files, some at once; what becomes of one does not concern the others.
final class FileBatch<Outcome: Sendable>: Sendable {
    /// What is done with the file of a number; it says how many of the file's bytes are done.
    typealias Work =
        @Sendable (_ index: Int, _ note: @escaping @Sendable (Int64) -> Void) -> Outcome

    private let files: [String]
    private let threadCount: Int
    private let slots: WorkSlots
    private let cancellation: Cancellation
    private let work: Work
    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)

    private struct State {
        var nextFile = 0
        var results: [(index: Int, outcome: Outcome)] = []
        var runningJobs = 0
        /// Bytes of files that are done, and of each that is at work.
        var doneByteCount: Int64 = 0
        var partByteCounts: [Int: Int64] = [:]
    }

    /// So many at the same time; each has its slot as long as it lasts.
    convenience init(
        _ files: [String], jobs: Int, cancellation: Cancellation, work: @escaping Work
    ) {
        let jobs = max(1, jobs)
        self.init(
            files, slots: WorkSlots(jobs), threads: jobs, cancellation: cancellation, work: work)
    }

    /// More at the same time than there are slots: they use ``WorkSlots/calls(_:)``.
    convenience init(
        _ files: [String], slots: WorkSlots, cancellation: Cancellation, work: @escaping Work
    ) {
        self.init(
            files, slots: slots, threads: slots.threadCount, cancellation: cancellation,
            work: work)
    }

    private init(
        _ files: [String], slots: WorkSlots, threads: Int, cancellation: Cancellation,
        work: @escaping Work
    ) {
        self.files = files
        self.slots = slots
        threadCount = threads
        self.cancellation = cancellation
        self.work = work
    }

    /// Calls closures on this thread: with each result, and with how far all is.
    ///
    /// - Parameter inOrder: Whether results come in the order of the files, and not as they are there.
    /// - Returns: When all is done, or somebody wished to stop and what was begun has ended.
    func run(
        inOrder: Bool = false, each: (_ index: Int, Outcome) throws -> Void,
        progress: (_ done: Int64, _ total: Int64, _ files: Int) -> Void
    ) throws {
        let total = files.reduce(0) { $0 + RotationTargets.byteCount($1) }
        progress(0, total, 0)
        try cancellation.check()
        let workers = min(threadCount, files.count)
        state.withLock { $0.runningJobs = workers }
        for _ in 0..<workers { SystemThread.run { self.runJob() } }
        var reported = 0
        var waiting: [Int: Outcome] = [:]
        var error: (any Error)?
        func report(_ index: Int, _ outcome: Outcome) {
            do { try each(index, outcome) } catch let failed { error = error ?? failed }
            reported += 1
        }
        while true {
            _ = news.wait(timeout: .now() + .milliseconds(50))
            let (results, isDone, done) = state.withLock { state in
                let parts = state.partByteCounts.values.reduce(0, +)
                defer { state.results = [] }
                return (state.results, state.runningJobs == 0, state.doneByteCount + parts)
            }
            for (index, outcome) in results {
                if inOrder { waiting[index] = outcome } else { report(index, outcome) }
            }
            while let outcome = waiting.removeValue(forKey: reported) { report(reported, outcome) }
            if isDone { break }
            progress(done, total, reported)
        }
        if let error { throw error }
        try cancellation.check()
    }

    private func runJob() {
        while !cancellation.isCancelled, let index = takeFile() {
            let outcome = slots.run {
                work(index) { byteCount in
                    self.state.withLock { $0.partByteCounts[index] = byteCount }
                }
            }
            state.withLock { state in
                state.results.append((index, outcome))
                state.partByteCounts[index] = nil
                state.doneByteCount += RotationTargets.byteCount(files[index])
            }
            news.signal()
        }
        state.withLock { $0.runningJobs -= 1 }
        news.signal()
    }

    private func takeFile() -> Int? {
        state.withLock { state in
            guard state.nextFile < files.count else { return nil }
            defer { state.nextFile += 1 }
            return state.nextFile
        }
    }
}
