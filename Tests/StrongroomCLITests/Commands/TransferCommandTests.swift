import Foundation
import Strongroom
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct TransferCommandTests {
    private let fixture: CommandLineFixture
    private let newKey: String

    init() throws {
        fixture = try CommandLineFixture()
        newKey = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
    }

    private static let content = """
        SELECT group_concat(name, ',') FROM (SELECT name FROM artist ORDER BY id)
        UNION ALL SELECT group_concat(quote(title) || quote(price) || quote(cover)) FROM album
        """

    private func expectSameContent(
        _ shell: SQLCipherShell, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(
            try shell.rows(Self.content) == fixture.shell.rows(Self.content),
            sourceLocation: sourceLocation)
        #expect(try shell.cell("PRAGMA user_version") == 7, sourceLocation: sourceLocation)
        #expect(try shell.cell("PRAGMA application_id") == 42, sourceLocation: sourceLocation)
        #expect(try shell.cell("PRAGMA integrity_check") == "ok", sourceLocation: sourceLocation)
    }

    @Test func `encrypt makes what the sqlcipher shell opens with the key`() throws {
        let out = fixture.path("out.db")
        let run = try fixture.run("encrypt", fixture.plain, out, "--key-file", newKey)
        #expect(run.exitCode == .done)
        #expect(
            fixture.anonymous(run.output)
                == "encrypted plain.sqlite to out.db: 2 tables, 5 rows, 16.4 kB, verified\n")
        try expectSameContent(SQLCipherShell(path: out, key: .content(CommandLineFixture.otherKey)))
        #expect(throws: SQLCipherShell.Failure.self) {
            try SQLCipherShell(path: out).cell("SELECT count(*) FROM artist")
        }
    }

    @Test func `decrypt makes what anyone opens`() throws {
        let out = fixture.path("out.sqlite")
        let run = try fixture.run("decrypt", fixture.database, out, "--key-file", fixture.keyFile)
        #expect(run.exitCode == .done)
        try expectSameContent(SQLCipherShell(path: out))
    }

    @Test func `copy keeps the key, or takes another`() throws {
        let same = fixture.path("same.db")
        #expect(try fixture.runOnDatabase("copy", same).exitCode == .done)
        try expectSameContent(
            SQLCipherShell(path: same, key: .content(CommandLineFixture.key)))
        let other = fixture.path("other.db")
        #expect(
            try fixture.runOnDatabase("copy", other, "--new-key-file", newKey).exitCode == .done)
        try expectSameContent(
            SQLCipherShell(path: other, key: .content(CommandLineFixture.otherKey)))
    }

    @Test func `a key for the copy is asked for when that is wished`() throws {
        let out = fixture.path("out.db")
        let typed = "six words nobody has written"
        let run = try fixture.runOnDatabase(
            "copy", out, "--new-key-ask", world: CommandRun.World(answers: [typed, typed]))
        #expect(run.exitCode == .done)
        #expect(fixture.anonymous(run.errors) == "New key of out.db: \nThe same again: \n")
        try expectSameContent(SQLCipherShell(path: out, key: .passphrase(typed)))
    }

    @Test func `the result is told as JSON`() throws {
        let run = try fixture.runOnDatabase("copy", fixture.path("out.db"), "--json")
        let result = try #require(run.json as? [String: Any])
        #expect(
            result.keys.sorted() == [
                "byteCount", "destination", "kind", "pageCount", "pageSize", "rowCount", "source",
                "tables",
            ])
        #expect(result["kind"] as? String == "copied")
        #expect(result["rowCount"] as? Int == 5)
        let tables = result["tables"] as? [[String: Any]]
        #expect(tables?.count == 2)
    }

    @Test func `an existing file is replaced only by force`() throws {
        let out = try fixture.directory.write("precious", to: "out.db")
        for words in [
            ["encrypt", fixture.plain, out], ["decrypt", fixture.database, out],
            ["copy", fixture.database, out],
        ] {
            let run = try CommandRun(words + ["--key-file", fixture.keyFile])
            #expect(run.exitCode == .failed)
            #expect(run.errors.contains("--force"))
            #expect(try String(contentsOfFile: out, encoding: .utf8) == "precious")
        }
        #expect(try fixture.runOnDatabase("copy", out, "--force").exitCode == .done)
        try expectSameContent(
            SQLCipherShell(path: out, key: .content(CommandLineFixture.key)))
    }

    @Test func `rotate-key puts the new key in the place of the old`() throws {
        let run = try fixture.runOnDatabase("rotate-key", "--new-key-file", newKey)
        #expect(run.exitCode == .done)
        #expect(
            fixture.anonymous(run.output)
                == "changed the key of shop.db: 4 pages, 16.4 kB, verified\n")
        let shell = SQLCipherShell(
            path: fixture.database, key: .content(CommandLineFixture.otherKey))
        #expect(try shell.cell("SELECT count(*) FROM album") == 3)
        #expect(throws: SQLCipherShell.Failure.self) {
            try fixture.shell.cell("SELECT count(*) FROM album")
        }
        #expect(try fixture.runOnDatabase("info").exitCode == .wrongKey)
    }

    @Test func `the same source or the same key twice is refused`() throws {
        let source = try fixture.runOnDatabase("rotate-key", "--new-key-file", fixture.keyFile)
        #expect(source.exitCode == .usage)
        let copy = try fixture.directory.write(CommandLineFixture.key, to: "copy.key")
        let key = try fixture.runOnDatabase("rotate-key", "--new-key-file", copy)
        #expect(key.exitCode == .failed)
        #expect(key.errors.contains("--new-key-file"))
        #expect(try fixture.shell.cell("SELECT count(*) FROM album") == 3)
    }

    @Test(arguments: ["encrypt", "decrypt", "copy", "rotate-key"])
    func `an interruption leaves everything as it was`(command: String) throws {
        // The progress line asks for the wish to stop as soon as the work tells how far it is.
        let cancellation = Cancellation()
        var world = CommandRun.World(cancellation: cancellation, progressColumns: 80)
        world.onError = { cancellation.cancel() }
        let before = try fixture.directory.names()
        let content = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
        let words =
            switch command {
            case "encrypt": ["encrypt", fixture.plain, fixture.path("out.db")]
            case "rotate-key": [command, fixture.database, "--new-key-file", newKey]
            default: [command, fixture.database, fixture.path("out.db")]
            }
        let run = try CommandRun(words + ["--key-file", fixture.keyFile], in: world)
        #expect(run.exitCode == .interrupted)
        #expect(run.errors.hasSuffix("strongroom: error: interrupted\n"))
        #expect(run.output.isEmpty)
        #expect(try fixture.directory.names() == before)
        #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.database)) == content)
    }

    @Test func `progress shows on a terminal and is gone afterwards`() throws {
        let run = try fixture.runOnDatabase(
            "copy", fixture.path("out.db"), world: CommandRun.World(progressColumns: 80))
        #expect(run.exitCode == .done)
        #expect(run.errors.contains("copying  ["))
        #expect(run.errors.hasSuffix("\r\u{1B}[K"))
        #expect(!run.errors.contains("\n"))
    }

    @Test func `a database that plain SQLite wrote comes back as it was`() throws {
        let shop = try ForeignDatabase.createMediaShop(at: fixture.path("media.sqlite"))
        let encrypted = fixture.path("media.db")
        let decrypted = fixture.path("back.sqlite")
        for words in [["encrypt", shop, encrypted], ["decrypt", encrypted, decrypted]] {
            #expect(try CommandRun(words + ["--key-file", newKey]).exitCode == .done)
        }
        let dump = ".dump"
        #expect(
            try SQLCipherShell(path: decrypted).run(dump) == SQLCipherShell(path: shop).run(dump))
    }
}
