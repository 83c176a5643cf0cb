// A log or journal that lay next to the file when it was opened is authenticated under the file's key
// before SQLite comes to it: at the end of the opening, or before the first statement of the app's
// preparation that reads the file.
//
// Not looked at is what lies next to a file without a key whose pages carry no code, and a key that
// the library does not see: one in a URI, or given by `sqlite3_key`.

extension Database {
    /// Refuses a log or a journal of another database, before anything of it reaches the file.
    ///
    /// - Throws: `SQLITE_CANTOPEN_DIRTYWAL`; `SQLITE_NOTADB` if the key is not the file's either.
    func requireOwnCompanions() throws(DatabaseError) {
        guard let files = keying.companions else { return }
        guard try judge(files) else {
            throw DatabaseError(code: .SQLITE_NOTADB, message: "file is not a database")
        }
        keying.companions = nil
    }

    /// The same, before a statement of the app's preparation is compiled.
    ///
    /// Settings may follow: as long as the key opens nothing, what reads no page passes.
    func requireOwnCompanions(before statement: SQLLexer) throws(DatabaseError) {
        var lexer = statement
        guard let first = lexer.nextAfterSemicolons() else { return }
        guard lexer.lowercasedWord(first) == "pragma", let pragma = lexer.pragma() else {
            return try requireOwnCompanions()
        }
        let name = pragma.name.asciiLowercased
        if KeyPragma.isName(name) {
            if let key = pragma.argument { noteKey(ofPragma: name, key) }
        } else if !Self.pragmasWithoutFile.contains(name), !name.hasPrefix("cipher_") {
            try requireOwnCompanions()
        }
    }

    /// Pragmas that change settings of the connection, and read no page.
    private static let pragmasWithoutFile: Set = [
        "kdf_iter", "fast_kdf_iter", "cipher", "busy_timeout", "foreign_keys", "recursive_triggers",
        "temp_store", "case_sensitive_like", "automatic_index", "cell_size_check",
        "checkpoint_fullfsync", "fullfsync", "ignore_check_constraints", "query_only",
        "read_uncommitted", "reverse_unordered_selects", "threads", "trusted_schema",
        "defer_foreign_keys", "analysis_limit", "hard_heap_limit", "soft_heap_limit",
    ]

    private func noteKey(ofPragma name: String, _ text: String) {
        var bytes = name == "hexkey" ? Hexadecimal.bytes(text) ?? [] : Array(text.utf8)
        bytes.withUnsafeBytes { keying.note?.note($0) }
        bytes.withUnsafeMutableBytes { bytes in
            for index in bytes.indices { bytes[index] = 0 }
        }
    }

    /// - Returns: Whether the key is that of the file, or of what lies next to it.
    private func judge(_ files: CompanionFiles) throws(DatabaseError) -> Bool {
        let (isKeyed, file, firstBytes) = try withHandle { handle throws(DatabaseError) in
            (try handle.isKeyed(), handle.rawFile(), handle.rawBytes(count: 65536) ?? [])
        }
        // SQLite removes what lies next to an empty file, and plays nothing back.
        guard let file, file.byteCount > 0 else { return true }
        guard isKeyed else {
            let verdict = try? FileVerdict(of: file)
            return verdict?.kind == .plaintext || verdict?.kind == .damagedPlaintext
        }
        guard let key = keyOfFile(), let settings = try? cipherSettings(),
            let pageKey = try? PageKey(
                key, fileSalt: saltOfFile(settings), settings: settings)
        else { return true }
        return try files.judge(
            pageKey, firstPage: Array(firstBytes.prefix(settings.pageSize)), file.byteCount
        ) { [self] in
            (try? withHandle { handle in handle.isReserved() }) ?? false
        }
    }

    /// The salt of the main file: its beginning, or what was given for one with a plaintext header.
    func saltOfFile(_ settings: CipherSettings) throws(DatabaseError) -> CipherSalt? {
        try withHandle { handle throws(DatabaseError) in
            guard settings.hasSaltInFile else {
                return try handle.keyParameters().flatMap { CipherSalt($0.salt) }
            }
            return handle.rawBytes(count: CipherSalt.byteCount).flatMap { CipherSalt($0[...]) }
        }
    }

    /// The key that was given, derived if a pool's connections share it.
    private func keyOfFile() -> CipherKey? {
        keying.opening?.sharedKey.cipherKey ?? keying.override ?? (try? keying.note?.key?.get())
    }
}

extension CompanionFiles {
    /// - Returns: Whether the key is that of the file, or of what lies next to it.
    /// - Throws: `SQLITE_CANTOPEN_DIRTYWAL` for what belongs to another database.
    func judge(
        _ key: PageKey, firstPage: [UInt8], _ fileByteCount: Int64,
        isReserved: @escaping () -> Bool
    ) throws(DatabaseError) -> Bool {
        let verdict: CompanionCheck.Verdict
        do {
            verdict = try CompanionCheck(
                self, key: key, firstPage: firstPage, fileByteCount: fileByteCount,
                isReserved: isReserved
            ).verdict()
        } catch let error as DatabaseError {
            throw error
        } catch {
            throw DatabaseError(
                code: .SQLITE_CANTOPEN, message: "cannot read the log of \(database): \(error)")
        }
        switch verdict {
        case .ours: return true
        case .keyUnproven: return false
        case .refused(let path, let reason): throw .foreignLog(path, next: database, reason)
        case .damaged(let path, let reason): throw .damagedJournal(path, reason)
        }
    }
}

extension DatabaseError {
    fileprivate static func damagedJournal(_ path: String, _ reason: String) -> DatabaseError {
        DatabaseError(
            code: .SQLITE_CANTOPEN_DIRTYWAL,
            message: """
                \(path) is damaged: \(reason). With it, as without it, the database would keep a part of a \
                transaction that a crash interrupted. Nothing was changed. Look for a backup, or salvage \
                the database while the journal lies next to it
                """)
    }

    fileprivate static func foreignLog(
        _ path: String, next database: String, _ reason: String
    ) -> DatabaseError {
        DatabaseError(
            code: .SQLITE_CANTOPEN_DIRTYWAL,
            message: """
                \(path) does not belong to \(database.splitAtLastSlash.name): \(reason). Nothing was \
                changed. Move it to another place to open the database without it, and keep it until \
                you know which database it belongs to
                """)
    }
}
