extension DatabaseFile {
    /// The error as one about this file. What the library does not know passes unchanged, and why
    /// SQLite took the file for no database is not asked: see ``explain(_:)``.
    func explainAccess(_ error: any Error) -> any Error {
        switch error {
        case let error as DatabaseError: explainAccess(error)
        case let error as SystemError: DatabaseFileError(error, path: path)
        case let error as CipherSettingsError:
            DatabaseFileError(
                .failed, path, error.message, hint: "give other settings; nothing was changed",
                underlying: error)
        case let error as FileReplacement.NotDurable:
            DatabaseFileError(
                .failed, path,
                "\(path) is complete, but may not survive a power failure: \(error.underlying)",
                hint: "check the disk", underlying: error.underlying)
        default: error
        }
    }

    func explainAccess(_ error: DatabaseError) -> DatabaseFileError {
        switch error.resultCode {
        case .SQLITE_CORRUPT:
            return damaged("a page is not what was written, or is missing", error)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return .inUse(path, by: users(), underlying: error)
        case .SQLITE_AUTH:
            return hostile(error)
        case .SQLITE_FULL:
            return .diskFull(path, underlying: error)
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
            // The index of the log has found no room.
            return .noRoomBeside(path, underlying: error)
        case .SQLITE_CANTOPEN where error.extendedResultCode == .SQLITE_CANTOPEN_DIRTYWAL:
            return DatabaseFileError(
                .foreignLog, path, error.message ?? "", hint: "diagnose() examines both files",
                underlying: error)
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY:
            return explainRefusal(error)
        default:
            let reason =
                error.message ?? "SQLite reports error \(error.extendedResultCode.rawValue)"
            return DatabaseFileError(.failed, path, "\(path): \(reason)", underlying: error)
        }
    }

    func damaged(_ reason: String, _ error: DatabaseError? = nil) -> DatabaseFileError {
        DatabaseFileError(
            .damaged, path, "\(path) is damaged: \(reason)",
            hint: "DatabaseFile.check() lists what is damaged; look for a backup",
            underlying: error)
    }

    /// Its schema wants something to be run that no definition is.
    func hostile(_ error: DatabaseError) -> DatabaseFileError {
        DatabaseFileError(
            .damaged, path,
            "\(path) has a schema that SQLite did not write: \(error.message ?? "")",
            hint: "find out where the file comes from; nothing of it was run", underlying: error)
    }

    /// The processes that have the file open: the others, or, if there are none, this one.
    private func users() -> [FileUser] {
        guard let status = try? fileSystem.status(path) else { return [] }
        let users = fileSystem.users(of: [status.identity])
        let others = users.filter { !$0.isThisProcess }
        return others.isEmpty ? users : others
    }

    private func explainRefusal(_ error: DatabaseError) -> DatabaseFileError {
        if !fileSystem.mayAccess(path, .reading) {
            return DatabaseFileError(
                .permission, path, "this user has no permission to read \(path)",
                hint: "check owner and mode of the file", underlying: error)
        }
        if error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
            return .interrupted(path, underlying: error)
        }
        let directory = path.splitAtLastSlash.directory
        // With an extended code, it is not the file that cannot be written, but what must lie beside it.
        if error.extendedResultCode == .SQLITE_READONLY, !fileSystem.mayAccess(path, .writing) {
            return .unwritable(path, underlying: error)
        }
        if fileSystem.mayAccess(directory, .writing) {
            if (try? fileSystem.isFull(directory)) == true {
                return .noRoomBeside(path, underlying: error)
            }
            return DatabaseFileError(
                .failed, path,
                "\(path), or a file next to it, cannot be opened, though this user may do so",
                hint: "check how many files the process may open (ulimit -n)", underlying: error)
        }
        return DatabaseFileError(
            .readOnly, path,
            "\(path) needs files next to it that cannot be created in \(directory)",
            hint: "work as a user who may write there, or on a copy of the file and its -wal",
            underlying: error)
    }
}
