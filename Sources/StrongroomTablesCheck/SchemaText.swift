internal import StrongroomCore
internal import StrongroomEssentials

/// A database in memory with the tables that a file of SQL defines.
///
/// 1. Only definitions are carried out: CREATE, ALTER and DROP. A file made by `sqlite3 .dump` has rows,
///    whose triggers may call functions of the app. The virtual tables are rows of the schema there.
/// 2. Functions, collations and attached databases of the app stand there by name alone.
struct SchemaText {
    let queue: DatabaseQueue
    private(set) var remarks: [Remark] = []
    /// Virtual tables of modules that are not here, in lower case, and what SQLite says of them.
    private(set) var unreadable: [String: String] = [:]
    private let file: TextFile

    private static let skipped: Set = [
        "insert", "update", "delete", "replace", "select", "with", "values", "pragma", "begin",
        "commit", "end", "rollback", "savepoint", "release", "analyze", "reindex", "vacuum",
        "attach", "detach", "explain",
    ]

    init(_ file: TextFile) throws {
        self.file = file
        let queue = try DatabaseQueue()
        self.queue = queue
        let definitions = definitions()
        try queue.inDatabase { db in
            for definition in definitions { try define(definition, db) }
        }
    }

    private mutating func report(_ severity: Remark.Severity, _ message: String, at offset: Int) {
        remarks.append(Remark(severity, message, at: Place(file: file, offset: offset)))
    }

    private struct Definition {
        var sql: String
        let offset: Int
    }

    /// The definitions, without what stands before them; what is no SQL is reported.
    private mutating func definitions() -> [Definition] {
        var found: [Definition] = []
        var shellCommands: [Int] = []
        file.text.withSQLLexer { lexer in
            while let first = lexer.nextAfterSemicolons() {
                let start = first.range.lowerBound
                if lexer.text(first) == "." {
                    shellCommands.append(start)
                    let rest = lexer.bytes[start...]
                    lexer.move(to: rest.firstIndex(of: UInt8(ascii: "\n")) ?? lexer.bytes.count)
                    continue
                }
                let isSkipped = Self.skipped.contains(lexer.lowercasedWord(first))
                lexer.move(to: start)
                guard let range = lexer.nextStatement() else { break }
                let sql = String(decoding: lexer.bytes[range], as: UTF8.self)
                if let sql = isSkipped ? VirtualTable.ofDump(sql) : sql {
                    found.append(Definition(sql: sql, offset: start))
                }
            }
        }
        for offset in shellCommands {
            report(.warning, "commands of the shell are not carried out", at: offset)
        }
        return found
    }

    private mutating func define(_ definition: Definition, _ db: Database) throws {
        var sql = definition.sql
        var isWithoutTokenizer = false
        // Each turn supplies one name that the file leaves to the app.
        for _ in 0..<1000 {
            do {
                return try db.execute(sql: sql)
            } catch let error as DatabaseError {
                let message = error.message ?? "SQLite refuses it"
                if try supply(message, db) { continue }
                if message.hasPrefix("object name reserved for internal use") { return }
                if let module = message.suffix(after: "no such module: ") {
                    return skipVirtualTable(sql, module: module, at: definition.offset)
                }
                if message.contains("tokenizer"), !isWithoutTokenizer {
                    isWithoutTokenizer = true
                    sql = VirtualTable.withoutTokenizer(sql)
                    continue
                }
                let offset = isWithoutTokenizer ? 0 : error.sqlOffset ?? 0
                return report(.error, message, at: definition.offset + offset)
            }
        }
        report(.error, "it uses too many functions that are not here", at: definition.offset)
    }

    /// Adds what the message misses; returns whether it was that.
    private func supply(_ message: String, _ db: Database) throws -> Bool {
        if let name = message.suffix(after: "no such function: ") {
            db.add(function: DatabaseFunction(name, pure: true) { _ in nil })
        } else if let name = message.suffix(after: "no such collation sequence: ") {
            db.add(
                collation: DatabaseCollation(name) {
                    $0 < $1 ? .orderedAscending : $0 == $1 ? .orderedSame : .orderedDescending
                })
        } else if let name = message.suffix(after: "unknown database ") {
            try db.execute(sql: "ATTACH ':memory:' AS \(name.quotedDatabaseIdentifier)")
        } else {
            return false
        }
        return true
    }

    private mutating func skipVirtualTable(_ sql: String, module: String, at offset: Int) {
        if let name = VirtualTable.name(sql) {
            unreadable[name.asciiLowercased] = "this SQLite has no module \(module)"
        }
        report(
            .warning, "this SQLite has no module \(module): the table is not checked", at: offset)
    }

    /// Functions that views call are not looked for before their columns are asked for.
    mutating func supplyFunctionsOfViews() throws {
        let text = self
        try queue.inDatabase { db in
            let views = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'view'")
            for view in views {
                var isSupplied = true
                while isSupplied {
                    do {
                        _ = try db.makeStatement(
                            sql: "SELECT * FROM \(view.quotedDatabaseIdentifier)")
                        isSupplied = false
                    } catch let error as DatabaseError {
                        isSupplied = try text.supply(error.message ?? "", db)
                    }
                }
            }
        }
    }
}

/// What the text of a virtual table says.
private enum VirtualTable {
    /// The definition in `INSERT INTO sqlite_schema(…) VALUES('table', …, 'CREATE …')`.
    static func ofDump(_ sql: String) -> String? {
        sql.withSQLLexer { lexer in
            guard lexer.isWord(lexer.nextMeaningful(), "insert"),
                lexer.isWord(lexer.nextMeaningful(), "into"),
                let table = lexer.nextMeaningful(),
                ["sqlite_schema", "sqlite_master"].contains(lexer.lowercasedWord(table))
            else { return nil }
            var last: String?
            while let token = lexer.nextMeaningful() {
                if token.kind == .string { last = lexer.value(token) }
            }
            return last
        }
    }

    static func name(_ sql: String) -> String? {
        sql.withSQLLexer { lexer in
            var name: String?
            while let token = lexer.nextMeaningful(), !lexer.isWord(token, "using") {
                name = lexer.value(token)
            }
            return name
        }
    }

    /// The text without its arguments from `tokenize =` up to the next comma.
    static func withoutTokenizer(_ sql: String) -> String {
        let cut: Range<Int>? = sql.withSQLLexer { lexer in
            var start: Int?
            var end = 0
            var comma: Int?
            while let token = lexer.nextMeaningful() {
                let text = lexer.text(token)
                if let start, text == "," || text == ")" {
                    return start..<(text == "," && comma == nil ? token.range.upperBound : end)
                }
                if text == "," { comma = token.range.lowerBound }
                if lexer.isWord(token, "tokenize"), start == nil {
                    start = comma ?? token.range.lowerBound
                }
                end = token.range.upperBound
            }
            return start.map { $0..<end }
        }
        guard let cut else { return sql }
        var bytes = Array(sql.utf8)
        bytes.removeSubrange(cut)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// What follows a prefix; nil where the text has another one.
    fileprivate func suffix(after prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
