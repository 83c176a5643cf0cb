import Strongroom
import Testing

@Suite struct SQLLexerTests {
    private func tokens(_ sql: String) -> [String] {
        sql.withSQLLexer { lexer in
            var tokens: [String] = []
            while let token = lexer.nextMeaningful() {
                tokens.append("\(token.kind) \(lexer.text(token))")
            }
            return tokens
        }
    }

    private func statements(_ sql: String) -> [String] {
        let bytes = Array(sql.utf8)
        return sql.withSQLLexer { lexer in
            var statements: [String] = []
            while let range = lexer.nextStatement() {
                statements.append(String(decoding: bytes[range], as: UTF8.self))
            }
            return statements
        }
    }

    @Test(arguments: [
        ("SELECT-1", ["word SELECT", "mark -", "number 1"]),
        (
            "a$b é \"c\"\"d\" [e]",
            ["word a$b", "word é", "quotedName \"c\"\"d\"", "quotedName [e]"]
        ),
        ("x'00' X'0' x''", ["blob x'00'", "illegal X'0'", "blob x''"]),
        ("?1a ?", ["parameter ?1", "word a", "parameter ?"]),
        (
            ":a @b #c $d::e(f)",
            ["parameter :a", "parameter @b", "parameter #c", "parameter $d::e(f)"]
        ),
        ("$a(b c", ["illegal $a(b", "word c"]),
        (
            "1e5 1e 0x1F .5 1_0 1__0",
            [
                "number 1e5", "illegal 1e", "number 0x1F", "number .5", "number 1_0",
                "illegal 1__0",
            ]
        ),
        (
            "a->>'b'<>c!=d==e||f!g",
            [
                "word a", "mark ->>", "string 'b'", "mark <>", "word c", "mark !=", "word d",
                "mark ==",
                "word e", "mark ||", "word f", "illegal !", "word g",
            ]
        ),
        ("1 -- a\n+ /* b */2 /*/ c */ /* d", ["number 1", "mark +", "number 2"]),
        ("1/*", ["number 1", "mark /", "mark *"]),
        ("'a", ["illegal 'a"]),
        (" \u{0B}a", ["word a"]),
        ("\u{0B}a", ["illegal \u{0B}", "word a"]),
        ("\u{FEFF}a\u{FEFF}", ["word a\u{FEFF}"]),
        ("\u{FEFF}\u{0B}", ["illegal \u{0B}"]),
        ("a\0b", ["word a"]),
        ("'a\0b'", ["illegal 'a"]),
    ])
    func `Text is cut as SQLite cuts it`(sql: String, expected: [String]) {
        #expect(tokens(sql) == expected)
    }

    @Test func `Statements end at semicolons outside of quotes and comments`() {
        #expect(statements("SELECT 1; SELECT 2") == ["SELECT 1;", " SELECT 2"])
        #expect(statements("SELECT ';', \";\", `;`, [;] -- ;\n /* ; */;").count == 1)
        #expect(statements("SELECT 'it''s;';SELECT 2").count == 2)
        #expect(statements(";;  ; -- nothing\n") == [])
        #expect(statements(";; SELECT 1;") == [";; SELECT 1;"])
        #expect(statements("EXPLAIN; EXPLAIN QUERY PLAN SELECT 1").count == 2)
    }

    @Test(arguments: ["CREATE ", "CREATE TEMP ", "EXPLAIN CREATE temporary "])
    func `A trigger is one statement`(start: String) {
        let trigger = """
            \(start)TRIGGER t AFTER INSERT ON a BEGIN
                UPDATE a SET x = CASE WHEN x THEN 1 ELSE 2 END; DELETE FROM b;
            END;
            """
        #expect(statements(trigger + " SELECT 1") == [trigger, " SELECT 1"])
    }

    @Test(arguments: [
        ("key", "key", nil), ("main.\"Key\" == 'a''b'", "Key", "a'b"), ("[k] (-5)", "k", "-5"),
        ("`a`=+1", "a", "1"), ("a\n;", "a", nil), ("'a' = b", "a", "b"),
    ])
    func `A pragma has a name and an argument`(sql: String, name: String, argument: String?) {
        let pragma = sql.withSQLLexer { $0.pragma() }
        #expect(pragma == SQLLexer.Pragma(name: name, argument: argument))
    }
}
