import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Everything that this library has, on one file at once, for `STRONGROOM_STRESS_SECONDS` (2 if
/// unset): a pool, a queue, and the program in processes of its own, beside the `sqlcipher` shell.
@Suite(.serialized, .timeLimit(.minutes(30))) struct SideBySideTests {
    private static let seconds =
        ProcessInfo.processInfo.environment["STRONGROOM_STRESS_SECONDS"].flatMap { Double($0) } ?? 2

    private let fixture: CommandLineFixture
    private let problems = Collected()
    private let writes = Locked(0)
    private let deadline = ContinuousClock.now + .seconds(Self.seconds)

    init() throws {
        fixture = try CommandLineFixture()
        try fixture.shell.run(
            """
            PRAGMA journal_mode = WAL; CREATE TABLE total(n INTEGER); INSERT INTO total VALUES (0);
            CREATE TABLE entry(id INTEGER PRIMARY KEY, a BLOB);
            CREATE TRIGGER written AFTER UPDATE ON total BEGIN
                INSERT INTO entry VALUES (new.n, randomblob(1500));
            END;
            """)
    }

    private static let write = "UPDATE total SET n = n + 1"

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(30)
        configuration.journalMode = .wal
        configuration.prepareDatabase { try $0.usePassphrase(CommandLineFixture.key) }
        return configuration
    }

    private func repeats(_ name: String, _ body: () throws -> Void) {
        while ContinuousClock.now < deadline {
            do {
                try body()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                // Two checkpoints at once.
            } catch {
                problems.add("\(name): \(error)")
                return
            }
        }
    }

    private func writes(_ writer: any DatabaseWriter, _ mode: Database.CheckpointMode) throws {
        try writer.writeWithoutTransaction { try $0.execute(sql: Self.write) }
        writes.withLock { $0 += 1 }
        _ = try writer.writeWithoutTransaction { try $0.checkpoint(mode) }
    }

    private func expectSuccess(_ words: [String]) throws {
        let result = try Subprocess.run(
            PackageFiles.program("strongroom"), words + ["--key-file", fixture.keyFile])
        if !result.isSuccess { problems.add("\(words): \(result.status) \(result.errorText)") }
    }

    @Test("Pools, queues and the program lose no commit of one another", .proves("ENG-01"))
    func sideBySide() throws {
        let pool = try DatabasePool(path: fixture.database, configuration: configuration)
        let queue = try DatabaseQueue(path: fixture.database, configuration: configuration)
        let copy = fixture.path("copy.db")
        let activities: [() throws -> Void] = [
            { try writes(pool, .passive) },
            { try writes(queue, .passive) },
            { try writes(queue, .truncate) },
            { _ = try pool.writeWithoutTransaction { try $0.checkpoint(.passive) } },
            {
                try expectSuccess(["query", fixture.database, Self.write, "--write"])
                writes.withLock { $0 += 1 }
            },
            {
                try expectSuccess(["check", fixture.database])
                try expectSuccess(["copy", fixture.database, copy, "--force"])
            },
            {
                try fixture.shell.run(
                    ".timeout 30000\n\(Self.write);\nPRAGMA wal_checkpoint(PASSIVE);")
                writes.withLock { $0 += 1 }
            },
        ]
        // Safety: each is called on one thread, and all outlive them.
        nonisolated(unsafe) let all = activities
        DispatchQueue.concurrentPerform(iterations: all.count) { repeats("\($0)", all[$0]) }
        try pool.close()
        try queue.close()
        #expect(problems.texts == [])
        let count = Int64(writes.withLock { $0 })
        #expect(
            try fixture.shell.rows(
                """
                PRAGMA integrity_check; PRAGMA cipher_integrity_check;
                SELECT n, (SELECT count(*) FROM entry), (SELECT max(id) FROM entry) FROM total
                """) == [["ok"], [.integer(count), .integer(count), .integer(count)]])
    }
}
