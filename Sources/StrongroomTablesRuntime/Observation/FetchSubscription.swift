internal import Synchronization

/// A load of a wrapper: ends its observation, and waits for that end.
///
///     @MainActor func watch(_ store: Store) async throws {
///         try await store.$items.load(Item.where(\.isDone)).task
///     }
public struct FetchSubscription: Sendable {
    let attachment: FetchAttachment?

    /// Ends the observation: the value of the wrapper stays.
    ///
    /// It does nothing when another load has followed.
    ///
    ///     @MainActor func freeze(_ store: Store) async throws {
    ///         let subscription = try await store.$items.load(Item.all)
    ///         subscription.cancel()
    ///     }
    public func cancel() { attachment?.end() }

    /// Suspends until the task is cancelled, which ends the observation, or another load follows.
    ///
    /// - Throws: Nothing: the end of the task ends the wait without an error.
    public var task: Void {
        get async throws {
            guard let attachment else { return }
            await attachment.waitForEnd()
            attachment.end()
        }
    }
}

/// A wrapper's part in a shared fetch, which ends once.
final class FetchAttachment: Sendable {
    private struct State {
        var isOver = false
        var leave: (@Sendable () -> Void)?
        var waiting: [AsyncStream<Never>.Continuation] = []
    }

    private let state: Mutex<State>

    init(leave: @escaping @Sendable () -> Void) { state = Mutex(State(leave: leave)) }

    deinit { end() }

    var isOver: Bool { state.withLock { $0.isOver } }

    func end() {
        var last = State()
        state.withLock {
            swap(&$0, &last); $0.isOver = true
        }
        last.leave?()
        for continuation in last.waiting { continuation.finish() }
    }

    func waitForEnd() async {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        let isOver = state.withLock { state in
            if !state.isOver { state.waiting.append(continuation) }
            return state.isOver
        }
        if isOver { return }
        for await _ in stream {}
    }
}
