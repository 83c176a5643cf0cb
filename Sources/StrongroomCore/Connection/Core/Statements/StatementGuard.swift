// A second look at what SQLite is going to refuse (`StatementRules`), before SQLite has the text: it
// finds the same in words, so that the error can say what to do instead. It also finds what SQLite
// does not tell: the key behind `KEY` in ATTACH.

extension StatementRules {
    /// The danger of the statement that comes next, as its text shows it.
    package func danger(of lexer: inout SQLLexer) -> Danger? {
        guard let first = lexer.nextWithoutExplain() else { return nil }
        switch lexer.lowercasedWord(first) {
        case "pragma":
            guard let pragma = lexer.pragma() else { return nil }
            return danger(ofPragma: pragma.name, argument: pragma.argument)
        case "attach":
            return author == .tool ? .attach : lexer.holdsKeyOfAttach() ? .keyInAttach : nil
        case "vacuum":
            guard let hasKey = lexer.targetOfVacuumHasKey() else { return nil }
            return hasKey && author == .app ? .keyInVacuum : .vacuumInto
        default: return nil
        }
    }
}

extension SQLLexer {
    private mutating func nextOfStatement() -> Token? {
        nextMeaningful().flatMap { $0.kind == .semicolon ? nil : $0 }
    }

    private func isURIWithKey(_ token: Token) -> Bool {
        (token.kind == .string || token.kind == .quotedName) && KeyURI.givesKey(value(token))
    }

    /// Whether a key stands in the text: one that is bound, and the empty one, are no secrets there.
    fileprivate mutating func holdsKeyOfAttach() -> Bool {
        var afterKey: Token?
        var previous: Token?
        while let token = nextOfStatement() {
            if isURIWithKey(token) { return true }
            if isWord(previous, "key") { afterKey = token }
            previous = token
        }
        guard let key = afterKey else { return false }
        return key.kind != .parameter && !value(key).isEmpty
    }

    /// Whether the file that is written is named with a key; nil if none is written.
    fileprivate mutating func targetOfVacuumHasKey() -> Bool? {
        var isInto = false
        while let token = nextOfStatement() {
            if isInto, isURIWithKey(token) { return true }
            if isWord(token, "into") { isInto = true }
        }
        return isInto ? false : nil
    }
}

extension Statement {
    /// - Throws: `SQLITE_CANTOPEN` for a text with a NUL, up to which SQLite would read the name of a
    ///   file.
    func requireHarmlessArguments() throws(DatabaseError) {
        let values = arguments.values + arguments.namedValues.values
        guard values.contains(where: \.hasNUL) else { return }
        let namesFile = sql.withSQLLexer { lexer in
            lexer.nextWithoutExplain().map {
                ["attach", "vacuum"].contains(lexer.lowercasedWord($0))
            }
        }
        if namesFile == true { throw ConnectionHandle.nulError }
    }
}

extension DatabaseValue {
    fileprivate var hasNUL: Bool {
        if case .string(let text) = storage { text.utf8.contains(0) } else { false }
    }
}

extension Database {
    /// From now on SQLite asks about each statement, and nothing writes what SQLite keeps to itself.
    func guardStatements() throws(DatabaseError) {
        let author: StatementRules.Author = configuration.distrustsFile ? .tool : .app
        let isKeyed = try withHandle { handle throws(DatabaseError) in
            try handle.setDefensive(true)
            if configuration.distrustsFile { try handle.distrustSchema() }
            if !configuration.runsModules { try handle.removeModules() }
            return try handle.isKeyed()
        }
        let rules = StatementRules(author: author, isKeyed: isKeyed)
        hooks.setRules(rules, try connection())
    }

    /// - Throws: `SQLITE_MISUSE` for a statement that would harm the database, and what to do.
    func requireHarmless(_ lexer: SQLLexer) throws(DatabaseError) {
        var rest = lexer
        guard let danger = hooks.rules?.danger(of: &rest), let problem = try problem(of: danger)
        else { return }
        let sql = String(decoding: lexer.bytes[lexer.position...], as: UTF8.self)
        throw DatabaseError(code: .SQLITE_MISUSE, message: problem, sql: sql)
    }

    /// What SQLite has refused because of the rules is told in their words.
    ///
    /// - Parameter kind: That of the statement, if it was running: VACUUM attaches what it writes.
    func explainRefusal(
        _ error: DatabaseError, whileRunning kind: StatementKind? = nil
    ) -> DatabaseError {
        // Of a function, SQLite says it in words only.
        let isRefusal =
            error.resultCode == .SQLITE_AUTH || error.message?.hasPrefix("not authorized") == true
        guard isRefusal, let danger = hooks.takeDenial(),
            let problem = try? problem(
                of: danger == .keyInAttach && kind == .other ? .keyInVacuum : danger)
        else { return error }
        return DatabaseError(code: .SQLITE_MISUSE, message: problem, sql: error.sql)
    }

    private func problem(of danger: StatementRules.Danger) throws(DatabaseError) -> String? {
        guard danger == .vacuumInto, configuration.distrustsFile == false else {
            return danger.problem
        }
        try requireDefaultCipherSettings()
        return nil
    }
}

extension StatementRules.Danger {
    /// What is refused, and what to do instead.
    fileprivate var problem: String {
        switch self {
        // The word PRAGMA before the word key would make an error hide the rest, as if it were one.
        case .key(let pragma):
            """
            \(pragma) is refused on a connection that is open: SQLCipher reports success when it \
            did nothing, and can leave a file that no key opens. Give the key in \
            Configuration.prepareDatabase (usePassphrase); change it with changePassphrase, \
            rotateKey(to:) or strongroom rotate-key
            """
        case .cipherSetting(let pragma):
            """
            \(pragma) is refused on a connection that is open: set now, it can make the file \
            unreadable. Set it in Configuration.prepareDatabase, after the key; \
            DatabaseFile.transfer(to:) (strongroom copy) makes a file with other settings
            """
        case .cipherLog(let pragma):
            """
            \(pragma) is refused on a connection that is open: it writes to any file. Set it in \
            Configuration.prepareDatabase
            """
        case .temporaryFiles(let pragma):
            """
            PRAGMA \(pragma) is refused but for MEMORY: temporary files of an encrypted database \
            hold its content in plaintext
            """
        case .trustedSchema: "the schema of a file of unknown origin is not trusted"
        case .keyInAttach:
            """
            a key must not stand in SQL, which is logged and traced: bind it, or use \
            attach(_:as:passphrase:)
            """
        case .keyInVacuum:
            """
            VACUUM INTO a URI with a key is refused: nothing verifies what it writes, which may be in \
            clear. Use vacuum(into:), or DatabaseFile.transfer(to:) (strongroom copy)
            """
        case .attach: "ATTACH and VACUUM INTO are refused: they write files that nothing verifies"
        case .vacuumInto: "VACUUM INTO is refused: nothing verifies what it writes"
        case .function(let name): "\(name) is refused: it reaches beyond the database"
        case .unknown: "this statement is refused: this version does not know what it does"
        }
    }
}
