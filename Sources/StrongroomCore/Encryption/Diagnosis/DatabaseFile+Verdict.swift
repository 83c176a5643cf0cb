extension DatabaseFile {
    /// What the file is, as far as it shows without a key.
    ///
    /// - Throws: ``DatabaseFileError`` if there is no file that could be read.
    package func verdict() throws -> FileVerdict {
        do {
            _ = try requireFile()
            // SQLite's own descriptor: closing another would drop the locks of this process.
            let handle = try ConnectionHandle(path: fileSystem.resolve(path), flags: .readOnly)
            guard let file = handle.rawFile() else { throw DatabaseError(code: .SQLITE_CANTOPEN) }
            let verdict = try FileVerdict(of: file)
            withExtendedLifetime(handle) {}
            return verdict
        } catch {
            throw explainAccess(error)
        }
    }

    /// Refuses what shows without a key: that the file is no database that a key could open.
    ///
    /// While a transaction that a crash interrupted is not undone, only the size is judged.
    package func requireEncrypted() throws {
        let verdict = try settledVerdict()
        switch verdict?.kind {
        case .plaintext: throw DatabaseFileError.plaintext(path)
        case .damagedPlaintext: throw DatabaseFileError.damagedPlaintext(path)
        case .empty, .tooSmall, .plaintextHeader, .encrypted, .unknown, nil: break
        }
    }

    /// Refuses what shows without a key: that the file is no plain database.
    package func requirePlaintext() throws {
        guard let verdict = try settledVerdict(), verdict.kind != .plaintext else { return }
        if verdict.kind == .plaintextHeader {
            throw DatabaseFileError.keyRequired(path, verdict)
        }
        guard verdict.kind != .damagedPlaintext else { return }
        throw DatabaseFileError(
            .keyRequired, path, "\(path) is not a plaintext SQLite database")
    }

    /// Nil beside a hot journal.
    private func settledVerdict() throws -> FileVerdict? {
        let verdict = try verdict()
        // SQLite calls a file of one byte empty.
        let byteCount = try fileSystem.status(path).byteCount
        guard byteCount >= FileVerdict.smallestPageSize else {
            throw DatabaseFileError.tooSmall(path, byteCount: byteCount)
        }
        return (try? hasHotJournal()) == true ? nil : verdict
    }
}

extension DatabaseFileError {
    static func plaintext(_ path: String, underlying: (any Error)? = nil) -> DatabaseFileError {
        DatabaseFileError(
            .plaintext, path, "\(path) is not encrypted, but a key was given",
            hint: "open it without a key, or encrypt it into a new file with transfer(to:)",
            underlying: underlying)
    }

    static func damagedPlaintext(
        _ path: String, underlying: (any Error)? = nil
    ) -> DatabaseFileError {
        DatabaseFileError(
            .notADatabase, path,
            "\(path) begins like a database that is not encrypted, but is none",
            hint: "if it was one once, look for a backup", underlying: underlying)
    }

    static func keyRequired(
        _ path: String, _ verdict: FileVerdict, underlying: (any Error)? = nil
    ) -> DatabaseFileError {
        let hasHeader = verdict.kind == .plaintextHeader
        return DatabaseFileError(
            .keyRequired, path,
            hasHeader
                ? "\(path) is encrypted, with a plaintext header, and no key was given"
                : "\(path) is encrypted, and no key was given",
            hint: hasHeader ? "give its key and its salt" : "give its key", underlying: underlying)
    }

    /// The key does not open a file with a plaintext header.
    static func plaintextHeader(
        _ path: String, hasSalt: Bool, underlying: (any Error)? = nil
    ) -> DatabaseFileError {
        let message = "the key does not open \(path), which is encrypted with a plaintext header"
        guard !hasSalt else {
            return DatabaseFileError(
                .wrongKey, path, message,
                hint: "check the key, the salt, and PRAGMA cipher_plaintext_header_size",
                underlying: underlying)
        }
        return DatabaseFileError(
            .wrongKey, path, message + ": its salt is not in the file, and was not given",
            hint: "give the raw key with its salt (96 digits), or the salt itself: "
                + "PRAGMA cipher_salt",
            underlying: underlying, step: DatabaseFileStep.giveSalt)
    }

    static func notADatabase(
        _ path: String, _ verdict: FileVerdict, underlying: (any Error)? = nil
    ) -> DatabaseFileError {
        guard verdict.byteCount >= FileVerdict.smallestPageSize else {
            return tooSmall(path, byteCount: verdict.byteCount)
        }
        return DatabaseFileError(
            .notADatabase, path, "\(path) is no database, encrypted or not",
            hint: "check the path; if it was a database once, look for a backup",
            underlying: underlying)
    }

    /// The file begins as those of another form do.
    static func notADatabase(
        _ path: String, as format: KnownFormat, underlying: (any Error)? = nil
    ) -> DatabaseFileError {
        DatabaseFileError(
            .notADatabase, path,
            "\(path) begins as \(format.rawValue) do, and is very likely no database",
            hint: "check the path", underlying: underlying)
    }

    static func tooSmall(_ path: String, byteCount: Int64) -> DatabaseFileError {
        guard byteCount > 0 else {
            return DatabaseFileError(
                .notADatabase, path, "\(path) is empty",
                hint: "it holds no database; if it should, look for a backup")
        }
        return DatabaseFileError(
            .notADatabase, path,
            "\(path) has \(byteCount) bytes; a database has \(FileVerdict.smallestPageSize) or more",
            hint: "it is not a database, or only a fragment of one")
    }
}
