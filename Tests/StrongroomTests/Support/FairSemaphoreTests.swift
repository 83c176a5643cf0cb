import Dispatch
import Foundation
import StrongroomTestSupport
import Testing

@testable import Strongroom

@Suite struct FairSemaphoreTests {
    @Test
    func `Those who wait are let in in their order, those who want much too`() {
        let semaphore = FairSemaphore(permits: 2)
        let order = Collected()
        semaphore.wait()
        semaphore.wait { order.add("second permit") }
        semaphore.wait(2) { order.add("all") }
        semaphore.wait { order.add("one") }
        #expect(order.texts == ["second permit"])
        semaphore.signal()
        #expect(order.texts == ["second permit"], "one permit does for nobody at the head")
        semaphore.signal()
        #expect(order.texts == ["second permit", "all"])
        semaphore.signal(2)
        #expect(order.texts == ["second permit", "all", "one"])
    }

    @Test
    func `A task that is cancelled leaves the line at once, and lets those behind go`() async {
        let semaphore = FairSemaphore(permits: 2)
        semaphore.wait()
        let task = Task { try await semaphore.waitInTask(2) }
        let order = Collected()
        // Nothing tells from outside that the task stands in the line: enter behind it until it does.
        while order.texts.count == Set(order.texts).count {
            let isBehind = Locked(true)
            semaphore.wait { isBehind.withLock { $0 = false } }
            if isBehind.withLock({ $0 }) { break }
            semaphore.signal()
            await Task.yield()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        semaphore.signal()
        semaphore.signal()
        semaphore.wait(2)
    }

    @Test
    func `A cancelled task does not even enter the line`() async {
        let semaphore = FairSemaphore(permits: 1)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await semaphore.waitInTask()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        semaphore.wait()
    }

    @Test
    func `Threads, tasks and functions share the permits without losing one`() async throws {
        let semaphore = FairSemaphore(permits: 3)
        let gauge = Gauge(semaphore)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<300 {
                let count = index % 3 + 1
                group.addTask {
                    switch index % 4 {
                    case 0:
                        await withCheckedContinuation { done in
                            semaphore.wait(count) {
                                gauge.pass(count)
                                done.resume()
                            }
                        }
                    case 1:
                        await withCheckedContinuation { done in
                            Thread.detachNewThread {
                                semaphore.wait(count)
                                gauge.pass(count)
                                done.resume()
                            }
                        }
                    default:
                        let task = Task {
                            try await semaphore.waitInTask(count)
                            gauge.pass(count)
                        }
                        if index % 4 == 3 { task.cancel() }
                        _ = await task.result
                    }
                }
            }
            try await group.waitForAll()
        }
        let (current, highest, total) = gauge.seen
        #expect(current == 0 && highest <= 3 && total >= 225)
        semaphore.wait(3)
    }
}

/// Counts the permits that are out at once.
private final class Gauge: Sendable {
    private let semaphore: FairSemaphore
    private let state = Locked((current: 0, highest: 0, total: 0))

    init(_ semaphore: FairSemaphore) {
        self.semaphore = semaphore
    }

    var seen: (current: Int, highest: Int, total: Int) { state.withLock { $0 } }

    /// Called with permits, which it gives back.
    func pass(_ count: Int) {
        state.withLock { state in
            state.current += count
            state.total += 1
            state.highest = max(state.highest, state.current)
        }
        state.withLock { $0.current -= count }
        semaphore.signal(count)
    }
}
