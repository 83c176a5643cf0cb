import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct ArgumentFuzzTests {
    private static let syntax = CommandSyntax(
        "try", summary: "try it",
        operands: [Operand("IN", help: ""), Operand("OUT", isOptional: true, help: "")],
        options: [
            .flag("force", short: "f", help: ""), .value("key-file", "PATH", help: ""),
            .value("parameter", short: "p", "NAME=VALUE", repetition: .many, help: ""),
        ])

    private static let pieces = [
        "-", "--", "=", "f", "p", "h", "force", "key-file", "parameter", "key", "passphrase", "é",
        "🐴",
        "\u{301}", " ", "", "a", "0", "\u{0}", "\n",
    ]

    @Test func `Any words are arguments or are refused`() throws {
        let inputCount = try Fuzzing().run("command line") { generator in
            let words = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                generator.text(of: Self.pieces, upTo: 4)
            }
            do throws(Failure) {
                let parsed = try ArgumentParser.parse(words, as: Self.syntax)
                try Self.check(parsed, words)
            } catch {
                try Fuzzing.expect(!error.message.isEmpty, "\(words)")
            }
        }
        #expect(inputCount > 0)
    }

    /// What stands behind two dashes that are no value is an operand, and no word is made up.
    private static func check(_ parsed: ParsedArguments, _ words: [String]) throws(Failure) {
        let areFromWords = [parsed.operand(0), parsed.operand(1)].compactMap { $0 }
            .allSatisfy { words.contains($0) }
        #expect(areFromWords, "\(words)")
    }
}
