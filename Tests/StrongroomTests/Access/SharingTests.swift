import CSQLCipher
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// A database that several processes use, each set up as the manual of shared databases says.
@Suite(.tags(.slow)) struct SharingTests {
    let fixture: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase()
    }

    private static func migrator(versions: Int = 2) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for version in 1...versions {
            migrator.registerMigration("v\(version)") { db in
                try db.create(table: "t\(version)") { t in
                    t.autoIncrementedPrimaryKey("id")
                    t.column("process", .integer).notNull()
                }
            }
        }
        return migrator
    }

    /// Opens the database while no other process does, and brings it to its newest schema.
    private static func openShared(_ path: String) throws -> DatabasePool {
        let coordinator = open(path + ".coordinator", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(coordinator) }
        try #require(coordinator >= 0 && flock(coordinator, LOCK_EX) == 0)
        let configuration = FixtureDatabase.configuration {
            $0.busyMode = .timeout(60)
            $0.prepareDatabase { db in
                guard !db.configuration.readonly else { return }
                // The log stays when the last process is gone, for those that only read.
                var isPersistent: CInt = 1
                let code = sqlite3_file_control(
                    db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isPersistent)
                try #require(code == SQLITE_OK)
            }
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try migrator().migrate(pool)
        return pool
    }

    private static func write(_ path: String, process: Int) async {
        await #expect(processExitsWith: .success) { [path, process] in
            let pool = try SharingTests.openShared(path)
            for _ in 0..<100 {
                try pool.write { db in
                    try db.execute(sql: "INSERT INTO t2(process) VALUES (?)", arguments: [process])
                }
            }
            try pool.close()
        }
    }

    @Test(.proves("IRQ-008", "OPR-44"))
    func `Processes open one after the other, write together, and leave their log to readers`()
        async throws
    {
        let path = fixture.path
        await withTaskGroup(of: Void.self) { group in
            for process in 0..<3 { group.addTask { await Self.write(path, process: process) } }
        }
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        let reader = try fixture.open {
            $0.readonly = true
            $0.busyMode = .timeout(60)
        }
        try await reader.read { db throws in
            let counts = try Int.fetchAll(db, sql: "SELECT COUNT(*) FROM t2 GROUP BY process")
            #expect(counts == [100, 100, 100])
            #expect(try Self.migrator().hasCompletedMigrations(db))
            #expect(try !Self.migrator().hasBeenSuperseded(db))
            // What an older app finds, and a newer one that may only read.
            #expect(try Self.migrator(versions: 1).hasBeenSuperseded(db))
            #expect(try !Self.migrator(versions: 3).hasCompletedMigrations(db))
        }
        #expect(try fixture.shell().cell("SELECT COUNT(*) FROM t2") == 300)
    }
}
