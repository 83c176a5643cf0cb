import StrongroomCLI
import Testing

@Suite struct ArgumentParserTests {
    private static let force = Option.flag("force", short: "f", help: "")
    private static let quiet = Option.flag("quiet", short: "q", help: "")
    private static let keyFile = Option.value("key-file", "PATH", help: "")
    private static let parameter = Option.value(
        "parameter", short: "p", "NAME=VALUE", repetition: .many, help: "")

    private static let syntax = CommandSyntax(
        "try", summary: "try it",
        operands: [Operand("IN", help: ""), Operand("OUT", isOptional: true, help: "")],
        options: [force, quiet, keyFile, parameter])

    private func parse(_ words: String...) throws -> ParsedArguments {
        try ArgumentParser.parse(words, as: Self.syntax)
    }

    private func refusal(_ words: String...) -> Failure? {
        do throws(Failure) {
            _ = try ArgumentParser.parse(words, as: Self.syntax)
            return nil
        } catch {
            return error
        }
    }

    @Test func `options may stand before, between and after operands`() throws {
        for words in [["--force", "a", "b"], ["a", "--force", "b"], ["a", "b", "--force"]] {
            let parsed = try ArgumentParser.parse(words, as: Self.syntax)
            #expect(parsed.contains(Self.force))
            #expect(parsed.operand(0) == "a")
            #expect(parsed.operand(1) == "b")
        }
    }

    @Test func `a value follows its option as a word, or behind an equals sign`() throws {
        #expect(try parse("a", "--key-file", "x").value(Self.keyFile) == "x")
        #expect(try parse("a", "--key-file=x=y").value(Self.keyFile) == "x=y")
        #expect(try parse("a", "--key-file=").value(Self.keyFile) == "")
        #expect(try parse("a", "--key-file", "-").value(Self.keyFile) == "-")
    }

    @Test func `a short option takes its value as a word or attached`() throws {
        let parsed = try parse("a", "-p", "x=1", "-py=2", "--parameter=z=3")
        #expect(parsed.values(Self.parameter) == ["x=1", "y=2", "z=3"])
    }

    @Test func `short flags may be bundled, the last one with a value`() throws {
        let parsed = try parse("a", "-fqpx=1")
        #expect(parsed.contains(Self.force))
        #expect(parsed.contains(Self.quiet))
        #expect(parsed.values(Self.parameter) == ["x=1"])
    }

    @Test func `after two dashes everything is an operand`() throws {
        let parsed = try parse("--", "--force", "-q")
        #expect(parsed.operand(0) == "--force")
        #expect(parsed.operand(1) == "-q")
        #expect(!parsed.contains(Self.force))
    }

    @Test func `a dash alone and an SQL comment are operands`() throws {
        let parsed = try parse("-", "-- all\nSELECT 1")
        #expect(parsed.operand(0) == "-")
        #expect(parsed.operand(1) == "-- all\nSELECT 1")
    }

    @Test(arguments: [
        (["a", "--forse"], "unknown option --forse", "did you mean --force?"),
        (["a", "--file", "x"], "unknown option --file", "did you mean --key-file?"),
        (["a", "--zzzzzz"], "unknown option --zzzzzz", "strongroom help try"),
        (["a", "-x"], "unknown option -x", "strongroom help try"),
        (["a", "--force=yes"], "--force takes no value", "strongroom help try"),
        (["a", "--force", "--force"], "--force is given twice", "strongroom help try"),
        (["a", "--key-file"], "--key-file needs a value", "strongroom help try"),
        (["a", "--key-file", "--force"], "--key-file needs a value", "strongroom help try"),
        (["a", "-p"], "-p needs a value", "strongroom help try"),
        ([], "missing IN", "strongroom help try"),
        (["a", "b", "c"], "too many operands: try takes 2", "strongroom help try"),
    ])
    func `a mistake is named, with what to type`(
        words: [String], message: String, hint: String
    ) {
        #expect(throws: Failure(.usage, message, hint: hint)) {
            try ArgumentParser.parse(words, as: Self.syntax)
        }
    }

    @Test(arguments: [
        "--key", "--key=SECRET", "--passphrase=SECRET", "--password", "--new-key=SECRET",
        "-kSECRET",
        "-k", "--pass", "--hexkey=SECRET",
    ])
    func `a key in the command line is refused and not repeated`(word: String) throws {
        let failure = try #require(refusal("a", word, "SECRET"))
        #expect(failure.exitCode == .usage)
        #expect(failure.message.contains("keys are not taken from the command line"))
        #expect(failure.hint?.contains("--key-file") == true)
        #expect(!failure.message.contains("SECRET"))
        #expect(failure.hint?.contains("SECRET") == false)
    }

    @Test func `an unknown option does not repeat its value`() throws {
        let failure = try #require(refusal("a", "--forze=SECRET"))
        #expect(failure.message == "unknown option --forze")
    }

    @Test func `names are not abbreviated`() {
        #expect(refusal("a", "--key-f", "x")?.message == "unknown option --key-f")
    }
}
