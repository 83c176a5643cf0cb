// `VACUUM INTO` of an encrypted database (`Documentation/SQLCipher.md`, "Copies"):
//
// 1. The copy gets the key and the salt of the source, but the settings that are the default of the
//    process: with any other the copy would be written without an error, and nothing would open it.
// 2. What looks like a URI is one, and may name another key, or none at all: the copy would then be
//    in plaintext. So a path is always given as a path.
// 3. The copy is opened and read before it is called one, and removed if that fails.

extension Database {
    /// Writes the database into a new file, without the space that is not in use.
    func vacuum(into filePath: String) throws {
        let path = try Self.plainPath(filePath)
        try requireDefaultCipherSettings()
        try requireNoStrayLog(ofFileAttachedAs: path)
        guard try FileSystem.system.statusIfPresent(path) == nil else {
            throw DatabaseError(code: .SQLITE_ERROR, message: "output file already exists")
        }
        do {
            try execute(sql: "VACUUM main INTO ?", arguments: [path])
            try verifyCopy(at: path)
        } catch {
            try? FileSystem.system.remove(path)
            throw error
        }
    }

    /// A path that SQLite takes for nothing else.
    private static func plainPath(_ path: String) throws(DatabaseError) -> String {
        guard !path.utf8.contains(0) else { throw ConnectionHandle.nulError }
        guard !path.isEmpty else {
            throw DatabaseError(code: .SQLITE_CANTOPEN, message: "the path names no file")
        }
        // SQLite takes text alone here, and would make a file of another name.
        guard !PathText.hasEscapes(path) else {
            throw DatabaseError(
                code: .SQLITE_CANTOPEN,
                message: "VACUUM INTO takes no name that is not UTF-8; "
                    + "DatabaseFile.transfer(to:) does")
        }
        return path.hasPrefix("/") ? path : "./\(path)"
    }

    func requireDefaultCipherSettings() throws(DatabaseError) {
        let settings = try differingCipherSettings()
        guard settings.isEmpty else {
            throw DatabaseError(
                code: .SQLITE_ERROR,
                message: """
                    VACUUM INTO would write a file that nothing opens: the database has settings \
                    that are not SQLCipher's default (\(settings.joined(separator: ", "))); use \
                    DatabaseFile.transfer(to:) (strongroom copy)
                    """)
        }
    }

    /// The settings on which the copy would not agree with what its key was made for.
    private func differingCipherSettings() throws(DatabaseError) -> [String] {
        try withHandle { handle throws(DatabaseError) in
            guard try handle.isKeyed() else { return [] }
            let defaults = try handle.texts("PRAGMA cipher_default_settings").map {
                $0.replacing("cipher_default_", with: "")
            }
            return try handle.cipherListing()
                .map { $0.replacing("PRAGMA cipher_", with: "PRAGMA ") }
                // The key is there already: how often it was hashed concerns only who opens the
                // copy, with the same settings as the source.
                .filter { !defaults.contains($0) && !$0.hasPrefix("PRAGMA kdf_iter") }
                .map { $0.dropFirst("PRAGMA ".count).filter { $0 != ";" } }
        }
    }

    /// Reads the copy, with the key of this database.
    private func verifyCopy(at path: String) throws {
        try execute(sql: "ATTACH ? AS strongroom_copy", arguments: [path])
        let result = Result {
            // The schema may have changed since; that it can be read is what counts.
            try Int.fetchOne(self, sql: "SELECT COUNT(*) FROM strongroom_copy.sqlite_master")
        }
        try execute(sql: "DETACH strongroom_copy")
        _ = try result.get()
    }
}
