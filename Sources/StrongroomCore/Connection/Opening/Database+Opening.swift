extension Database {
    /// The last steps for the app, on a file that the key opens (`ConnectionOpening`).
    func finishOpening(
        at path: String, hasSetSynchronous: Bool
    ) throws(DatabaseError) {
        try configureJournal(at: path, keepsSynchronous: hasSetSynchronous)
        if configuration.isQueryOnly { try setQueryOnly(true) }
        if configuration.observesSuspensionNotifications { try noteLocking() }
        try guardStatements()
        hooks.setInterruption(try connection()) { [signals] in signals.isInterruptionDue }
        standing.isReady = true
        standing.wrongKeyReason = nil
        standing.hasOtherKey = nil
    }

    func configureBusyMode() throws(DatabaseError) {
        let connection = try connection()
        switch configuration.busyMode {
        case .immediateError where configuration.poolLockMilliseconds > 0:
            try withHandle { handle throws(DatabaseError) in
                try handle.setBusyTimeout(milliseconds: configuration.poolLockMilliseconds)
            }
        case .immediateError:
            hooks.setBusyHandler(connection, nil)
        case .timeout(let seconds):
            let milliseconds = CInt(clamping: Int64(min(max(0, seconds), 2_000_000) * 1000))
            try withHandle { handle throws(DatabaseError) in
                try handle.setBusyTimeout(milliseconds: milliseconds)
            }
        case .callback(let callback):
            hooks.setBusyHandler(connection, callback)
        }
    }

    /// - Parameter keepsSynchronous: What the app itself has asked for stays.
    private func configureJournal(
        at path: String, keepsSynchronous: Bool
    ) throws(DatabaseError) {
        guard case .wal = configuration.journalMode, !configuration.readonly else { return }
        let mode = try waitingForOthers { () throws(DatabaseError) in
            try text("PRAGMA journal_mode = WAL")
        }
        guard mode == "wal" else {
            throw DatabaseError(
                code: .SQLITE_ERROR, message: "could not activate WAL Mode at path: \(path)")
        }
        if !keepsSynchronous { try run("PRAGMA synchronous = NORMAL") }
        // The log is there from the start, for connections that may only read.
        try readFirstPage()
        try fillLogOfNewDatabase()
    }

    /// Commits something that changes nothing to the log of a database without a table: who may read
    /// only cannot use a log that is empty. Of one with tables, some earlier commit has seen to it, or
    /// the next one does.
    private func fillLogOfNewDatabase() throws(DatabaseError) {
        let isNew = try withHandle { handle throws(DatabaseError) in
            guard try handle.firstText("SELECT 1 FROM sqlite_master LIMIT 1") == nil else {
                return false
            }
            return handle.rawLog()?.byteCount == 0
        }
        guard isNew else { return }
        do throws(DatabaseError) {
            let version = try text("PRAGMA user_version") ?? "0"
            try run("BEGIN IMMEDIATE; PRAGMA user_version = \(version); COMMIT")
        } catch {
            try? run("ROLLBACK")
            // Another connection that writes fills the log as well.
            guard error.resultCode == .SQLITE_BUSY else { throw error }
        }
    }
}

extension Database {
    /// Says which of the reasons for "file is not a database" it is, as far as can be known.
    func explainUnreadableFile(_ error: DatabaseError) -> DatabaseError {
        let known = try? withHandle { handle throws(DatabaseError) in
            (file: handle.rawFile(), isKeyed: try handle.isKeyed())
        }
        guard let known, let verdict = known.file.flatMap({ try? FileVerdict(of: $0) }) else {
            return error
        }
        let reason =
            Self.reason(isKeyed: known.isKeyed, verdict) ?? standing.wrongKeyReason?()
            ?? Self.unknownReason
        return DatabaseError(
            code: error.extendedResultCode, message: "file is not a database - \(reason)",
            sql: error.sql)
    }

    private static let unknownReason = """
        the key is wrong, the file was encrypted with other settings, or its first page is damaged: try \
        the key that was in use when the file was written
        """

    /// Nil if the file may well be encrypted, and the key does not open it.
    private static func reason(isKeyed: Bool, _ verdict: FileVerdict) -> String? {
        switch verdict.kind {
        case .plaintext where isKeyed:
            return """
                the file is not encrypted, but a key was given: open it without a key, or encrypt it \
                into a new file first (strongroom encrypt)
                """
        case .plaintext, .damagedPlaintext:
            return "the file begins as a database does, but is damaged"
        case .plaintextHeader:
            return """
                the file is encrypted with a plaintext header: give its key, its salt and the size \
                of the header in prepareDatabase
                """
        case .empty, .tooSmall, .encrypted, .unknown: break
        }
        guard verdict.endsWithPage, verdict.byteCount > 0 else {
            return "its size, \(verdict.byteCount) bytes, is that of no database, encrypted or not"
        }
        return isKeyed
            ? nil
            : "the file is encrypted, or no database: give its key in prepareDatabase (usePassphrase)"
    }
}
