extension Database {
    /// Opens a connection and makes it ready for use.
    ///
    /// The order matters: nothing may touch the file before the key is there, and nothing may spill
    /// to disk before temporary storage is bound to memory.
    package static func open(
        path: String, configuration: Configuration, label: String
    ) throws -> Database {
        try open(path: path, configuration: configuration, label: label, sharedKey: nil)
    }

    /// - Parameter sharedKey: Where the connections of a pool find the key derived once for all.
    static func open(
        path: String, configuration: Configuration, label: String, sharedKey: SharedKey?,
        signals: ConnectionSignals = ConnectionSignals()
    ) throws -> Database {
        var flags: ConnectionHandle.OpenFlags = .uri
        flags.formUnion(configuration.readonly ? .readOnly : [.readWrite, .create])
        let database = Database(
            handle: try ConnectionHandle(path: path, flags: flags),
            configuration: configuration, label: label, signals: signals)
        let keyInForce = try database.withHandle { configuration.keyInForce?.key(for: $0) }
        database.keying.begin(
            override: keyInForce, shared: sharedKey,
            seeksSettings: configuration.foundSettings != nil)
        defer { database.keying.end() }
        let wasEmpty = try database.withHandle { handle in handle.rawFileSize() == 0 }
        do {
            try database.configure()
            let asksForSynchronous = try database.hooks.setsPragma(
                "synchronous", database.connection()
            ) {
                for setup in configuration.setups { try setup(database) }
            }
            try database.keepTemporaryStorageInMemory()
            try database.takeSharedKey()
            try database.readSchema()
            try database.configureJournal(path: path, setsSynchronous: !asksForSynchronous)
            if configuration.isQueryOnly { try database.setQueryOnly(true) }
            if configuration.observesSuspensionNotifications { try database.noteLocking() }
        } catch {
            let isUnreadable = (error as? DatabaseError)?.resultCode == .SQLITE_NOTADB
            let hasFoundSettings = try isUnreadable && !wasEmpty && database.findSettings()
            try? database.close()
            // Another connection may have made the file meanwhile, with a salt of its own.
            guard isUnreadable, wasEmpty || hasFoundSettings else { throw error }
            return try open(
                path: path, configuration: configuration, label: label, sharedKey: sharedKey,
                signals: signals)
        }
        try database.guardStatements()
        database.isReady = true
        return database
    }

    /// Sets what needs no key and does not look at the file.
    private func configure() throws(DatabaseError) {
        try keepTemporaryStorageInMemory()
        let configuration = configuration
        try withHandle { handle throws(DatabaseError) in
            try handle.setAcceptsDoubleQuotedStringLiterals(
                configuration.acceptsDoubleQuotedStringLiterals)
            try handle.execute(
                "PRAGMA foreign_keys = \(configuration.foreignKeysEnabled ? "ON" : "OFF")")
        }
        try addBuiltInFunctions()
        try configureBusyMode()
    }

    /// Sorters, temporary tables and the like are written in clear where a build of SQLCipher keeps
    /// them in files (`Documentation/SQLCipher.md`, "Temporary files"). Said again after the app's
    /// own preparation.
    private func keepTemporaryStorageInMemory() throws(DatabaseError) {
        try withHandle { handle throws(DatabaseError) in
            try handle.execute("PRAGMA temp_store = MEMORY")
        }
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

    /// Reads the first page, which proves the key.
    private func readSchema() throws(DatabaseError) {
        do throws(DatabaseError) {
            try countSchemaObjects()
        } catch  where error.resultCode == .SQLITE_NOTADB {
            // The shared key may be out of date, the passphrase not.
            guard try giveUpSharedKey() else { throw explainUnreadableFile(error) }
            try countSchemaObjects()
        }
    }

    private func countSchemaObjects() throws(DatabaseError) {
        try withHandle { handle throws(DatabaseError) in
            _ = try handle.firstText("SELECT COUNT(*) FROM sqlite_master")
        }
    }

    private func noteLocking() throws(DatabaseError) {
        readsTakeNoLock = try withHandle { handle throws(DatabaseError) in
            try handle.firstText("PRAGMA journal_mode") == "wal"
        }
    }

    /// - Parameter setsSynchronous: What the app itself has asked for stays.
    private func configureJournal(path: String, setsSynchronous: Bool) throws(DatabaseError) {
        guard case .wal = configuration.journalMode, !configuration.readonly else { return }
        let mode = try waitingForOthers { () throws(DatabaseError) in
            try withHandle { handle throws(DatabaseError) in
                try handle.firstText("PRAGMA journal_mode = WAL")
            }
        }
        guard mode == "wal" else {
            throw DatabaseError(
                code: .SQLITE_ERROR, message: "could not activate WAL Mode at path: \(path)")
        }
        if setsSynchronous {
            try withHandle { handle throws(DatabaseError) in
                try handle.execute("PRAGMA synchronous = NORMAL")
            }
        }
        // The log is there from the start, for connections that may only read.
        try countSchemaObjects()
    }
}

extension Database {
    /// Says which of the reasons for "file is not a database" it is, as far as can be known.
    private func explainUnreadableFile(_ error: DatabaseError) -> DatabaseError {
        let known = try? withHandle { handle throws(DatabaseError) in
            (file: handle.rawFile(), isKeyed: try handle.isKeyed())
        }
        guard let known, let verdict = known.file.flatMap({ try? FileVerdict(of: $0) }) else {
            return error
        }
        let reason = Self.reason(isKeyed: known.isKeyed, verdict)
        return DatabaseError(
            code: error.extendedResultCode, message: "file is not a database - \(reason)",
            sql: error.sql)
    }

    private static func reason(isKeyed: Bool, _ verdict: FileVerdict) -> String {
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
            ? """
            the key is wrong, the file was encrypted with other settings, or its first page is \
            damaged: try the key that was in use when the file was written
            """
            : "the file is encrypted, or no database: give its key in prepareDatabase (usePassphrase)"
    }
}
