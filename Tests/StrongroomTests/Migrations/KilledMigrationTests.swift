import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite("A migration that is killed", .tags(.slow))
struct KilledMigrationTests {
    static let key = "x'" + String(repeating: "2b", count: 32) + "'"
    static let rowCount = 5_000

    @Test(
        .proves("MIG-023"),
        arguments: ["DELETE", "WAL"])
    func `leaves exactly the state before it, or after`(journalMode: String) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "app.db")
        try create(path, journalMode)
        let witness = SQLCipherShell(path: path, key: .content(Self.key))
        let before = try Self.state(witness)
        // How long one takes here, on a copy.
        let copy = folder.path(of: "copy.db")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let duration = try ContinuousClock().measure { try Self.migrate(copy) }
        let after = try Self.state(SQLCipherShell(path: copy, key: .content(Self.key)))
        #expect(after != before)

        for step in 0..<10 {
            try await Self.migrateAndDie(path, after: duration.nanoseconds * Double(step) / 10)
            let state = try Self.state(witness)
            try #require(state == before || state == after, "neither before nor after: \(state)")
            if state == after { break }
        }
        // At the latest possible moment: all is done but the commit.
        if try Self.state(witness) == before {
            try await Self.dieBeforeCommit(path)
            #expect(try Self.state(witness) == before)
        }
        try Self.migrate(path)
        #expect(try Self.state(witness) == after)
    }

    private static func migrateAndDie(_ path: String, after nanoseconds: Double) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path, nanoseconds] in
            let delay = DispatchTimeInterval.nanoseconds(Int(nanoseconds))
            DispatchQueue.global(qos: .userInteractive).asyncAfter(deadline: .now() + delay) {
                kill(getpid(), SIGKILL)
            }
            try KilledMigrationTests.migrate(path)
            while true { pause() }
        }
    }

    private static func dieBeforeCommit(_ path: String) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path] in
            try KilledMigrationTests.migrate(path) { kill(getpid(), SIGKILL) }
        }
    }

    private static func migrate(_ path: String, atTheEnd end: (@Sendable () -> Void)? = nil) throws
    {
        var configuration = FixtureDatabase.configuration(passphrase: key)
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("Recreate item") { db in
            // More than fits into the cache, so that pages reach the file before the commit.
            try db.execute(sql: "PRAGMA cache_size = 10")
            try db.create(table: "new_item") { t in
                t.primaryKey("id", .integer)
                t.column("text", .text).notNull().indexed()
            }
            try db.execute(sql: "INSERT INTO new_item SELECT rowid, text || '!' FROM item")
            try db.drop(table: "item")
            try db.rename(table: "new_item", to: "item")
            end?()
        }
        try migrator.migrate(queue)
        try queue.close()
    }

    /// What the file holds, read by another program, which first rolls back what was unfinished.
    private static func state(_ witness: SQLCipherShell) throws -> [[SQLCipherShell.Cell]] {
        try witness.rows(
            """
            PRAGMA integrity_check;
            SELECT type, name, sql FROM sqlite_master ORDER BY type, name;
            SELECT count(*), sum(length(text)), min(text), max(text) FROM item;
            """)
    }

    private func create(_ path: String, _ journalMode: String) throws {
        try SQLCipherShell(path: path, key: .content(Self.key)).create(
            """
            PRAGMA journal_mode = \(journalMode);
            CREATE TABLE item (text TEXT);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < \(Self.rowCount))
              INSERT INTO item SELECT printf('%0200d', n) FROM c;
            """)
    }
}

extension Duration {
    fileprivate var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}
