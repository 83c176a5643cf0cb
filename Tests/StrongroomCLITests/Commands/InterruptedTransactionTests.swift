import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// A database as a crash leaves it under a rollback journal, in the middle of a transaction.
@Suite struct InterruptedTransactionTests {
    private let fixture: CommandLineFixture
    private let path: String

    init() throws {
        fixture = try CommandLineFixture()
        path = fixture.path("crashed.db")
        // More than the cache holds: some of the new pages are in the file, others between them not.
        try fixture.shell.run(
            """
            PRAGMA cache_size = 4;
            CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE);
            INSERT INTO t VALUES (1, 'before');
            BEGIN;
            UPDATE t SET a = 'half written';
            WITH RECURSIVE c(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM c WHERE n < 900)
              INSERT INTO t SELECT n, hex(randomblob(400)) FROM c;
            .system cp '\(fixture.database)' '\(path)' && cp '\(fixture.database)-journal' '\(path)-journal'
            ROLLBACK;
            """)
        #expect(FileManager.default.fileExists(atPath: path + "-journal"))
    }

    @Test("is judged as readers see it, the first time and the second", .proves("OPR-04"))
    func check() throws {
        for _ in 1...2 {
            let run = try fixture.run("check", path, "--key-file", fixture.keyFile, "--json")
            #expect(run.exitCode == .done, "\(run.output) \(run.errors)")
        }
        let shell = SQLCipherShell(path: path, key: .content(CommandLineFixture.key))
        #expect(try shell.rows("SELECT id, a FROM t") == [[1, "before"]])
    }

    @Test(
        "is undone before a command that only reads", .proves("OPR-05"),
        arguments: ["query", "info"])
    func reading(command: String) throws {
        let words = [command, path] + (command == "query" ? ["SELECT a FROM t", "--csv"] : [])
        let run = try CommandRun(words + ["--key-file", fixture.keyFile])
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(command == "info" || run.output.contains("before"))
    }

    @Test(
        "is called interrupted where it cannot be undone", .proves("OPR-04"),
        .enabled(if: Unprivileged.isPossible, "needs a user who may not write"))
    func unwritable() throws {
        let run = try Unprivileged(in: fixture.directory)
        let result = try run(
            "strongroom", ["check", "crashed.db", "--key-command", "cat shop.key"])
        #expect(result.status == .exited(1), "\(result.outputText)")
        #expect(result.errorText.contains("a transaction that a crash interrupted"))
        #expect(FileManager.default.fileExists(atPath: path + "-journal"))
    }
}
