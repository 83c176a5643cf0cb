import StrongroomTestSupport
import TableModel
import Testing

@Suite("The SQL of a literal")
struct SQLLintTests {
    /// What is found in one segment of text, by place and message.
    private func findings(
        _ text: String, hashes: Int = 0, hasResult: Bool = true
    ) -> [String] {
        let source = SourceText(text, at: SourceSpan(10, 10 + text.utf8.count))
        let literal = SQLLiteral(
            [.text(source)], hashes: hashes, source: source, macro: source.range,
            hasResult: hasResult)
        return SQLLint.findings(in: literal).map { "\($0.range.start - 10): \($0.message)" }
    }

    @Test(
        "SQL without mistakes is left alone",
        arguments: [
            "SELECT 1", "'it''s (' || \\\"a\\\"\\\"(\\\"", "[a'(]", "`?`", "1 -- ?\\n + 2",
            "a /* ' */",
            "a == 1", "SELECT 1;", "SELECT 1; -- end", "a -> '$.x'", "json_extract(a, '$[0]')",
        ])
    func clean(sql: String) {
        #expect(findings(sql) == [])
    }

    @Test(
        "Each mistake is found at its place",
        arguments: [
            ("a = (1", "4: nothing closes '('"), ("ä)", "2: nothing opens ')'"),
            ("a = ?", "4: write values as interpolations"),
            ("x :a", "2: write values as interpolations"),
            ("'it''s", "0: nothing closes '''"), ("\\t'", "2: nothing closes '''"),
            ("\\u{28}", "0: nothing closes '('"), ("/* a", "0: nothing closes '/*'"),
            (
                "a; b",
                "1: several statements give no value: leave 'as:' out, or write one statement"
            ),
            (" -- a", "0: the SQL is empty"),
        ])
    func mistakes(sql: String, finding: String) {
        #expect(findings(sql) == [finding])
    }

    @Test("Several statements are right where no value is asked for")
    func statements() {
        #expect(findings("a; b", hasResult: false) == [])
    }

    @Test("In a raw literal a backslash is one")
    func rawLiteral() {
        #expect(findings("'\\'", hashes: 1) == [])
        #expect(findings("\\u{28}", hashes: 1) == [])
        #expect(findings("\\#u{28}", hashes: 1) == ["0: nothing closes '('"])
    }
}
