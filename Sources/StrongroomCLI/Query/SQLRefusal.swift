package import Strongroom

/// Statements that `strongroom query` does not run, whatever its options.
///
/// 1. Keys: they would stand in the command line, and `PRAGMA rekey` reports success when it failed.
/// 2. Cipher settings: changed on an open database, some of them make its file unopenable.
/// 3. `ATTACH` and `VACUUM INTO`: they write files that nothing verifies, in a read-only query too.
/// 4. What would bring decrypted pages to the disk as temporary files.
package enum SQLRefusal {
    private static let keyPragmas: Set<String> = [
        "key", "rekey", "hexkey", "hexrekey", "textkey", "textrekey", "rekey_kdf_iter",
        "rekey_cipher",
    ]

    private static let cipherPragmas: Set<String> = ["kdf_iter", "fast_kdf_iter", "cipher"]

    private static let temporaryFilePragmas: Set<String> = ["temp_store", "temp_store_directory"]

    package static func check(_ statements: [SQLScanner.Statement]) throws(Failure) {
        for statement in statements {
            if let failure = refusal(of: statement.tokens[...]) { throw failure }
        }
    }

    private static func refusal(of statement: ArraySlice<SQLScanner.Token>) -> Failure? {
        let statement = withoutExplain(statement)
        guard let first = statement.first else { return nil }
        if first.isWord("PRAGMA") { return refusalOfPragma(statement.dropFirst()) }
        if first.isWord("ATTACH") {
            return .usage(
                "ATTACH is not available: a query works on one database",
                hint: "strongroom copy, encrypt and decrypt make databases from others")
        }
        if first.isWord("VACUUM"), statement.contains(where: { $0.isWord("INTO") }) {
            return .usage(
                "VACUUM INTO is not available: nothing verifies what it writes",
                hint: "strongroom copy FILE OUT makes a verified copy")
        }
        return nil
    }

    /// SQLCipher rekeys on `EXPLAIN PRAGMA rekey` as well.
    private static func withoutExplain(
        _ statement: ArraySlice<SQLScanner.Token>
    ) -> ArraySlice<SQLScanner.Token> {
        guard statement.first?.isWord("EXPLAIN") == true else { return statement }
        let rest = statement.dropFirst()
        let isPlan =
            rest.first?.isWord("QUERY") == true && rest.dropFirst().first?.isWord("PLAN") == true
        return isPlan ? rest.dropFirst(2) : rest
    }

    private static func refusalOfPragma(_ words: ArraySlice<SQLScanner.Token>) -> Failure? {
        var words = words
        // PRAGMA main.key: the schema comes first.
        if words.dropFirst().first == .other(".") { words = words.dropFirst(2) }
        guard let name = words.first?.name?.lowercased() else { return nil }
        if keyPragmas.contains(name) {
            return .usage(
                "PRAGMA \(name) is not available: keys are not given in SQL",
                hint: "--key-file PATH and its like open a database; "
                    + "strongroom rotate-key FILE changes its key")
        }
        let setsValue = words.count > 1
        if setsValue, name.hasPrefix("cipher_") || cipherPragmas.contains(name) {
            return .usage(
                "PRAGMA \(name) cannot be set: it would make the open database unreadable")
        }
        if setsValue, temporaryFilePragmas.contains(name) {
            return .usage("PRAGMA \(name) cannot be set: decrypted data would reach the disk")
        }
        return nil
    }
}
