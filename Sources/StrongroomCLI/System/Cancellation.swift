import LibC
import Synchronization

/// The wish to stop, made by Ctrl-C or a signal, and heard by the work at its next step.
///
/// 1. Once made, the wish stays, with the exit code that it was first made with.
/// 2. Whoever wishes again has the actions run again: an interruption that came between two statements
///    stopped nothing.
/// 3. `wakeup` becomes readable with the wish, so that `poll` sees it beside other descriptors.
package final class Cancellation: Sendable {
    private struct State {
        var exitCode: ExitCode?
        var actions: [Int: @Sendable () -> Void] = [:]
        var lastAction = 0
    }

    private let state = Mutex(State())
    private let pipeEnds: (wakeup: Descriptor, trigger: Descriptor)?

    package init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            pipeEnds = nil
            return
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        pipeEnds = (Descriptor(number: ends[0]), Descriptor(number: ends[1]))
    }

    deinit {
        pipeEnds?.wakeup.close()
        pipeEnds?.trigger.close()
    }

    /// Readable from the moment of the wish on; nil if the process had no descriptor left.
    var wakeup: Descriptor? { pipeEnds?.wakeup }

    package var isCancelled: Bool { exitCode != nil }

    /// The code to exit with, once someone wished to stop.
    var exitCode: ExitCode? { state.withLock { $0.exitCode } }

    package func cancel(_ exitCode: ExitCode = .interrupted) {
        let actions = state.withLock { state -> [@Sendable () -> Void] in
            state.exitCode = state.exitCode ?? exitCode
            return Array(state.actions.values)
        }
        for action in actions { action() }
        var byte: UInt8 = 0
        withUnsafeBytes(of: &byte) { try? pipeEnds?.trigger.write($0) }
    }

    /// Throws once someone wished to stop; for progress closures and loops over rows.
    package func check() throws(Failure) {
        if let exitCode { throw Failure(exitCode, "interrupted") }
    }

    /// Runs `body`; while it runs, `action` is called for each wish, on the thread that makes it.
    package func onCancel<Result>(
        _ action: @escaping @Sendable () -> Void, while body: () throws -> Result
    ) throws -> Result {
        let id = state.withLock { state -> Int? in
            guard state.exitCode == nil else { return nil }
            state.lastAction += 1
            state.actions[state.lastAction] = action
            return state.lastAction
        }
        guard let id else { throw Failure(exitCode ?? .interrupted, "interrupted") }
        defer { state.withLock { _ = $0.actions.removeValue(forKey: id) } }
        return try body()
    }
}
