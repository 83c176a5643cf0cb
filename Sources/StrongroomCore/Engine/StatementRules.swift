internal import CSQLCipher

/// What SQL must not do on a connection that is ready for use, whoever writes it: destroy the file,
/// change its key without a proof, or write what it holds in plaintext.
///
/// 1. SQLite asks when it compiles a statement, before anything of it has an effect: SQLCipher
///    carries some pragmas out while they are compiled, and is not asked before SQLite has the
///    answer. No text has to be understood for that.
/// 2. `VACUUM` attaches the file that it writes to, and is asked for when it runs.
/// 3. The argument of a pragma may be a key: of those that take one it is not even read.
package struct StatementRules: Sendable {
    /// Whose SQL it is.
    package enum Author: Sendable {
        /// The app's own, on files that it trusts.
        case app
        /// Of whoever uses the tool, on files of anybody.
        case tool
    }

    /// What a statement would do that it must not.
    package enum Danger: Equatable, Sendable {
        case key(pragma: String)
        case cipherSetting(pragma: String)
        case cipherLog(pragma: String)
        case temporaryFiles(pragma: String)
        case trustedSchema
        case keyInAttach
        case keyInVacuum
        case attach
        case vacuumInto
        case function(String)
        /// What this library does not know of, for SQLite had it later.
        case unknown
    }

    package let author: Author
    /// Whether the main database is encrypted.
    package let isKeyed: Bool

    package init(author: Author, isKeyed: Bool) {
        self.author = author
        self.isKeyed = isKeyed
    }

    /// They write what statements do, and how long it takes, to any file.
    private static let logs: Set = ["cipher_log", "cipher_profile"]

    /// Settings whose names do not say that they are of SQLCipher.
    private static let settings: Set = [
        "cipher", "fast_kdf_iter", "kdf_iter", "rekey_cipher", "rekey_kdf_iter",
    ]

    /// Those that change neither how pages are read and written, nor the file.
    private static let harmlessSettings: Set = [
        "cipher_add_random", "cipher_log_level", "cipher_log_source", "cipher_memory_security",
    ]

    /// The danger of a pragma.
    ///
    /// - Parameter argument: nil where the pragma is only read. Not evaluated for a key.
    package func danger(
        ofPragma name: String, argument: @autoclosure () -> String?
    ) -> Danger? {
        let name = name.asciiLowercased
        if KeyPragma.isName(name) { return .key(pragma: name) }
        if name == "cipher_migrate" { return .cipherSetting(pragma: name) }
        guard let argument = argument() else { return nil }
        if Self.logs.contains(name) { return .cipherLog(pragma: name) }
        let isSetting = name.hasPrefix("cipher_") || Self.settings.contains(name)
        if isSetting, author == .tool || !Self.harmlessSettings.contains(name) {
            return .cipherSetting(pragma: name)
        }
        return danger(ofStorage: name, argument)
    }

    private func danger(ofStorage name: String, _ argument: String) -> Danger? {
        switch (name, author) {
        case ("temp_store", .app) where !isKeyed || Self.isMemory(argument): nil
        case ("temp_store", _), ("temp_store_directory", .tool), ("data_store_directory", .tool):
            .temporaryFiles(pragma: name)
        case ("trusted_schema", .tool): .trustedSchema
        default: nil
        }
    }

    /// As SQLite reads the argument of `temp_store`.
    private static func isMemory(_ argument: String) -> Bool {
        argument.utf8.first == UInt8(ascii: "2") || argument.asciiLowercased == "memory"
    }

    /// The danger of attaching a file, by its name; nil for one that is only known when it runs.
    func danger(ofAttaching name: String?) -> Danger? {
        // VACUUM attaches a file without a name, which is in memory.
        if author == .tool { return name?.isEmpty == true ? nil : .attach }
        return name.map(KeyURI.givesKey) == true ? .keyInAttach : nil
    }
}

// MARK: - What SQLite asks

// Safety: the texts are SQLite's during the call, and are copied out of it.
extension StatementRules {
    /// Functions that show or take addresses of memory, load code, or run the text of a schema.
    private static let functionsOfTool = ["load_extension", "sqlcipher_export"]

    /// - Parameters: What SQLite tells its authorizer, in its order.
    func danger(
        _ action: CInt, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
    ) -> Danger? {
        switch action {
        case SQLITE_PRAGMA:
            guard let first = unsafe first else { return nil }
            return unsafe danger(
                ofPragma: String(cString: first),
                argument: second.map { unsafe String(cString: $0) })
        case SQLITE_ATTACH:
            return unsafe danger(ofAttaching: first.map { unsafe String(cString: $0) })
        case SQLITE_FUNCTION:
            guard let second = unsafe second else { return nil }
            return unsafe danger(ofFunction: second)
        case SQLITE_COPY...SQLITE_RECURSIVE: return nil
        default: return author == .tool ? .unknown : nil
        }
    }

    private func danger(ofFunction name: UnsafePointer<CChar>) -> Danger? {
        if unsafe sqlite3_stricmp(name, "fts3_tokenizer") == 0 {
            return .function("fts3_tokenizer")
        }
        guard author == .tool else { return nil }
        return Self.functionsOfTool.first { unsafe sqlite3_stricmp(name, $0) == 0 }.map(
            Danger.function)
    }
}

extension ConnectionHooks {
    /// From now on refuses what the rules say, of statements that were prepared before, too.
    package func setRules(_ rules: StatementRules, _ connection: BorrowedConnection) {
        self.rules = rules
        installAuthorizer(connection)
    }

    /// Runs what the app has asked for by a method of its own, with no rule against it.
    package func withoutRules(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        let kept = rules
        rules = nil
        defer { rules = kept }
        try body()
    }

    /// What was refused last, if it was since the last call.
    package func takeDenial() -> StatementRules.Danger? {
        defer { denial = nil }
        return denial
    }
}
