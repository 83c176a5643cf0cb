import Dispatch
import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

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
    func `Whoever leaves the line lets those behind go, and can't leave twice`() {
        let semaphore = FairSemaphore(permits: 2)
        let order = Collected()
        semaphore.wait()
        let impatient = FairSemaphore.Waiter(count: 2) { order.add("impatient") }
        #expect(!semaphore.takeOrWait(impatient))
        semaphore.wait { order.add("behind") }
        #expect(order.texts == [])
        #expect(semaphore.leave(impatient))
        #expect(order.texts == ["behind"])
        #expect(!semaphore.leave(impatient))
        semaphore.signal()
        semaphore.signal()
        semaphore.wait(2)
    }

    @Test
    func `Whoever was let in can't leave any more`() {
        let semaphore = FairSemaphore(permits: 1)
        let isIn = Collected()
        let waiter = FairSemaphore.Waiter(count: 1) { isIn.add("in") }
        semaphore.wait()
        #expect(!semaphore.takeOrWait(waiter))
        semaphore.signal()
        #expect(isIn.texts == ["in"])
        #expect(!semaphore.leave(waiter))
        semaphore.signal()
        #expect(semaphore.takeOrWait(waiter), "who takes the permits at once is not called")
        #expect(isIn.texts == ["in"])
    }

    @Test
    func `Threads and functions share the permits without losing one`() async throws {
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
                        let waiter = FairSemaphore.Waiter(count: count) { gauge.pass(count) }
                        if semaphore.takeOrWait(waiter) { return gauge.pass(count) }
                        if index % 4 == 3 { _ = semaphore.leave(waiter) }
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
