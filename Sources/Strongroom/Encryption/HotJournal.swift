// What a transaction under a rollback journal leaves that a crash interrupted. Until a connection that
// may write undoes it, the file is no state of the database.

extension DatabaseFile {
    /// A rollback journal that the next opening would play back.
    func hasHotJournal() throws -> Bool {
        let path = try fileSystem.resolve(path) + "-journal"
        guard let status = try fileSystem.statusIfPresent(path), status.byteCount >= 512 else {
            return false
        }
        var start = [UInt8](repeating: 0, count: 8)
        let journal = try PageFile(path: path, pageSize: 512, fileSystem: fileSystem)
        _ = try start.withUnsafeMutableBytes { try journal.read($0, 0) }
        return start == [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    }

    /// Refuses a file whose journal nobody can play back here.
    ///
    /// Where a file system is mounted read-only, SQLite is told that nothing changes, and looks for
    /// no journal.
    func requireNoInterruptedTransaction() throws {
        guard (try? fileSystem.isReadOnly(path)) == true, (try? hasHotJournal()) == true else {
            return
        }
        throw Self.interrupted(path, underlying: nil)
    }

    /// Undoes a transaction that a crash interrupted, for a connection to come that may not write.
    ///
    /// - Throws: ``DatabaseFileError``: `.readOnly` where this process may not write either.
    package func undoInterruptedTransaction() throws {
        guard try hasHotJournal() else { return }
        try connect(.reading).close()
    }

    static func interrupted(_ path: String, underlying: (any Error)?) -> DatabaseFileError {
        DatabaseFileError(
            .readOnly, path,
            "\(path) has a transaction that a crash interrupted, and it cannot be undone here",
            hint: "open it as a user who may write the file and its folder, or work on a copy of "
                + "it together with its -journal",
            underlying: underlying)
    }
}
