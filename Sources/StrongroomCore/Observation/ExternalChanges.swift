#if os(Linux)
internal import Dispatch
internal import StrongroomEssentials
internal import Synchronization

extension DatabaseWriter {
    /// Has observations notice what other processes, and other connections, commit to the file.
    ///
    ///     let external = try dbPool.observeExternalChanges { error in … }
    ///
    /// SQLite tells a connection of its own changes only. This watches the file and its log, asks
    /// SQLite whether another connection has committed, and then tells all observers that anything
    /// may have changed, as `notifyChanges(in: .fullDatabase)` does: what has not is fetched once
    /// in vain. A write of this connection costs one such question more.
    ///
    /// - Parameter onError: Called when the question fails; the next write asks again.
    /// - Returns: What stops it: when it is cancelled, or when it is released.
    /// - Throws: `SQLITE_CANTOPEN` when the database is in no file, or its folder can't be watched.
    public func observeExternalChanges(
        onError: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws -> AnyDatabaseCancellable {
        let changes = ExternalChanges(writer: self, onError: onError)
        try changes.start()
        return AnyDatabaseCancellable { changes.cancel() }
    }
}

/// The commits of other connections to the file of a writer.
///
/// Invariants:
/// 1. After a write to the file the writer asks SQLite for other commits, and asks again as long as
///    somebody else is writing: what is written is seen by others only a moment later.
/// 2. At most one question waits for its turn; a write during the question asks once more.
/// 3. `version` is touched on the executor of the writer only.
// Safety: by the invariants.
private final class ExternalChanges: @unchecked Sendable {
    private let writer: any DatabaseWriter
    private let onError: @Sendable (any Error) -> Void
    private var version: Int?
    private let isAsked = Atomic(false)
    private let watch = Mutex<FolderWatch?>(nil)
    private let isCancelled = Atomic(false)

    init(writer: any DatabaseWriter, onError: @escaping @Sendable (any Error) -> Void) {
        self.writer = writer
        self.onError = onError
    }

    func start() throws {
        let path = try writer.unsafeReentrantWrite { db in
            version = try db.otherCommits().version
            return try db.requireFilePath()
        }
        let file = URL(fileURLWithPath: path)
        let name = file.lastPathComponent
        let folder = file.deletingLastPathComponent().path
        do {
            let folderWatch = try FolderWatch(
                folder: folder, files: [name, "\(name)-wal", "\(name)-journal"]
            ) { [weak self] in self?.ask() }
            watch.withLock { $0 = folderWatch }
        } catch {
            throw DatabaseError(code: .SQLITE_CANTOPEN, message: "\(error)")
        }
        // What was committed between the two.
        ask()
    }

    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        let watch = watch.withLock { watch in
            defer { watch = nil }
            return watch
        }
        _ = watch
    }

    private func ask(delay milliseconds: Int = 1) {
        guard
            isAsked.compareExchange(
                expected: false, desired: true, ordering: .acquiringAndReleasing
            )
            .exchanged
        else { return }
        writer.asyncWriteWithoutTransaction { [weak self] db in
            self?.answer(db, nextDelay: milliseconds)
        }
    }

    private func answer(_ db: Database, nextDelay milliseconds: Int) {
        isAsked.store(false, ordering: .releasing)
        if isCancelled.load(ordering: .acquiring) { return }
        do {
            let commits = try db.otherCommits()
            if let latest = commits.version, latest != version {
                version = latest
                try db.notifyChanges(in: .fullDatabase)
            }
            guard commits.isAnotherWriting else { return }
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                [weak self] in self?.ask(delay: min(milliseconds * 2, 100))
            }
        } catch {
            onError(error)
        }
    }
}
#endif
