import CSQLCipher
import Strongroom
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// What `strongroom query` refuses, it has to find in the text before SQLite reads it. SQLite's
/// authorizer tells what SQLite then found there.
@Suite struct SQLRefusalFuzzTests {
    private static let forbidden: Set<String> = [
        "key", "rekey", "hexkey", "hexrekey", "textkey", "textrekey",
    ]

    private static let statements: [[String]] = [
        ["PRAGMA", "rekey", "=", "'x'"], ["PRAGMA", "\"Key\"", "(", "1", ")"],
        ["pragma", "main", ".", "rekey", "=", "x"], ["PRAGMA", "[hexkey]", "=", "\"00\""],
        ["EXPLAIN", "PRAGMA", "`rekey`", "=", "'y'"], ["PRAGMA", "'textkey'", "=", "'z'"],
        ["EXPLAIN", "QUERY", "PLAN", "PRAGMA", "TextRekey", "(", "1", ")"],
        ["ATTACH", "DATABASE", "':memory:'", "AS", "a"], ["ATTACH", "':memory:'", "AS", "b"],
        ["EXPLAIN", "ATTACH", "':memory:'", "AS", "c", "KEY", "'k'"],
        ["SELECT", "1", "AS", "\";\""], ["SELECT", "';PRAGMA key=1'"], ["SELECT", "?1", ",", ":a"],
        [
            "CREATE", "TEMP", "TRIGGER", "t", "INSERT", "ON", "x", "BEGIN", "SELECT", "CASE", "1",
            "WHEN", "1", "THEN", "2", "END", ";", "SELECT", "1", ";", "END",
        ],
        ["CREATE", "TRIGGER", "IF", "NOT", "EXISTS", "\"BEGIN;\"", "DELETE", "ON", "x", "BEGIN"],
        ["BEGIN"], ["END"],
        ["WITH", "a", "AS", "(", "SELECT", "1", ")", "SELECT", "*", "FROM", "a"],
        ["VACUUM"], [],
    ]

    private static let spaces = [
        " ", "\n", "\t", "\r\n", "\u{0C}", "\u{0B}", "/**/", "/* ; */", "/*'*/", "-- ;\n", "--'\n",
        "--\r", "\u{FEFF}", "\u{A0}", "", "/*/ */", "/* /* */",
    ]

    private static let noise = [
        ";", "'", "\"", "`", "[", "]", "(", ")", "--", "/*", "*/", "\u{0}", "é", "\u{301}", "x'",
        "$a",
        "@a::b(c)", "#1", "\\", "!", "1e", "0x", "\n", "BEGIN", "END", "EXPLAIN", "PRAGMA", ".",
        "$",
    ]

    /// What SQLite came to in the statements that it compiled.
    private final class Findings {
        var texts: [String] = []
    }

    @Test func `SQLite finds nothing forbidden in what was not refused`() throws {
        let findings = Findings()
        try DatabaseQueue().inDatabase { db throws in
            try db.execute(sql: "CREATE TABLE x(a)")
            let context = Unmanaged.passUnretained(findings).toOpaque()
            sqlite3_set_authorizer(db.sqliteConnection, Self.authorizer, context)
            defer { sqlite3_set_authorizer(db.sqliteConnection, nil, nil) }
            for sql in ["/**/PRAGMA main.\"ReKey\"='x'", "ATTACH '' AS a"] {
                Self.compile(sql, db)
            }
            #expect(findings.texts == ["PRAGMA ReKey", "ATTACH"])
            findings.texts = []
            let inputCount = try Fuzzing().run("SQL refusals") { generator in
                let sql = Self.sql(&generator)
                guard (try? SQLRefusal.check(sql)) != nil else { return }
                // Compiled and not run; by SQLite itself, as the library refuses some.
                Self.compile(sql, db)
                let found = findings.texts
                findings.texts = []
                try Fuzzing.expect(found.isEmpty, "\(found) in \(sql.debugDescription)")
            }
            #expect(inputCount > 0)
        }
    }

    private static func compile(_ sql: String, _ db: Database) {
        sql.withCString { text in
            var rest: UnsafePointer<CChar>? = text
            while let start = rest, start[0] != 0 {
                var statement: OpaquePointer?
                let code = sqlite3_prepare_v2(db.sqliteConnection, start, -1, &statement, &rest)
                sqlite3_finalize(statement)
                // What cannot be compiled is not run, nor what follows it.
                if code != SQLITE_OK { return }
            }
        }
    }

    private static let authorizer:
        @convention(c) (
            UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?, UnsafePointer<CChar>?
        ) -> CInt = { context, action, first, _, _, _ in
            guard let context else { return SQLITE_DENY }
            let findings = Unmanaged<Findings>.fromOpaque(context).takeUnretainedValue()
            let name = first.map { String(cString: $0) } ?? ""
            switch action {
            case SQLITE_ATTACH:
                findings.texts.append("ATTACH")
                return SQLITE_DENY
            case SQLITE_PRAGMA where forbidden.contains(name.lowercased()):
                findings.texts.append("PRAGMA \(name)")
                return SQLITE_DENY
            default:
                return SQLITE_OK
            }
        }

    private static func sql(_ generator: inout SeededGenerator) -> String {
        var sql = ""
        for _ in 0...Int.random(in: 0...3, using: &generator) {
            for word in generator.pick(statements) {
                sql += word
                sql += generator.pick(spaces)
                // Two words that grow together are another word.
                if Int.random(in: 0...3, using: &generator) > 0 { sql += " " }
                if Int.random(in: 0...11, using: &generator) == 0 { sql += generator.pick(noise) }
            }
            sql += generator.pick([";", ";;", " ; ", "; -- ;\n", ""])
        }
        return sql
    }
}
