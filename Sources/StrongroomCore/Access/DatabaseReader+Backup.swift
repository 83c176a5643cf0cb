extension DatabaseReader {
    /// Copies the whole database over another one, which keeps its journal mode.
    ///
    /// The copy holds one state of the source; other connections can write to the source meanwhile.
    ///
    ///     let copy = try DatabaseQueue(path: "copy.sqlite")
    ///     try dbPool.backup(to: copy)
    ///
    /// - Throws: As `Database.backup(to:pagesPerStep:progress:)`. `SQLITE_BUSY` can also mean that
    ///   the copy is complete, but that a reader of it prevents its journal mode from being changed
    ///   back.
    public func backup(
        to writer: any DatabaseWriter, pagesPerStep: CInt = -1,
        progress: ((DatabaseBackupProgress) throws -> Void)? = nil
    ) throws {
        try unsafeRead { source in
            try writer.writeWithoutTransaction { destination in
                try destination.keepingJournalMode {
                    try source.backup(
                        to: destination, pagesPerStep: pagesPerStep, progress: progress)
                }
                destination.releaseMemory()
            }
        }
    }
}

extension Database {
    /// Whether a file has a write-ahead log is written in its first page, which a backup copies.
    fileprivate func keepingJournalMode(_ body: () throws -> Void) throws {
        let mode = try journalMode()
        try body()
        guard let mode, try journalMode() != mode else { return }
        guard try String.fetchOne(self, sql: "PRAGMA main.journal_mode = \(mode)") == mode else {
            throw DatabaseError(
                code: .SQLITE_ERROR, message: "the journal mode could not be changed to \(mode)")
        }
    }

    private func journalMode() throws -> String? {
        try String.fetchOne(self, sql: "PRAGMA main.journal_mode")
    }
}
