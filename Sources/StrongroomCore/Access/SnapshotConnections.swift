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
        let reader = try open(named: name)
        try reader.sync { db in
            guard file == nil || db.fileIdentity == file else { throw Database.movedError }
            try db.hold(snapshot)
        }
        return reader
    }

    /// Opens a connection that holds the state of the file as it is now.
    func openSource() throws -> (holder: SerializedDatabase, snapshot: LogSnapshot) {
        let holder = try open(named: "holder")
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

    private func open(named name: String) throws -> SerializedDatabase {
        var configuration = configuration
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
