import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct HelpTests {
    @Test(arguments: CommandList.syntaxes.map(\.name))
    func `the help of each command is the one that was looked at`(name: String) throws {
        let run = try CommandRun([name, "--help"])
        #expect(run.exitCode == .done)
        #expect(run.errors.isEmpty)
        let file = name.replacingOccurrences(of: " ", with: "-")
        try GoldenFile(ofCommandLine: "help-\(file).txt").expect(run.output)
    }

    @Test(arguments: HelpTopic.allCases)
    func `the help on each topic is the one that was looked at`(topic: HelpTopic) throws {
        let run = try CommandRun(["help", topic.rawValue])
        #expect(run.exitCode == .done)
        try GoldenFile(ofCommandLine: "help-on-\(topic.rawValue).txt").expect(run.output)
    }

    @Test(arguments: [["help"], ["--help"], ["-h"]])
    func `the overview is the one that was looked at`(words: [String]) throws {
        try GoldenFile(ofCommandLine: "help.txt").expect(try CommandRun(words).output)
    }

    @Test func `every command, operand and option says what it does`() {
        for syntax in CommandList.syntaxes {
            #expect(!syntax.summary.isEmpty && !syntax.summary.hasSuffix("."))
            for operand in syntax.operands { #expect(!operand.help.isEmpty) }
            for option in syntax.options {
                #expect(!option.help.isEmpty, "\(syntax.name) --\(option.name)")
            }
        }
    }

    @Test func `no command has an option twice`() {
        for syntax in CommandList.syntaxes {
            let names = syntax.options.map(\.name)
            #expect(Set(names).count == names.count, "\(syntax.name)")
            let shorts = syntax.options.compactMap(\.short)
            #expect(Set(shorts).count == shorts.count, "\(syntax.name)")
        }
    }

    @Test func `no line of help is wider than 80 columns`() {
        for syntax in CommandList.syntaxes {
            for line in HelpText.text(for: syntax).split(separator: "\n")
            where !line.hasPrefix("  strongroom ") {
                #expect(line.count <= 80, "\(line)")
            }
        }
        for topic in HelpTopic.allCases {
            for line in topic.text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }
    }

    @Test func `help comes even when the rest of the line is wrong`() throws {
        let run = try CommandRun(["query", "--nonsense", "-h"])
        #expect(run.exitCode == .done)
        #expect(run.output.hasPrefix("strongroom query: "))
    }

    @Test func `help is asked for of commands and topics alike`() throws {
        #expect(try CommandRun(["help", "query"]).output == CommandRun(["query", "-h"]).output)
        let wrong = try CommandRun(["help", "qery"])
        #expect(wrong.exitCode == .usage)
        #expect(wrong.errors.contains("did you mean strongroom help query?"))
    }

    @Test func `every exit status is told in the overview`() throws {
        let overview = try CommandRun(["--help"]).output
        for code in ExitCode.allCases {
            #expect(overview.contains("\(code.rawValue) "))
            #expect(overview.contains(code.meaning))
        }
    }
}
