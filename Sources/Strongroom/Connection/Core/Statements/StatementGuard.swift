/// Statements that a connection does not run once it is ready for use, because they destroy the
/// file, change its key without a proof, or write what it holds in clear.
///
/// They are found in the text: SQLCipher carries out `PRAGMA key` and the like as soon as they are
/// prepared (`Documentation/SQLCipher.md`, "Keys"). In `Configuration.prepareDatabase` they are
/// allowed.
enum StatementGuard {
    /// What a statement would do that it must not.
    enum Danger: Equatable {
        case key(pragma: String)
        case cipherSetting(pragma: String)
        case temporaryFiles
        case keyInAttach
        case keyInVacuum
        /// It is safe if the database has the cipher settings that the copy will get.
        case vacuumInto
    }

    fileprivate static let keyInVacuumProblem = """
        VACUUM INTO a URI with a key is refused: nothing verifies what it writes, which may be in \
        clear. Use vacuum(into:), or DatabaseFile.transfer(to:) (strongroom copy)
        """

    private static let keyPragmas: Set = [
        "key", "rekey", "hexkey", "hexrekey", "textkey", "textrekey",
    ]

    /// Those that change how pages are read and written, or the file itself ("Settings").
    private static let settings: Set = [
        "cipher", "cipher_compatibility", "cipher_hmac_algorithm", "cipher_hmac_pgno",
        "cipher_hmac_salt_mask", "cipher_kdf_algorithm", "cipher_page_size",
        "cipher_plaintext_header_size", "cipher_salt", "cipher_use_hmac", "fast_kdf_iter",
        "kdf_iter", "rekey_cipher", "rekey_kdf_iter",
    ]

    /// First words of statements that need no closer look.
    private static let harmlessWords: Set = [
        "select", "insert", "update", "delete", "replace", "with", "values", "begin", "commit",
        "end", "savepoint", "release", "rollback", "create", "drop", "alter", "detach", "analyze",
        "reindex",
    ]

    /// The danger of the statement at the head of an SQL text, if it is one.
    static func danger(of sql: Substring) -> Danger? {
        var words = SQLWords(sql)
        if let first = words.next(), harmlessWords.contains(first) { return nil }
        guard let statement = SQLScanner.statements(of: String(sql)).first else { return nil }
        let tokens = withoutExplain(statement.tokens[...])
        guard let first = tokens.first else { return nil }
        if first.isWord("PRAGMA") { return danger(ofPragma: tokens.dropFirst()) }
        if first.isWord("ATTACH") { return holdsKey(attach: tokens) ? .keyInAttach : nil }
        guard first.isWord("VACUUM"), tokens.contains(where: { $0.isWord("INTO") }) else {
            return nil
        }
        return tokens.contains(where: \.isURIWithKey) ? .keyInVacuum : .vacuumInto
    }

    /// SQLCipher rekeys on `EXPLAIN PRAGMA rekey` as well.
    private static func withoutExplain(
        _ tokens: ArraySlice<SQLScanner.Token>
    ) -> ArraySlice<SQLScanner.Token> {
        guard tokens.first?.isWord("EXPLAIN") == true else { return tokens }
        return tokens.dropFirst().drop { $0.isWord("QUERY") || $0.isWord("PLAN") }
    }

    private static func danger(ofPragma tokens: ArraySlice<SQLScanner.Token>) -> Danger? {
        var tokens = tokens
        // PRAGMA main.key: the schema comes first.
        if tokens.dropFirst().first == .other(".") { tokens = tokens.dropFirst(2) }
        guard let name = tokens.first?.name?.lowercased() else { return nil }
        if keyPragmas.contains(name) { return .key(pragma: name) }
        if name == "cipher_migrate" { return .cipherSetting(pragma: name) }
        guard tokens.count > 1 else { return nil }
        if settings.contains(name) || name.hasPrefix("cipher_default_") {
            return .cipherSetting(pragma: name)
        }
        guard name == "temp_store" else { return nil }
        let isInMemory = tokens.contains { token in
            token.name?.lowercased() == "memory" || token == .word("2") || token == .string("2")
        }
        return isInMemory ? nil : .temporaryFiles
    }

    /// Whether SQLite takes a name for a URI that gives a key: `file:x?hexkey=…`.
    fileprivate static func isURIWithKey(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("file:") && name.contains("key=")
    }

    /// Whether a key stands in the text: one that is bound, and the empty one, are no secrets there.
    private static func holdsKey(attach tokens: ArraySlice<SQLScanner.Token>) -> Bool {
        if tokens.contains(where: \.isURIWithKey) { return true }
        guard let word = tokens.lastIndex(where: { $0.isWord("KEY") }) else { return false }
        switch tokens[tokens.index(after: word)...].first {
        case nil, .parameter, .string(""), .quotedName(""): return false
        default: return true
        }
    }
}

extension SQLScanner.Token {
    fileprivate var isURIWithKey: Bool { name.map(StatementGuard.isURIWithKey) ?? false }
}

extension Statement {
    /// - Throws: `SQLITE_MISUSE` for `VACUUM INTO` a name that is bound, and gives a key;
    ///   `SQLITE_CANTOPEN` for a text with a NUL, up to which SQLite would read the name of a file.
    func requireHarmlessArguments() throws(DatabaseError) {
        let values = arguments.values + arguments.namedValues.values
        var words = SQLWords(sql)
        if let word = words.next(), ["attach", "vacuum"].contains(word),
            values.contains(where: \.hasNUL)
        {
            throw ConnectionHandle.nulError
        }
        guard database.isReady, StatementGuard.danger(of: sql[...]) == .vacuumInto else { return }
        let names = values.compactMap { String.fromDatabaseValue($0) }
        guard names.contains(where: StatementGuard.isURIWithKey) else { return }
        throw DatabaseError(
            code: .SQLITE_MISUSE, message: StatementGuard.keyInVacuumProblem, sql: sql)
    }
}

extension DatabaseValue {
    fileprivate var hasNUL: Bool {
        if case .string(let text) = storage { text.utf8.contains(0) } else { false }
    }
}

extension Database {
    /// - Throws: `SQLITE_MISUSE` for a statement that would harm the database, and what to do.
    func requireHarmless(_ sql: Substring) throws(DatabaseError) {
        guard isReady, let danger = StatementGuard.danger(of: sql) else { return }
        guard let problem = try problem(of: danger) else { return }
        throw DatabaseError(code: .SQLITE_MISUSE, message: problem, sql: String(sql))
    }

    private func problem(of danger: StatementGuard.Danger) throws(DatabaseError) -> String? {
        switch danger {
        // The word PRAGMA before the word key would make an error hide the rest, as if it were one.
        case .key(let pragma):
            return """
                \(pragma) is refused on a connection that is open: SQLCipher reports success when it \
                did nothing, and can leave a file that no key opens. Give the key in \
                Configuration.prepareDatabase (usePassphrase); change it with changePassphrase, \
                rotateKey(to:) or strongroom rotate-key
                """
        case .cipherSetting(let pragma):
            return """
                \(pragma) is refused on a connection that is open: set now, it can make the file \
                unreadable. Set it in Configuration.prepareDatabase, after the key; \
                DatabaseFile.transfer(to:) (strongroom copy) makes a file with other settings
                """
        case .temporaryFiles:
            guard try isKeyed() else { return nil }
            return """
                PRAGMA temp_store is refused but for MEMORY: temporary files of an encrypted \
                database hold what it holds in clear
                """
        case .keyInAttach:
            return """
                a key must not stand in SQL, which is logged and traced: bind it, or use \
                attach(_:as:passphrase:)
                """
        case .keyInVacuum:
            return StatementGuard.keyInVacuumProblem
        case .vacuumInto:
            try requireDefaultCipherSettings()
            return nil
        }
    }

    private func isKeyed() throws(DatabaseError) -> Bool {
        try withHandle { handle throws(DatabaseError) in try handle.isKeyed() }
    }
}
