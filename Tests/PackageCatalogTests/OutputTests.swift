import Testing

@testable import PackageCatalog

struct OutputTests {
    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_949, "999.9 kB"),
            (999_950, "1.0 MB"), (4_205_824_000, "4.2 GB"), (Int64.max, "9.2 EB"),
        ] as [(Int64, String)])
    func `a number of bytes is rounded to one decimal`(bytes: Int64, text: String) {
        #expect(ByteCount(bytes: bytes).description == text)
    }

    @Test func `columns of a table are aligned and lines have no trailing space`() {
        var table = TextTable(.left, .right, .left)
        table.add("ñandú", "1", "x")
        table.add("b", "1000", "")
        #expect(table.lines == ["  ñandú    1 x", "  b     1000"])
    }

    @Test func `arguments are understood in any order`() throws {
        let arguments = try Arguments([
            "--top", "3", "a.db", "--depends-on", "libc6", "--key-file", "k", "--depends-on", "sh",
            "--about", "mail server", "--show", "zip", "--commit-every", "7",
        ])
        #expect(arguments.database == "a.db")
        #expect(arguments.keyFile == "k")
        #expect(arguments.dependsOn == ["libc6", "sh"])
        #expect(arguments.about == ["mail server"])
        #expect(arguments.show == ["zip"])
        #expect(arguments.top == 3)
        #expect(arguments.commitsEvery == 7)
        #expect(!arguments.watches && !arguments.asJSON)
        #expect(arguments.status == "/var/lib/dpkg/status")
        #expect(arguments.imports && arguments.answers && !arguments.wantsHelp)
    }

    @Test(arguments: [
        [], ["a.db"], ["--key-file", "k"], ["a.db", "--key-file"], ["a.db", "--bogus"],
        ["a.db", "b.db", "--key-file", "k"], ["a.db", "--key-file", "k", "--top", "0"],
        ["a.db", "--key-file", "k", "--keys", "f"], ["a.db", "--key-file", "k", "--rotate-key"],
        ["a.db", "--keys", "f", "--rotate-key", "--watch"],
        ["a.db", "--key-file", "k", "--json"], ["a.db", "--key-file", "k", "--commit-every", "0"],
    ])
    func `arguments that make no sense are refused`(words: [String]) {
        #expect(throws: Arguments.UsageError.self) { try Arguments(words) }
    }
}
