/// What a statement does, told by its first word, as far as this library has to know.
enum StatementKind {
    /// Reads or changes rows: safe to keep prepared.
    case query
    case begin
    case commit
    case rollback
    case savepoint
    case release
    case rollbackToSavepoint
    /// Changes what tables, indexes and views there are, or in which files. Never kept prepared:
    /// `ATTACH` may carry a key.
    case schemaChange
    /// Anything else: `PRAGMA` above all, which may carry a key and may do
    /// its work while it is being prepared (`Documentation/SQLCipher.md`, "Keys"). Never kept
    /// prepared.
    case other

    init(sql: String) {
        self = sql.withSQLLexer { StatementKind(&$0) }
    }

    /// The kind of the statement that comes next.
    init(_ lexer: inout SQLLexer) {
        guard let first = lexer.nextAfterSemicolons() else {
            self = .other
            return
        }
        switch lexer.lowercasedWord(first) {
        case "select", "insert", "update", "delete", "replace", "with", "values": self = .query
        case "begin": self = .begin
        case "commit", "end": self = .commit
        case "savepoint": self = .savepoint
        case "release": self = .release
        case "rollback": self = Self.endsAtSavepoint(&lexer) ? .rollbackToSavepoint : .rollback
        case "create", "drop", "alter", "attach", "detach": self = .schemaChange
        default: self = .other
        }
    }

    private static func endsAtSavepoint(_ lexer: inout SQLLexer) -> Bool {
        while let token = lexer.nextMeaningful(), token.kind != .semicolon {
            if lexer.isWord(token, "to") { return true }
        }
        return false
    }

    /// Whether the statement's values, or the statement itself, may be a key.
    var mayCarryKey: Bool {
        switch self {
        case .schemaChange, .other: true
        default: false
        }
    }

    /// Whether the statement may stay prepared for its next use.
    var isReusable: Bool {
        switch self {
        case .query, .begin, .commit, .rollback: true
        case .savepoint, .release, .rollbackToSavepoint, .schemaChange, .other: false
        }
    }
}
