import StrongroomTestSupport

/// Makes SQL that SQLite takes more often than not, and then spoils some of it.
struct SQLGrammar {
    private static let statements: [[String]] = [
        ["SELECT", "*", "FROM", "t", "WHERE", "a", "=", "?", "AND", "b", ">", ":b"],
        ["SELECT", "?2", ",", "?", ",", "@a", ",", "$a::b(c)", ",", ":é", ",", "#x", ",", "?1"],
        ["SELECT", "1e5", ",", ".5", ",", "0x1F", ",", "1_000", ",", "x'00ff'", ",", "'it''s;'"],
        ["SELECT", "a", "->>", "'$'", "||", "\"b\"", "<>", "`a`", "FROM", "[t]"],
        ["select", "~", "1", "<<", "2", "|", "-", "3", "%", "4", "AS", "\";\""],
        ["INSERT", "INTO", "t", "VALUES", "(", "?", ",", "$a", ")"],
        ["UPDATE", "t", "SET", "a", "=", ":a", "WHERE", "b", "IS", "NOT", "NULL"],
        ["DELETE", "FROM", "t"], ["REPLACE", "INTO", "t", "VALUES", "(", "1", ",", "2", ")"],
        ["WITH", "c", "AS", "(", "SELECT", "1", ")", "SELECT", "*", "FROM", "c"],
        ["VALUES", "(", "1", ")"], ["EXPLAIN", "SELECT", "1"], ["explain", "delete", "from", "t"],
        ["EXPLAIN", "QUERY", "PLAN", "SELECT", "*", "FROM", "t"],
        ["BEGIN", "IMMEDIATE"], ["COMMIT"], ["END", "TRANSACTION"], ["ROLLBACK"],
        ["ROLLBACK", "TO", "s"], ["SAVEPOINT", "s"], ["RELEASE", "\"s\""],
        ["PRAGMA", "user_version", "=", "5"], ["PRAGMA", "main", ".", "[rekey]", "(", "'k;'", ")"],
        ["EXPLAIN", "PRAGMA", "\"key\"", "==", "x"], ["pragma", "`Temp_Store`", "=", "-", "2"],
        ["EXPLAIN", "QUERY", "PLAN", "PRAGMA", "'hexkey'", "=", "\"00\""],
        ["ATTACH", "':memory:'", "AS", "x", "KEY", "?"], ["EXPLAIN", "ATTACH", "'y'", "AS", "y"],
        ["DETACH", "x"], ["VACUUM", "INTO", "'z'"], ["VACUUM"], ["ANALYZE"],
        [
            "CREATE", "TEMP", "TRIGGER", "r", "INSERT", "ON", "t", "BEGIN", "SELECT", "CASE", "1",
            "WHEN", "1", "THEN", "2", "END", ";", "SELECT", "1", ";", "END",
        ],
        ["CREATE", "TABLE", "IF", "NOT", "EXISTS", "u", "(", "a", "DEFAULT", "';'", ")"],
        [],
    ]

    private static let blanks = [
        " ", "\n", "\t", "\r\n", "\u{0C}", " \u{0B}", "\u{0B}", "/**/", "/* ; */", "/*'*/",
        "-- ;\n",
        "--'\n", "--\r\n", "\u{FEFF}", "\u{A0}", "", "/*/ */", "/* /* */", "--", "/*",
    ]

    private static let noise = [
        ";", "'", "\"", "`", "[", "]", "(", ")", "--", "/*", "*/", "\u{0}", "é", "\u{301}", "x'",
        "$a",
        "@a::b(c)", "#1", "\\", "!", "1e", "0x", "\n", "BEGIN", "END", "EXPLAIN", "PRAGMA", ".",
        "$",
        "\u{0B}", "\u{FEFF}", "\u{7F}", "_", "1__0", "?", "::", "-", "/", "{", "^",
    ]

    /// Bytes of SQL, not always text.
    static func text(_ generator: inout SeededGenerator) -> [UInt8] {
        var text: [UInt8] = []
        func chance(_ one: Int) -> Bool { Int.random(in: 1...one, using: &generator) == 1 }
        for _ in 0...Int.random(in: 0...3, using: &generator) {
            for word in generator.pick(statements) {
                text += Array(word.utf8)
                if chance(4) { text += Array(generator.pick(blanks).utf8) }
                // Two words that grow together are another word.
                if !chance(8) { text.append(0x20) }
                if chance(30) { text += Array(generator.pick(noise).utf8) }
            }
            text += Array(generator.pick([";", ";;", " ; ", "; -- ;\n", ";\u{FEFF}", ""]).utf8)
        }
        while chance(4), !text.isEmpty {
            let index = Int.random(in: 0..<text.count, using: &generator)
            switch Int.random(in: 0...3, using: &generator) {
            case 0: text[index] = UInt8.random(in: 0...255, using: &generator)
            case 1: text.remove(at: index)
            case 2: text.insert(contentsOf: generator.pick(noise).utf8, at: index)
            default: text.removeSubrange(index...)
            }
        }
        return text
    }
}
