import Foundation
import StrongroomTestSupport
import Testing

/// The question for a key, on a terminal with a shell that has jobs.
@Suite struct PromptTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
    }

    private func start(_ words: String...) throws -> TerminalSession {
        try TerminalSession(
            PackageFiles.program("strongroom"), words, in: fixture.directory.path)
    }

    @Test("Ctrl-Z stops the program, and what was typed before is forgotten", .proves("OPR-14"))
    func suspension() throws {
        let script = #"""
            set -m
            "$0" query shop.db 'SELECT 6 * 7' --csv
            echo "stopped with $?"
            stty -a | grep -o -- ' -\?echo '
            fg >/dev/null
            echo "ended with $?"
            """#
        let session = try TerminalSession(
            "/bin/bash", ["--norc", "-c", script, PackageFiles.program("strongroom")],
            in: fixture.directory.path)
        try session.wait(untilShown: "Key of shop.db: ")
        try session.type("half a key\u{1A}")
        try session.wait(untilShown: "stopped with 148\n echo")
        // The question is there again.
        try session.wait(untilShown: "echo \nKey of shop.db: ")
        #expect(!session.echoes)
        try session.type(CommandLineFixture.key + "\n")
        #expect(try session.wait() == 0)
        #expect(session.screen.contains("42") && session.screen.contains("ended with 0"))
        #expect(!session.screen.contains("half a key"))
    }

    @Test("a window that changes does not end or spoil the question", .proves("OPR-14"))
    func windowChange() throws {
        let session = try start("query", "shop.db", "SELECT printf('%.90c', 'a') AS a")
        try session.wait(untilShown: "Key of shop.db: ")
        let key = CommandLineFixture.key
        try session.type(String(key.prefix(20)))
        try session.resize(columns: 40)
        try session.type(key.dropFirst(20) + "\n")
        #expect(try session.wait() == 0)
        // The table has the width of the window as it is now.
        #expect(session.screen.contains("\n" + String(repeating: "a", count: 39) + "…\n"))
    }

    @Test("a pasted key is the key without the marks of its terminal", .proves("OPR-14"))
    func bracketedPaste() throws {
        let session = try start("query", "shop.db", "SELECT 6 * 7", "--csv")
        try session.wait(untilShown: "Key of shop.db: ")
        try session.type("\u{1B}[200~" + CommandLineFixture.key + "\u{1B}[201~\n")
        #expect(try session.wait() == 0)
        #expect(session.screen.contains("42") && session.echoes)
    }

    @Test(
        "of several lines that are pasted none is taken", .proves("OPR-14"),
        arguments: ["\(CommandLineFixture.key)\nrm -rf x\n", "\(CommandLineFixture.key)\nrest"])
    func paste(text: String) throws {
        let session = try start("info", "shop.db")
        try session.wait(untilShown: "Key of shop.db: ")
        try session.type(text)
        #expect(try session.wait() == 1)
        #expect(session.screen.contains("more than one line was typed or pasted"))
        #expect(!session.screen.contains("5eed") && !session.screen.contains("rest\n"))
        #expect(session.echoes)
    }
}
