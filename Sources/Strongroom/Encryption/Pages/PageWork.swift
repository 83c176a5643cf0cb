internal import Synchronization

/// Work on pages that runs on other threads, while the one that waits for it tells the caller's
/// `progress` how far it is: that closure is the caller's, and stays on his thread.
final class PageWork: Sendable {
    typealias Advance = @Sendable (_ pageCount: Int) throws -> Void

    private struct Stop: Error {}

    private let donePageCount = Atomic(0)
    private let shallStop = Atomic(false)

    private init() {}

    /// - Parameter body: Does the work, and calls what it gets after each few pages; that throws
    ///   when the caller wishes to stop.
    static func run<Result: Sendable>(
        _ meter: ProgressMeter, pageSize: Int,
        _ body: @escaping @Sendable (_ advance: @escaping Advance) throws -> Result
    ) throws -> Result {
        let pages = PageWork()
        let work = BackgroundWork { try body(pages.advance) }
        return try meter.waiting(for: work) {
            Int64(pages.donePageCount.load(ordering: .relaxed)) * Int64(pageSize)
        } stop: {
            pages.shallStop.store(true, ordering: .relaxed)
        }
    }

    @Sendable private func advance(by pageCount: Int) throws {
        if shallStop.load(ordering: .relaxed) { throw Stop() }
        donePageCount.add(pageCount, ordering: .relaxed)
    }
}

extension ProgressMeter {
    /// Waits for work on another thread, and keeps telling the closure how far it is.
    ///
    /// - Parameters:
    ///   - completedByteCount: How far it is.
    ///   - stop: Called when the closure has refused to go on; the work shall end early.
    /// - Throws: What the closure has thrown, else what the work has.
    func waiting<Outcome>(
        for work: BackgroundWork<Outcome>, completedByteCount: () -> Int64, stop: () -> Void
    ) throws -> Outcome {
        let outcome = Result {
            try work.wait {
                guard cancellation == nil else { return }
                do {
                    try advance(to: completedByteCount())
                } catch {
                    stop()
                }
            }
        }
        if let cancellation { throw cancellation }
        return try outcome.get()
    }
}
