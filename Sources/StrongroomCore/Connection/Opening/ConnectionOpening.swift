/// How a connection comes to be: one sequence, whoever opens it and whatever for.
///
/// 1. SQLite opens the file, without a look at it; temporary storage is in memory from here on.
/// 2. Settings that the app may change.
/// 3. The key, before anything touches the file.
/// 4. The app's own preparation.
/// 5. Safeguards, which the preparation may have undone.
/// 6. For a whole file, what the purpose needs; SQLite refuses the rest from here on.
/// 7. A log or journal that lies there is authenticated, and the key proved: the first page is read.
/// 8. For the app, the journal, and the rules of what SQLite refuses.
///
/// ``begin()`` is the first step, ``prepare(_:)`` goes up to the proof, and ``open()`` takes them all.
package struct ConnectionOpening {
    /// What a connection is for.
    package enum Purpose {
        /// The app's accesses, in queues, pools and snapshots.
        case app
        /// Reads a file that others may be using, and leaves no trace.
        case reading
        /// Keeps writers out for a moment, and changes nothing.
        case keepingOut
        /// Takes the file for itself.
        case taking
        /// Fills a new file that nobody else knows of.
        case filling
        /// Reads back a new file that nobody else knows of.
        case verifying
        /// Learns which key and settings the app's preparation gives. The file is not read.
        case learning
    }

    let path: String
    var flags: ConnectionHandle.OpenFlags
    let purpose: Purpose
    let configuration: Configuration
    let label: String

    /// The key, where it is not the app's preparation that gives it.
    package var giveKey: ((Database) throws -> Void)?
    /// Takes the place of every key that is given.
    package var override: CipherKey?
    /// Who wants to know the key that is given.
    package var note: KeyNote?
    /// Whether virtual tables can be opened on a connection for a whole file.
    package var runsModules = false
    /// Whether a preparation that fails is passed over.
    package var toleratesFailures = false
    /// Where the connections of a pool find the key derived once for all.
    package var sharedKey: SharedKey?
    /// The file that it has to be, if the queue or pool had it open before.
    var expected: ExpectedFile?
    /// What other threads ask of the connection.
    var signals = ConnectionSignals()

    package init(
        _ path: String, _ flags: ConnectionHandle.OpenFlags, for purpose: Purpose,
        _ configuration: Configuration, label: String
    ) {
        self.path = path
        self.flags = flags
        self.purpose = purpose
        self.configuration = configuration
        self.label = label
    }

    /// The connection of a queue or pool.
    init(ofApp path: String, _ configuration: Configuration, label: String) {
        var flags: ConnectionHandle.OpenFlags = .uri
        flags.formUnion(configuration.readonly ? .readOnly : [.readWrite, .create])
        self.init(path, flags, for: .app, configuration, label: label)
    }

    /// A connection that is ready for use, and whose key is the right one.
    package func open() throws -> Database {
        try ProcessEnd.use { () throws in try opened() }
    }

    private func opened() throws -> Database {
        let isNew = isForApp && configuration.requiresEncryption && isMissing
        do {
            return try openedGuarded()
        } catch {
            if isNew, (error as? DatabaseError)?.isOfMissingKey == true { removeIfEmpty() }
            guard isForApp, let error = error as? DatabaseError else { throw error }
            throw error.naming(path)
        }
    }

    private func openedGuarded() throws -> Database {
        let database = try begin()
        defer { database.hooks.hidesStatements = false }
        let wasEmpty = try database.withHandle { handle in handle.rawFileSize() == 0 }
        if isForApp { try database.refuseWritesWithoutKey(at: path) }
        let note = configuration.foundSettings == nil ? nil : KeyNote()
        do {
            try makePrivate(database, wasEmpty: wasEmpty)
            let hasSetSynchronous = try noting(in: note).prepare(database)
            if database.standing.needsKeyToWrite { try database.requireKeyToWrite() }
            try prove(database)
            if isForApp {
                try database.finishOpening(at: path, hasSetSynchronous: hasSetSynchronous)
                try database.makeTriggers(isUpToDate: false)
            }
        } catch {
            database.keying.end()
            let isUnreadable = (error as? DatabaseError)?.resultCode == .SQLITE_NOTADB
            let hasFoundSettings =
                isUnreadable && !wasEmpty && (try? findSettings(of: database, note)) == true
            let hasOtherKey = isUnreadable && database.standing.hasOtherKey?() == true
            try? database.close()
            // Another connection may have made the file meanwhile, with a salt of its own, or have
            // rotated its key.
            guard isUnreadable, wasEmpty || hasFoundSettings || hasOtherKey else { throw error }
            return try opened()
        }
        return database
    }

    /// A connection without a key.
    package func begin() throws(DatabaseError) -> Database {
        try requireExpectedFile()
        try requireNoStrayLog()
        createPrivateFile()
        let database = Database(
            handle: try ConnectionHandle(path: path, flags: flags), configuration: configuration,
            label: label, signals: signals)
        do throws(DatabaseError) {
            try requireExpectedFile(database)
            try requireNoStrayLog(beside: database)
        } catch {
            try? database.close()
            throw error
        }
        // The app gives the functions that the database needs.
        database.standing.vouchesForFunctions = !isForApp
        if isForApp { database.standing.learnKey = learnedKey }
        return database
    }

    /// Gives a connection its key and settings; no page is read yet.
    ///
    /// - Returns: Whether the app's preparation has set `synchronous`.
    @discardableResult
    package func prepare(_ database: Database) throws -> Bool {
        try beginKeying(of: database)
        try setUsualSettings(of: database)
        let hasSetSynchronous = try database.hooks.setsPragma(
            "synchronous", database.connection()
        ) { try runPreparation(of: database) }
        // What comes after it is not the app's.
        database.hooks.hidesStatements = isForApp
        try setSafeguards(on: database)
        try database.takeSharedKey()
        if !isForApp {
            try database.run(purpose.pragmas)
            try database.distrustFile(
                isFilling: purpose == .filling, runsModules: runsModules)
            try database.requireOwnCompanions()
        }
        return hasSetSynchronous
    }

    /// Where a log has to be authenticated, the key has to be known, and is derived once for that and
    /// for SQLCipher.
    private func beginKeying(of database: Database) throws(DatabaseError) {
        let (inForce, path) = try database.withHandle { handle in
            (configuration.keyInForce?.key(for: handle), handle.borrowed.fileName(schema: "main"))
        }
        let isLooking = !configuration.trustsCompanions && purpose != .learning
        let file = isLooking ? path ?? "" : ""
        try OtherNames.requireOwnName(file)
        let companions = CompanionFiles(of: file)
        database.keying.begin(
            override: override ?? inForce,
            shared: sharedKey ?? companions.map { _ in SharedKey() },
            note: note ?? companions.map { _ in KeyNote() }, companions)
    }

    /// Reads the first page.
    ///
    /// - Throws: `SQLITE_NOTADB` if the key is not the right one.
    package func prove(_ database: Database) throws(DatabaseError) {
        defer { database.keying.end() }
        do throws(DatabaseError) {
            try database.requireOwnCompanions()
            try database.readFirstPage()
        } catch  where error.resultCode == .SQLITE_NOTADB {
            // The shared key may be out of date, the passphrase not.
            guard try database.giveUpSharedKey() else {
                throw isForApp ? database.explainUnreadableFile(error) : error
            }
            try database.requireOwnCompanions()
            try database.readFirstPage()
        }
    }

    private var isForApp: Bool { purpose == .app }
}

extension ConnectionOpening {
    /// Nothing spills to disk; of a file as a whole, no row is judged by others.
    private func setSafeguards(on database: Database) throws(DatabaseError) {
        try database.withHandle { handle throws(DatabaseError) in
            try handle.keepTemporaryStorageInMemory()
        }
        if !isForApp { try database.run("PRAGMA foreign_keys = OFF") }
    }

    /// Settings that the app's preparation may change.
    private func setUsualSettings(of database: Database) throws(DatabaseError) {
        let acceptsStrings = isForApp ? configuration.acceptsDoubleQuotedStringLiterals : true
        try database.withHandle { handle throws(DatabaseError) in
            try handle.setAcceptsDoubleQuotedStringLiterals(acceptsStrings)
            if !isForApp { try handle.setBusyTimeout(milliseconds: 5000) }
        }
        let checksForeignKeys = isForApp && configuration.foreignKeysEnabled
        try database.run("PRAGMA foreign_keys = \(checksForeignKeys ? "ON" : "OFF")")
        guard isForApp else { return }
        try database.addBuiltInFunctions()
        try database.configureBusyMode()
    }

    private func runPreparation(of database: Database) throws {
        if let giveKey { try run(giveKey, database) }
        for setup in configuration.setups { try run(setup, database) }
    }

    private func run(_ preparation: (Database) throws -> Void, _ database: Database) throws {
        do {
            try preparation(database)
        } catch {
            guard toleratesFailures else { throw error }
        }
    }
}

extension DatabaseError {
    /// SQLite does not say which file it cannot open.
    fileprivate func naming(_ path: String) -> DatabaseError {
        // What follows the path in a URI may be a key.
        let name = path.hasPrefix("file:") ? String(path.prefix { $0 != "?" }) : path
        guard resultCode == .SQLITE_CANTOPEN, message?.contains(name) != true else { return self }
        return DatabaseError(
            code: extendedResultCode, message: "\(message ?? extendedResultCode.text): \(name)",
            sql: sql)
    }
}

extension Database {
    /// Limits what runs on a file that may be anybody's, once its key and its functions are there.
    fileprivate func distrustFile(
        isFilling: Bool, runsModules: Bool
    ) throws(DatabaseError) {
        let functions = try withHandle { handle throws(DatabaseError) in
            if !runsModules { try handle.removeModules() }
            try handle.distrustSchema()
            // Filling begins with settings of a new file that DEFENSIVE would refuse.
            if !isFilling { try handle.setDefensive(true) }
            return try handle.removeFunctionsWithEffects()
        }
        hooks.setLimits(StatementLimits(functions: functions), try connection())
    }
}

extension ConnectionOpening.Purpose {
    /// What the purpose asks of SQLite besides.
    fileprivate var pragmas: String {
        switch self {
        case .app, .learning:
            ""
        case .reading:
            "PRAGMA query_only = ON"
        case .keepingOut:
            "PRAGMA wal_autocheckpoint = 0"
        case .taking:
            "PRAGMA locking_mode = EXCLUSIVE"
        case .filling:
            // The file is made durable as a whole, and thrown away if anything fails.
            "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF; PRAGMA cache_size = -32000"
        case .verifying:
            // Rows that break a CHECK are copied as they are.
            """
            PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON;
            PRAGMA ignore_check_constraints = ON
            """
        }
    }
}
