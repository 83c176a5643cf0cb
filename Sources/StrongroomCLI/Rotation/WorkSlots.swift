import Dispatch
import StrongroomCore

/// Which of several pieces of work may go on: as many as there are jobs, and others while these wait for the disk.
///
/// 1. No more work at the same time than there are jobs.
/// 2. Who waits for the disk has given its slot away, and takes one again before it goes on.
final class WorkSlots: Sendable {
    /// So many wait for the disk for each that works: a disk brings several to rest in the time of one.
    private static let waitingCount = 3

    private let free: DispatchSemaphore
    /// How many pieces of work to begin.
    let threadCount: Int

    /// - Parameter jobs: A single job waits for the disk by itself.
    init(_ jobs: Int) {
        free = DispatchSemaphore(value: jobs)
        threadCount = jobs > 1 ? jobs * (1 + Self.waitingCount) : 1
    }

    func run<Result>(_ work: () throws -> Result) rethrows -> Result {
        free.wait()
        defer { free.signal() }
        return try work()
    }

    private func waiting<Result>(
        _ work: () throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        free.signal()
        defer { free.wait() }
        return try work()
    }

    /// The calls of a file system, for work that is run here.
    func calls(_ base: FileSystem) -> FileSystem {
        var calls = base
        calls.synchronize = { [self] file throws(SystemError) in
            try waiting { () throws(SystemError) in try base.synchronize(file) }
        }
        calls.inFolder.synchronize = { [self] folder throws(SystemError) in
            try waiting { () throws(SystemError) in try base.inFolder.synchronize(folder) }
        }
        return calls
    }
}
