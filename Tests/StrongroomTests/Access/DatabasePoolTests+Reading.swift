import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Synchronization
import Testing

extension DatabasePoolTests {
    @Test(.proves("CCY-002", "CCY-007"))
    func `A read goes on while a write does, and sees none of it`() throws {
        let pool = try filledPool()
        try pool.read { reader in
            #expect(try count(reader) == 1)
            try pool.write { writer in
                try writer.execute(sql: "INSERT INTO t VALUES (2)")
                #expect(try count(writer) == 2)
                #expect(try count(reader) == 1)
            }
            #expect(try count(reader) == 1, "the state of its first read")
        }
        #expect(try pool.read(count) == 2)
        try pool.write { writer in
            try writer.execute(sql: "INSERT INTO t VALUES (3)")
            #expect(try pool.read(count) == 2, "nothing that is not committed")
        }
    }

    @Test(.proves("CCY-010"))
    func `Two reads may see two states`() throws {
        let pool = try filledPool()
        let before = try pool.read(count)
        try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        #expect(try pool.read(count) != before)
    }

    @Test(.proves("CNF-026"))
    func `As many reads run at once as there may be connections, others wait`() throws {
        let pool = try filledPool { $0.maximumReaderCount = 2 }
        let state = Locked((running: 0, highest: 0, done: 0))
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            try? pool.read { db in
                state.withLock {
                    $0.running += 1; $0.highest = max($0.highest, $0.running)
                }
                _ = try count(db)
                state.withLock {
                    $0.running -= 1; $0.done += 1
                }
            }
        }
        #expect(state.withLock { $0.highest } <= 2)
        #expect(state.withLock { $0.done } == 64)
    }

    @Test(.proves("CCY-004"))
    func `Whatever writes is refused in a read, temporary tables too`() throws {
        let pool = try filledPool()
        let snapshot = try pool.makeSnapshot()
        let readers: [any DatabaseReader] = [try fixture.open(), pool, snapshot]
        for reader in readers {
            for sql in ["INSERT INTO t VALUES (2)", "CREATE TEMP TABLE u(a)", "DROP TABLE t"] {
                let error = #expect(throws: DatabaseError.self, "\(type(of: reader)) \(sql)") {
                    try reader.read { try $0.execute(sql: sql) }
                }
                #expect(error?.resultCode == .SQLITE_READONLY)
            }
            #expect(try reader.read(count) == 1)
        }
        let error = #expect(throws: DatabaseError.self) {
            try pool.unsafeRead { try $0.execute(sql: "CREATE TEMP TABLE u(a)") }
        }
        #expect(error?.resultCode == .SQLITE_READONLY)
    }

    @Test(.proves("CCY-033"))
    func `A pool's transaction is committed or rolled back by its closure`() throws {
        let pool = try filledPool()
        try pool.writeInTransaction { db in
            try db.execute(sql: "INSERT INTO t VALUES (2)")
            return .rollback
        }
        #expect(try pool.read(count) == 1)
        try pool.writeInTransaction(.exclusive) { db in
            try db.execute(sql: "INSERT INTO t VALUES (2)")
            return .commit
        }
        #expect(try pool.read(count) == 2)
    }

    @Test(.proves("CNF-048", "CNF-050", "CNF-051", "CNF-055", "CCY-052"))
    func `Snapshots keep what they were made of, each on a connection of its own`() throws {
        let pool = try filledPool { $0.maximumReaderCount = 1 }
        var snapshots: [DatabaseSnapshot] = []
        for value in 2...10 {
            let snapshot = try pool.writeWithoutTransaction { db in
                let snapshot = try pool.makeSnapshot()
                try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [value])
                return snapshot
            }
            snapshots.append(snapshot)
        }
        #expect(try snapshots.map { try $0.read(count) } == Array(1...9))
        let nested = try snapshots[3].read { _ in
            try snapshots[3].reentrantRead { try count($0) }
        }
        #expect(nested == 4)
        #expect(try pool.read { _ in try pool.makeSnapshot().read(count) } == 10)
        try pool.writeWithoutTransaction { try $0.execute(sql: "DROP TABLE t; VACUUM") }
        #expect(try snapshots.map { try $0.read(count) } == Array(1...9))
        let reader: any DatabaseSnapshotReader = snapshots[0]
        #expect(try reader.read(count) == 1)
    }

    @Test(.proves("CNF-049"))
    func `A snapshot lets others write in WAL mode only`() throws {
        let pool = try filledPool()
        let snapshot = try pool.makeSnapshot()
        _ = try fixture.shell().run("INSERT INTO t VALUES (2);")
        #expect(try snapshot.read(count) == 1)
        #expect(try pool.read(count) == 2)
        try snapshot.close()
        try pool.close()

        _ = try fixture.shell().run("PRAGMA journal_mode = DELETE;")
        let readonly = try fixture.openPool { $0.readonly = true }
        let holding = try readonly.makeSnapshot()
        let queue = try fixture.open()
        let error = #expect(throws: DatabaseError.self) {
            try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (3)") }
        }
        #expect(error?.resultCode == .SQLITE_BUSY)
        try holding.close()
        try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (3)") }
    }
}
