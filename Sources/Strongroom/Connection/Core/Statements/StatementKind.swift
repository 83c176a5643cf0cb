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

    init(sql: some StringProtocol) {
        var words = SQLWords(sql)
        switch words.next() {
        case "select", "insert", "update", "delete", "replace", "with", "values": self = .query
        case "begin": self = .begin
        case "commit", "end": self = .commit
        case "savepoint": self = .savepoint
        case "release": self = .release
        case "rollback":
            while let word = words.next() {
                if word == "to" {
                    self = .rollbackToSavepoint
                    return
                }
            }
            self = .rollback
        case "create", "drop", "alter", "attach", "detach": self = .schemaChange
        default: self = .other
        }
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

/// The words of a statement in lower case; white space, comments and all else lie between.
struct SQLWords: IteratorProtocol {
    private var rest: Substring.UTF8View

    init(_ sql: some StringProtocol) {
        rest = Substring(sql).utf8
    }

    mutating func next() -> String? {
        skipSpaceAndComments()
        let word = rest.prefix { byte in
            switch byte | 0x20 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): true
            default: byte == UInt8(ascii: "_")
            }
        }
        guard !word.isEmpty else { return nil }
        rest = rest[word.endIndex...]
        return String(decoding: word, as: UTF8.self).lowercased()
    }

    /// Whether nothing is left but white space, comments and semicolons.
    mutating func isAtEnd() -> Bool {
        skipSpaceAndComments(andSemicolons: true)
        return rest.isEmpty
    }

    private mutating func skipSpaceAndComments(andSemicolons: Bool = false) {
        while let byte = rest.first {
            switch byte {
            case 0x09, 0x0A, 0x0C, 0x0D, 0x20:
                rest = rest.dropFirst()
            case UInt8(ascii: ";") where andSemicolons:
                rest = rest.dropFirst()
            case UInt8(ascii: "-") where rest.starts(with: "--".utf8):
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            case UInt8(ascii: "/") where rest.starts(with: "/*".utf8):
                skipBlockComment()
            default:
                return
            }
        }
    }

    private mutating func skipBlockComment() {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
    }
}
