internal import Dispatch
internal import Foundation
internal import Synchronization

/// How far long work on a repository has come.
public struct BackupProgress: Sendable {
    /// What the work is busy with.
    public enum Phase: Sendable {
        /// Waiting for another run to end.
        case waiting
        /// Opening, and taking hold of one state.
        case preparing
        /// Reading the database, and storing what has changed.
        case storing
        /// Writing the database anew.
        case restoring
        /// Reading what was written before.
        case verifying
        /// Removing what nobody needs.
        case pruning
        /// Making it last, and giving it its name.
        case finishing
    }

    /// What the work is busy with.
    public var phase: Phase
    /// Bytes done in this phase.
    public var completedByteCount: Int64
    /// All bytes of this phase, 0 if that is not known.
    public var totalByteCount: Int64

    /// The part of the phase that is done, from 0 to 1; `nil` if it is not known.
    public var fractionCompleted: Double? {
        guard totalByteCount > 0 else { return nil }
        return min(1, Double(completedByteCount) / Double(totalByteCount))
    }

    /// Called on the caller's thread, often enough to stop the work.
    ///
    /// What it throws ends the work, and is rethrown.
    public typealias Handler = (BackupProgress) throws -> Void
}

/// What threads that work, and the one that waits for them, tell each other.
final class Work: Sendable {
    /// The caller wants no more of it.
    struct Stopped: Error {}

    private let state = Mutex(
        BackupProgress(phase: .preparing, completedByteCount: 0, totalByteCount: 0))
    private let shallStop = Atomic(false)

    func begin(_ phase: BackupProgress.Phase, byteCount: Int64 = 0) throws {
        try check()
        state.withLock {
            $0 = BackupProgress(
                phase: phase, completedByteCount: 0, totalByteCount: byteCount)
        }
    }

    @Sendable func advance(by byteCount: Int) throws {
        try check()
        state.withLock { $0.completedByteCount += Int64(byteCount) }
    }

    func check() throws {
        if shallStop.load(ordering: .relaxed) { throw Stopped() }
    }

    /// Works on another thread, so that the caller's closure stays on his.
    static func run<Result: Sendable>(
        _ handler: BackupProgress.Handler?, _ body: @escaping @Sendable (Work) throws -> Result
    ) throws -> Result {
        let work = Work()
        guard let handler else { return try body(work) }
        let outcome = Mutex<Swift.Result<Result, any Error>?>(nil)
        let box = Box(outcome)
        let isDone = DispatchSemaphore(value: 0)
        var refusal: (any Error)?
        func report() {
            guard refusal == nil else { return }
            do {
                try handler(work.state.withLock { $0 })
            } catch {
                refusal = error
                work.shallStop.store(true, ordering: .relaxed)
            }
        }
        report()
        Thread.detachNewThread {
            let result = Swift.Result { try body(work) }
            box.outcome.withLock { $0 = result }
            isDone.signal()
        }
        while isDone.wait(timeout: .now() + .milliseconds(25)) == .timedOut { report() }
        guard let result = box.outcome.withLock({ $0 }) else { throw Stopped() }
        if case .failure = result, let refusal { throw refusal }
        return try result.get()
    }

    private final class Box<Value: Sendable>: Sendable {
        let outcome: Mutex<Value?>

        init(_ outcome: consuming Mutex<Value?>) {
            self.outcome = outcome
        }
    }
}
