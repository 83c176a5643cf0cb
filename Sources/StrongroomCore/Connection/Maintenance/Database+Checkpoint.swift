extension Database {
    /// How far a checkpoint goes. <https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>
    public enum CheckpointMode: CInt, Sendable {
        /// Moves what it can without waiting.
        case passive = 0
        /// Waits for writers, then moves everything.
        case full = 1
        /// Also makes the next writer restart the log.
        case restart = 2
        /// Also truncates the log to no bytes.
        case truncate = 3
    }

    /// Moves the content of the write-ahead log into the database.
    ///
    ///     try dbPool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
    ///
    /// - Returns: The number of frames in the log, and of those moved; both -1 if there is no log.
    /// - Throws: `SQLITE_LOCKED` inside a write transaction; `SQLITE_BUSY` if a reader blocks a
    ///   mode other than passive.
    @discardableResult
    public func checkpoint(
        _ kind: CheckpointMode = .passive, on dbName: String? = "main"
    ) throws -> (walFrameCount: Int, checkpointedFrameCount: Int) {
        try connection().checkpoint(schema: dbName, mode: kind.rawValue)
    }
}
