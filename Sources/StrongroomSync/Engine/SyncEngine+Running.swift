internal import StrongroomCore
internal import Synchronization

// Exchanges without being asked.

extension SyncEngine {
    /// How long the engine waits for the hub before it looks again.
    private static let pollInterval = Duration.seconds(30)
    /// How often it looks whether the app has written something.
    private static let localInterval = Duration.seconds(2)

    /// Exchanges from now on, whenever something was written here or may be new in the hub.
    ///
    /// Nothing happens if it does so already. Failures are in ``SyncStatus/lastError``, and are tried again.
    public func start() {
        guard running == nil, !isClosed else { return }
        change { $0.isRunning = true }
        running = Task { [weak self] in
            var failures = 0
            while !Task.isCancelled {
                guard let self else { return }
                do {
                    // What is put while it exchanges is not to wait for the next look.
                    let mark = try? await self.hub.mark(of: [self.logPrefix])
                    try await self.synchronize()
                    failures = 0
                    try await self.rest(since: mark)
                } catch {
                    failures += 1
                    try? await Self.pause(after: failures)
                }
            }
        }
    }

    /// Stops to exchange by itself. What is written meanwhile is sent after the next ``start()``.
    public func stop() async {
        running?.cancel()
        await running?.value
        running = nil
        change { $0.isRunning = false }
    }

    /// Waits longer and longer, up to five minutes.
    private static func pause(after failures: Int) async throws {
        let limit = min(300, Double(1 << min(failures, 9)))
        try await Task.sleep(for: .seconds(Double.random(in: 0.5...1) * limit))
    }

    /// Waits until there may be something to do.
    private func rest(since mark: HubMark?) async throws {
        let (hub, prefix) = (hub, logPrefix)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await hub.wait(for: [prefix], since: mark, atMost: Self.pollInterval)
            }
            group.addTask { [weak self] in
                while try await self?.hasNotes() == false {
                    try await Task.sleep(for: Self.localInterval)
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    private var logPrefix: String { HubName.prefix(of: membership.space) + "log/" }

    private func hasNotes() async throws -> Bool {
        try await writer.read { try Journal.noteCount($0) > 0 }
    }
}

extension SyncEngine: HubMember {
    func exchange() async throws -> Bool {
        guard !isClosed else { return false }
        return try await synchronize() != SyncSummary()
    }
}
