internal import Foundation

extension DatabaseFile {
    /// The bytes with which a plain database begins.
    private static let plaintextMagic = Array("SQLite format 3\0".utf8)

    /// Up to this size, every page is examined to tell a wrong key from damage: some tenths of a
    /// second.
    private static let examinedByteCount: Int64 = 256 << 20

    /// The error as one about this file. What the library does not know passes unchanged.
    func explain(_ error: any Error) -> any Error {
        switch error {
        case let error as DatabaseError: explain(error)
        case let error as SystemError: DatabaseFileError(error, path: path)
        case let error as CipherSettingsError:
            DatabaseFileError(
                .failed, path, error.message, hint: "give other settings; nothing was changed",
                underlying: error)
        case let error as FileReplacement.NotDurable:
            DatabaseFileError(
                .failed, path,
                "\(path) is complete, but may not outlast a loss of power: \(error.underlying)",
                hint: "check the disk", underlying: error.underlying)
        default: error
        }
    }

    func explain(_ error: DatabaseError) -> DatabaseFileError {
        switch error.resultCode {
        case .SQLITE_NOTADB:
            return explainUnreadable(error)
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
            return .diskFull(path, underlying: error)
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
                .permission, path, "this user may not read \(path)",
                hint: "check owner and mode of the file", underlying: error)
        }
        if error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
            return Self.interrupted(path, underlying: error)
        }
        let directory = path.splitAtLastSlash.directory
        // With an extended code, it is not the file that cannot be written, but what must lie beside it.
        if error.extendedResultCode == .SQLITE_READONLY, !fileSystem.mayAccess(path, .writing) {
            return .unwritable(path, underlying: error)
        }
        return DatabaseFileError(
            .readOnly, path, "\(path) needs files beside it that cannot be created in \(directory)",
            hint: "work as a user who may write there, or on a copy of the file and its -wal",
            underlying: error)
    }
}

// MARK: - "File is not a database"

extension DatabaseFile {
    /// SQLite says the same of a wrong key, of a damaged first page and of a picture of a cat.
    private func explainUnreadable(_ error: DatabaseError) -> DatabaseFileError {
        guard let sample = try? rawSample() else {
            return DatabaseFileError(.failed, path, "\(path) cannot be read", underlying: error)
        }
        if sample.bytes.starts(with: Self.plaintextMagic) {
            return explainMagic(error)
        }
        if sample.fileByteCount % 512 != 0 || !looksEncrypted(sample.bytes) {
            return DatabaseFileError(
                .notADatabase, path, "\(path) is no database, encrypted or not",
                hint: "check the path; if it was a database once, look for a backup",
                underlying: error)
        }
        guard key != nil else {
            return DatabaseFileError(
                .keyRequired, path, "\(path) is encrypted, and no key was given",
                hint: "give its key", underlying: error)
        }
        if hasLogWithOtherKey(sample.fileByteCount) {
            return DatabaseFileError(
                .wrongKey, path, "the key is not that of \(path)-wal, which has the newest content",
                hint: "the key was changed: give the new one, and leave the log where it is",
                underlying: error)
        }
        if isPartlyAuthentic(sample.fileByteCount) {
            return damaged("the key is right, but the first page is not what was written", error)
        }
        return DatabaseFileError(
            .wrongKey, path, "the key does not open \(path)",
            hint: "check which key was given; strongroom doctor tells a wrong one from damage, "
                + "and from settings of the file's own",
            underlying: error)
    }

    private func explainMagic(_ error: DatabaseError) -> DatabaseFileError {
        guard key != nil else {
            return damaged("it begins like a plain database, but is none", error)
        }
        return DatabaseFileError(
            .plaintext, path, "\(path) is not encrypted, but a key was given",
            hint: "open it without a key, or encrypt it into a new file with transfer(to:)",
            underlying: error)
    }

    /// Whether the log beside the file holds all of the database, under another key than was given.
    private func hasLogWithOtherKey(_ fileByteCount: Int64) -> Bool {
        guard fileByteCount <= Self.examinedByteCount,
            let resolved = try? fileSystem.resolve(path),
            let log = try? LogFile(resolved + "-wal", fileSystem), log.isComplete
        else { return false }
        return (try? diagnose())?.hasLogUnderUnknownKey ?? false
    }

    /// Whether some pages are authentic under the key: then it is the right one.
    private func isPartlyAuthentic(_ fileByteCount: Int64) -> Bool {
        guard fileByteCount <= Self.examinedByteCount,
            let database = try? makeConnection(.reading)
        else { return false }
        defer { try? database.close() }
        guard let result = try? CipherIntegrity(of: database, fileByteCount: fileByteCount) else {
            return false
        }
        return !result.isKeyWrong
    }

    /// Encrypted pages look like random numbers; text, pictures of old and programs do not.
    private func looksEncrypted(_ bytes: [UInt8]) -> Bool {
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        let total = Double(bytes.count)
        let entropy = counts.filter { $0 > 0 }
            .map { Double($0) / total }
            .reduce(0) { $0 - $1 * log2($1) }
        // Of so many random bytes, 7.6 bits a byte are to be expected for 512 and 7.95 for 4096.
        return entropy > (bytes.count < 1024 ? 7.2 : 7.5)
    }

    /// The first bytes, read through SQLite's own file.
    private func rawSample() throws -> (bytes: [UInt8], fileByteCount: Int64)? {
        let handle = try ConnectionHandle(path: fileSystem.resolve(path), flags: .readOnly)
        guard let size = handle.rawFileSize(), let bytes = handle.rawBytes(count: 4096) else {
            return nil
        }
        return (bytes, size)
    }
}
