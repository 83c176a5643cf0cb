internal import Foundation

extension DatabaseFile {
    /// The bytes with which a plain database begins.
    private static let plaintextMagic = PageCodec.magic

    /// Up to this size, every page is examined to tell a wrong key from damage: some tenths of a
    /// second.
    private static let examinedByteCount: Int64 = 256 << 20

    /// The error as one about this file. What the library does not know passes unchanged.
    func explain(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return explainAccess(error) }
        return explain(error)
    }

    func explain(_ error: DatabaseError) -> DatabaseFileError {
        error.resultCode == .SQLITE_NOTADB ? explainUnreadable(error) : explainAccess(error)
    }

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
