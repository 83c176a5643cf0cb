// A damaged frame in a log takes every commit behind it away, and SQLite does not mention it. An app's own
// opening goes on as SQLite does. Work on whole files that would remove the log, or after which the file is
// likely to go, refuses; what leaves both as they are says what it could not read.

extension DatabaseFile {
    /// A frame of the log because of which SQLite ignores commits.
    struct DamagedFrame {
        /// What there is to say of it, without a full stop.
        let problem: String
    }

    /// - Parameter database: A connection that has its key. If it reads, and shares the log with those that
    ///   have written it, it sees also what lies behind the frame.
    func damagedFrame(seenBy database: Database) throws -> DamagedFrame? {
        guard let log = try logWithGap(), let gap = log.gap else { return nil }
        if database.isInsideTransaction,
            let index = try database.withHandle({ $0.logIndex() }), index.salts == log.salts,
            index.frameCount >= gap.frame
        {
            return nil
        }
        let number = try log.damagedFrame(under: pageKeys(of: database), fileSystem)
        return number.map {
            DamagedFrame(problem: LogFile.problem(ofFrame: $0, in: path + "-wal"))
        }
    }

    /// The same, as words for the report of a copy.
    func noticesOfLog(seenBy database: Database) throws -> [String] {
        guard let damaged = try damagedFrame(seenBy: database) else { return [] }
        return ["\(damaged.problem): what was committed after it is not included"]
    }

    /// Refuses a log with commits that SQLite does not read, before it is opened: closing it could remove
    /// it.
    package func requireIntactLog() throws {
        // Nothing is derived for a log without a gap.
        guard try logWithGap() != nil else { return }
        let database = try makeConnection(.reading)
        defer { try? database.close() }
        guard let damaged = try damagedFrame(seenBy: database) else { return }
        throw DatabaseFileError(
            .foreignLog, path,
            "\(damaged.problem): commits would be lost for good. Nothing was changed",
            hint:
                "copy the file and its log to another place first; salvage(to:) recovers what can be "
                + "read. To accept the loss, let the app open the database, and call checkpoint(.truncate)",
            step: DatabaseFileStep.keepLog(path, isEncrypted: key != nil))
    }

    private func logWithGap() throws -> LogFile? {
        let log = try LogFile.settled(fileSystem.resolve(path) + "-wal", fileSystem)
        return log?.gap == nil ? nil : log
    }

    private func pageKeys(of database: Database) throws -> [PageKey] {
        guard let key else { return [] }
        let settings = try database.cipherSettings()
        return [
            try PageKey(key, fileSalt: database.saltOfFile(settings), settings: settings)
        ]
    }
}
