internal import StrongroomEssentials

extension DatabaseFile {
    /// Re-encrypts the whole file with another key and a new salt.
    ///
    /// It locks the file exclusively: if any other connection has it open, even in this process, it
    /// throws `.inUse`. It writes a copy next to the file, and verifies each page with the current
    /// key before encrypting it with the new one. It syncs the copy, lets SQLCipher verify it, and
    /// renames it over the file. At every instant, even if the process is killed or the power
    /// fails, the file is complete, and one of the two keys opens it. The next rotation removes the
    /// temporary file of a killed one.
    ///
    /// A process that `/proc` does not show, of another user or another container, does no harm. If
    /// it holds a lock, the file is `.inUse`. If it waits for a lock, or has the file open and
    /// idle, it gets SQLITE_NOTADB at its next access, and cannot write.
    ///
    /// The folder needs as much free space as the file takes. Owner, mode, access control lists and
    /// other extended attributes stay. Links are followed; a file with other names (hard links) is
    /// refused. The blocks of the old file become free, and hold old ciphertext until they are
    /// reused; ``overwritesOldFile`` overwrites them.
    ///
    /// A file with a plaintext header, whose salt the app stores, keeps its salt.
    ///
    /// Cipher settings can change with the key. If the page layout changes, the content is written
    /// row by row and compared, and nothing that SQLite stores is lost. Afterwards, the file needs
    /// the new settings: give them in `configuration`. The current settings are detected if
    /// `configuration` prepares nothing.
    ///
    ///     let key = try CipherKey(contentsOfFile: "app.key")
    ///     let newKey = try CipherKey.generated()
    ///     try newKey.write(toNewFile: "new.key")
    ///     try DatabaseFile(path: "app.db", key: key).rotateKey(to: newKey)
    ///
    /// - Parameters:
    ///   - newKey: The new key; if settings change, it can be the current one.
    ///   - change: The settings to change.
    ///   - threads: How many threads encrypt; by default one for each processor, up to 4.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: ``DatabaseFileError``, for example `.sameKey` if the new key equals the current
    ///   one (to rewrite a file with its key, use ``transfer(to:overwrite:progress:)``), or what
    ///   `progress` throws; the file is then unchanged.
    @discardableResult
    public func rotateKey(
        to newKey: CipherKey, changing change: CipherChange? = nil, threads: Int? = nil,
        progress: OperationProgress.Handler? = nil
    ) throws -> RotationReport {
        try LongOperation.run(progress) { operation in
            let isGiven = change == nil || !configuration.setups.isEmpty
            return try (isGiven ? self : withFoundSettings())
                .rotate(to: newKey, changing: change, threads: threads, operation)
        }
    }

    private func rotate(
        to newKey: CipherKey, changing change: CipherChange?, threads: Int?,
        _ operation: LongOperation
    ) throws -> RotationReport {
        do {
            try operation.begin(.preparing)
            let status = try requireDatabase()
            let identity = status.identity
            guard expectedIdentity == nil || expectedIdentity == identity else {
                throw SystemError("compare", path, number: SystemError.replaced)
            }
            let key = try requireRotation(to: newKey, isChange: change != nil)
            try status.requireSingleName(path)
            try requireNobodyElse(identity, ownDescriptorCount: 0)
            try requireIntactLog()
            let replacement = try FileReplacement(
                of: path, sidecarSuffixes: Self.sidecarSuffixes, fileSystem: fileSystem)
            let removedCount = replacement.removeLeftovers()
            let old = try replacement.openExisting()
            // Closed after the connection: that drops its locks.
            defer { withExtendedLifetime(old) {} }
            let source = try take()
            // Held until the new file has the name. What it does on closing, it does to its own
            // file only.
            defer { try? source.close() }
            guard let old, try isOpen(old, source) else {
                throw SystemError("compare", path, number: SystemError.replaced)
            }
            let pages = try PageRotation(
                of: source, self, key: key, to: newKey, changing: change,
                threads: threads ?? ThreadCount.usual, operation)
            var report = try replace(source, old, identity, by: replacement, operation) {
                temporary in
                if let pages { return try pages.run(temporary) }
                return try copy(source, to: newKey, change, temporary, operation)
            }
            report.removedLeftoverCount = removedCount
            return report
        } catch {
            throw explain(error)
        }
    }

    private func replace(
        _ source: Database, _ old: ReplacedFile, _ identity: FileStatus.Identity,
        by replacement: FileReplacement, _ operation: LongOperation,
        with fill: (FileReplacement.Temporary) throws -> RotationReport
    ) throws -> RotationReport {
        let own = fileSystem.users(of: [identity]).first(where: \.isThisProcess)
        var hadLog = false
        var report: RotationReport
        do {
            report = try replacement.write(
                overwrite: true, check: operation.check, fill: fill
            ) {
                try operation.begin(.finishing)
                // Who has opened the file since waits for a lock: named here, as far as can be seen,
                // and else kept from writing below.
                try requireNobodyElse(identity, ownDescriptorCount: own?.descriptorCount ?? 0)
                try requireDatabase().requireSingleName(path)
                hadLog = try source.leaveLog()
                try confirmNewKey()
            }
        } catch let error as FileReplacement.NotDurable {
            // The old file may come back: it must stay whole.
            throw error
        } catch {
            if hadLog { source.returnToLog() }
            throw error
        }
        old.spoil()
        if overwritesOldFile { report.oldBlocks = old.overwrite() }
        return report
    }

    /// Whether a connection that keeps others from writing has opened a file: its salt alone makes it
    /// the only one of its kind.
    private func isOpen(_ file: ReplacedFile, _ database: Database) throws -> Bool {
        guard let start = try database.withHandle({ $0.rawBytes(count: 4096) }) else {
            return false
        }
        return try file.begins(with: start)
    }

    /// Through SQLite, for settings that the page codec cannot learn.
    private func copy(
        _ source: Database, to newKey: CipherKey, _ change: CipherChange?,
        _ temporary: FileReplacement.Temporary, _ operation: LongOperation
    ) throws -> RotationReport {
        var rotated = self
        rotated.key = newKey
        if let change {
            let old = try source.cipherSettings()
            let salt = try PageRotation.salt(of: source)
            rotated.prepare(with: try change.settings(after: old), salt: salt)
        }
        try requireWrittenPages(source, operation)
        let content = try DatabaseContent(of: source, operation: operation)
        let copy = try source.holdingSnapshot {
            let copying = VerifiedCopy(
                source: source, sourceFile: self, content: content, destination: rotated,
                temporary: temporary, operation: operation, copiesRows: change != nil)
            return try copying.run()
        }
        return RotationReport(
            pageCount: copy.pageCount, pageSize: copy.pageSize, removedLeftoverCount: 0)
    }

    /// Refuses pages of zeros in a file that is taken, whose log is empty.
    private func requireWrittenPages(_ source: Database, _ operation: LongOperation) throws {
        guard let settings = try? source.cipherSettings(),
            let file = try source.withHandle({ $0.rawFile() })
        else { return }
        let pages = PageSource(
            byteCount: file.byteCount, pageSize: settings.pageSize, read: file.read)
        try requireWrittenPages(
            pages, settings: settings, salt: PageRotation.salt(of: source), operation)
    }

    func requireRotation(to newKey: CipherKey, isChange: Bool = false) throws -> CipherKey {
        guard let key else {
            throw DatabaseFileError(
                .keyRequired, path, "\(path) has no key that could be rotated: none was given",
                hint: "give its key; transfer(to:) encrypts a plaintext database")
        }
        try requireNoKeyring()
        if try fileSystem.isReadOnly(path) {
            throw DatabaseFileError(
                .readOnly, path, "\(path) is on a file system that is mounted read-only",
                hint: "transfer(to:) writes a copy with another key elsewhere")
        }
        // On a file that cannot be written, BEGIN EXCLUSIVE succeeds and locks nothing.
        guard fileSystem.mayAccess(path, .writing) else { throw DatabaseFileError.unwritable(path) }
        guard isChange || !key.isSame(as: newKey) else {
            throw DatabaseFileError(
                .sameKey, path, "the new key of \(path) equals the current key",
                hint: "give another key")
        }
        return key
    }

    /// Takes the file, and leaves nothing in its log.
    private func take() throws -> Database {
        let source = try connect(.taking)
        do {
            // A COMMIT would write: SQLite mends a page count of the header that is not the file's.
            try source.run("BEGIN EXCLUSIVE; ROLLBACK")
            guard try !source.connection().isReadOnly else {
                throw DatabaseFileError.unwritable(path)
            }
            if try source.text("PRAGMA journal_mode") == "wal",
                try source.checkpoint(.truncate).walFrameCount != 0
            {
                throw DatabaseError(
                    code: .SQLITE_BUSY, message: "the log could not be moved into the file")
            }
            return source
        } catch {
            try? source.close()
            throw error
        }
    }

    /// Names those who have the file open. Processes of other users and other containers are not
    /// seen: that they do no harm is seen to elsewhere (`ReplacedDatabase`).
    func requireNobodyElse(
        _ identity: FileStatus.Identity, ownDescriptorCount: Int
    ) throws {
        let users = fileSystem.users(of: [identity]).filter {
            !$0.isThisProcess || $0.descriptorCount > ownDescriptorCount
        }
        guard users.isEmpty else { throw DatabaseFileError.inUse(path, by: users) }
    }
}
