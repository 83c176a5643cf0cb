// Files without a key are refused where `Configuration.requiresEncryption` is set.

extension Database {
    /// From now on, until there is a key, nothing is written to a file.
    ///
    /// - Parameter path: What was opened: nothing stands for a temporary file, which is one as well.
    func refuseWritesWithoutKey(at path: String) throws(DatabaseError) {
        guard configuration.requiresEncryption else { return }
        let name = try connection().fileName(schema: "main") ?? ""
        standing.needsKeyToWrite = !name.isEmpty || path.isEmpty
    }

    /// - Throws: `SQLITE_MISUSE` when no key was given yet.
    func requireKeyToWrite() throws(DatabaseError) {
        guard try !isKeyed("main") else {
            standing.needsKeyToWrite = false
            return
        }
        throw Self.missingKey("give its key in Configuration.prepareDatabase (usePassphrase)")
    }

    /// Detaches a file that was attached without a key.
    ///
    /// - Throws: `SQLITE_MISUSE` when there is one. In a transaction, in which it cannot be detached, the
    ///   connection is then of no use any more.
    func requireKeysOfAttachedFiles(after statement: Statement) throws {
        let isAttachment = statement.sql.withSQLLexer { lexer in
            lexer.nextWithoutExplain().map { lexer.isWord($0, "attach") } ?? false
        }
        guard isAttachment else { return }
        let schemas = try withHandle { handle throws(DatabaseError) in
            try handle.texts("SELECT name FROM pragma_database_list")
        }
        for schema in schemas where !["main", "temp"].contains(schema) {
            let name = try connection().fileName(schema: schema) ?? ""
            if name.isEmpty { continue }
            if try isKeyed(schema) { continue }
            let error = Self.missingKey("attach it with a key (attach(_:as:passphrase:))")
            do {
                try run("DETACH \(schema.quotedDatabaseIdentifier)")
            } catch {
                standing.refusal = BoxedError(
                    Self.missingKey("one was attached in a transaction: close the connection"))
            }
            throw error
        }
    }

    /// - Throws: `SQLITE_MISUSE` for a `VACUUM INTO` that would write a file in plaintext.
    func requireKeyOfVacuum(_ lexer: SQLLexer) throws(DatabaseError) {
        var lexer = lexer
        guard let first = lexer.nextWithoutExplain(), lexer.lowercasedWord(first) == "vacuum",
            let second = lexer.nextMeaningful()
        else { return }
        let isOfMain = lexer.lowercasedWord(second) == "into"
        if !isOfMain {
            guard let third = lexer.nextMeaningful(), lexer.lowercasedWord(third) == "into" else {
                return
            }
        }
        guard try !isKeyed(isOfMain ? "main" : lexer.value(second)) else { return }
        throw Self.missingKey("VACUUM INTO would write a file in plaintext")
    }

    private func isKeyed(_ schema: String) throws(DatabaseError) -> Bool {
        try withHandle { handle throws(DatabaseError) in try handle.isKeyed(schema: schema) }
    }

    private static func missingKey(_ what: String) -> DatabaseError {
        DatabaseError(code: .SQLITE_MISUSE, message: DatabaseError.missingKey + what)
    }
}

extension DatabaseError {
    fileprivate static let missingKey = "files without a key are refused here: "

    /// Whether a file was refused because it has no key.
    var isOfMissingKey: Bool { message?.hasPrefix(Self.missingKey) == true }
}
