// What a transaction under a rollback journal leaves that a crash interrupted. Until a connection that
// may write undoes it, the file is no state of the database.

extension DatabaseFile {
    /// Refuses a file whose journal nobody can play back here.
    ///
    /// Where a file system is mounted read-only, SQLite is told that nothing changes, and looks for
    /// no journal.
    func requireNoInterruptedTransaction() throws {
        guard (try? fileSystem.isReadOnly(path)) == true, (try? hasHotJournal()) == true else {
            return
        }
        throw DatabaseFileError.interrupted(path, underlying: nil)
    }

    /// Undoes a transaction that a crash interrupted, for a connection to come that may not write.
    ///
    /// - Throws: ``DatabaseFileError``: `.readOnly` where this process may not write either.
    package func undoInterruptedTransaction() throws {
        guard try hasHotJournal() else { return }
        try connect(.reading).close()
    }
}
