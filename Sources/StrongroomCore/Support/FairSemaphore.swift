internal import Dispatch
internal import Synchronization

/// Permits that are given out in the order in which they are asked for.
///
/// Threads wait blocked, and functions are called when their turn comes, all in one line. Someone
/// who asks for many permits holds up those behind, so that their turn comes too.
///
/// Invariants:
/// 1. A permit belongs to whoever was let in, until it is signalled.
/// 2. While somebody waits, nobody else is let in before.
/// 3. Nobody is woken under the lock.
package final class FairSemaphore: Sendable {
    private let state: Mutex<State>

    fileprivate struct State {
        var available: Int
        var line = WaitingLine()
    }

    package init(permits: Int) {
        state = Mutex(State(available: permits))
    }

    /// Takes permits, when all who came earlier have had theirs; blocks the thread meanwhile.
    package func wait(_ count: Int = 1) {
        if takeAtOnce(count) { return }
        let turn = DispatchSemaphore(value: 0)
        wait(count) { turn.signal() }
        turn.wait()
    }

    /// Takes permits, when all who came earlier have had theirs, and then calls a function: on this
    /// thread, or on that of whoever gives the permits back.
    package func wait(_ count: Int = 1, then enter: @escaping @Sendable () -> Void) {
        if takeOrWait(Waiter(count: count, enter: enter)) { enter() }
    }

    /// Someone in the line, who may leave it.
    package final class Waiter: Sendable {
        let count: Int
        /// Called when the permits are there.
        package let enter: @Sendable () -> Void

        package init(count: Int, enter: @escaping @Sendable () -> Void) {
            self.count = count
            self.enter = enter
        }
    }

    /// Takes permits, if nobody who came earlier waits and there are enough; otherwise puts a
    /// waiter in the line, who is called when its turn comes.
    ///
    /// - Returns: Whether the permits were taken; the waiter is not called then.
    package func takeOrWait(_ waiter: Waiter) -> Bool {
        state.withLock { state in
            if state.take(waiter.count) { return true }
            state.line.append(waiter)
            return false
        }
    }

    /// Takes a waiter out of the line.
    ///
    /// - Returns: Whether it stood there; otherwise it was called, or is being called.
    package func leave(_ waiter: Waiter) -> Bool {
        let (hasLeft, admitted): (Bool, [Waiter]) = state.withLock { state in
            // Those behind may have waited for this one only.
            state.line.remove(waiter) ? (true, state.admit()) : (false, [])
        }
        for waiter in admitted { waiter.enter() }
        return hasLeft
    }

    /// Gives permits back.
    package func signal(_ count: Int = 1) {
        let admitted = state.withLock { state in
            state.available += count
            return state.admit()
        }
        for waiter in admitted { waiter.enter() }
    }

    private func takeAtOnce(_ count: Int) -> Bool {
        state.withLock { $0.take(count) }
    }
}

extension FairSemaphore.State {
    mutating func take(_ count: Int) -> Bool {
        guard line.isEmpty, available >= count else { return false }
        available -= count
        return true
    }

    /// Lets in those at the head of the line for whom there are permits.
    mutating func admit() -> [FairSemaphore.Waiter] {
        var admitted: [FairSemaphore.Waiter] = []
        while let next = line.first, available >= next.count {
            available -= next.count
            line.removeFirst()
            admitted.append(next)
        }
        return admitted
    }
}

/// A queue that one may leave, in which the first is found and removed in constant time.
private struct WaitingLine {
    private var waiters: [FairSemaphore.Waiter] = []
    private var head = 0

    var isEmpty: Bool { head == waiters.count }

    var first: FairSemaphore.Waiter? { isEmpty ? nil : waiters[head] }

    mutating func append(_ waiter: FairSemaphore.Waiter) {
        waiters.append(waiter)
    }

    mutating func removeFirst() {
        head += 1
        guard head * 2 > waiters.count else { return }
        waiters.removeFirst(head)
        head = 0
    }

    mutating func remove(_ waiter: FairSemaphore.Waiter) -> Bool {
        guard let index = waiters[head...].firstIndex(where: { $0 === waiter }) else {
            return false
        }
        waiters.remove(at: index)
        return true
    }
}
