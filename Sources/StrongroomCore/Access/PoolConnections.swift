internal import Synchronization

/// What opens the connections of a pool, all to the same file and with the same key.
final class PoolConnections: Sendable {
    private let path: String
    private let configuration: Configuration
    private let label: String
    private let sharedKey: SharedKey?
    /// The file that the writer has opened, and where it was then.
    private let file = Mutex<File?>(nil)
    private let snapshotCount = Atomic(0)
    /// Whether readers run on the queue that the app has named.
    private let readersHaveTarget: Bool

    init(path: String, configuration: Configuration, label: String) {
        self.path = path
        self.configuration = configuration
        let target = configuration.targetQueue
        let isShared = configuration.writeTargetQueue.map { $0 === target } ?? true
        readersHaveTarget = !isShared || target.map(ReaderPool.runsSideBySide) ?? true
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

    private struct File {
        let path: String
        let identity: FileStatus.Identity
    }

    private func noteFile(of writer: Database) {
        let path = try? writer.requireFilePath()
        let identity = writer.fileIdentity
        file.withLock { file in
            file = path.flatMap { path in identity.map { File(path: path, identity: $0) } }
        }
    }

    /// After a rotation: it has made another file of the writer's, with another key.
    func noteRotation(of writer: Database) {
        noteFile(of: writer)
        sharedKey?.forget()
    }

    func openReader(named name: String) throws -> SerializedDatabase {
        try openInSameFile {
            try SerializedDatabase(
                path: path, configuration: readerConfiguration, label: "\(label).\(name)",
                pool: pool, sharedKey: sharedKey)
        }
    }

    func openSnapshot() throws -> DatabaseSnapshot {
        let number = snapshotCount.add(1, ordering: .relaxed).newValue
        var configuration = readerConfiguration
        // Its transaction lasts as long as the snapshot.
        configuration.allowsUnsafeTransactions = true
        return try openInSameFile {
            try DatabaseSnapshot(
                path: path, configuration: configuration, label: "\(label).snapshot.\(number)",
                sharedKey: sharedKey)
        }
    }

    private var readerConfiguration: Configuration {
        var configuration = configuration
        configuration.readonly = true
        configuration.isQueryOnly = true
        configuration.trustsCompanions = true
        if !readersHaveTarget {
            configuration.qos = configuration.readQoS
            configuration.targetQueue = nil
        }
        return configuration
    }

    /// Opens a connection to the writer's file. A file put in its place would make a pool that reads
    /// what it never wrote; with another key, opening it would fail for a reason that misleads.
    private func openInSameFile<Connection>(_ open: () throws -> Connection) throws -> Connection {
        let result = Result { try open() }
        guard let file = file.withLock({ $0 }) else { return try result.get() }
        let identity = try? FileSystem.system.status(file.path).identity
        guard identity == file.identity else { throw Database.movedError }
        return try result.get()
    }
}
