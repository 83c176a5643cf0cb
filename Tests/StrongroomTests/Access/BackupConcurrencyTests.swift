import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Backups between databases that others use meanwhile.
@Suite struct BackupConcurrencyTests {
    let fixture: FixtureDatabase
    let target: FixtureDatabase
    let pool: DatabasePool

    init() throws {
        fixture = try FixtureDatabase()
        target = try FixtureDatabase()
        pool = try fixture.openPool { $0.busyMode = .timeout(20) }
        try pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE t(a);
                    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
                    INSERT INTO t SELECT 'row ' || i FROM n
                    """)
        }
    }

    private func count(_ reader: any DatabaseReader) throws -> Int? {
        try reader.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") }
    }

    private func insert() throws {
        try pool.write { try $0.execute(sql: "INSERT INTO t VALUES ('late')") }
    }

    @Test(.proves("BAK-003"))
    func `Writes of a pool go on during its backup, which holds one state`() throws {
        let destination = try target.open()
        var steps = 0
        try pool.backup(to: destination, pagesPerStep: 3) { _ in
            steps += 1
            try insert()
        }
        #expect(steps > 5)
        #expect(try count(pool) == 5000 + steps)
        #expect(try count(destination) == 5000)
        try pool.backup(to: destination)
        #expect(try count(destination) == 5000 + steps)
        #expect(try target.shell().cell("PRAGMA integrity_check") == "ok")
    }

    /// Without a transaction on the source, a backup began anew with each of these commits
    /// (`Documentation/SQLCipher.md`, "Copies under a writer"): this one takes its steps once.
    @Test(arguments: [false, true])
    func `Another process that commits at every step does not starve a backup`(isPool: Bool) throws
    {
        // However long the backup takes, `yes` has one more.
        let script = try target.directory.write(
            """
            PRAGMA key = "\(FixtureDatabase.rawKey)";
            PRAGMA busy_timeout = 20000;
            PRAGMA synchronous = OFF;
            .read '|yes "INSERT INTO t VALUES (1);"'
            """, to: "script")
        let writer = try Subprocess(
            starting: "sqlcipher", ["-batch", "-bail", "-init", script, fixture.path, "SELECT 1"])
        let source: any DatabaseReader =
            isPool ? pool : try fixture.open { $0.busyMode = .timeout(20) }
        let destination = try target.open()
        let watcher = try fixture.open()
        try waitForCommit(watcher)
        var steps = 0
        try source.backup(to: destination, pagesPerStep: 3) { progress in
            steps += 1
            #expect(steps <= progress.totalPageCount / 3 + 1)
            try waitForCommit(watcher)
        }
        #expect(steps > 5)
        writer.signal(SIGKILL)
        _ = try writer.wait()
        #expect(try count(destination) ?? 0 > 5000)
        #expect(try target.shell().cell("PRAGMA integrity_check") == "ok")
    }

    private func waitForCommit(_ watcher: DatabaseQueue) throws {
        let before = try count(watcher)
        let deadline = ContinuousClock.now + .seconds(30)
        while try count(watcher) == before {
            try #require(ContinuousClock.now < deadline, "the other process does not write")
        }
    }

    @Test(.proves("BAK-001"))
    func `Snapshots are sources, and the destination keeps its journal`() throws {
        let snapshot = try pool.makeSnapshot()
        let snapshotPool = LogSnapshot.isAvailable ? try pool.makeSnapshotPool() : nil
        let logless = try FixtureDatabase()
        try snapshot.backup(to: logless.open())
        try insert()
        let sources: [(any DatabaseReader)?] = [snapshot, snapshotPool, try logless.open()]
        for source in sources.compactMap(\.self) {
            for mode in ["delete", "wal", "truncate", "memory"] {
                let copy = try FixtureDatabase(named: mode)
                let destination = try copy.open()
                _ = try destination.inDatabase {
                    try String.fetchOne($0, sql: "PRAGMA journal_mode = \(mode)")
                }
                try source.backup(to: destination)
                #expect(try count(destination) == 5000)
                let kept = try destination.read {
                    try String.fetchOne($0, sql: "PRAGMA journal_mode")
                }
                #expect(kept == mode)
                let isWAL = try copy.shell().cell("PRAGMA journal_mode") == "wal"
                #expect(isWAL == (mode == "wal"))
            }
        }
        let other = try target.openPool()
        try snapshot.backup(to: other)
        #expect(try count(other) == 5000)
    }

    @Test(.proves("BAK-007"))
    func `Databases in memory and in files are backed up to each other, under one key or two`()
        throws
    {
        let memory = try DatabaseQueue(configuration: FixtureDatabase.configuration())
        try pool.backup(to: memory)
        #expect(try count(memory) == 5000)
        try memory.backup(to: target.open())
        #expect(try target.shell().cell("SELECT COUNT(*) FROM t") == 5000)
        let plain = try DatabaseQueue()
        try plain.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        let path = target.directory.path(of: "plain")
        try plain.backup(to: DatabaseQueue(path: path))
        #expect(try SQLCipherShell(path: path).cell("SELECT COUNT(*) FROM t") == 0)
        let back = try DatabaseQueue()
        try DatabaseQueue(path: path).backup(to: back)
        #expect(try count(back) == 0)
        let other = try FixtureDatabase()
        try pool.backup(to: other.open(passphrase: "another"))
        #expect(try other.shell(passphrase: "another").cell("SELECT COUNT(*) FROM t") == 5000)
    }

    @Test func `A destination in use is busy at once, after its time, or until it is free`() throws
    {
        let reader = try target.open { $0.allowsUnsafeTransactions = true }
        try reader.write { try $0.execute(sql: "CREATE TABLE old(a)") }
        try reader.inDatabase { db in
            try db.beginTransaction(.deferred)
            _ = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM old")
        }
        let tries = Collected()
        let modes: [Database.BusyMode] = [
            .immediateError, .timeout(0.05),
            .callback { count in
                tries.add("\(count)")
                return count < 2
            },
        ]
        for mode in modes {
            let destination = try target.open { $0.busyMode = mode }
            let error = #expect(throws: DatabaseError.self) { try pool.backup(to: destination) }
            #expect(error?.resultCode == .SQLITE_BUSY)
            #expect(error?.message == "the destination of the backup is in use")
            try destination.close()
        }
        #expect(tries.texts == ["0", "1", "2"])
        try reader.inDatabase { try $0.commit() }
        #expect(try target.shell().cell("SELECT name FROM sqlite_master") == "old")
        let isFreed = Collected()
        try reader.inDatabase { db in
            try db.beginTransaction(.deferred)
            _ = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM old")
        }
        let patient = try target.open {
            $0.busyMode = .callback { _ in
                isFreed.add("freed")
                try? reader.inDatabase { try $0.commit() }
                return true
            }
        }
        try pool.backup(to: patient)
        #expect(isFreed.texts == ["freed"])
        #expect(try count(reader) == 5000)
        #expect(try target.shell().cell("PRAGMA integrity_check") == "ok")
    }

    @Test func `Readers of a pool see it as it was until a backup to it is whole`() throws {
        let destination = try target.openPool()
        try destination.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        let snapshot = try destination.makeSnapshot()
        try pool.backup(to: destination, pagesPerStep: 5) { progress in
            guard !progress.isCompleted else { return }
            let count = try destination.read {
                try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t")
            }
            #expect(count == 0)
        }
        #expect(try count(snapshot) == 0)
        #expect(try count(destination) == 5000)
        #expect(try target.shell().cell("PRAGMA integrity_check") == "ok")
    }

    /// `Documentation/SQLCipher.md`, "Copies": what SQLCipher reports proves nothing, what its
    /// shell reads does.
    @Test(
        arguments: [
            "cipher_use_hmac = OFF", "cipher_hmac_algorithm = HMAC_SHA1", "kdf_iter = 1000",
            "cipher_plaintext_header_size = 32", "cipher_kdf_algorithm = PBKDF2_HMAC_SHA1",
            "cipher_compatibility = 3", "cipher_page_size = 8192",
        ])
    func `A backup to other settings opens with these, or is refused`(setting: String) throws {
        let salt = "PRAGMA cipher_salt = \"x'00112233445566778899aabbccddeeff'\""
        let settings =
            setting.contains("header")
            ? ["PRAGMA \(setting)", salt] : ["PRAGMA \(setting)"]
        for isNew in [true, false] {
            let copy = try FixtureDatabase()
            let destination = try copy.open { configuration in
                configuration.prepareDatabase { db in
                    for sql in settings { try db.execute(sql: sql) }
                }
            }
            if !isNew { try destination.write { try $0.execute(sql: "CREATE TABLE old(a)") } }
            do {
                try pool.backup(to: destination)
            } catch let error as DatabaseError {
                #expect(error.message?.contains("cipher_page_size") == true)
                #expect(setting.contains("page_size") || setting.contains("compatibility"))
                let names = try destination.read {
                    try String.fetchAll($0, sql: "SELECT name FROM sqlite_master")
                }
                #expect(names == (isNew ? [] : ["old"]))
                continue
            }
            try destination.close()
            var shell = copy.shell()
            shell.settings = settings
            #expect(try shell.cell("SELECT COUNT(*) FROM t") == 5000, "\(setting) \(isNew)")
            #expect(try shell.cell("PRAGMA integrity_check") == "ok")
            // Without HMAC there is nothing to check pages by.
            if !setting.contains("use_hmac") {
                #expect(try shell.rows("PRAGMA cipher_integrity_check").isEmpty)
            }
        }
    }
}
