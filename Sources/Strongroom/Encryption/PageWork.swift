internal import Foundation
internal import Synchronization

/// Work on pages that runs on other threads, while the one that waits for it tells the caller's
/// `progress` how far it is: that closure is the caller's, and stays on his thread.
final class PageWork: Sendable {
    typealias Advance = @Sendable (_ pageCount: Int) throws -> Void

    private struct Stop: Error {}

    private let donePageCount = Atomic(0)
    private let shallStop = Atomic(false)
    private let isDone = DispatchSemaphore(value: 0)

    private init() {}

    /// - Parameter body: Does the work, and calls what it gets after each few pages; that throws
    ///   when the caller wishes to stop.
    static func run<Result: Sendable>(
        _ meter: ProgressMeter, pageSize: Int,
        _ body: @escaping @Sendable (_ advance: @escaping Advance) throws -> Result
    ) throws -> Result {
        let work = PageWork()
        let box = Box<Result>()
        Thread.detachNewThread {
            let outcome = Swift.Result { try body(work.advance) }
            box.result.withLock { $0 = outcome }
            work.isDone.signal()
        }
        work.wait(meter, pageSize)
        if let cancellation = meter.cancellation { throw cancellation }
        guard let outcome = box.result.withLock({ $0 }) else {
            preconditionFailure("The work has ended without a result")
        }
        return try outcome.get()
    }

    private final class Box<Value: Sendable>: Sendable {
        let result = Mutex<Swift.Result<Value, any Error>?>(nil)
    }

    @Sendable private func advance(by pageCount: Int) throws {
        if shallStop.load(ordering: .relaxed) { throw Stop() }
        donePageCount.add(pageCount, ordering: .relaxed)
    }

    private func wait(_ meter: ProgressMeter, _ pageSize: Int) {
        while isDone.wait(timeout: .now() + .milliseconds(25)) == .timedOut {
            guard meter.cancellation == nil else { continue }
            do {
                try meter.advance(
                    to: Int64(donePageCount.load(ordering: .relaxed)) * Int64(pageSize))
            } catch {
                shallStop.store(true, ordering: .relaxed)
            }
        }
    }
}
