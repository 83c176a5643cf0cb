import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// A log or a journal that has lost a part, and commits with it.
@Suite struct DamagedLogCommandTests {
    private let fixture: CommandLineFixture
    private let path: String

    init() throws {
        fixture = try CommandLineFixture()
        path = fixture.path("app.db")
    }

    private func leave(_ sql: String, suffix: String) throws {
        try fixture.shell.run(
            """
            \(sql)
            .system cp '\(fixture.database)' '\(path)' && cp '\(fixture.database)\(suffix)' '\(path)\(suffix)'
            """)
    }

    private func files(_ suffix: String) throws -> [Data] {
        try ["", suffix].map { try Data(contentsOf: URL(fileURLWithPath: path + $0)) }
    }

    private func run(_ words: [String]) throws -> CommandRun {
        try CommandRun(words + ["--key-file", fixture.keyFile])
    }

    /// Each row is a frame; the sixth is damaged.
    private func leaveDamagedLog() throws {
        let inserts = (10...30).map { "INSERT INTO artist VALUES (\($0), 'artist \($0)');" }
        try leave(
            "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;\n"
                + inserts.joined(separator: "\n"), suffix: "-wal")
        var log = try files("-wal")[1]
        log[32 + 5 * 4120 + 2000] ^= 1
        try log.write(to: URL(fileURLWithPath: path + "-wal"))
    }

    @Test("commands that would remove a damaged log end with 17", .proves("OPR-130"))
    func refusal() throws {
        try leaveDamagedLog()
        let before = try files("-wal")
        let newKey = try fixture.directory.write(CommandLineFixture.otherKey, to: "new.key")
        let commands = [
            ["rotate-key", path, "--new-key-file", newKey],
            ["rotate-key", path, "--new-key-file", newKey, "--dry-run"],
            ["key", "init", path],
            ["decrypt", path, fixture.path("out.db")],
            ["check", path], ["doctor", path],
        ]
        for words in commands {
            let run = try run(words)
            #expect(run.exitCode == .foreignLog, "\(words): \(run.output) \(run.errors)")
            let text = run.output + run.errors
            #expect(text.contains("frame 6 of \(path)-wal is damaged"), "\(words): \(text)")
            #expect(text.contains("strongroom salvage \(path) OUT"), "\(words): \(text)")
            #expect(
                text.contains("strongroom query \(path) 'PRAGMA wal_checkpoint(TRUNCATE)' --write"))
            #expect(try files("-wal") == before, "\(words)")
        }
        let names = try fixture.directory.names()
        #expect(!names.contains("app.db-keyring") && !names.contains("out.db"))
        let salvage = try run(["salvage", path, fixture.path("out.db")])
        #expect(salvage.exitCode == .damaged)
    }

    @Test("commands that leave a damaged log as it is warn", .proves("OPR-130"))
    func warnings() throws {
        try leaveDamagedLog()
        let before = try files("-wal")
        let repository = fixture.path("repository")
        #expect(try CommandRun(["backup", "init", repository]).exitCode == .done)
        for words in [
            ["copy", path, fixture.path("out.db")], ["backup", "create", path, "--to", repository],
        ] {
            let run = try run(words)
            #expect(run.exitCode == .done, "\(run.errors)")
            #expect(
                run.errors.contains("warning: frame 6 of \(path)-wal is damaged"), "\(run.errors)")
            #expect(try files("-wal") == before)
        }
        // The loss is accepted as the hint says.
        let query = try run(["query", path, "PRAGMA wal_checkpoint(TRUNCATE)", "--write"])
        #expect(query.exitCode == .done)
        #expect(try run(["check", path]).exitCode == .done)
    }

    @Test(
        "a journal that is cut off ends every command with 17", .proves("OPR-131"),
        arguments: [700, 9000])
    func journal(byteCount: Int) throws {
        try leave(
            """
            PRAGMA cache_size = 5; CREATE TABLE account (id INTEGER PRIMARY KEY, balance INT, pad TEXT);
            WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 400)
              INSERT INTO account SELECT i, 100, hex(randomblob(100)) FROM c;
            BEGIN; UPDATE account SET balance = balance - 50;
            """, suffix: "-journal")
        try files("-journal")[1].prefix(byteCount)
            .write(to: URL(fileURLWithPath: path + "-journal"))
        let before = try files("-journal")
        let repository = fixture.path("repository")
        #expect(try CommandRun(["backup", "init", repository]).exitCode == .done)
        let commands = [
            ["doctor", path], ["check", path], ["copy", path, fixture.path("out.db")],
            ["query", path, "SELECT sum(balance) FROM account"],
            ["backup", "create", path, "--to", repository],
        ]
        for words in commands {
            let run = try run(words)
            #expect(run.exitCode == .foreignLog, "\(words): \(run.output) \(run.errors)")
            #expect(
                (run.output + run.errors).contains("app.db-journal is damaged: "), "\(run.errors)")
            #expect(try files("-journal") == before)
        }
        #expect(try run(["salvage", path, fixture.path("out.db")]).exitCode == .damaged)
    }
}
