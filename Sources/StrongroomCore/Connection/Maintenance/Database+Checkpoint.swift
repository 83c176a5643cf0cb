extension Database {
    /// How far a checkpoint goes. <https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>
    public enum CheckpointMode: CInt, Sendable {
        /// Moves what it can without waiting for anyone.
        case passive = 0
        /// Waits for writers, then moves everything.
        case full = 1
        /// Also makes the next writer begin the log anew.
        case restart = 2
        /// Also cuts the log to nothing.
        case truncate = 3
    }

    /// Moves the content of the write-ahead log into the database.
    ///
    ///     try dbPool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
    ///
    /// - Returns: The frames in the log and those moved; both -1 when there is no log.
    /// - Throws: `SQLITE_LOCKED` inside a write transaction; `SQLITE_BUSY` when a reader stands in
    ///   the way of a mode other than passive.
    @discardableResult
    public func checkpoint(
        _ kind: CheckpointMode = .passive, on dbName: String? = "main"
    ) throws -> (walFrameCount: Int, checkpointedFrameCount: Int) {
        try connection().checkpoint(schema: dbName, mode: kind.rawValue)
    }
}
