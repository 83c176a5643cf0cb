// Rotating the key of a database that is open. All accesses wait while every connection of the
// queue or pool is closed, the file is rotated as a closed file is, and the connections are opened
// again. Connections to come run the app's `prepareDatabase` as before; the key that it gives is
// replaced by the new one (`KeyInForce`).

extension DatabaseQueue {
    /// Re-encrypts the open database with another key, while accesses wait.
    ///
    /// It waits for running accesses, closes the connection, rotates the file as
    /// ``DatabaseFile/rotateKey(to:changing:threads:progress:)`` does, and reopens it. Waiting
    /// accesses see no error. If anything fails, the database keeps working with the previous key.
    ///
    /// As long as this object lives, the new key replaces the one that `prepareDatabase` passes to
    /// `usePassphrase` or `useKey`. At its next launch, the app must pass the new key: store it
    /// safely before you call this.
    ///
    /// Functions and pragmas set on the connection outside `prepareDatabase` are lost; observations
    /// and transaction hooks stay.
    ///
    /// - Parameters:
    ///   - newKey: The new key.
    ///   - current: The current key, if it is neither the one that `prepareDatabase` passes nor set
    ///     by an earlier rotation.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: ``DatabaseFileError``: `.inUse` when another connection of this process (another
    ///   queue, a snapshot) or another process has the file open. `DatabaseError`: `SQLITE_MISUSE`
    ///   in memory, `SQLITE_BUSY` when a statement or a transaction is unfinished. ``CipherKeyError``:
    ///   `.notInStore` if a ``KeyStore`` opens the database and does not have the new key.
    @discardableResult
    public func rotateKey(
        to newKey: CipherKey, from current: CipherKey? = nil,
        progress: OperationProgress.Handler? = nil
    ) throws -> RotationReport {
        try run(LiveRotation(configuration, newKey, current, progress))
    }

    package func rotateKeyOfKeyring(
        to newKey: CipherKey, from current: CipherKey, progress: OperationProgress.Handler?
    ) throws -> RotationReport {
        try run(LiveRotation(configuration, newKey, current, progress, isOfKeyring: true))
    }

    package func rotateKey(
        to newKey: CipherKey, from current: CipherKey?, keptBy confirm: @escaping KeyConfirmation,
        progress: OperationProgress.Handler?
    ) throws -> RotationReport {
        let rotation = LiveRotation(configuration, newKey, current, progress)
        rotation.confirm = confirm
        return try run(rotation)
    }

    private func run(_ rotation: LiveRotation) throws -> RotationReport {
        try writer.withoutConnection(
            preparing: rotation.prepare, rotation.run, again: rotation.reopening)
    }
}

extension DatabasePool {
    /// Re-encrypts the open database with another key, while accesses wait.
    ///
    /// It waits for running reads and writes, closes all connections, rotates the file as
    /// ``DatabaseFile/rotateKey(to:changing:threads:progress:)`` does, and reopens it. Waiting
    /// accesses see no error. If anything fails, the database keeps working with the previous key.
    ///
    /// As long as this object lives, the new key replaces the one that `prepareDatabase` passes to
    /// `usePassphrase` or `useKey`. At its next launch, the app must pass the new key: store it
    /// safely before you call this.
    ///
    /// A snapshot keeps the file open: close it first.
    ///
    /// - Parameters:
    ///   - newKey: The new key.
    ///   - current: The current key, if it is neither the one that `prepareDatabase` passes nor set
    ///     by an earlier rotation.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: ``DatabaseFileError``: `.inUse` when another connection of this process (another
    ///   queue, a snapshot) or another process has the file open. `DatabaseError`: `SQLITE_BUSY`
    ///   when a statement is unfinished. ``CipherKeyError``: `.notInStore` if a ``KeyStore`` opens the
    ///   database and does not have the new key.
    @discardableResult
    public func rotateKey(
        to newKey: CipherKey, from current: CipherKey? = nil,
        progress: OperationProgress.Handler? = nil
    ) throws -> RotationReport {
        try run(LiveRotation(configuration, newKey, current, progress))
    }

    package func rotateKeyOfKeyring(
        to newKey: CipherKey, from current: CipherKey, progress: OperationProgress.Handler?
    ) throws -> RotationReport {
        try run(LiveRotation(configuration, newKey, current, progress, isOfKeyring: true))
    }

    package func rotateKey(
        to newKey: CipherKey, from current: CipherKey?, keptBy confirm: @escaping KeyConfirmation,
        progress: OperationProgress.Handler?
    ) throws -> RotationReport {
        let rotation = LiveRotation(configuration, newKey, current, progress)
        rotation.confirm = confirm
        return try run(rotation)
    }

    private func run(_ rotation: LiveRotation) throws -> RotationReport {
        requireNoCurrentRead()
        // Readers wait until the pool knows which file it has then: one that opened a connection
        // before would take the file for another's.
        return try writer.withoutConnection(
            preparing: { database in
                try rotation.prepare(database)
                try readers.beginBarrier { try readers.closeConnections() }
            },
            rotation.run,
            again: {
                var reopening = rotation.reopening()
                reopening?.finish = connections.noteRotation
                return reopening
            }, end: readers.endBarrier)
    }
}

/// One rotation of the key of a queue or a pool.
private final class LiveRotation {
    private let configuration: Configuration
    private let newKey: CipherKey
    private let current: CipherKey?
    private let progress: OperationProgress.Handler?
    /// Whether the database's keyring asks for it.
    private let isOfKeyring: Bool
    /// Refuses the new key if what keeps it has lost it.
    var confirm: KeyConfirmation = {}
    private var path = ""
    private var currentKey: CipherKey?
    /// What the path leads to: the file that was open, then the one that the rotation has left there.
    private var file: ExpectedFile?
    private var hasNewKey = false

    init(
        _ configuration: Configuration, _ newKey: CipherKey, _ current: CipherKey?,
        _ progress: OperationProgress.Handler?, isOfKeyring: Bool = false
    ) {
        self.isOfKeyring = isOfKeyring
        self.configuration = configuration
        self.newKey = newKey
        self.current = current
        self.progress = progress
    }

    /// Refuses what can be refused while all is still open.
    func prepare(_ database: Database) throws {
        let connection = try database.connection()
        guard let file = connection.fileName(schema: "main"), !file.isEmpty else {
            throw DatabaseError(
                code: .SQLITE_MISUSE, message: "a database in memory has no file to rotate")
        }
        guard !configuration.readonly else {
            throw DatabaseError(
                code: .SQLITE_READONLY, message: "the key cannot be changed where writes cannot")
        }
        guard !database.isInsideTransaction else {
            throw DatabaseError(
                code: .SQLITE_BUSY, message: "a transaction is open: end it before the rotation")
        }
        guard let expected = ExpectedFile(of: database) else { throw Database.movedError }
        if let requireKept = database.standing.requireKept {
            try requireKept(newKey)
            let confirm = confirm
            self.confirm = { [newKey] in
                // What wrote the key says best what has become of it.
                try confirm()
                try requireKept(newKey)
            }
        }
        self.file = expected
        path = file
        let inForce = try database.withHandle { handle in
            configuration.keyInForce?.key(for: handle)
        }
        currentKey = try current ?? inForce ?? DatabaseFile.keyOfApp(path, configuration)
    }

    /// Rotates the closed file, and puts the new key in force if it opens the file then.
    func run() throws -> RotationReport {
        let expected = self.file?.identity
        var file = DatabaseFile(path: path, key: currentKey, configuration: configuration)
        file.expectedIdentity = expected
        file.overridesKey = true
        file.isRotatedByKeyring = isOfKeyring
        file.confirmNewKey = confirm
        do {
            let report = try file.rotateKey(to: newKey, progress: progress)
            noteNewKey()
            return report
        } catch {
            // The file may have got its name, and the directory not be brought to the disk.
            file.key = newKey
            if file.opens() { noteNewKey() }
            throw error
        }
    }

    private func noteNewKey() {
        configuration.keyInForce?.set(newKey, forFile: path, isOfKeyring: isOfKeyring)
        file = ExpectedFile(at: path) ?? file
        hasNewKey = true
    }

    /// How the connection is opened afterwards.
    func reopening() -> Reopening? {
        file.map { Reopening(file: $0, key: hasNewKey ? nil : currentKey) }
    }
}
