// A file that another one replaces, while others may have it open. A connection that waits for a lock
// gets it on the old file, which has no name any more, and finds the log and the journal of the new
// one by name: what it wrote would destroy that. `/proc` does not show processes of other users and
// of other containers, so that looking for them is not enough:
//
// 1. SQLite's exclusive lock is held on the old file until the new one has its name on the disk. Who
//    holds a lock, as every connection does that has used a log, stands in the way of that.
// 2. Then the beginning of the old file is overwritten, and only then the lock goes: who comes next
//    reads no database, at its next access and before it writes.
// 3. That destroys the old content, under each of its names: a file with two is refused.

// 4. Whoever owns the folder can exchange what stands under the name. What is overwritten is the file
//    that stood there at the beginning (`ReplacedFile`), and no link is followed to it.

/// The file whose place a new one is to take, locked against everyone.
package final class ReplacedDatabase {
    private let file: ReplacedFile
    private let handle: ConnectionHandle

    /// Nil where nothing is that could be locked: no file, or one that this user may not write.
    ///
    /// - Throws: ``DatabaseFileError``: `.inUse` if it is. ``SystemError/isReplaced`` if another file
    ///   stands there by now.
    package init?(of replacement: FileReplacement, _ fileSystem: FileSystem) throws {
        let path = replacement.target
        guard let handle = try Self.lock(path, fileSystem),
            let file = try replacement.openExisting()
        else { return nil }
        self.handle = handle
        self.file = file
    }

    /// Refuses a file that could not be locked now.
    package static func tryLock(_ path: String, _ fileSystem: FileSystem) throws {
        _ = try lock(fileSystem.resolve(path), fileSystem)
    }

    private static func lock(
        _ path: String, _ fileSystem: FileSystem
    ) throws -> ConnectionHandle? {
        guard let status = try fileSystem.statusIfPresent(path), status.kind == .file,
            fileSystem.mayAccess(path, .writing)
        else { return nil }
        try status.requireSingleName(path)
        let handle = try ConnectionHandle(path: path, flags: [.readWrite, .noFollow])
        do throws(DatabaseError) {
            try handle.lockExclusively()
        } catch {
            guard error.resultCode == .SQLITE_BUSY else { throw error }
            throw DatabaseFileError.inUse(
                path, by: fileSystem.users(of: [status.identity]).filter { !$0.isThisProcess },
                underlying: error)
        }
        return handle
    }

    /// To be called when the new file has its name on the disk, and not before: until then, the old
    /// one may come back.
    package func spoil() {
        file.spoil()
        withExtendedLifetime(handle) {}
    }
}

extension FileStatus {
    func requireSingleName(_ path: String) throws(DatabaseFileError) {
        guard linkCount > 1 else { return }
        throw DatabaseFileError(
            .failed, path,
            "\(path) has \(linkCount) names (hard links), and is replaced under one only",
            hint:
                "the other names would keep the old content: remove them, or give this name a "
                + "separate file with cp and mv")
    }
}

extension Database {
    /// Ends the use of a log, so that who gets a lock on this file after a crash begins none under
    /// its name: a transaction with a rollback journal looks first whether the file has that name.
    ///
    /// - Returns: Whether there was one.
    func leaveLog() throws -> Bool {
        guard try text("PRAGMA journal_mode") == "wal" else { return false }
        guard try text("PRAGMA journal_mode = DELETE") == "delete" else {
            throw DatabaseError(code: .SQLITE_BUSY)
        }
        return true
    }

    /// Undoes ``leaveLog()``.
    func returnToLog() {
        _ = try? text("PRAGMA journal_mode = WAL")
    }
}
