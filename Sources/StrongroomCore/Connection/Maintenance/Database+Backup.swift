extension Database {
    /// Copies the whole database over another one, page after page.
    ///
    /// It holds a read transaction on the source: otherwise, a backup in steps would restart with
    /// every commit of another connection, and never end under a steady writer. Encrypted pages are
    /// re-encrypted with the destination's key and salt. <https://www.sqlite.org/backup.html>
    ///
    /// - Parameters:
    ///   - destDb: The connection whose database the copy replaces.
    ///   - pagesPerStep: Pages between two calls of `progress`; all of them if negative.
    ///   - progress: Called after each step. If it throws an error before the end, the backup stops
    ///     and rethrows it; the destination is then unchanged.
    /// - Precondition: `pagesPerStep` is not 0.
    /// - Throws: `SQLITE_ERROR` if one is encrypted and the other is not, or if their page sizes
    ///   differ, because nothing would open the copy; `SQLITE_BUSY` if the destination is in use.
    public func backup(
        to destDb: Database, pagesPerStep: CInt = -1,
        progress: ((DatabaseBackupProgress) throws -> Void)? = nil
    ) throws {
        trap(unless: pagesPerStep != 0, "a backup of 0 pages a step would never end")
        // SQLite itself refuses to copy over a database in a transaction, but not after its end.
        try destDb.requireNoLostTransaction()
        try requireCopyable(to: destDb)
        try holdingSnapshot {
            let backup = try BackupHandle(from: connection(), to: destDb.connection())
            while true {
                let step = try backup.step(pageCount: pagesPerStep)
                if case .busy = step {
                    throw DatabaseError(
                        code: .SQLITE_BUSY, message: "the destination of the backup is in use")
                }
                let isCompleted = if case .finished = step { true } else { false }
                let state = DatabaseBackupProgress(
                    remainingPageCount: backup.remainingPageCount,
                    totalPageCount: backup.totalPageCount, isCompleted: isCompleted)
                if isCompleted {
                    // The copy is whole: nothing that the observer throws can undo it.
                    try? progress?(state)
                    return
                }
                try progress?(state)
            }
        }
    }

    private func holdingSnapshot(_ body: () throws -> Void) throws {
        guard !isInsideTransaction else { return try body() }
        try inTransaction(.deferred) {
            try acquireSnapshot()
            try body()
            return .commit
        }
    }

    private func requireCopyable(to destination: Database) throws(DatabaseError) {
        let (isKeyed, pageSize) = try copyingSettings()
        let (isDestinationKeyed, destinationPageSize) = try destination.copyingSettings()
        guard isKeyed == isDestinationKeyed else {
            throw DatabaseError(
                code: .SQLITE_ERROR,
                message: """
                    backup is not supported with encrypted databases unless both are encrypted: use \
                    DatabaseFile.transfer(to:) (strongroom encrypt, strongroom decrypt)
                    """)
        }
        // Where the page sizes of encrypted databases differ, SQLCipher reports success and leaves
        // a file that nothing opens (`Documentation/SQLCipher.md`, "Copies").
        guard !isKeyed || pageSize == destinationPageSize else {
            throw DatabaseError(
                code: .SQLITE_ERROR,
                message: """
                    the databases differ in cipher_page_size (\(pageSize ?? "?") and \
                    \(destinationPageSize ?? "?")): set the source's in the destination's \
                    prepareDatabase
                    """)
        }
    }

    private func copyingSettings() throws(DatabaseError) -> (isKeyed: Bool, pageSize: String?) {
        try withHandle { handle throws(DatabaseError) in
            (try handle.isKeyed(), try handle.firstText("PRAGMA page_size"))
        }
    }
}
