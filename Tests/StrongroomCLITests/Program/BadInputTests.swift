import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// What goes wrong in real life, against the built program.
@Suite struct BadInputTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
    }

    private func expect(
        _ result: Subprocess.Result, _ status: Int32, _ message: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(result.status == .exited(status), sourceLocation: sourceLocation)
        #expect(
            result.errorText.hasPrefix("strongroom: error: \(message)"), "\(result.errorText)",
            sourceLocation: sourceLocation)
        // What to type next, and nothing of SQLCipher's own on standard error.
        let lines = result.errorText.split(separator: "\n")
        #expect(
            lines.allSatisfy { $0.hasPrefix("strongroom: ") }, "\(lines)",
            sourceLocation: sourceLocation)
    }

    private static let commands: [[String]] = [
        ["info"], ["check"], ["query", "SELECT 1"], ["decrypt", "out.db"], ["copy", "out.db"],
        ["rotate-key", "--new-key-file", "new.key"],
    ]

    /// Runs every command that opens an encrypted database on a file.
    private func runAll(on name: String, key: String = "shop.key") throws -> [Subprocess.Result] {
        try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
        return try Self.commands.map { command in
            let words = [command[0], name] + command.dropFirst() + ["--key-file", key]
            return try Subprocess.run(
                PackageFiles.program("strongroom"), words, workingDirectory: fixture.directory.path)
        }
    }

    private func expectNoLeftovers(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let names = try fixture.directory.names()
        #expect(!names.contains("out.db"), sourceLocation: sourceLocation)
        #expect(
            names.allSatisfy { !$0.hasPrefix(".") && !$0.contains("tmp") }, "\(names)",
            sourceLocation: sourceLocation)
    }

    @Test func `a missing file`() throws {
        for result in try runAll(on: "none.db") { expect(result, 10, "none.db is not there") }
        try expectNoLeftovers()
        #expect(!(try fixture.directory.names().contains("none.db")))
    }

    @Test func `a directory`() throws {
        // The last one is rotate-key, which takes the databases in it.
        for result in try runAll(on: ".").dropLast() { expect(result, 14, ". is a directory") }
        try expectNoLeftovers()
    }

    @Test func `an empty file`() throws {
        try fixture.directory.write("", to: "empty.db")
        for result in try runAll(on: "empty.db") { expect(result, 14, "empty.db is empty") }
        try expectNoLeftovers()
    }

    @Test func `a file of ten bytes`() throws {
        try fixture.directory.write("0123456789", to: "short.db")
        for result in try runAll(on: "short.db") { expect(result, 14, "short.db has 10 bytes") }
        try expectNoLeftovers()
    }

    @Test func `a plaintext database where an encrypted one is expected`() throws {
        for result in try runAll(on: "plain.sqlite") {
            expect(result, 14, "plain.sqlite is not encrypted")
            #expect(result.errorText.contains("strongroom encrypt plain.sqlite OUT"))
        }
        try expectNoLeftovers()
    }

    @Test func `an encrypted database where a plaintext one is expected`() throws {
        let result = try fixture.runProgram(
            "encrypt", "shop.db", "out.db", "--key-file", "shop.key")
        expect(result, 14, "shop.db is not a plaintext SQLite database")
        try expectNoLeftovers()
    }

    @Test func `a text file`() throws {
        try fixture.directory.write(
            String(repeating: "Lorem ipsum dolor sit amet. ", count: 300), to: "text.db")
        for result in try runAll(on: "text.db") { expect(result, 14, "text.db is no database") }
        try expectNoLeftovers()
    }

    @Test func `another key than the database has`() throws {
        // Raw: from a passphrase, each command would derive a key for all settings that are known.
        let wrong = "x'\(String(repeating: "99", count: 32))'\n"
        try fixture.directory.write(wrong, to: "wrong.key")
        for result in try runAll(on: "shop.db", key: "wrong.key") {
            expect(result, 12, "the key does not open shop.db")
        }
        try expectNoLeftovers()
    }

    @Test func `a damaged page`() throws {
        try fixture.damage(page: 2)
        let results = try runAll(on: "shop.db")
        for (command, result) in zip(Self.commands, results) where command[0] != "query" {
            #expect(result.status == .exited(13), "\(command): \(result.errorText)")
            #expect(result.errorText.contains("is damaged"), "\(command): \(result.errorText)")
        }
        try expectNoLeftovers()
        let query = try fixture.runProgram(
            "query", "shop.db", "SELECT * FROM artist", "--key-file", "shop.key")
        #expect(query.status == .exited(13))
    }

    @Test(.enabled(if: Unprivileged.isPossible, "needs to run without root's rights"))
    func `a read-only directory`() throws {
        let run = try Unprivileged(in: fixture.directory)
        for words in [["copy", "shop.db", "out.db"], ["rotate-key", "shop.db", "--new-key-ask"]] {
            let result = try run("strongroom", words + ["--key-file", "shop.key"])
            #expect(result.status == .exited(words[0] == "copy" ? 1 : 2), "\(result.errorText)")
            #expect(result.errorText.contains("strongroom: hint: "))
        }
        // Reading needs no place to write.
        let query = try run(
            "strongroom", ["query", "shop.db", "SELECT 42", "--csv", "--key-file", "shop.key"])
        #expect(query.outputText == "42\r\n42\r\n", "\(query.errorText)")
        try expectNoLeftovers()
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
    func `a full disk`() throws {
        try fixture.shell.run("INSERT INTO album VALUES (9, 1, 'big', 0, randomblob(2000000));")
        try SQLCipherShell(path: fixture.plain).run(
            "INSERT INTO album VALUES (9, 1, 'big', 0, randomblob(2000000));")
        for words in [
            ["copy", "shop.db", "small/out.db"], ["encrypt", "plain.sqlite", "small/out.db"],
            ["decrypt", "shop.db", "small/out.db"],
        ] {
            let result = try SmallDisk.run(
                words + ["--key-file", "shop.key"], in: fixture.directory)
            #expect(result.status == .exited(1), "\(words)")
            #expect(result.errorText.contains("room"), "\(result.errorText)")
            // What is on the small disk afterwards: nothing.
            #expect(result.outputText == "")
        }
    }

    @Test func `a database locked by another process`() throws {
        // The lock is held until something is written into this pipe.
        #expect(mkfifo(fixture.path("gate"), 0o600) == 0)
        let holder = try Subprocess(
            starting: "sqlcipher", ["-batch", fixture.database],
            input: Data(
                """
                PRAGMA key = "\(CommandLineFixture.key)";
                BEGIN EXCLUSIVE;
                .shell echo locked; cat "\(fixture.path("gate"))" > /dev/null

                """.utf8))
        try holder.wait(untilWritten: "locked")
        defer { try? Data("\n".utf8).write(to: URL(fileURLWithPath: fixture.path("gate"))) }
        for words in [
            ["query", "SELECT 1 FROM artist"], ["rotate-key", "--new-key-file", "new.key"],
        ] {
            try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
            let result = try Subprocess.run(
                PackageFiles.program("strongroom"),
                [words[0], "shop.db"] + words.dropFirst() + ["--key-file", "shop.key"],
                workingDirectory: fixture.directory.path)
            #expect(result.status == .exited(11), "\(result.errorText)")
            #expect(result.errorText.contains("in use"))
        }
    }

    @Test func `no key and no terminal to prompt on`() throws {
        let result = try Subprocess.run(
            "setsid", ["-w", PackageFiles.program("strongroom"), "info", "shop.db"],
            workingDirectory: fixture.directory.path)
        expect(result, 2, "no key is given, and there is no terminal to prompt on")
    }

    @Test(arguments: [
        (["frobnicate"], "unknown command frobnicate"),
        (["qeury"], "unknown command qeury\nstrongroom: hint: did you mean strongroom query?"),
        (["info", "a", "--jsno"], "unknown option --jsno\nstrongroom: hint: did you mean --json?"),
        (["info"], "missing FILE"),
        (["--json", "info", "a"], ""),
    ])
    func `a line that is not understood`(words: [String], message: String) throws {
        let result = try Subprocess.run(PackageFiles.program("strongroom"), words)
        #expect(result.status == .exited(2))
        #expect(result.output.isEmpty)
        if !message.isEmpty { #expect(result.errorText.contains("strongroom: error: \(message)")) }
    }

    @Test func `an argument that is not UTF-8`() throws {
        let result = try Subprocess.run(
            "/bin/sh",
            [
                "-c", #""$0" query shop.db "$(printf '\377')""#, PackageFiles.program("strongroom"),
            ])
        expect(result, 2, #"an argument that names no file is not UTF-8 text: \xFF"#)
    }

    @Test func `an output that stays away, or is in the way`() throws {
        let key = ["--key-file", "shop.key"]
        func run(_ words: [String]) throws -> Subprocess.Result {
            try Subprocess.run(
                PackageFiles.program("strongroom"), words + key,
                workingDirectory: fixture.directory.path)
        }
        try fixture.directory.write("precious", to: "there")
        try FileManager.default.createSymbolicLink(
            atPath: fixture.path("link.db"), withDestinationPath: "shop.db")
        try FileManager.default.linkItem(
            atPath: fixture.database, toPath: fixture.path("hard.db"))
        expect(try run(["copy", "shop.db", "there"]), 1, "there exists already")
        for name in ["shop.db", "./shop.db", "link.db", "hard.db"] {
            expect(try run(["copy", "shop.db", name, "--force"]), 1, name)
        }
        #expect(try run(["copy", "shop.db", "none/out.db"]).status != .exited(0))
        #expect(try String(contentsOfFile: fixture.path("there"), encoding: .utf8) == "precious")
        #expect(try fixture.shell.cell("SELECT count(*) FROM album") == 3)
    }
}
