import StrongroomCLI
import Testing

@Suite struct TextTests {
    @Test func `CSV quotes what RFC 4180 wants quoted, and nothing else`() {
        #expect(
            CSVRow.text(of: ["a b", "a,b", "a\"b", "a\nb", "a\r\nb", "'"])
                == "a b,\"a,b\",\"a\"\"b\",\"a\nb\",\"a\r\nb\",'\r\n")
    }

    @Test func `CSV tells a missing value from an empty text`() {
        #expect(CSVRow.text(of: [nil, "", "x"]) == ",\"\",x\r\n")
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (12_345, "12.3 kB"),
        (999_949, "999.9 kB"), (999_950, "1.0 MB"), (1_500_000_000, "1.5 GB"),
        (Int64.max, "9.2 EB"),
    ])
    func `a number of bytes is short and never has four digits`(count: Int64, text: String) {
        #expect(ByteCount.text(count) == text)
    }

    @Test(arguments: [
        ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("👍", 2), ("👩‍👩‍👧", 2), ("❤️", 2),
        ("한", 2), ("ﾊ", 1), ("ａ", 2), ("\u{200B}", 0), ("", 0),
    ])
    func `the width of a text is what a terminal gives it`(text: String, columns: Int) {
        #expect(DisplayWidth.columns(of: text) == columns)
    }

    @Test func `control characters are spelt out`() {
        #expect(VisibleText.text(of: "a\n\t\r\u{1B}[31m\u{7F}b") == #"a\n\t\r\u{1B}[31m\u{7F}b"#)
        #expect(VisibleText.text(of: "\u{202E}x\u{9B}") == #"\u{202E}x\u{9B}"#)
        #expect(VisibleText.text(of: "plain ☕") == "plain ☕")
    }

    @Test func `a text is cut at a column, not inside a character`() {
        #expect(VisibleText.shortened("abcdef", columns: 6) == "abcdef")
        #expect(VisibleText.shortened("abcdef", columns: 5) == "abcd…")
        #expect(VisibleText.shortened("日本語", columns: 4) == "日…")
    }

    @Test(arguments: [
        ("a.db", "a.db"), ("", "''"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("$x", "'$x'"),
        ("~", "'~'"), ("Übung-1_x.db", "Übung-1_x.db"),
    ])
    func `a word is quoted for the shell where it must be`(word: String, quoted: String) {
        #expect(ShellWord.text(word) == quoted)
    }
}
