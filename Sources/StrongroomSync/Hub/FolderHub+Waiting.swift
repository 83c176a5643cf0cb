import StrongroomCore
internal import Synchronization

extension FolderHub {
    /// Waits until something may be new.
    ///
    /// The system reports what this machine's programs write; for what others write, the folder is listed now and then.
    public func wait(
        for prefixes: [String], since mark: HubMark?, atMost limit: Duration
    ) async throws -> Bool {
        for prefix in prefixes { try HubObject.require(prefix, isPrefix: true) }
        let bell = Bell()
        let watches = watches(prefixes) { bell.ring() }
        defer { withExtendedLifetime(watches) {} }
        let before = try await census(prefixes)
        if let mark, mark != Self.mark(before) { return true }
        let end = ContinuousClock.now + limit
        while true {
            let rest = end - .now
            guard rest > .zero else { return false }
            if try await bell.wait(atMost: min(rest, pollInterval)) { return true }
            if try await census(prefixes) != before { return true }
        }
    }

    public func mark(of prefixes: [String]) async throws -> HubMark? {
        for prefix in prefixes { try HubObject.require(prefix, isPrefix: true) }
        return Self.mark(try await census(prefixes))
    }

    private static func mark(_ census: [Census]) -> HubMark {
        HubMark(
            census.map { "\($0.count) \($0.byteCount) \($0.last)" }.joined(separator: ", "))
    }

    #if os(Linux)
    private func watches(
        _ prefixes: [String], _ onChange: @escaping @Sendable () -> Void
    ) -> [FolderWatch] {
        Set(prefixes.map(\.splitAtLastSlash.directory)).compactMap { folder in
            try? FolderWatch(
                folder: path.appendingName(folder), files: nil, onChange: onChange)
        }
    }
    #else
    private func watches(_ prefixes: [String], _ onChange: () -> Void) -> [Int] { [] }
    #endif

    /// What tells a folder from what it was: how many names there are, and the last change.
    private struct Census: Sendable, Equatable {
        var count = 0
        var byteCount: Int64 = 0
        var last: Int64 = 0
    }

    private func census(_ prefixes: [String]) async throws -> [Census] {
        try await run("") { files in
            try prefixes.map { prefix in
                var census = Census()
                let folder = prefix.split(separator: "/").map(String.init)
                let names = prefix.hasSuffix("/") ? folder[...] : folder.dropLast()
                _ = try withFolder(names, files) { folder in
                    try folder.forEachEntry { name, status in
                        // What is put next to the folder is no news of what is in it.
                        guard name != ".", name != "..", !name.hasPrefix(HubFolder.temporaryMark)
                        else { return }
                        census.count += 1
                        census.byteCount += status.byteCount
                        census.last = max(census.last, status.changed)
                    }
                }
                return census
            }
        }
    }
}

/// Wakes a task that waits, once, also if it rang before.
private final class Bell: Sendable {
    private struct State {
        var hasRung = false
        var continuation: CheckedContinuation<Void, Never>?
        var timer: Task<Void, any Error>?
    }

    private let state = Mutex(State())

    func ring() {
        state.withLock { state in
            state.hasRung = true
            return state.continuation.take()
        }?.resume()
    }

    /// - Returns: Whether it rang; otherwise the time is over.
    func wait(atMost limit: Duration) async throws -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.hasRung else { return true }
                    state.continuation = continuation
                    return false
                }
                if isOver { return continuation.resume() }
                let timer = Task {
                    try await Task.sleep(for: limit)
                    giveUp()
                }
                state.withLock { $0.timer = timer }
                // It may have been cancelled before there was anyone to wake.
                if Task.isCancelled { giveUp() }
            }
        } onCancel: {
            giveUp()
        }
        state.withLock { $0.timer.take() }?.cancel()
        try Task.checkCancellation()
        return state.withLock(\.hasRung)
    }

    private func giveUp() {
        state.withLock { $0.continuation.take() }?.resume()
    }
}
