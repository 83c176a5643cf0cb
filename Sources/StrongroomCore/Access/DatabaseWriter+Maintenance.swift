extension DatabaseWriter {
    /// Removes all tables, views, indexes and triggers, whatever the foreign keys.
    ///
    /// Settings of the file stay: its key, `user_version`, the journal mode. It runs alone, as
    /// `barrierWriteWithoutTransaction` does.
    ///
    ///     try dbQueue.erase()
    ///
    /// - Throws: `DatabaseError`; the database is then as it was.
    public func erase() throws {
        try barrierWriteWithoutTransaction { try $0.erase() }
    }

    /// The same for a task: see `DatabaseReader` for its cancellation.
    ///
    /// - Throws: `CancellationError` when the task was cancelled; `DatabaseError` otherwise.
    public func erase() async throws {
        try await barrierWriteWithoutTransaction { try $0.erase() }
    }

    /// Rebuilds the file, without the space that is not in use.
    /// <https://www.sqlite.org/lang_vacuum.html>
    ///
    ///     try dbQueue.vacuum()
    ///
    /// - Throws: `SQLITE_BUSY` when another connection stands in the way.
    public func vacuum() throws {
        try writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    }

    /// The same for a task: see `DatabaseReader` for its cancellation.
    ///
    /// - Throws: `CancellationError` when the task was cancelled; `DatabaseError` otherwise.
    public func vacuum() async throws {
        try await writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    }

    /// Writes the database into a new file, without the space that is not in use.
    ///
    /// The copy of an encrypted database has the same key and the same salt, and is opened once to
    /// prove it. SQLCipher gives it the settings that are this process's default: where the
    /// database has others, nothing would open the copy, so that is refused.
    /// `DatabaseFile.transfer(to:)` (`strongroom copy`) copies with all settings, with a salt of
    /// its own, and under another key.
    /// <https://www.sqlite.org/lang_vacuum.html#vacuuminto>
    ///
    /// - Parameter filePath: A path; a URI is not understood as one.
    /// - Throws: `SQLITE_ERROR` when the file exists already, or the copy cannot be made; no file
    ///   is then left.
    public func vacuum(into filePath: String) throws {
        try writeWithoutTransaction { try $0.vacuum(into: filePath) }
    }

    /// The same for a task: see `DatabaseReader` for its cancellation.
    ///
    /// - Throws: `CancellationError` when the task was cancelled; `DatabaseError` otherwise.
    public func vacuum(into filePath: String) async throws {
        try await writeWithoutTransaction { try $0.vacuum(into: filePath) }
    }
}
