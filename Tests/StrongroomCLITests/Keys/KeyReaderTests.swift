import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Keys from every source, as commands get them: a key is right if it opens the database.
@Suite struct KeyReaderTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
    }

    private func query(
        _ words: String..., world: CommandRun.World = CommandRun.World()
    ) throws -> CommandRun {
        try CommandRun(
            ["query", fixture.database, "SELECT count(*) AS n FROM artist", "--csv"] + words,
            in: world)
    }

    private func expectOpened(
        _ run: CommandRun, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(run.output == "n\r\n2\r\n", sourceLocation: sourceLocation)
        #expect(run.exitCode == .done, sourceLocation: sourceLocation)
    }

    @Test(arguments: ["", "\n", "\r\n"])
    func `a key file may end in a newline`(end: String) throws {
        let file = try fixture.directory.write(CommandLineFixture.key + end, to: "k")
        let run = try query("--key-file", file)
        expectOpened(run)
        #expect(run.errors.isEmpty)
    }

    @Test func `a variable gives the key`() throws {
        let world = CommandRun.World(variables: ["SHOP_KEY": CommandLineFixture.key])
        expectOpened(try query("--key-env", "SHOP_KEY", world: world))
    }

    @Test func `a variable that is not set is named`() throws {
        let run = try query("--key-env", "SHOP_KEY")
        #expect(run.exitCode == .failed)
        #expect(run.errors.contains("the environment variable SHOP_KEY is not set"))
    }

    @Test func `a descriptor gives the key`() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(CommandLineFixture.key.utf8))
        try pipe.fileHandleForWriting.close()
        expectOpened(try query("--key-fd", "\(pipe.fileHandleForReading.fileDescriptor)"))
    }

    @Test func `a command gives the key`() throws {
        expectOpened(try query("--key-command", "cat '\(fixture.keyFile)'"))
    }

    @Test(arguments: [
        ("echo SECRET; exit 3", "the key command failed with exit status 3"),
        ("kill -9 $$", "the key command was killed by signal 9"),
        ("no-such-program-here 2>/dev/null", "the key command failed with exit status 127"),
        ("true", "the key command is empty"),
        ("yes", "the key command's output is too long for a key"),
    ])
    func `a command that fails gives no key and shows no output`(
        command: String, message: String
    ) throws {
        let run = try query("--key-command", command)
        #expect(run.exitCode == .failed)
        #expect(run.errors.contains("strongroom: error: " + message + "\n"))
        #expect(!run.errors.contains("SECRET"))
    }

    @Test func `without an option the key is asked for`() throws {
        let run = try query(world: CommandRun.World(answers: [CommandLineFixture.key]))
        expectOpened(run)
        #expect(run.errors == "Key of \(fixture.database): \n")
    }

    @Test(.proves("OPR-109"))
    func `a key file that others may read draws a warning`() throws {
        let all = (who: "other users of this machine", unless: "")
        let group = (
            who: "the other members of its group", unless: ", unless all of them may have the key"
        )
        for (mode, open) in [(0o640, group), (0o604, all), (0o644, all), (0o620, group)] {
            let file = try fixture.directory.write(
                CommandLineFixture.key, to: "open.key", mode: mode_t(mode))
            let run = try query("--key-file", file)
            expectOpened(run)
            #expect(
                run.errors == """
                    strongroom: warning: the key file \(file) is open to \(open.who)
                    strongroom: hint: chmod 600 \(file)\(open.unless)

                    """)
        }
    }

    @Test(arguments: [
        (Data(), "is empty"), (Data("\n".utf8), "is empty"),
        (Data([0x41, 0, 0x42]), "holds binary data"),
        (Data([0xFF, 0xFE, 0x41]), "holds binary data"),
        (Data([0x1B, 0x41]), "holds binary data"),
        (Data("a\nb\n".utf8), "holds more than one line"),
        (Data("x'0102'".utf8), "raw key"), (Data("x'".utf8), "raw key"),
        (Data(repeating: 0x41, count: 5000), "is too long for a key"),
    ])
    func `a key file that holds no key is refused`(content: Data, reason: String) throws {
        let file = try fixture.directory.write(content, to: "bad.key")
        let run = try query("--key-file", file)
        #expect(run.exitCode == .failed)
        #expect(run.errors.contains(reason))
        #expect(run.errors.contains(file))
        #expect(run.output.isEmpty)
    }

    @Test func `a key file that cannot be read is named, with the reason`() throws {
        let missing = try query("--key-file", fixture.path("none"))
        #expect(missing.exitCode == .failed)
        #expect(missing.errors.contains("No such file or directory"))
        #expect(missing.errors.contains("cannot be recreated"))
        let empty = fixture.path("empty")
        try FileManager.default.createDirectory(
            atPath: empty, withIntermediateDirectories: false)
        let folder = try query("--key-file", empty)
        #expect(folder.exitCode == .failed)
        #expect(folder.errors.contains("holds no key file"))
    }

    @Test func `a raw key opens what a raw key made`() throws {
        let digits = String(repeating: "0f", count: 32)
        let path = fixture.path("raw.db")
        try SQLCipherShell(path: path, key: .content("x'\(digits)'")).create("CREATE TABLE t (x)")
        let file = try fixture.directory.write("x'\(digits)'\n", to: "raw.key")
        let run = try fixture.run(
            "query", path, "SELECT count(*) FROM t", "--csv", "--key-file", file)
        #expect(run.exitCode == .done)
        #expect(run.output == "count(*)\r\n0\r\n")
    }
}
