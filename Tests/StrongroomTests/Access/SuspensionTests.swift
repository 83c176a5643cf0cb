import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// One at a time: a notification reaches every database that heeds it.
@Suite(.serialized) struct SuspensionTests {
    let fixture: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase()
    }

    private func suspended<T>(_ body: () throws -> T) rethrows -> T {
        NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
        defer { NotificationCenter.default.post(name: Database.resumeNotification, object: nil) }
        return try body()
    }

    private func filledWriter(_ kind: WriterKind, heedful: Bool = true) throws
        -> any DatabaseWriter
    {
        let writer = try fixture.open(kind) { $0.observesSuspensionNotifications = heedful }
        try writer.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
        return writer
    }

    private func count(_ db: Database) throws -> Int? {
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t")
    }

    @Test(.proves("CNF-028", "IRQ-004"), arguments: WriterKind.allCases)
    func `A suspended database writes nothing until it is resumed`(kind: WriterKind) throws {
        let writer = try filledWriter(kind)
        suspended {
            for _ in 0..<2 {
                let error = DatabaseError.thrown {
                    try writer.write { try $0.execute(sql: "DELETE FROM t") }
                }
                #expect(error?.resultCode == .SQLITE_ABORT)
                #expect(error?.message == "Database is suspended")
            }
        }
        try writer.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        #expect(try writer.read(count) == 2)
    }

    @Test
    func `A database that was not asked to heed it does not`() throws {
        let writer = try filledWriter(.pool, heedful: false)
        try suspended { try writer.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") } }
        #expect(try writer.read(count) == 2)
    }

    @Test(.proves("IRQ-005"))
    func `Reads go on in WAL mode, and in no other`() throws {
        let queue = try filledWriter(.queue)
        suspended {
            let error = DatabaseError.thrown { _ = try queue.read(count) }
            #expect(error?.message == "Database is suspended")
        }
        #expect(try queue.read(count) == 1)
        try queue.close()
        let pool = try fixture.openPool { $0.observesSuspensionNotifications = true }
        #expect(try suspended { try pool.read(count) } == 1)
        #expect(try suspended { try pool.writeWithoutTransaction(count) } == 1)
    }

    @Test(.proves("IRQ-005"), arguments: WriterKind.allCases)
    func `A write transaction that is open is rolled back, and lets its lock go`(
        kind: WriterKind
    ) throws {
        let writer = try filledWriter(kind)
        let error = DatabaseError.thrown {
            try writer.write { db in
                try db.execute(sql: "INSERT INTO t VALUES (2)")
                try suspended {
                    let first = DatabaseError.thrown { _ = try count(db) }
                    #expect(first?.resultCode == .SQLITE_ABORT)
                    #expect(!db.isInsideTransaction)
                    let second = DatabaseError.thrown {
                        try db.execute(sql: "INSERT INTO t VALUES (3)")
                    }
                    #expect(second?.resultCode == .SQLITE_ABORT)
                    _ = try fixture.shell().run("INSERT INTO t VALUES (4);")
                }
            }
        }
        #expect(error?.resultCode == .SQLITE_ABORT)
        #expect(error?.message == "Transaction was aborted")
        #expect(try writer.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1, 4])
    }

    @Test(arguments: WriterKind.allCases)
    func `What runs is interrupted`(kind: WriterKind) throws {
        let writer = try filledWriter(kind)
        writer.writeWithoutTransaction { db in
            db.add(
                function: DatabaseFunction("suspend", argumentCount: 0) { _ in
                    NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
                    return nil
                })
        }
        let error = #expect(throws: DatabaseError.self) {
            try writer.write { db in
                try db.execute(
                    sql: """
                        WITH RECURSIVE n(i) AS (SELECT suspend() UNION ALL SELECT 1 FROM n)
                        INSERT INTO t SELECT i FROM n
                        """)
            }
        }
        NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
        #expect(error?.isInterruptionError == true)
        #expect(try writer.read(count) == 1)
    }

    @Test(.proves("LOD-01"), arguments: WriterKind.allCases)
    func `Random programs of transactions and savepoints do what a model does, suspended or not`(
        kind: WriterKind
    ) async throws {
        let database = try ProgramDatabase(kind) { $0.observesSuspensionNotifications = true }
        try await database.run(seeds: 0..<200) { _ in .suspension }
    }

    @Test(.proves("LOD-01"), arguments: WriterKind.allCases)
    func `A suspension that comes in a savepoint ends the whole transaction`(
        kind: WriterKind
    ) throws {
        let writer = try filledWriter(kind)
        let error = DatabaseError.thrown {
            try writer.write { db in
                try db.execute(sql: "INSERT INTO t VALUES (2)")
                try? db.inSavepoint {
                    try suspended { try db.execute(sql: "INSERT INTO t VALUES (3)") }
                    return .commit
                }
                let later = DatabaseError.thrown {
                    try db.execute(sql: "INSERT INTO t VALUES (4)")
                }
                #expect(later?.resultCode == .SQLITE_ABORT)
            }
        }
        #expect(error?.resultCode == .SQLITE_ABORT)
        #expect(try writer.read(count) == 1)
    }
}
