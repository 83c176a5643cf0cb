internal import Dispatch
internal import Synchronization

/// Work that may take long: tells its caller how far it is, and ends early when the caller wishes so.
///
/// 1. With a handler, the work has a thread of its own, and its caller's thread calls the handler:
///    that closure is the caller's, and may be slow. Without one, the caller's thread works.
/// 2. A phase begins when the handler has heard of it, and not at all if it refused.
/// 3. Whatever error the work comes out with after a refusal, the caller gets what the handler threw.
///    Work that could not be stopped any more has its result.
/// 4. After a refusal, what the work said may be interrupted is interrupted, again and again until the
///    work has ended: an interruption that comes just before something starts has no effect on it.
package final class LongOperation: Sendable {
    /// The caller wants no more of it.
    package struct Stopped: Error {}

    /// The work that this thread has a part in, for steps far below that can be left at once.
    package static let ofThisThread = TaskLocal<LongOperation?>(wrappedValue: nil)

    package static var current: LongOperation? { ofThisThread.get() }

    private struct State {
        var progress = OperationProgress(
            phase: .preparing, completedByteCount: 0, totalByteCount: 0)
        /// The handler has not heard of the phase yet.
        var isBeginning = false
    }

    private struct Interruptions {
        var functions: [Int: @Sendable () -> Void] = [:]
        var nextNumber = 0
    }

    private let state = Mutex(State())
    private let shallStop = Atomic(false)
    /// Called with the lock held, so that none is called once the work has taken it back.
    private let interruptions = Mutex(Interruptions())
    /// Signalled by the work, and by the handler that has heard; nil without a handler.
    private let turns: (news: DispatchSemaphore, heard: DispatchSemaphore)?

    /// - Parameter isHeard: Whether somebody is told of phases.
    private init(isHeard: Bool) {
        turns = isHeard ? (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)) : nil
    }

    /// Work of which nobody hears.
    package convenience init() {
        self.init(isHeard: false)
    }
}

// MARK: - For the work

extension LongOperation {
    /// Whether its caller has refused to go on.
    package var isStopped: Bool { shallStop.load(ordering: .relaxed) }

    /// - Throws: ``Stopped``.
    @Sendable package func check() throws {
        if isStopped { throw Stopped() }
    }

    /// Only one thread of the work begins phases.
    package func begin(_ phase: OperationProgress.Phase, totalByteCount: Int64 = 0) throws {
        try check()
        state.withLock {
            $0.progress = OperationProgress(
                phase: phase, completedByteCount: 0, totalByteCount: totalByteCount)
            $0.isBeginning = turns != nil
        }
        if let turns {
            turns.news.signal()
            turns.heard.wait()
        }
        try check()
    }

    package func advance(to completedByteCount: Int64) throws {
        try check()
        state.withLock { $0.progress.completedByteCount = completedByteCount }
    }

    @Sendable package func advance(by byteCount: Int) throws {
        try check()
        state.withLock { $0.progress.completedByteCount += Int64(byteCount) }
    }

    /// Does a part of the work that does not ask whether to stop, but can be interrupted.
    ///
    /// - Parameter interrupt: Called on the thread of the caller of the work, while `body` runs.
    package func interruptible<Result>(
        by interrupt: @escaping @Sendable () -> Void, _ body: () throws -> Result
    ) throws -> Result {
        let number = interruptions.withLock { interruptions in
            interruptions.nextNumber += 1
            interruptions.functions[interruptions.nextNumber] = interrupt
            return interruptions.nextNumber
        }
        defer { interruptions.withLock { $0.functions[number] = nil } }
        try check()
        return try body()
    }

    /// Tells how far work on pages is, by the number of further pages.
    package func advance(pageSize: Int) -> @Sendable (_ pageCount: Int) throws -> Void {
        { [self] in try advance(by: $0 * pageSize) }
    }
}

// MARK: - For its caller

extension LongOperation {
    /// Lets the work end at its next step.
    package func stop() {
        shallStop.store(true, ordering: .relaxed)
    }

    /// Does the work, and tells the handler about it.
    ///
    /// - Throws: What the handler has thrown, else what the work has.
    package static func run<Result: Sendable>(
        _ handler: OperationProgress.Handler?,
        _ body: @escaping @Sendable (LongOperation) throws -> Result
    ) throws -> Result {
        let operation = LongOperation(isHeard: handler != nil)
        guard let handler, let news = operation.turns?.news else { return try body(operation) }
        let work = BackgroundThread(
            { try ofThisThread.withValue(operation) { try body(operation) } },
            whenDone: { news.signal() })
        var refusal: (any Error)?
        while true {
            _ = news.wait(timeout: .now() + .milliseconds(25))
            if let result = work.result {
                if case .failure = result, let refusal { throw refusal }
                return try result.get()
            }
            operation.report(to: handler, &refusal)
        }
    }

    private func report(to handler: OperationProgress.Handler, _ refusal: inout (any Error)?) {
        let (progress, isBeginning) = state.withLock { state in
            defer { state.isBeginning = false }
            return (state.progress, state.isBeginning)
        }
        if refusal == nil {
            do {
                try handler(progress)
            } catch {
                refusal = error
                stop()
            }
        }
        if isBeginning { turns?.heard.signal() }
        guard refusal != nil else { return }
        interruptions.withLock { interruptions in
            for interrupt in interruptions.functions.values { interrupt() }
        }
    }
}
