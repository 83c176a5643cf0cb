internal import LibC

/// The pages of one committed state of a database, encrypted as they lie on the disk, while others
/// go on writing.
///
/// 1. A read transaction is held until ``close()``. As long as it is, the log is not begun anew
///    before its mark, and a checkpoint moves no frame from behind it into the main file
///    (<https://www.sqlite.org/wal.html#checkpointing>). So a page that is not among the frames up
///    to the state is stable in the main file, and a page that is among them is read from the log.
/// 2. The state is the one of the transaction or, if commits came in between, a later one whose
///    frames the transaction keeps just as well: see ``pin(_:)``.
/// 3. Under a rollback journal the transaction is a shared lock: writers wait.
/// 4. All is read through SQLite's own descriptors: to close others would drop its locks.
package final class CommittedPages {
    package let pageSize: Int
    package let pageCount: UInt32
    /// Whether writers go on meanwhile; under a rollback journal they wait.
    package let letsWritersGoOn: Bool
    package let settings: CipherSettings
    package let key: PageKey
    /// What the database says of itself, by the name of the pragma.
    package let numbers: [String: Int64]
    /// The pages, good until ``close()``.
    package let pages: PageSource
    /// What file and log are like from outside.
    package let footprint: FileFootprint

    /// The connection that holds the state.
    let database: Database
    private let file: DatabaseFile

    /// Opens a connection of its own, and holds the state that is committed now.
    ///
    /// - Parameter asQueried: Whether the state must be the one that queries on ``database`` see.
    /// - Parameter tries: How often the state is sought between the commits of others, before they
    ///   are kept out.
    /// - Parameter check: Called while it waits for that; what it throws ends the waiting.
    /// - Throws: ``DatabaseFileError``, or what `check` throws.
    package init(
        of file: DatabaseFile, asQueried: Bool = false, tries: Int = 20,
        check: () throws -> Void = {}
    ) throws {
        guard let cipherKey = file.key else {
            throw DatabaseFileError(
                .keyRequired, file.path, "a backup of \(file.path) needs its key",
                hint: "give the key; for a plaintext database, encrypt it with transfer(to:) first")
        }
        var connection: Database?
        self.file = file
        do {
            try file.requireDatabase()
            let database = try file.connect(.reading)
            connection = database
            self.database = database
            settings = try Self.settings(of: database, file)
            pageSize = settings.pageSize
            let state = try Self.pin(database, file, asQueried, tries: tries, check)
            letsWritersGoOn = state.isLogged
            pageCount = state.pageCount
            pages = try Self.pages(of: database, state, settings.pageSize, file)
            footprint = try Self.footprint(of: database, state, settings.pageSize, file)
            let salt = try Self.salt(of: database)
            key = try PageKey(cipherKey, fileSalt: salt, settings: settings)
            var numbers: [String: Int64] = [:]
            for name in ["schema_version", "user_version", "application_id", "auto_vacuum"] {
                numbers[name] = try database.number("PRAGMA \(name)")
            }
            self.numbers = numbers
        } catch {
            try? connection?.close()
            throw file.explain(error)
        }
    }

    /// What was committed to a log that is damaged, and is not in the state: a sentence each.
    package func notices() throws -> [String] { try file.noticesOfLog(seenBy: database) }

    /// Lets go of the state.
    package func close() throws {
        try database.close()
    }

    private static func settings(
        of database: Database, _ file: DatabaseFile
    ) throws -> CipherSettings {
        do {
            let settings = try database.cipherSettings()
            guard settings.pageNumbers == .littleEndian else { throw Self.earlySettings }
            return settings
        } catch let error as CipherSettingsError {
            throw DatabaseFileError(
                .failed, file.path, "\(file.path) has unknown settings: \(error)",
                hint: "copy it with transfer(to:), and back up the copy", underlying: error)
        }
    }

    /// The format of backups has no word for them.
    private static var earlySettings: CipherSettingsError {
        CipherSettingsError(message: "cipher_hmac_pgno = be, of early versions of SQLCipher 2.0")
    }

    static func salt(of database: Database) throws -> CipherSalt? {
        try database.withHandle { handle throws(DatabaseError) in
            try handle.keyParameters().flatMap { CipherSalt($0.salt) }
        }
    }
}

// MARK: - One state

extension CommittedPages {
    private static func pin(
        _ database: Database, _ file: DatabaseFile, _ asQueried: Bool, tries: Int,
        _ check: () throws -> Void
    ) throws -> State {
        for _ in 0..<tries {
            if let state = try pin(database, file, asQueried) { return state }
            try database.run("ROLLBACK")
        }
        return try pinKeepingOutWriters(database, file, asQueried, check)
    }

    /// Nobody commits while another connection could: some microseconds.
    ///
    /// SQLite's own waiting looks ten times a second, and could miss every gap between commits that
    /// are as dense as here. Where the gap does not come, a long transaction may be the reason: then
    /// nobody commits either. Where nothing can be written, nobody can be kept out.
    private static func pinKeepingOutWriters(
        _ database: Database, _ file: DatabaseFile, _ asQueried: Bool,
        _ check: () throws -> Void
    ) throws -> State {
        let gate = try connectKeepingOut(file)
        defer { try? gate?.close() }
        let end = ContinuousClock.now + .seconds(60)
        while true {
            try check()
            let isAlone = try gate.map(keepsOutWriters) ?? false
            if let state = try pin(database, file, asQueried) { return state }
            try database.run("ROLLBACK")
            guard !isAlone, ContinuousClock.now < end else { throw unstable(database, isAlone) }
            usleep(100)
        }
    }

    private static func connectKeepingOut(_ file: DatabaseFile) throws -> Database? {
        guard file.fileSystem.mayAccess(file.path, .writing) else { return nil }
        var other = file
        other.configuration.readonly = false
        let gate = try other.connect(.keepingOut)
        try gate.withHandle { handle throws(DatabaseError) in
            try handle.setBusyTimeout(milliseconds: 0)
        }
        return gate
    }

    private static func unstable(_ database: Database, _ isAlone: Bool) -> DatabaseError {
        if isAlone, let index = try? database.withHandle({ $0.logIndex() }), !index.isPlausible {
            return DatabaseError(
                code: .SQLITE_CORRUPT,
                message: "the wal-index counts more frames as moved than the log has")
        }
        return DatabaseError(code: .SQLITE_BUSY, message: "the wal-index keeps changing")
    }

    /// False if another one writes now.
    private static func keepsOutWriters(_ gate: Database) throws -> Bool {
        do throws(DatabaseError) {
            try gate.run("BEGIN IMMEDIATE")
            return true
        } catch {
            guard error.resultCode == .SQLITE_BUSY else { throw error }
            return false
        }
    }

    private static func begin(_ database: Database) throws {
        try database.run("BEGIN DEFERRED")
        try database.readFirstPage()
    }

    private static func isLogged(_ database: Database) throws -> Bool {
        try database.text("PRAGMA journal_mode") == "wal"
    }

    private static func pageCount(of database: Database) throws -> UInt32 {
        UInt32(clamping: try database.number("PRAGMA page_count"))
    }

    /// Begins a transaction, and finds out what it keeps; nil if it cannot be told.
    ///
    /// SQLite does not say where the mark of a transaction is. The wal-index is read before and
    /// after it begins, and tells it:
    ///
    /// - The same commit before and after: that is the state. If all its frames are in the main
    ///   file already, the main file alone is read, which no checkpoint changes now: a transaction
    ///   that needs no log locks checkpoints out, and one that has a mark stops them at the mark.
    /// - Commits in between, in one log, and not all frames of the first in the main file: the
    ///   transaction then has a mark of its own (only when all are in the main file does SQLite do
    ///   without), so the log is not begun anew, and the later commit is read.
    ///   A query sees the earlier one.
    private static func pin(
        _ database: Database, _ file: DatabaseFile, _ asQueried: Bool
    ) throws -> State? {
        let wasLogged = try isLogged(database)
        let before = wasLogged ? try database.withHandle { $0.logIndex() } : nil
        try begin(database)
        // Before its first read, SQLite answers by what the connection has read last; others may
        // have changed the mode since, and cannot as long as the transaction lasts.
        guard try isLogged(database) == wasLogged else { return nil }
        guard wasLogged else {
            return State(pageCount: try pageCount(of: database), isLogged: false)
        }
        let after = try database.withHandle { $0.logIndex() }
        guard let before, let after else { return try pinWithoutIndex(database, file) }
        guard after.isPlausible else { return nil }
        if before.hasSameCommit(as: after) {
            let isInMainFile = after.backfilledFrameCount == after.frameCount
            return isInMainFile ? State(pageCount: try pageCount(of: database)) : State(after)
        }
        guard !asQueried, before.hasSameLog(as: after),
            after.backfilledFrameCount < before.frameCount
        else { return nil }
        return State(after)
    }

    /// Finds out what a transaction keeps that has an index of the log for itself; nil if there is
    /// one that is shared.
    ///
    /// It locks checkpoints out, so that the main file stays as it is and the log is not begun anew:
    /// who comes and writes can only append. The log is read up to the last commit, as SQLite has
    /// read it to make its index.
    private static func pinWithoutIndex(
        _ database: Database, _ file: DatabaseFile
    ) throws -> State? {
        guard try database.withHandle({ $0.hasPrivateLogIndex() }) else { return nil }
        let path = try file.fileSystem.resolve(file.path) + "-wal"
        var state = State(pageCount: try pageCount(of: database))
        guard let log = try LogFile(path, file.fileSystem), log.committedFrameCount > 0 else {
            return state
        }
        state.pageCount = log.pageCount
        state.log = State.Log(frameCount: UInt32(log.committedFrameCount), salts: log.salts)
        return state
    }
}

// MARK: - Reading

extension CommittedPages {
    private static func mainFile(of database: Database) throws -> RawFile {
        guard let file = try database.withHandle({ $0.rawFile() }) else {
            throw DatabaseError(code: .SQLITE_IOERR, message: "the file cannot be read")
        }
        return file
    }

    private static func footprint(
        of database: Database, _ state: State, _ pageSize: Int, _ file: DatabaseFile
    ) throws -> FileFootprint {
        try FileFootprint(
            mainFile(of: database),
            state.isLogged ? database.withHandle { $0.rawLog() } : nil,
            file.fileSystem.resolve(file.path), file.fileSystem, pageSize: pageSize)
    }

    private static func pages(
        of database: Database, _ state: State, _ pageSize: Int, _ file: DatabaseFile
    ) throws -> PageSource {
        let main = try mainFile(of: database)
        let byteCount = Int64(state.pageCount) * Int64(pageSize)
        guard let index = state.log else {
            return PageSource(byteCount: byteCount, pageSize: pageSize, read: main.read)
        }
        guard let file = try database.withHandle({ $0.rawLog() }) else {
            throw DatabaseError(code: .SQLITE_IOERR, message: "the log cannot be read")
        }
        let log = try LogFrames(
            of: file, upTo: index.frameCount, salts: index.salts, pageSize: pageSize)
        return PageSource(byteCount: byteCount, pageSize: pageSize) { buffer, offset in
            var count = try main.read(buffer, at: offset)
            let covered = try log.overlay(buffer, at: offset, read: count)
            count = max(count, covered)
            return count
        }
    }
}
