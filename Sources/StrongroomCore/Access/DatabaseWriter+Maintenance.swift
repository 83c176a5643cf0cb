extension DatabaseWriter {
    /// Removes all tables, views, indexes and triggers, regardless of foreign keys.
    ///
    /// The file's settings stay: its key, `user_version`, the journal mode. No other access runs
    /// meanwhile, as in `barrierWriteWithoutTransaction`.
    ///
    ///     try dbQueue.erase()
    ///
    /// - Throws: `DatabaseError`; the database is then unchanged.
    public func erase() throws {
        try barrierWriteWithoutTransaction { try $0.erase() }
    }

    /// The same for a task: see `DatabaseReader` for its cancellation.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; `DatabaseError` otherwise.
    public func erase() async throws {
        try await barrierWriteWithoutTransaction { try $0.erase() }
    }

    /// Rebuilds the file without unused space. <https://www.sqlite.org/lang_vacuum.html>
    ///
    ///     try dbQueue.vacuum()
    ///
    /// - Throws: `SQLITE_BUSY` if another connection uses the database.
    public func vacuum() throws {
        try writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    }

    /// The same for a task: see `DatabaseReader` for its cancellation.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; `DatabaseError` otherwise.
    public func vacuum() async throws {
        try await writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    }

    /// Writes the database into a new file, without unused space.
    ///
    /// The copy of an encrypted database has the same key and the same salt, and is opened once to
    /// verify it. SQLCipher gives it this process's default settings. If the database has other
    /// settings, nothing would open the copy, so this throws. `DatabaseFile.transfer(to:)`
    /// (`strongroom copy`) copies with all settings, with a new salt, and with another key.
    /// <https://www.sqlite.org/lang_vacuum.html#vacuuminto>
    ///
    /// - Parameter filePath: A path; URIs are taken as paths.
    /// - Throws: `SQLITE_ERROR` if the file already exists, or the copy fails; then no file is
    ///   left.
    public func vacuum(into filePath: String) throws {
        try writeWithoutTransaction { try $0.vacuum(into: filePath) }
    }

    /// The same for a task: see `DatabaseReader` for its cancellation.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; `DatabaseError` otherwise.
    public func vacuum(into filePath: String) async throws {
        try await writeWithoutTransaction { try $0.vacuum(into: filePath) }
    }
}
