internal import CSQLCipher

// Safety: what is prepared here is finalized here.
extension ConnectionHooks {
    /// Creates a table or an index from a text that a file says, and that may say anything.
    ///
    /// 1. The text is one statement, to its last byte. It begins as SQLite begins what it stores:
    ///    neither with a comment nor with another statement.
    /// 2. The statement creates what the schema's row says it does, in the main database. That is
    ///    what SQLite says when it has compiled the text, so that no second parser has to agree.
    /// 3. It runs after 1 and 2 are known, within the limits of the connection.
    ///
    /// - Throws: `SQLITE_AUTH` if it is not so.
    package func define(
        _ definition: DefinedName, by sql: String, _ connection: BorrowedConnection
    ) throws(DatabaseError) {
        guard definition.hasBeginning(of: sql) else {
            throw definition.refusal("it is not CREATE \(definition.kind.rawValue.uppercased())")
        }
        guard !sql.utf8.contains(0) else { throw definition.refusal("it has a NUL character") }
        limits?.definition = definition
        limits?.created = []
        defer {
            limits?.definition = nil
            limits?.isDefinitionRunning = false
        }
        let (statement, tail) = try unsafe Self.prepareFirst(sql, connection)
        defer { unsafe sqlite3_finalize(statement) }
        guard tail.allSatisfy({ SQLLexer.isStoredBlank($0) || $0 == UInt8(ascii: ";") }) else {
            throw definition.refusal("it is more than one statement")
        }
        guard let statement = unsafe statement, limits?.createsDefinition != false else {
            throw definition.refusal("it creates something else")
        }
        limits?.isDefinitionRunning = true
        var code = SQLITE_ROW
        while code == SQLITE_ROW { code = unsafe sqlite3_step(statement) }
        guard code == SQLITE_DONE else { throw connection.lastError }
    }

    /// - Returns: The first statement, and the bytes after it.
    private static func prepareFirst(
        _ sql: String, _ connection: BorrowedConnection
    ) throws(DatabaseError) -> (OpaquePointer?, tail: [UInt8]) {
        var statement: OpaquePointer?
        var length = 0
        let code = unsafe sql.withCString { text in
            var end: UnsafePointer<CChar>?
            let code = unsafe sqlite3_prepare_v2(connection.pointer, text, -1, &statement, &end)
            length = unsafe end.map { unsafe $0 - text } ?? 0
            return code
        }
        guard code == SQLITE_OK else {
            throw connection.lastError
                .executing(sql, arguments: nil, showsArguments: false)
        }
        return unsafe (statement, Array(sql.utf8.dropFirst(length)))
    }
}

extension DefinedName {
    /// Whether a text begins with the words that create something of this kind.
    fileprivate func hasBeginning(of sql: String) -> Bool {
        sql.withSQLLexer { lexer in
            guard lexer.isWord(lexer.next(), "create") else { return false }
            var word = lexer.nextAfterBlank()
            if kind == .index, lexer.isWord(word, "unique") { word = lexer.nextAfterBlank() }
            return lexer.isWord(word, kind.rawValue)
        }
    }

    fileprivate func refusal(_ reason: String) -> DatabaseError {
        DatabaseError(
            code: .SQLITE_AUTH,
            message: "the definition of \(kind.rawValue) \(name) is not carried out: \(reason)")
    }
}

// Safety: what is prepared here is finalized here; the connection is open while the handle is
// there.
extension ConnectionHandle {
    /// Removes the functions that have effects: those that SQLite does not let any schema call, and
    /// that the app has not given. Without them a CHECK cannot call one either, which is not among
    /// the expressions that TRUSTED_SCHEMA keeps from it.
    ///
    /// - Returns: The names of the others, in lower case.
    /// <https://www.sqlite.org/pragma.html#pragma_function_list>
    package func removeFunctionsWithEffects() throws(DatabaseError) -> Set<String> {
        try removeFunctions { !$0.isHarmless }
        return Set(try functions().filter(\.isHarmless).map(\.name.asciiLowercased))
    }

    func removeFunctions(where isUnwanted: (ListedFunction) -> Bool) throws(DatabaseError) {
        for function in try functions() where isUnwanted(function) {
            try unsafe check(
                sqlite3_create_function_v2(
                    borrowed.pointer, function.name, function.argumentCount, function.encoding,
                    nil, nil, nil, nil, nil))
        }
    }

    struct ListedFunction {
        let name: String
        let argumentCount: CInt
        /// SQLite removes a function only by all that tells it from others of its name.
        let encoding: CInt
        let isHarmless: Bool
    }

    private static func encoding(_ name: String?) -> CInt {
        switch name {
        case "utf16le": SQLITE_UTF16LE
        case "utf16be": SQLITE_UTF16BE
        default: SQLITE_UTF8
        }
    }

    private func functions() throws(DatabaseError) -> [ListedFunction] {
        var statement: OpaquePointer?
        defer { unsafe sqlite3_finalize(statement) }
        try unsafe check(
            sqlite3_prepare_v2(borrowed.pointer, "PRAGMA function_list", -1, &statement, nil))
        guard let statement = unsafe statement else { return [] }
        var functions: [ListedFunction] = []
        while unsafe sqlite3_step(statement) == SQLITE_ROW {
            unsafe functions.append(
                ListedFunction(
                    name: BorrowedStatement(statement).string(0) ?? "",
                    argumentCount: sqlite3_column_int(statement, 4),
                    encoding: Self.encoding(BorrowedStatement(statement).string(3)),
                    isHarmless: sqlite3_column_int(statement, 5) & SQLITE_INNOCUOUS != 0))
        }
        return functions
    }
}

// Safety: a token's range lies in the text that the lexer reads.
extension SQLLexer {
    /// SQLite skips a vertical tab behind another blank, but writes none into what it stores.
    fileprivate static func isStoredBlank(_ byte: UInt8) -> Bool {
        isBlank(byte) && byte != 0x0B
    }

    /// The token behind a blank; nil where anything else comes first.
    fileprivate mutating func nextAfterBlank() -> Token? {
        guard let blank = next(), blank.kind == .blank,
            unsafe bytes[blank.range].allSatisfy(Self.isStoredBlank)
        else { return nil }
        return next()
    }
}
