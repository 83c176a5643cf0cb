extension DatabaseFile {
    /// Up to this size, every page is examined to tell a wrong key from damage: some tenths of a
    /// second.
    private static let examinedByteCount: Int64 = 256 << 20

    /// The error as one about this file. What the library does not know passes unchanged.
    func explain(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return explainAccess(error) }
        return explain(error)
    }

    func explain(_ error: DatabaseError) -> DatabaseFileError {
        switch error.resultCode {
        case .SQLITE_NOTADB: explainUnreadable(error)
        // SQLite itself takes a plaintext header for that of a database.
        case .SQLITE_CORRUPT where key == nil && (try? verdict())?.kind == .plaintextHeader:
            explainUnreadable(error)
        default: explainAccess(error)
        }
    }

    /// SQLite says the same of a wrong key, of a damaged first page and of a picture of a cat.
    private func explainUnreadable(_ error: DatabaseError) -> DatabaseFileError {
        guard let verdict = try? verdict() else {
            return DatabaseFileError(.failed, path, "\(path) cannot be read", underlying: error)
        }
        if let refusal = refusal(of: verdict, error) { return refusal }
        if isHeaderUnexpected(verdict) {
            return .plaintextHeader(path, hasSalt: prepared().salt != nil, underlying: error)
        }
        if hasLogWithOtherKey(verdict.byteCount) {
            return DatabaseFileError(
                .wrongKey, path, "the key is not that of \(path)-wal, which has the newest content",
                hint: "the key was changed: give the new one, and leave the log where it is",
                underlying: error)
        }
        if isPartlyAuthentic(verdict) {
            return damaged("the key is right, but the first page is not what was written", error)
        }
        if let format = verdict.knownFormat {
            return .notADatabase(path, as: format, underlying: error)
        }
        if verdict.isStartBlank { return damaged("its first page is all zeros", error) }
        return DatabaseFileError(
            .wrongKey, path, "the key does not open \(path)",
            hint:
                "check which key was given; diagnose() distinguishes a wrong key from damage and from "
                + "unusual settings",
            underlying: error, step: DatabaseFileStep.diagnose)
    }

    /// Whether the file has a plaintext header, and no salt was given for it.
    package var lacksSalt: Bool {
        prepared().salt == nil && (try? verdict())?.kind == .plaintextHeader
    }

    /// Whether the file has a plaintext header, and the settings say nothing of one.
    func isHeaderUnexpected(_ verdict: FileVerdict) -> Bool {
        verdict.kind == .plaintextHeader && prepared().settings.hasSaltInFile
    }

    /// Why a file that SQLite takes for no database is none that the key could open.
    private func refusal(
        of verdict: FileVerdict, _ error: DatabaseError
    ) -> DatabaseFileError? {
        switch verdict.kind {
        case .plaintext where key != nil:
            return .plaintext(path, underlying: error)
        case .damagedPlaintext where key != nil:
            return .damagedPlaintext(path, underlying: error)
        case .plaintext, .damagedPlaintext:
            return damaged("it begins like a plaintext database, but is not one", error)
        case .encrypted where verdict.endsWithPage, .plaintextHeader:
            guard key == nil else { return nil }
            if let format = verdict.knownFormat {
                return .notADatabase(path, as: format, underlying: error)
            }
            return .keyRequired(path, verdict, underlying: error)
        case .empty, .tooSmall, .encrypted, .unknown:
            return .notADatabase(path, verdict, underlying: error)
        }
    }

    /// Whether the log beside the file holds all of the database, under another key than was given.
    private func hasLogWithOtherKey(_ fileByteCount: Int64) -> Bool {
        guard fileByteCount <= Self.examinedByteCount,
            let resolved = try? fileSystem.resolve(path),
            let log = try? LogFile(resolved + "-wal", fileSystem), log.isComplete
        else { return false }
        return (try? diagnose())?.hasLogUnderUnknownKey ?? false
    }

    /// Whether a page is authentic under the key, among the first and some from all over the file: then
    /// it is the right one. That takes as long in a large file as in a small one.
    func isPartlyAuthentic(_ verdict: FileVerdict) -> Bool {
        guard let key, let resolved = try? fileSystem.resolve(path),
            let handle = try? ConnectionHandle(path: resolved, flags: .readOnly),
            let file = handle.rawFile()
        else { return false }
        let (settings, salt) = prepared()
        let trial = KeyTrial(
            byteCount: file.byteCount, read: file.read, keys: [key],
            salts: [salt, verdict.salt].compactMap { $0 }, beginsAsPlain: false,
            pageSize: nil, iterations: settings.kdfIterations)
        let finding = try? trial.find(settings)
        withExtendedLifetime(handle) {}
        return finding != nil
    }

    /// Refuses a wrong raw key before all pages are read: it costs nothing to try it on some of them.
    /// Where a log lies, which may have all pages under another key, the opening has tried it.
    func requireKeyOfSomePage(_ database: Database) throws {
        guard let key, key.form != .passphrase, try database.authenticatesPages(),
            CompanionFiles(of: try fileSystem.resolve(path), fileSystem) == nil,
            let verdict = try? verdict(), !isPartlyAuthentic(verdict)
        else { return }
        throw DatabaseError(code: .SQLITE_NOTADB, message: "file is not a database")
    }
}
