import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct CompletionTests {
    @Test(arguments: Shell.allCases)
    func `the script for each shell is the one that was looked at`(shell: Shell) throws {
        let run = try CommandRun(["completions", shell.rawValue])
        #expect(run.exitCode == .done)
        try GoldenFile(ofCommandLine: "completions.\(shell.rawValue)").expect(run.output)
    }

    @Test(arguments: Shell.allCases)
    func `each script knows every command and every option`(shell: Shell) {
        let script = shell.completions(for: CommandList.syntaxes)
        for syntax in CommandList.syntaxes {
            for word in syntax.name.split(separator: " ") { #expect(script.contains(word)) }
            for option in syntax.options { #expect(script.contains(option.name)) }
        }
    }

    /// What bash offers for the last of the words.
    private func offered(_ words: String..., in directory: String? = nil) throws -> [String] {
        let script = """
            eval "$COMPLETIONS"
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _strongroom
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = try Subprocess.run(
            "bash", ["-c", script, "bash"] + words,
            environment: ["COMPLETIONS": Shell.bash.completions(for: CommandList.syntaxes)],
            workingDirectory: directory)
        #expect(result.errorText == "")
        return result.outputText.split(separator: "\n").map(String.init)
    }

    @Test func `bash completes commands`() throws {
        #expect(try offered("strongroom", "co") == ["copy", "completions"])
        #expect(try offered("strongroom", "--v") == ["--version"])
        #expect(try offered("strongroom", "ba") == ["backup"])
        #expect(try offered("strongroom", "backup", "re") == ["restore", "repair", "rekey"])
        #expect(try offered("strongroom", "backup", "create", "--ta") == ["--tag"])
    }

    @Test func `bash completes the options of a command`() throws {
        #expect(
            try offered("strongroom", "copy", "a.db", "--new-key-f")
                == ["--new-key-file", "--new-key-fd"])
        #expect(try offered("strongroom", "info", "--new") == [])
    }

    @Test func `bash completes files and fixed words`() throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: "shop.db")
        try directory.write("", to: "old shop.db")
        #expect(try offered("strongroom", "info", "sh", in: directory.path) == ["shop.db"])
        #expect(try offered("strongroom", "info", "ol", in: directory.path) == ["old shop.db"])
        #expect(
            try offered("strongroom", "info", "--key-file", "sh", in: directory.path)
                == ["shop.db"])
        #expect(try offered("strongroom", "info", "--key-env", "COMPL") == ["COMPLETIONS"])
        #expect(try offered("strongroom", "completions", "") == ["bash", "zsh", "fish"])
    }

    @Test func `another shell is refused`() throws {
        let run = try CommandRun(["completions", "tcsh"])
        #expect(run.exitCode == .usage)
        #expect(run.errors.contains("use bash, zsh or fish"))
    }
}
