import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("A backup of a database in use")
struct LiveBackupTests {
    /// Two rows whose sum never changes, moved on different pages, and a count that only grows.
    private static func schema(_ fixture: BackupFixture) throws {
        try fixture.shell("app.db").run(
            """
            CREATE TABLE account (id INTEGER PRIMARY KEY, amount INTEGER, padding TEXT);
            INSERT INTO account SELECT id, 1000, hex(randomblob(400)) FROM t WHERE id <= 200;
            CREATE TABLE entry (id INTEGER PRIMARY KEY, at INTEGER);
            """)
    }

    private static func script(writes: Int, mode: String) -> String {
        var lines = [
            ".output /dev/null", "PRAGMA key = \"\(BackupFixture.keyText)\";",
            "PRAGMA busy_timeout = 60000;",
        ]
        for number in 0..<writes {
            let from = number * 7 % 200 + 1
            let to = number * 31 % 200 + 1
            lines.append(
                """
                BEGIN IMMEDIATE; UPDATE account SET amount = amount - 1 WHERE id = \(from);
                UPDATE account SET amount = amount + 1 WHERE id = \(to);
                INSERT INTO entry (at) VALUES (\(number)); COMMIT;
                """)
            if number.isMultiple(of: 5) { lines.append("PRAGMA wal_checkpoint(\(mode));") }
        }
        return lines.joined(separator: "\n")
    }

    @Test(
        "is one committed state, while two other processes write and checkpoint",
        .proves("BKP-003"))
    func writersBeside() throws {
        let fixture = try BackupFixture()
        try Self.schema(fixture)
        let writers = try ["TRUNCATE", "PASSIVE"].map { mode in
            let script = try fixture.folder.write(
                Self.script(writes: 60_000, mode: mode), to: "\(mode).sql")
            return try Subprocess(
                starting: "sqlcipher",
                ["-batch", "-init", "/dev/null", fixture.file.path, ".read \(script)"])
        }
        try expectStatesBetweenCommits(fixture)
        var counts: Set<String> = []
        for number in 1...25 {
            let backup = try fixture.repository.backUp(fixture.file)
            let name = "restored-\(number).db"
            try fixture.repository.restore(
                backup.id, to: fixture.path(name), key: fixture.file.key)
            let shell = fixture.shell(name)
            #expect(try shell.cell("SELECT sum(amount) FROM account") == .integer(200_000))
            #expect(
                try shell.cell("SELECT count(*) = coalesce(max(id), 0) FROM entry") == .integer(1))
            #expect(try shell.cell("PRAGMA integrity_check") == .text("ok"))
            counts.insert("\(try shell.cell("SELECT count(*) FROM entry"))")
        }
        // They did write meanwhile.
        #expect(counts.count > 5, "\(counts.count) different states")
        for writer in writers { writer.signal(SIGKILL) }
        #expect(try fixture.repository.verify().isSound)
    }

    /// Where no try between commits counts, writers are kept out for the moment.
    private func expectStatesBetweenCommits(_ fixture: BackupFixture) throws {
        // Many: it is seldom that a commit comes between all the same.
        for number in 1...150 {
            let pages = try CommittedPages(of: fixture.file, tries: 0)
            guard number.isMultiple(of: 30) else {
                try pages.close()
                continue
            }
            let name = fixture.path("held-\(number).db")
            try read(pages).write(to: URL(fileURLWithPath: name))
            try pages.close()
            let shell = fixture.shell("held-\(number).db")
            #expect(try shell.cell("SELECT sum(amount) FROM account") == .integer(200_000))
            #expect(try shell.cell("PRAGMA integrity_check") == .text("ok"))
        }
    }

    @Test("Who waits for a gap can stop, and lets writers go on", .proves("BKP-007"))
    func stopsWaiting() throws {
        struct Enough: Error {}
        let fixture = try BackupFixture()
        #expect(throws: Enough.self) {
            _ = try CommittedPages(of: fixture.file, tries: 0) { throw Enough() }
        }
        try fixture.shell("app.db").run("UPDATE t SET n = 3 WHERE id = 1")
        var count = 0
        try CommittedPages(of: fixture.file, tries: 0) { count += 1 }.close()
        #expect(count > 0)
    }

    @Test(
        "is stable under checkpoints that run while it reads, and lets writers go on",
        .proves("BKP-003"))
    func checkpointWhileReading() throws {
        let fixture = try BackupFixture(rowCount: 20000)
        let pool = try fixture.open()
        _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try pool.write { try $0.execute(sql: "UPDATE t SET n = 1 WHERE id % 100 = 0") }
        let pages = try CommittedPages(of: fixture.file)
        #expect(pages.letsWritersGoOn)
        let before = try read(pages)
        // What comes later gets into the log, and as much as may be into the main file.
        for round in 0..<5 {
            try pool.write {
                try $0.execute(sql: "UPDATE t SET n = 2 WHERE id % 50 = ?", arguments: [round])
            }
            _ = try pool.writeWithoutTransaction { try $0.checkpoint(.passive) }
            #expect(try read(pages) == before)
        }
        try pages.close()
        _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        let after = try CommittedPages(of: fixture.file)
        #expect(try read(after) != before)
        try after.close()
    }

    /// All pages, one after the other.
    private func read(_ pages: CommittedPages) throws -> Data {
        var data = Data(count: Int(pages.pages.byteCount))
        try data.withUnsafeMutableBytes { bytes in
            for page in 1...pages.pageCount {
                let start = Int(page - 1) * pages.pageSize
                let part = bytes[start..<(start + pages.pageSize)]
                try pages.pages.readPage(page, to: UnsafeMutableRawBufferPointer(rebasing: part))
            }
        }
        return data
    }

    @Test(
        "A fully checkpointed log is not read, and may be begun anew meanwhile", .proves("BKP-003"))
    func emptyLog() throws {
        let fixture = try BackupFixture()
        let pool = try fixture.open()
        try pool.write { try $0.execute(sql: "UPDATE t SET n = 1") }
        _ = try pool.writeWithoutTransaction { try $0.checkpoint(.full) }
        let pages = try CommittedPages(of: fixture.file)
        let before = try read(pages)
        // The log begins anew: its frames are overwritten.
        try pool.write { try $0.execute(sql: "UPDATE t SET n = 2") }
        _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.passive) }
        #expect(try read(pages) == before)
        try pages.close()
    }

    @Test("A rollback journal's writers wait, and find the database as it was", .proves("BKP-004"))
    func rollbackJournal() throws {
        let fixture = try BackupFixture(wal: false)
        let pages = try CommittedPages(of: fixture.file)
        #expect(!pages.letsWritersGoOn)
        let queue = try fixture.file.open()
        #expect(throws: DatabaseError.self) {
            try queue.write { try $0.execute(sql: "UPDATE t SET n = 1") }
        }
        try pages.close()
        try queue.write { try $0.execute(sql: "UPDATE t SET n = 1") }
        let backup = try fixture.repository.backUp(fixture.file)
        #expect(backup.number == 1 && backup.madeWritersWait == true)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        #expect(try fixture.repository.backUp(fixture.file).madeWritersWait == false)
        #expect(try fixture.repository.backups().map(\.madeWritersWait) == [nil, nil])
    }

    @Test(
        "The locks of the process's own connections stay, whatever a backup closes",
        .proves("BKP-005"))
    func ownLocksStay() throws {
        let fixture = try BackupFixture()
        let pool = try fixture.open()
        try pool.write { db in
            try db.execute(sql: "UPDATE t SET n = 5")
            try fixture.repository.backUp(fixture.file)
            // A second process that could write now would break both.
            let shell = try Subprocess.run(
                "sqlcipher", ["-batch", "-init", "/dev/null", fixture.file.path],
                input: Data(
                    "PRAGMA key = \"\(BackupFixture.keyText)\";\nUPDATE t SET n = 6;\n".utf8))
            #expect(shell.errorText.contains("database is locked"))
        }
        #expect(try fixture.shell("app.db").cell("SELECT max(n) FROM t") == .integer(5))
    }

    @Test("A pool is backed up with its own key, also after a rotation of it", .proves("BKP-006"))
    func pool() throws {
        let fixture = try BackupFixture()
        let pool = try fixture.open()
        let first = try fixture.repository.backUp(pool)
        let newKey = try BackupFixture.key(BackupFixture.otherKeyText)
        try pool.rotateKey(to: newKey)
        #expect { try fixture.repository.backUp(pool) } throws: {
            ($0 as? BackupError)?.code == .notIntroduced
        }
        let second = try fixture.repository.backUp(
            pool, authority: .introduced(by: BackupFixture.databaseKey))
        #expect(second.base == nil && second.storedPageCount == second.pageCount)
        #expect(first.keyIdentifier != second.keyIdentifier)
        try fixture.repository.restore("1", to: fixture.path("1.db"), key: fixture.file.key)
        try fixture.repository.restore("2", to: fixture.path("2.db"), key: newKey)
        #expect(try fixture.shell("1.db").cell("SELECT count(*) FROM t") == .integer(2000))
        #expect(
            try fixture.shell("2.db", key: BackupFixture.otherKeyText)
                .cell("SELECT count(*) FROM t") == .integer(2000))
        let queue = try DatabaseQueue()
        #expect(throws: DatabaseError.self) { try fixture.repository.backUp(queue) }
    }

    @Test("What progress throws ends the work, and the repository is as before", .proves("BKP-007"))
    func cancellation() throws {
        struct Enough: Error {}
        let fixture = try BackupFixture()
        try fixture.repository.backUp(fixture.file)
        let files = try fixture.repositoryFiles()
        #expect(throws: Enough.self) {
            try fixture.repository.backUp(fixture.file) { _ in throw Enough() }
        }
        #expect(throws: Enough.self) {
            try fixture.repository.prune(
                keeping: RetentionPolicy(last: 1), key: BackupFixture.databaseKey
            ) { _ in throw Enough() }
        }
        #expect(throws: Enough.self) {
            try fixture.repository.restore(to: fixture.path("out.db")) { _ in throw Enough() }
        }
        #expect(!FileManager.default.fileExists(atPath: fixture.path("out.db")))
        func isLock(_ file: (key: String, value: Data)) -> Bool { file.key.hasPrefix("lock") }
        let after = try fixture.repositoryFiles()
        #expect(after.filter { !isLock($0) } == files.filter { !isLock($0) })
        // In the middle of it: either it was too late, or nothing has happened.
        do {
            try fixture.repository.backUp(fixture.file) {
                if $0.phase != .preparing { throw Enough() }
            }
            #expect(try fixture.repository.backups().count == 2)
        } catch is Enough {
            #expect(try fixture.repository.backups().count == 1)
        }
        #expect(try fixture.repository.verify().isSound)
        // On the thread of the caller.
        let thread = Thread.current
        try fixture.repository.backUp(fixture.file) { _ in #expect(Thread.current === thread) }
    }

    @Test("Runs at once wait for each other, and a dead one leaves no lock", .proves("BKP-008"))
    func locks() async throws {
        let fixture = try BackupFixture()
        let (repository, file) = (fixture.repository, fixture.file)
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 { group.addTask { _ = try repository.backUp(file) } }
            try await group.waitForAll()
        }
        #expect(try repository.backups().map(\.number) == [1, 2, 3, 4])
        // Another process holds the lock, until it is killed.
        let holder = try Subprocess(
            starting: "python3",
            [
                "-c",
                """
                import fcntl, signal, sys
                file = open(sys.argv[1], "r+")
                fcntl.flock(file, fcntl.LOCK_EX)
                print("held", flush=True)
                signal.pause()
                """, repository.path + "/lock",
            ])
        try holder.wait(untilWritten: "held")
        struct Waiting: Error {}
        #expect(throws: Waiting.self) {
            try repository.backUp(file) { if $0.phase == .waiting { throw Waiting() } }
        }
        holder.signal(SIGKILL)
        #expect(try holder.wait().status == .killed(signal: SIGKILL))
        #expect(try repository.backUp(file).number == 5)
    }
}
