internal import Dispatch
internal import Synchronization

/// Permits that are given out in the order in which they are asked for.
///
/// Threads wait blocked, tasks suspended, and functions are called when their turn comes, all in
/// one line. Someone who asks for many permits holds up those behind, so that their turn comes too.
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
        let isAdmitted = state.withLock { state in
            if state.take(count) { return true }
            state.line.append(Waiter(count: count, enter: enter))
            return false
        }
        if isAdmitted { enter() }
    }

    /// Takes permits, when all who came earlier have had theirs; suspends the task meanwhile.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled; no permit is then taken.
    package func waitInTask(_ count: Int = 1) async throws {
        try Task.checkCancellation()
        if takeAtOnce(count) { return }
        let waiter = Waiter(count: count)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if waiter.isCancelled { return .failure(CancellationError()) }
                    if state.take(count) { return .success(()) }
                    waiter.enter = { continuation.resume() }
                    waiter.leave = { continuation.resume(throwing: CancellationError()) }
                    state.line.append(waiter)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            cancel(waiter)
        }
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

    private func cancel(_ waiter: Waiter) {
        let (hasLeft, admitted): (Bool, [Waiter]) = state.withLock { state in
            waiter.isCancelled = true
            // Those behind may have waited for this one only.
            return state.line.remove(waiter) ? (true, state.admit()) : (false, [])
        }
        if hasLeft { waiter.leave() }
        for waiter in admitted { waiter.enter() }
    }
}

extension FairSemaphore.State {
    mutating func take(_ count: Int) -> Bool {
        guard line.isEmpty, available >= count else { return false }
        available -= count
        return true
    }

    /// Lets in those at the head of the line for whom there are permits.
    mutating func admit() -> [Waiter] {
        var admitted: [Waiter] = []
        while let next = line.first, available >= next.count {
            available -= next.count
            line.removeFirst()
            admitted.append(next)
        }
        return admitted
    }
}

// Safety: its variables change only under the semaphore's lock, and are called after it was taken
// out of the line.
private final class Waiter: @unchecked Sendable {
    let count: Int
    var isCancelled = false
    var enter: @Sendable () -> Void
    var leave: @Sendable () -> Void = {}

    init(count: Int, enter: @escaping @Sendable () -> Void = {}) {
        self.count = count
        self.enter = enter
    }
}

/// A queue that one may leave, in which the first is found and removed in constant time.
private struct WaitingLine {
    private var waiters: [Waiter] = []
    private var head = 0

    var isEmpty: Bool { head == waiters.count }

    var first: Waiter? { isEmpty ? nil : waiters[head] }

    mutating func append(_ waiter: Waiter) {
        waiters.append(waiter)
    }

    mutating func removeFirst() {
        head += 1
        guard head * 2 > waiters.count else { return }
        waiters.removeFirst(head)
        head = 0
    }

    mutating func remove(_ waiter: Waiter) -> Bool {
        guard let index = waiters[head...].firstIndex(where: { $0 === waiter }) else {
            return false
        }
        waiters.remove(at: index)
        return true
    }
}
