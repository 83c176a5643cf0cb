import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct KeyRedactionTests {
    static let rawKey = String(repeating: "0123456789abcdef", count: 4)

    @Test(arguments: [
        ("PRAGMA key = 'TOPSECRET'", "PRAGMA key …"),
        ("PRAGMA main.rekey='TOPSECRET'; SELECT 1", "PRAGMA main.rekey …; SELECT 1"),
        ("pragma \"hexkey\" = 'TOPSECRET'", "pragma \"hexkey\" …"),
        ("EXPLAIN PRAGMA rekey = TOPSECRET", "EXPLAIN PRAGMA rekey …"),
        ("/* key */ PRAGMA textkey('TOP;SECRET')", "/* key */ PRAGMA textkey …"),
        ("ATTACH 'x' AS y KEY 'TOPSECRET'", "ATTACH 'x' AS y KEY …"),
        ("attach database ? as y key \"TOPSECRET\"", "attach database ? as y key …"),
        ("VACUUM INTO 'file:x?key=TOPSECRET'", "VACUUM INTO '…'"),
        ("VACUUM INTO 'file:x?%6bey=TOPSECRET'", "VACUUM INTO '…'"),
        ("\u{FEFF}PRAGMA \u{0B}key = TOPSECRET", "\u{FEFF}PRAGMA \u{0B}key …"),
        ("SELECT 1\0; PRAGMA key = 'TOP\0SECRET'", "SELECT 1\0; PRAGMA key …"),
        ("PRAGMA key = 'TOPSECRET; SELECT 1", "PRAGMA key …"),
        ("SELECT x'\(rawKey)'", "SELECT x'…'"),
    ])
    func `A key in SQL is replaced by an ellipsis`(text: String, redacted: String) {
        #expect(text.redactingKeys() == redacted)
    }

    @Test(arguments: [
        ("near \"x'\(rawKey)'\": syntax error", "near \"x'…'\": syntax error"),
        (
            "near \"SECRET\": syntax error in \"PRAGMA key = SECRET x\"",
            "near \"…\": syntax error in \"…"
        ),
        ("statement aborts at 4: [ATTACH 'f' AS a KEY 'SECRET']", "statement aborts at 4: […"),
        ("unable to open file:x?key=SECRET", "unable to open file:x?key=…"),
        (
            "not authorized in \"VACUUM INTO 'file:x?%6bey=SECRET'\"",
            "not authorized in \"…"
        ),
        ("FOREIGN KEY constraint failed", "FOREIGN KEY constraint failed"),
        ("cannot ATTACH database within transaction", "cannot ATTACH database within transaction"),
    ])
    func `A key in a message is cut off`(text: String, redacted: String) {
        #expect(text.redactingKeysInMessage() == redacted)
    }

    @Test(arguments: [
        "CREATE TABLE t(id INTEGER PRIMARY KEY, key TEXT)",
        "SELECT key FROM t WHERE key = 'value' -- the key's comment",
        "INSERT INTO t VALUES (x'00FF', 'monkey')",
        "PRAGMA foreign_key_list('t')",
        "SELECT 'unterminated key",
        "",
    ])
    func `Other SQL stays as it is`(text: String) {
        #expect(text.redactingKeys() == text)
    }

    @Test func `Neither errors nor traces nor the log show a key`() throws {
        let fixture = try FixtureDatabase()
        let seen = Collected()
        let log = Database.logError
        Database.logError = { seen.add($1) }
        defer { Database.logError = log }
        let queue = try fixture.open()
        try queue.inDatabase { db throws in
            db.trace(options: [.statement, .profile]) { seen.add($0.expandedDescription) }
            for sql in [
                "PRAGMA key = TOPSECRET nonsense", "PRAGMA key=x'\(Self.rawKey)'",
                "ATTACH '/nowhere/at/all' AS a KEY 'TOPSECRET'",
                "PRAGMA rekey = TOPSECRET nonsense",
                "ATTACH '\(fixture.path)' AS b KEY 'TOPSECRET'", "PRAGMA key = 'TOPSECRET'",
            ] {
                do {
                    try db.execute(sql: sql)
                } catch {
                    seen.add("\(error) \((error as? DatabaseError)?.expandedDescription ?? "")")
                }
            }
            let attach = "ATTACH ? AS c KEY ?"
            try db.execute(sql: attach, arguments: [":memory:", "TOPSECRET"])
        }
        #expect(seen.texts.count > 6)
        for text in seen.texts {
            #expect(!text.contains("TOPSECRET") && !text.contains(Self.rawKey), "\(text)")
        }
    }
}
