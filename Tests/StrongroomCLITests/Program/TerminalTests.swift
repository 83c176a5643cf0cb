import Foundation
import StrongroomTestSupport
import Testing

/// The built program on a pseudo-terminal.
@Suite struct TerminalTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
    }

    private func start(_ words: String...) throws -> TerminalSession {
        try TerminalSession(
            PackageFiles.program("strongroom"), words, in: fixture.directory.path)
    }

    private func query(_ path: String, _ key: String) throws -> Int64? {
        let cell = try SQLCipherShell(path: path, key: .content(key))
            .cell("SELECT count(*) FROM album")
        if case .integer(let count) = cell { return count } else { return nil }
    }

    @Test func `a key is typed without being shown`() throws {
        let session = try start("query", "shop.db", "SELECT 'it ' || 'works'")
        try session.wait(untilShown: "Key of shop.db: ")
        #expect(!session.echoes)
        try session.type(CommandLineFixture.key + "\n")
        #expect(try session.wait() == 0)
        #expect(session.screen.contains("it works"))
        #expect(!session.screen.contains(CommandLineFixture.key))
        #expect(session.echoes)
    }

    @Test func `a wrong key is told, and the terminal is as it was`() throws {
        let session = try start("info", "shop.db")
        try session.wait(untilShown: "Key of shop.db: ")
        try session.type("nonsense\n")
        #expect(try session.wait() == 12)
        #expect(session.screen.contains("strongroom: error: the key does not open shop.db"))
        #expect(session.echoes)
    }

    @Test func `a new key is asked for twice`() throws {
        let session = try start("encrypt", "plain.sqlite", "new.db")
        try session.wait(untilShown: "New key of new.db: ")
        try session.type("correct horse battery staple\n")
        try session.wait(untilShown: "The same again: ")
        #expect(!session.echoes)
        try session.type("correct horse battery staple\n")
        #expect(try session.wait() == 0)
        #expect(try query(fixture.path("new.db"), "correct horse battery staple") == 3)
    }

    @Test func `two different new keys change nothing`() throws {
        let session = try start("rotate-key", "shop.db", "--key-file", "shop.key")
        try session.wait(untilShown: "New key of shop.db: ")
        try session.type("correct horse battery staple\n")
        try session.wait(untilShown: "The same again: ")
        try session.type("correct horse batterie staple\n")
        #expect(try session.wait() == 1)
        #expect(session.screen.contains("the two keys differ"))
        #expect(try query(fixture.database, CommandLineFixture.key) == 3)
    }

    @Test(arguments: [("", "is empty"), ("\u{04}", "no key was typed")])
    func `no key is no key`(typed: String, message: String) throws {
        let session = try start("info", "shop.db")
        try session.wait(untilShown: "Key of shop.db: ")
        try session.type(typed.isEmpty ? "\n" : typed)
        #expect(try session.wait() == 1)
        #expect(session.screen.contains(message))
        #expect(session.echoes)
    }

    @Test func `Ctrl-C at the question ends it and restores the terminal`() throws {
        let session = try start("info", "shop.db")
        try session.wait(untilShown: "Key of shop.db: ")
        try session.type("half a k\u{03}")
        #expect(try session.wait() == 130)
        #expect(session.echoes)
        #expect(session.screen.hasSuffix("strongroom: error: interrupted\n"))
    }

    @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func `a signal at the question restores the terminal too`(
        signal: Int32, status: Int32
    ) throws {
        let session = try start("info", "shop.db")
        try session.wait(untilShown: "Key of shop.db: ")
        session.signal(signal)
        #expect(try session.wait() == status)
        #expect(session.echoes)
    }

    @Test func `the key is asked for on the terminal even when SQL comes through a pipe`() throws {
        let program = PackageFiles.program("strongroom")
        let session = try TerminalSession(
            "/bin/sh", ["-c", "echo 'SELECT 6 * 7' | \"$0\" query shop.db - --csv", program],
            in: fixture.directory.path)
        try session.wait(untilShown: "Key of shop.db: ")
        try session.type(CommandLineFixture.key + "\n")
        #expect(try session.wait() == 0)
        #expect(session.screen.contains("42"))
    }

    @Test func `files that cannot be right are refused before a key is asked for`() throws {
        for (name, status) in [("none.db", 10), ("plain.sqlite", 14), (".", 14)]
            as [(String, Int32)]
        {
            let session = try start("info", name)
            #expect(try session.wait() == status)
            #expect(!session.screen.contains("Key of"))
        }
    }

    @Test(.tags(.slow)) func `Ctrl-C during a long copy leaves no trace of it`() throws {
        try fixture.shell.run("INSERT INTO album VALUES (9, 1, 'big', 0, randomblob(150000000));")
        let before = try fixture.directory.names()
        let session = try start("copy", "shop.db", "out.db", "--key-file", "shop.key")
        try session.wait(untilShown: "[K")
        #expect(try fixture.directory.names() != before)
        try session.type("\u{03}")
        #expect(try session.wait() == 130)
        #expect(session.screen.hasSuffix("strongroom: error: interrupted\n"))
        #expect(try fixture.directory.names() == before)
        #expect(try query(fixture.database, CommandLineFixture.key) == 4)
    }
}
