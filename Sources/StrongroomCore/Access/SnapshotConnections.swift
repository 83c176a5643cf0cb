/// What opens the connections of a snapshot pool, all to the same file and with the same key.
final class SnapshotConnections: Sendable {
    let path: String
    let configuration: Configuration
    private let sharedKey: SharedKey?
    private let file: FileStatus.Identity?

    init(
        path: String, configuration: Configuration, sharedKey: SharedKey?,
        file: FileStatus.Identity?
    ) {
        self.path = path
        self.configuration = configuration
        self.sharedKey = sharedKey
        self.file = file
    }

    /// What the pool's connections have in common.
    var pool: ObjectIdentifier { ObjectIdentifier(self) }

    private var label: String { configuration.label ?? "DatabaseSnapshotPool" }

    /// Opens a connection that reads a state, which another one must be holding.
    func openReader(named name: String, of snapshot: LogSnapshot) throws -> SerializedDatabase {
        let reader = try open(named: name, isFirst: false)
        try reader.sync { db in
            guard file == nil || db.fileIdentity == file else { throw Database.movedError }
            try db.hold(snapshot)
        }
        return reader
    }

    /// Opens a connection that holds the state of the file as it is now.
    func openSource() throws -> (holder: SerializedDatabase, snapshot: LogSnapshot) {
        let holder = try open(named: "holder", isFirst: true)
        if !configuration.readonly, try holder.sync({ try $0.isLogWithoutCommit() }) {
            let writer = try SerializedDatabase(
                path: path, configuration: configuration, label: "\(label).writer",
                sharedKey: sharedKey)
            try writer.sync { try $0.ensureLogHasCommit() }
        }
        let snapshot = try holder.sync { db in
            try db.beginTransaction(.deferred)
            let snapshot = try LogSnapshot(readBy: db.connection())
            // SQLite reads past a log that is all in the database, and then does not keep it from
            // beginning anew; one who asks for its state does.
            try snapshot.open(on: db.connection())
            return snapshot
        }
        return (holder, snapshot)
    }

    /// Opens all connections of a pool, which begin to read the same state.
    ///
    /// - Parameters:
    ///   - mark: The state that they must read; nil for that of now.
    ///   - lock: Runs a closure while nobody commits.
    /// - Throws: `SQLITE_BUSY_SNAPSHOT` when there was a commit since; what `lock` throws.
    func openTogether(
        at mark: LogMark? = nil, lock: (() throws -> Void) throws -> Void
    ) throws -> HeldTogether {
        let readers = try (1...configuration.maximumReaderCount).map { number in
            let reader = try open(named: "reader.\(number)", isFirst: number == 1)
            try reader.sync { db in
                guard file == nil || db.fileIdentity == file else { throw Database.movedError }
                if number == 1 { try db.requireLog() }
                db.standing.holdsState = true
            }
            return reader
        }
        var held = try begin(readers, at: mark)
        // A writer that commits all the time is made to wait.
        if held == nil { try lock { held = try begin(readers, at: mark) } }
        guard let held else { throw Database.passedStateError }
        return HeldTogether(readers: readers, mark: held)
    }

    /// How often readers begin, before the writer is made to wait: it takes them about a millisecond.
    private static let tries = 20

    /// Has connections begin to read; nil when there were commits all the time.
    private func begin(
        _ readers: [SerializedDatabase], at expected: LogMark?
    ) throws -> LogMark? {
        for _ in 0..<Self.tries {
            let before = readers[0].sync { $0.openHandleMark }
            if let expected, let before, before != expected { throw Database.passedStateError }
            for reader in readers { try reader.sync { try $0.beginLastingRead() } }
            let after = readers[0].sync { $0.openHandleMark }
            if let after, before == after { return after }
            for reader in readers { try reader.sync { try $0.endLastingRead() } }
        }
        return nil
    }

    /// Runs a closure while a connection of its own keeps others from writing.
    func withLock(_ body: () throws -> Void) throws {
        guard !configuration.readonly else { throw Database.passedStateError }
        let writer = try SerializedDatabase(
            path: path, configuration: configuration, label: "\(label).writer", sharedKey: sharedKey
        )
        try writer.sync { db in
            try db.inTransaction(.immediate) {
                try body()
                return .rollback
            }
        }
    }

    /// - Parameter isFirst: Whether no connection of the pool has looked at the log before.
    private func open(named name: String, isFirst: Bool) throws -> SerializedDatabase {
        var configuration = configuration
        configuration.trustsCompanions = configuration.trustsCompanions || !isFirst
        configuration.readonly = true
        configuration.isQueryOnly = true
        // Its transaction lasts as long as the snapshot.
        configuration.allowsUnsafeTransactions = true
        // A checkpoint stands in the way of opening a snapshot, and is soon over.
        if case .immediateError = configuration.busyMode { configuration.busyMode = .timeout(10) }
        return try SerializedDatabase(
            path: path, configuration: configuration, label: "\(label).\(name)", pool: pool,
            sharedKey: sharedKey)
    }
}

/// Connections that read one state, each in a transaction that lasts as long as it.
struct HeldTogether: Sendable {
    let readers: [SerializedDatabase]
    /// The commit that made the state.
    let mark: LogMark
}
