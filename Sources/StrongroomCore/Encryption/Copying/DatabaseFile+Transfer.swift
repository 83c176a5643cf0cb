extension DatabaseFile {
    /// Copies the database into a new file with another key, or into plaintext.
    ///
    /// Between plaintext and encrypted files, it copies row by row, with everything that SQLite
    /// stores: row numbers, header settings, the journal mode. A plaintext file keeps its page
    /// size. An encrypted one gets the page size of its cipher settings: 4096 unless the
    /// destination's ``configuration`` sets another. Between two encrypted files, it re-encrypts
    /// the pages with a new salt and the source's cipher settings.
    ///
    /// The new file holds one state of the source, which other connections can keep using. Before
    /// it gets its name, it is synced and verified: readable with its key, every page authentic,
    /// structure, schema, number of rows, and each row if rows were copied. Only its owner can read
    /// it, unless it replaces a file: then it gets that file's owner and mode.
    ///
    /// - Parameters:
    ///   - destination: The path of the copy, with its key and settings.
    ///   - overwrite: Whether to replace an existing file. A file in use is never replaced.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: ``DatabaseFileError``, or what `progress` throws; the destination is then
    ///   unchanged.
    @discardableResult
    public func transfer(
        to destination: DatabaseFile, overwrite: Bool = false,
        progress: OperationProgress.Handler? = nil
    ) throws -> TransferReport {
        try LongOperation.run(progress) { operation in
            try transfer(to: destination, overwrite: overwrite, operation)
        }
    }

    private func transfer(
        to destination: DatabaseFile, overwrite: Bool, _ operation: LongOperation
    ) throws -> TransferReport {
        do {
            try operation.begin(.preparing)
            let status = try requireDatabase()
            try destination.requireFreeName(overwrite: overwrite, source: status)
            // Encrypted or decrypted, the copy takes the place of the source, which then goes.
            if kind(ofTransferTo: destination) != .copied { try requireIntactLog() }
            if let copy = try PageCopy(of: self, to: destination, operation) {
                defer { try? copy.close() }
                let notices = try copy.notices()
                return try copy.refusingCutPages {
                    try write(destination, overwrite: overwrite, operation, notices, with: copy.run)
                }
            }
            let source = try connect(.reading)
            defer { try? source.close() }
            // Elsewhere SQLCipher itself refuses them.
            if key != nil, try source.number("PRAGMA auto_vacuum") > 0 {
                try requireWrittenPages(operation)
            }
            return try source.holdingSnapshot {
                let content = try DatabaseContent(of: source, operation: operation)
                let notices = try noticesOfLog(seenBy: source)
                return try write(
                    destination, overwrite: overwrite, operation, notices
                ) { temporary in
                    let copying = VerifiedCopy(
                        source: source, sourceFile: self, content: content,
                        destination: destination, temporary: temporary, operation: operation)
                    return try copying.run()
                }
            }
        } catch {
            throw explain(error)
        }
    }

    /// Refuses pages of zeros that are in use, where the settings are known.
    private func requireWrittenPages(_ operation: LongOperation) throws {
        let committed: CommittedPages
        do {
            committed = try CommittedPages(of: self)
        } catch let error as DatabaseFileError where error.underlying is CipherSettingsError {
            return
        }
        defer { try? committed.close() }
        try requireWrittenPages(
            committed.pages, settings: committed.settings, salt: committed.key.salt, operation)
    }

    private func write(
        _ destination: DatabaseFile, overwrite: Bool, _ operation: LongOperation,
        _ notices: [String],
        with fill: (FileReplacement.Temporary) throws -> VerifiedCopy.Result
    ) throws -> TransferReport {
        let replacement: FileReplacement
        do {
            replacement = try FileReplacement(
                of: destination.path, sidecarSuffixes: Self.sidecarSuffixes,
                fileSystem: destination.fileSystem)
        } catch {
            throw destination.explain(error)
        }
        replacement.removeLeftovers()
        do {
            var replaced: ReplacedDatabase?
            let copy = try replacement.write(
                overwrite: overwrite, check: operation.check, fill: fill
            ) {
                try operation.begin(.finishing)
                try destination.requireFreeName(overwrite: overwrite, source: nil)
                replaced = try ReplacedDatabase(of: replacement, fileSystem)
            }
            replaced?.spoil()
            return TransferReport(
                kind: kind(ofTransferTo: destination), pageCount: copy.pageCount,
                pageSize: copy.pageSize, tables: copy.tables, virtualTables: copy.virtualTables,
                notices: notices)
        } catch let error as SystemError {
            throw destination.explain(error)
        } catch let error as FileReplacement.NotDurable {
            throw destination.explain(error)
        }
    }

    private func kind(ofTransferTo destination: DatabaseFile) -> TransferReport.Kind {
        switch (key == nil, destination.key == nil) {
        case (true, false): .encrypted
        case (false, true): .decrypted
        default: .copied
        }
    }

    /// Refuses a name under which the new file cannot appear without harm.
    func requireFreeName(overwrite: Bool, source: FileStatus?) throws {
        let present = try? fileSystem.status(path)
        if let present, present.identity == source?.identity {
            throw DatabaseFileError(
                .sameFile, path, "\(path) is the source itself",
                hint: "choose another name; rotateKey(to:) changes the key of an existing file")
        }
        if let present {
            guard overwrite else { throw DatabaseFileError.exists(path) }
            guard present.kind == .file else {
                throw DatabaseFileError(
                    .notAFile, path, "\(path) is not a regular file", hint: "choose another name")
            }
            let users = fileSystem.users(of: [present.identity])
            guard users.isEmpty else { throw DatabaseFileError.inUse(path, by: users) }
            // Tried before the work, and done after it.
            try ReplacedDatabase.tryLock(path, fileSystem)
        }
        if present == nil {
            try requireNoStrayLog()
        } else {
            try requireNoLog()
        }
    }

    /// A log whose database is gone would be taken for the new file's, and may hold the only copy of
    /// changes of that one: it is not overwritten either.
    package func requireNoStrayLog() throws {
        let resolved = (try? fileSystem.resolve(path)) ?? path
        for suffix in ["-wal", "-journal"] where holdsChanges(resolved + suffix, suffix) {
            throw DatabaseFileError(
                .exists, resolved + suffix,
                "\(path)\(suffix) is there without its database, and would be taken for a part of \(path)",
                hint:
                    "it may hold the only copy of a database's last changes: move it away, or choose "
                    + "another name",
                step: DatabaseFileStep.moveLogAway)
        }
    }

    /// A log next to the file that is replaced holds changes of that one, and would be taken for the new
    /// file's.
    ///
    /// - Throws: ``DatabaseFileError``: `.foreignLog` if the key is that of the file, and the log is not
    ///   the file's; else `.inUse`. Nothing is played back.
    package func requireNoLog() throws {
        let resolved = (try? fileSystem.resolve(path)) ?? path
        for suffix in ["-wal", "-journal"] where holdsChanges(resolved + suffix, suffix) {
            try requireOwnLog(resolved)
            throw DatabaseFileError(
                .inUse, path, "\(path)\(suffix) holds changes that are not yet in \(path)",
                hint: "open and close that database once, or remove it with its \(suffix) file",
                step: DatabaseFileStep.emptyLog(suffix))
        }
    }

    /// Refuses a log or a journal of another database, as far as the key can tell it. What else is wrong
    /// with a file that is going to be replaced does not matter.
    private func requireOwnLog(_ resolved: String) throws {
        guard key != nil else { return }
        do {
            let opening = opening(of: resolved, .readOnly, for: .reading)
            let database = try opening.begin()
            defer { try? database.close() }
            try opening.prepare(database)
        } catch {
            guard let error = explainAccess(error) as? DatabaseFileError,
                error.code == .foreignLog
            else { return }
            throw error
        }
    }

    /// A journal whose first byte is zero is one that SQLite has done with.
    /// <https://www.sqlite.org/pragma.html#pragma_journal_mode>
    private func holdsChanges(_ log: String, _ suffix: String) -> Bool {
        guard let status = try? fileSystem.statusIfPresent(log), status.byteCount > 0 else {
            return false
        }
        guard suffix == "-journal", let descriptor = try? fileSystem.openForReading(log) else {
            return true
        }
        defer { fileSystem.close(descriptor) }
        var first: [UInt8] = [0]
        let count = try? first.withUnsafeMutableBytes {
            try fileSystem.readAll(descriptor, $0, at: 0)
        }
        return count != 1 || first[0] != 0
    }
}
