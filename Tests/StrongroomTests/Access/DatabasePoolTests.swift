import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Synchronization
import Testing

@Suite struct DatabasePoolTests {
    let fixture: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase()
    }

    func count(_ db: Database) throws -> Int? {
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t")
    }

    func filledPool(_ change: (inout Configuration) -> Void = { _ in }) throws
        -> DatabasePool
    {
        let pool = try fixture.openPool(change)
        try pool.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
        return pool
    }

    @Test(.proves("CNF-002", "CNF-010", "CNF-023"))
    func `A pool creates the file in WAL mode, with a log from the start`() throws {
        let pool = try fixture.openPool()
        #expect(FileManager.default.fileExists(atPath: fixture.path + "-wal"))
        #expect(pool.path == fixture.path)
        #expect(pool.configuration.maximumReaderCount == 5)
        let modes = try pool.writeWithoutTransaction { db in
            [
                try String.fetchOne(db, sql: "PRAGMA journal_mode"),
                try String.fetchOne(db, sql: "PRAGMA synchronous"),
            ]
        }
        #expect(modes == ["wal", "1"])
        try pool.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        #expect(try fixture.shell().cell("SELECT name FROM sqlite_master") == "t")
        let queue = try DatabaseQueue(
            path: fixture.directory.path(of: "queue"),
            configuration: FixtureDatabase.configuration { $0.journalMode = .wal })
        let queueModes = try queue.inDatabase { db in
            [
                try String.fetchOne(db, sql: "PRAGMA journal_mode"),
                try String.fetchOne(db, sql: "PRAGMA synchronous"),
            ]
        }
        #expect(queueModes == ["wal", "1"])
    }

    @Test(.proves("CNF-007"), arguments: [":memory:", ""])
    func `A database in memory has no pool`(path: String) {
        let error = #expect(throws: DatabaseError.self) { try DatabasePool(path: path) }
        #expect(error?.resultCode == .SQLITE_ERROR)
        #expect(error?.message == "could not activate WAL Mode at path: \(path)")
    }

    @Test(.proves("CNF-018"))
    func `A pool that may only read leaves the journal mode alone`() throws {
        try fixture.open().write { try $0.execute(sql: "CREATE TABLE t(a)") }
        let pool = try fixture.openPool { $0.readonly = true }
        #expect(try pool.read(count) == 0)
        #expect(try pool.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "delete")
        let error = #expect(throws: DatabaseError.self) {
            try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        }
        #expect(error?.resultCode == .SQLITE_READONLY)
    }

    @Test(.proves("CNF-025"), arguments: [nil, "MyDB"])
    func `Connections have names`(label: String?) throws {
        let pool = try filledPool { $0.label = label }
        let name = label ?? "DatabasePool"
        #expect(pool.writeWithoutTransaction { $0.description } == "\(name).writer")
        #expect(try pool.read { $0.description } == "\(name).reader.1")
        #expect(try pool.read { $0.debugDescription } == "<Database: \(name).reader.1>")
        #expect(try pool.makeSnapshot().read { $0.description } == "\(name).snapshot.1")
        let both = try pool.read { _ in
            let second = Locked("")
            let isRead = DispatchSemaphore(value: 0)
            pool.asyncRead { db in
                second.withLock { $0 = (try? db.get().description) ?? "" }
                isRead.signal()
            }
            isRead.wait()
            return second.withLock { $0 }
        }
        #expect(both == "\(name).reader.2")
        let queue = try DatabaseQueue(
            configuration: FixtureDatabase.configuration { $0.label = label })
        #expect(queue.inDatabase { $0.description } == label ?? "DatabaseQueue")
    }

    @Test(.proves("CNF-031", "CNF-032", "CNF-047"))
    func `Every connection is prepared, readers and snapshots as readers`() throws {
        let prepared = Collected()
        let pool = try filledPool { configuration in
            configuration.prepareDatabase { prepared.add("1 \($0.configuration.readonly)") }
            configuration.prepareDatabase { db in
                prepared.add("2")
                db.add(function: DatabaseFunction("answer", argumentCount: 0) { _ in 42 })
            }
        }
        #expect(prepared.texts == ["1 false", "2"])
        #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT answer()") } == 42)
        #expect(prepared.texts == ["1 false", "2", "1 true", "2"])
        let snapshot = try pool.makeSnapshot()
        #expect(try snapshot.read { try Int.fetchOne($0, sql: "SELECT answer()") } == 42)
        #expect(prepared.texts.count == 6)
    }

    @Test
    func `A preparation that fails, fails the access, and the next one tries again`() throws {
        struct Refusal: Error {}
        let isRefused = Atomic(false)
        let pool = try filledPool { configuration in
            configuration.prepareDatabase { _ in
                if isRefused.load(ordering: .relaxed) { throw Refusal() }
            }
        }
        isRefused.store(true, ordering: .relaxed)
        for _ in 0..<10 {
            #expect(throws: Refusal.self) { try pool.read(count) }
            #expect(throws: Refusal.self) { try pool.makeSnapshot() }
        }
        isRefused.store(false, ordering: .relaxed)
        #expect(try pool.read(count) == 1)
    }

    @Test(.proves("CNF-013"))
    func `Once closed, every access says so, and closing again succeeds`() throws {
        let pool = try filledPool()
        let snapshot = try pool.makeSnapshot()
        #expect(try pool.read(count) == 1)
        let readers: [any DatabaseReader] = [snapshot, try fixture.open(), pool]
        for reader in readers {
            try reader.close()
            try reader.close()
            reader.interrupt()
            let errors = [
                #expect(throws: DatabaseError.self) { try reader.read(count) },
                #expect(throws: DatabaseError.self) { try reader.unsafeRead(count) },
                #expect(throws: DatabaseError.self) { try reader.unsafeReentrantRead(count) },
            ]
            for error in errors {
                #expect(error?.resultCode == .SQLITE_MISUSE)
                #expect(error?.message == "Connection is closed")
            }
        }
        pool.releaseMemory()
        pool.releaseMemoryEventually()
        let write = #expect(throws: DatabaseError.self) { try pool.write { try count($0) } }
        #expect(write?.message == "Connection is closed")
        #expect(!FileManager.default.fileExists(atPath: fixture.path + "-wal"))
    }

    @Test(.proves("CCY-036", "CNF-029", "MEM-001", "MEM-002"))
    func `Connections that read are closed and opened again when asked`() throws {
        let opened = Atomic(0)
        func openedReaders(persistent: Bool) throws -> DatabasePool {
            opened.store(0, ordering: .relaxed)
            let pool = try filledPool { configuration in
                configuration.persistentReadOnlyConnections = persistent
                configuration.prepareDatabase { db in
                    if db.configuration.readonly { opened.add(1, ordering: .relaxed) }
                }
            }
            for _ in 0..<3 { _ = try pool.read(count) }
            return pool
        }
        var pool = try openedReaders(persistent: false)
        #expect(opened.load(ordering: .relaxed) == 1)
        pool.releaseMemory()
        _ = try pool.read(count)
        #expect(opened.load(ordering: .relaxed) == 2)
        pool.releaseMemoryEventually()
        _ = try pool.read(count)
        #expect(opened.load(ordering: .relaxed) == 3)
        try pool.read { db throws in
            pool.invalidateReadOnlyConnections()
            #expect(try count(db) == 1, "a read that runs goes on")
        }
        _ = try pool.read(count)
        #expect(opened.load(ordering: .relaxed) == 4)
        try pool.writeWithoutTransaction { try $0.execute(sql: "DROP TABLE t") }
        try pool.close()

        pool = try openedReaders(persistent: true)
        pool.releaseMemory()
        pool.releaseMemoryEventually()
        _ = try pool.read(count)
        #expect(opened.load(ordering: .relaxed) == 1)
        pool.invalidateReadOnlyConnections()
        _ = try pool.read(count)
        #expect(opened.load(ordering: .relaxed) == 2)
    }

    @Test(.proves("CCY-024"))
    func `A barrier runs alone`() throws {
        let pool = try filledPool()
        let readsInside = Atomic(0)
        let violations = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 40) { index in
            if index.isMultiple(of: 10) {
                try? pool.barrierWriteWithoutTransaction { db in
                    if readsInside.load(ordering: .sequentiallyConsistent) != 0 {
                        violations.add(1, ordering: .relaxed)
                    }
                    try db.execute(sql: "INSERT INTO t VALUES (2)")
                    if readsInside.load(ordering: .sequentiallyConsistent) != 0 {
                        violations.add(1, ordering: .relaxed)
                    }
                }
            } else {
                try? pool.read { db in
                    readsInside.add(1, ordering: .sequentiallyConsistent)
                    _ = try count(db)
                    readsInside.subtract(1, ordering: .sequentiallyConsistent)
                }
            }
        }
        #expect(violations.load(ordering: .relaxed) == 0)
        #expect(try pool.read(count) == 5)
    }

    @Test(.proves("CCY-026", "CCY-034"), arguments: WriterKind.allCases)
    func `A concurrent read sees the last commit, whatever is written later`(
        kind: WriterKind
    ) throws {
        let writer = try fixture.open(kind)
        try writer.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
        let results = Collected()
        let isDone = DispatchSemaphore(value: 0)
        try writer.writeWithoutTransaction { db in
            writer.spawnConcurrentRead { db in
                results.add("\((try? count(db.get())) ?? -1)")
                isDone.signal()
            }
            try db.execute(sql: "DELETE FROM t")
        }
        isDone.wait()
        guard let pool = writer as? DatabasePool else {
            #expect(results.texts == ["1"])
            return
        }
        let mayRead = DispatchSemaphore(value: 0)
        try pool.writeWithoutTransaction { db in
            pool.asyncConcurrentRead { db in
                mayRead.wait()
                results.add("\((try? count(db.get())) ?? -1)")
                isDone.signal()
            }
            try db.execute(sql: "INSERT INTO t VALUES (1), (2)")
        }
        mayRead.signal()
        isDone.wait()
        #expect(results.texts == ["1", "0"])
    }

    @Test(.proves("CNF-060"))
    func `A file that takes the database's place is noticed, and what is open goes on`() throws {
        let pool = try filledPool()
        let other = fixture.directory.path(of: "other")
        try DatabaseQueue(path: other, configuration: FixtureDatabase.configuration())
            .write { try $0.execute(sql: "CREATE TABLE u(b)") }
        #expect(rename(other, fixture.path) == 0)
        for _ in 0..<2 {
            let error = #expect(throws: DatabaseError.self) { try pool.read(count) }
            #expect(error?.extendedResultCode == .SQLITE_READONLY_DBMOVED)
        }
        #expect(try pool.writeWithoutTransaction(count) == 1)
    }
}
