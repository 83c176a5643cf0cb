import StrongroomCLI
import Testing

@Suite struct KeySourceTests {
    private static let syntax = CommandSyntax(
        "try", summary: "try it", groups: [KeyOptions.current.group])

    private func source(_ words: [String]) throws(Failure) -> KeySource {
        try KeyOptions.current.source(in: ArgumentParser.parse(words, as: Self.syntax))
    }

    @Test(
        arguments: [
            ([], .terminal), (["--key-ask"], .terminal), (["--key-file", "a"], .file("a")),
            (["--key-env=NAME"], .variable("NAME")), (["--key-fd", "3"], .descriptor(3)),
            (["--key-fd", "0"], .descriptor(0)),
            (["--key-command", "pass show a"], .command("pass show a")),
        ] as [([String], KeySource)])
    func `the options name the source`(words: [String], source: KeySource) throws {
        #expect(try self.source(words) == source)
    }

    @Test(arguments: [
        ["--key-file", "a", "--key-env", "B"], ["--key-fd", "3", "--key-command", "x"],
        ["--key-ask", "--key-file", "a"],
    ])
    func `two sources for one key are refused`(words: [String]) {
        let error = #expect(throws: Failure.self) { try source(words) }
        #expect(error?.exitCode == .usage)
        #expect(error?.message.contains(" and ") == true)
    }

    @Test(arguments: ["", "x", "-1", "1", "2", "99999999999"])
    func `a descriptor is a number that can be read from`(number: String) {
        let error = #expect(throws: Failure.self) { try source(["--key-fd=\(number)"]) }
        #expect(error?.exitCode == .usage)
    }

    @Test(arguments: ["--key-file=", "--key-env=", "--key-command="])
    func `an empty source is refused`(word: String) {
        let error = #expect(throws: Failure.self) { try source([word]) }
        #expect(error?.exitCode == .usage)
    }
}
