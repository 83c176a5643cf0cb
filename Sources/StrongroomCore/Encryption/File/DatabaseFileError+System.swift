extension DatabaseFileError {
    /// What a system call that failed means for a file.
    package init(_ error: SystemError, path: String) {
        let error = error.located(at: path)
        switch error {
        case _ where error.isMissing:
            self.init(
                .notFound, path, "\(path) is not there", hint: "check the path",
                underlying: error)
        case _ where error.isDiskFull:
            self = .diskFull(path, underlying: error)
        case _ where error.isStrangersLink:
            self.init(
                .permission, path, "\(error.path) is a link that another user created",
                hint: "check the target of the link, and use its path instead", underlying: error)
        case _ where error.isForbidden:
            self.init(
                .permission, path, "the system does not permit it: \(error)",
                hint: "check owner and mode of the file and of its directory", underlying: error)
        case _ where error.isReplaced:
            self.init(
                .failed, path,
                "another process put another file in place of the new \(path) while it was being written",
                hint: "see who else may write to its folder; no other file was changed",
                underlying: error)
        case _ where error.isReadOnly:
            self.init(
                .readOnly, path, "\(path) is on a file system that is mounted read-only",
                hint: "choose a place that can be written to", underlying: error)
        case _ where error.number == SystemError.fileExists:
            self = .exists(path)
        default:
            self.init(.failed, path, "\(error)", underlying: error)
        }
    }

    package static func exists(_ path: String) -> DatabaseFileError {
        DatabaseFileError(
            .exists, path, "\(path) exists already",
            hint: "choose another name, or ask for it to be overwritten")
    }

    static func unwritable(_ path: String, underlying: (any Error)? = nil) -> DatabaseFileError {
        DatabaseFileError(
            .permission, path, "this user has no permission to write \(path)",
            hint: "check owner and mode of the file", underlying: underlying)
    }

    static func interrupted(_ path: String, underlying: (any Error)?) -> DatabaseFileError {
        DatabaseFileError(
            .readOnly, path,
            "\(path) has a transaction that a crash interrupted, and it cannot be undone here",
            hint: "open it as a user who may write the file and its folder, or work on a copy of "
                + "it together with its -journal",
            underlying: underlying)
    }

    static func diskFull(_ path: String, underlying: (any Error)?) -> DatabaseFileError {
        DatabaseFileError(
            .diskFull, path, "there is no space left for \(path)",
            hint: "the new file needs as much space as the database; nothing was changed",
            underlying: underlying)
    }

    /// SQLite keeps a `-wal` and a `-shm` next to a database in WAL mode while anybody reads it.
    static func noRoomBeside(_ path: String, underlying: (any Error)?) -> DatabaseFileError {
        DatabaseFileError(
            .diskFull, path,
            "the disk is full: there is no space next to \(path) for the files that SQLite needs "
                + "to open it",
            hint:
                "free space on that disk, or copy the file and its -wal to another one; nothing was "
                + "changed",
            underlying: underlying)
    }

    package static func inUse(
        _ path: String, by users: [FileUser], underlying: (any Error)? = nil
    ) -> DatabaseFileError {
        let names = users.map {
            $0.isThisProcess ? "this process" : "\($0.program) (process \($0.process))"
        }
        let who = names.isEmpty ? "" : " by " + names.joined(separator: ", ")
        return DatabaseFileError(
            .inUse, path, "\(path) is in use\(who)",
            hint: "close it there, or wait, and try again", underlying: underlying)
    }
}

extension DatabaseFile {
    /// Refuses work that would find the disk full in the end.
    func requireRoom(for byteCount: Int64, beside temporary: String) throws(DatabaseFileError) {
        let directory = temporary.splitAtLastSlash.directory
        guard let room = try? fileSystem.availableByteCount(directory), room < byteCount else {
            return
        }
        throw DatabaseFileError(
            .diskFull, path,
            "\(path) needs \(byteCount) bytes of free space next to it; \(room) are free",
            hint: "free space, or choose another place; nothing was changed")
    }

    /// A new content that is not what it should be.
    func unverified(_ reason: String, _ error: (any Error)? = nil) -> DatabaseFileError {
        DatabaseFileError(
            .failed, path,
            "the new \(path) could not be verified, and was discarded: \(reason)",
            hint: "check the disk, and the source with DatabaseFile.check()", underlying: error)
    }
}
