import StrongroomCore

/// Statements that `strongroom query` does not run, whatever its options.
///
/// 1. Keys: they would stand in the command line, and `PRAGMA rekey` reports success when it failed.
/// 2. Cipher settings: changed on an open database, some of them make its file unopenable.
/// 3. `ATTACH` and `VACUUM INTO`: they write files that nothing verifies, in a read-only query too.
/// 4. What would bring decrypted pages to the disk as temporary files.
///
/// The connection refuses all of that (`Configuration.distrustsFile`); here it is told before a key
/// is asked for, and with what to do instead.
package enum SQLRefusal {
    private static let rules = StatementRules(author: .tool, isKeyed: true)

    package static func check(_ sql: String) throws(Failure) {
        switch sql.withSQLLexer(firstDanger) {
        case .none: throw .usage("there is no SQL to run")
        case .some(.none): break
        case .some(.some(let danger)): throw danger.failure
        }
    }

    /// The danger of the first statement that has one, if there is one; nil for no statement.
    private static func firstDanger(_ lexer: inout SQLLexer) -> StatementRules.Danger?? {
        var found: StatementRules.Danger??
        var start = lexer
        while lexer.nextStatement() != nil {
            if let danger = rules.danger(of: &start) { return danger }
            found = .some(nil)
            start = lexer
        }
        return found
    }
}

extension StatementRules.Danger {
    fileprivate var failure: Failure {
        switch self {
        case .key(let pragma):
            .usage(
                "PRAGMA \(pragma) is not available: keys cannot be given in SQL",
                hint: "open a database with --key-file PATH or similar; "
                    + "rotate its key with strongroom rotate-key FILE")
        case .cipherSetting(let pragma):
            .usage("PRAGMA \(pragma) cannot be set: it would make the open database unreadable")
        case .cipherLog(let pragma):
            .usage("PRAGMA \(pragma) cannot be set: it writes to any file")
        case .temporaryFiles(let pragma):
            .usage("PRAGMA \(pragma) cannot be set: decrypted data would reach the disk")
        case .trustedSchema:
            .usage("PRAGMA trusted_schema cannot be set: the file may come from a stranger")
        case .attach, .keyInAttach:
            .usage(
                "ATTACH is not available: a query works on one database",
                hint: "use strongroom copy, encrypt or decrypt to create a database from another")
        case .vacuumInto, .keyInVacuum:
            .usage(
                "VACUUM INTO is not available: nothing verifies what it writes",
                hint: "strongroom copy FILE OUT writes a verified copy")
        case .function(let name): .usage("\(name) is not available: it reaches beyond the database")
        case .unknown: .usage("this version does not know this statement")
        }
    }
}
