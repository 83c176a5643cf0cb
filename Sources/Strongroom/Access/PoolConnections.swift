internal import Synchronization

/// What opens the connections of a pool, all to the same file and with the same key.
final class PoolConnections: Sendable {
    private let path: String
    private let configuration: Configuration
    private let label: String
    private let sharedKey: SharedKey?
    /// The file that the writer has opened.
    private let file = Mutex<FileStatus.Identity?>(nil)
    private let snapshotCount = Atomic(0)

    init(path: String, configuration: Configuration, label: String) {
        self.path = path
        self.configuration = configuration
        self.label = label
        sharedKey = configuration.sharesDerivedKey ? SharedKey() : nil
    }

    /// What the pool's connections have in common.
    var pool: ObjectIdentifier { ObjectIdentifier(self) }

    func openWriter() throws -> SerializedDatabase {
        var configuration = configuration
        if !configuration.readonly { configuration.journalMode = .wal }
        configuration.poolLockMilliseconds = 100
        let writer = try SerializedDatabase(
            path: path, configuration: configuration, label: "\(label).writer", pool: pool,
            sharedKey: sharedKey)
        writer.sync { noteFile(of: $0) }
        return writer
    }

    private func noteFile(of writer: Database) {
        let identity = writer.fileIdentity
        file.withLock { $0 = identity }
    }

    /// After a rotation: it has made another file of the writer's, with another key.
    func noteRotation(of writer: Database) {
        noteFile(of: writer)
        sharedKey?.forget()
    }

    func openReader(named name: String) throws -> SerializedDatabase {
        let reader = try SerializedDatabase(
            path: path, configuration: readerConfiguration, label: "\(label).\(name)", pool: pool,
            sharedKey: sharedKey)
        try requireSameFile(reader)
        return reader
    }

    func openSnapshot() throws -> DatabaseSnapshot {
        let number = snapshotCount.add(1, ordering: .relaxed).newValue
        var configuration = readerConfiguration
        // Its transaction lasts as long as the snapshot.
        configuration.allowsUnsafeTransactions = true
        let snapshot = try DatabaseSnapshot(
            path: path, configuration: configuration, label: "\(label).snapshot.\(number)",
            sharedKey: sharedKey)
        try requireSameFile(snapshot.reader)
        return snapshot
    }

    private var readerConfiguration: Configuration {
        var configuration = configuration
        configuration.readonly = true
        configuration.isQueryOnly = true
        return configuration
    }

    /// A file put in the place of the writer's would make a pool that reads what it never wrote.
    private func requireSameFile(_ connection: SerializedDatabase) throws(DatabaseError) {
        let identity = connection.sync { $0.fileIdentity }
        guard identity == file.withLock({ $0 }) else { throw Self.movedError }
    }

    static var movedError: DatabaseError {
        DatabaseError(
            code: .SQLITE_READONLY_DBMOVED,
            message: """
                another file has taken the place of the database since it was opened: close it, \
                and open it again
                """)
    }
}
