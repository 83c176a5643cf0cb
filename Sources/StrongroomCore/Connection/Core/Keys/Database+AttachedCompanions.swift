internal import StrongroomEssentials

// A log or a journal of another database, next to a file that is attached: as `Database+Companions`
// has it for the main file. The statement says which file it is and gives the key, as literals or
// bound; what is computed is not looked at.

extension Database {
    /// Refuses a log or a journal of another database, next to the file that a statement attaches.
    ///
    /// - Throws: `SQLITE_CANTOPEN_DIRTYWAL`; `SQLITE_NOTADB` if the key is not the file's either.
    func requireOwnCompanions(ofFileAttachedBy statement: Statement) throws {
        let operands = statement.sql.withSQLLexer { lexer in
            lexer.attachOperands(statement.argumentStorage)
        }
        guard let operands, let name = operands.file, !name.utf8.contains(0) else { return }
        try requireNoStrayLog(ofFileAttachedAs: name)
        guard let handle = try? ConnectionHandle(path: name, flags: [.readOnly, .uri]),
            let path = handle.borrowed.fileName(schema: "main")
        else { return }
        try OtherNames.requireOwnName(path)
        guard let files = CompanionFiles(of: path), let file = handle.rawFile(),
            file.byteCount > 0, let key = try keyOfAttached(operands.key)
        else { return }
        for settings in candidateSettings(file, key) {
            let first = handle.rawBytes(count: settings.pageSize) ?? []
            let pageKey = try PageKey(
                key, fileSalt: CipherSalt(first.prefix(CipherSalt.byteCount)), settings: settings)
            let isKnown = try files.judge(pageKey, firstPage: first, file.byteCount) {
                handle.isReserved()
            }
            if isKnown { return }
        }
        throw DatabaseError(
            code: .SQLITE_NOTADB, message: "file is not a database", sql: statement.sql)
    }

    /// Refuses a log or a journal whose database is not there, before a statement creates that.
    func requireNoStrayLog(ofFileAttachedAs name: String) throws(DatabaseError) {
        guard !configuration.trustsCompanions, let path = name.pathInPlainURI, path != ":memory:"
        else { return }
        try CompanionFiles.requireNoStray(of: path)
    }

    /// Nil for a file that is attached without a key.
    private func keyOfAttached(_ operand: AttachOperands.Key) throws -> CipherKey? {
        switch operand {
        case .given(let bytes):
            return try bytes.isEmpty
                ? nil
                : bytes.withUnsafeBytes { bytes in
                    RawKeyText.isTakenAsRawKey(bytes)
                        ? try CipherKey(parsing: bytes)
                        : try CipherKey(passphrase: SecretBytes(copying: bytes))
                }
        case .ofMain: return try derivedKeyOfMain()
        case .unknown: return nil
        }
    }

    /// SQLCipher gives an attached file the derived key of the main one, with its salt.
    private func derivedKeyOfMain() throws -> CipherKey? {
        let settings = try cipherSettings()
        guard let salt = try saltOfFile(settings), let key = try standing.learnKey?() else {
            return nil
        }
        return try PageKey(key, fileSalt: salt, settings: settings).cipherKey()
    }

    /// SQLCipher opens an attached file with the usual settings; others are looked for, so that the
    /// error is the right one.
    private func candidateSettings(_ file: RawFile, _ key: CipherKey) -> [CipherSettings] {
        let usual = CipherSettings.version(.v4)
        let search = SettingsSearch(
            byteCount: file.byteCount, read: file.read, key: key, knownSalt: nil, tried: usual)
        guard case .found(let found, _) = try? search.run() else { return [usual] }
        return [found]
    }
}

/// What `ATTACH file AS name KEY key` says.
struct AttachOperands {
    enum Key: Equatable {
        case given([UInt8])
        /// None stands there.
        case ofMain
        case unknown
    }

    var file: String?
    var key = Key.ofMain
}

extension SQLLexer {
    /// Nil for another statement.
    fileprivate mutating func attachOperands(_ arguments: StatementArguments) -> AttachOperands? {
        guard let first = nextAfterSemicolons(), isWord(first, "attach") else { return nil }
        var operands: [[DatabaseValue?]] = [[]]
        var names: [String] = []
        while let token = nextMeaningful(), token.kind != .semicolon {
            if isWord(token, "database"), operands == [[]] { continue }
            if isWord(token, "as") || isWord(token, "key") {
                operands.append([])
                continue
            }
            operands[operands.count - 1].append(operand(token, arguments, &names))
        }
        guard operands.count >= 2 else { return nil }
        var result = AttachOperands()
        if operands[0].count == 1, let file = operands[0][0] {
            result.file = String.fromDatabaseValue(file)
        }
        if operands.count == 3 { result.key = Self.key(operands[2]) }
        return result
    }

    private static func key(_ operand: [DatabaseValue?]) -> AttachOperands.Key {
        guard operand.count == 1, let value = operand[0] else { return .unknown }
        switch value.storage {
        case .null: return .ofMain
        case .string(let text): return .given(Array(text.utf8))
        case .blob(let data): return .given(Array(data))
        default: return .unknown
        }
    }

    /// - Parameter names: The parameters so far: each new one takes the next argument.
    private func operand(
        _ token: Token, _ arguments: StatementArguments, _ names: inout [String]
    ) -> DatabaseValue? {
        switch token.kind {
        case .word, .quotedName, .string: return value(token).databaseValue
        case .blob:
            return Hexadecimal.bytes(value(token)).map { bytes in
                DatabaseValue(storage: .blob(Data(bytes)))
            }
        case .parameter:
            let text = text(token)
            if let value = arguments.namedValues[String(text.dropFirst())] { return value }
            if let number = Int(text.dropFirst()) {
                return arguments.values.indices.contains(number - 1)
                    ? arguments.values[number - 1] : nil
            }
            if text == "?" || !names.contains(text) { names.append(text) }
            let index = text == "?" ? names.count - 1 : names.firstIndex(of: text) ?? 0
            return arguments.values.indices.contains(index) ? arguments.values[index] : nil
        default: return nil
        }
    }
}
