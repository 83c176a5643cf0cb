import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct InterruptionTests {
    /// A function that interrupts what calls it.
    private func interruptible(_ writer: any DatabaseWriter) {
        // The connection owns the function: it must not own the connection.
        writer.writeWithoutTransaction { db in
            db.add(
                function: DatabaseFunction("stop", argumentCount: 0) { [weak writer] _ in
                    writer?.interrupt()
                    return 1
                })
        }
    }

    private static let endless = "WITH RECURSIVE n(i) AS (SELECT stop() UNION ALL SELECT 1 FROM n)"

    @Test(.proves("IRQ-002"), arguments: WriterKind.allCases)
    func `An interrupted write takes its transaction with it, whoever catches the error`(
        kind: WriterKind
    ) throws {
        let fixture = try FixtureDatabase()
        let writer = try fixture.open(kind)
        try writer.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        interruptible(writer)
        let error = DatabaseError.thrown {
            try writer.write { db in
                try db.execute(sql: "INSERT INTO t VALUES (1)")
                let inner = DatabaseError.thrown {
                    try db.execute(sql: "\(Self.endless) INSERT INTO t SELECT i FROM n")
                }
                #expect(inner?.resultCode == .SQLITE_INTERRUPT)
                let later = DatabaseError.thrown {
                    try db.execute(sql: "INSERT INTO t VALUES (2)")
                }
                #expect(later?.resultCode == .SQLITE_ABORT)
            }
        }
        #expect(error?.resultCode == .SQLITE_ABORT)
        #expect(try writer.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") } == 0)
    }

    @Test(.proves("IRQ-002"), arguments: WriterKind.allCases)
    func `An interrupted SELECT leaves the transaction open`(kind: WriterKind) throws {
        let fixture = try FixtureDatabase()
        let writer = try fixture.open(kind)
        try writer.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        interruptible(writer)
        try writer.write { db in
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            let error = DatabaseError.thrown {
                _ = try Int.fetchOne(db, sql: "\(Self.endless) SELECT SUM(i) FROM n")
            }
            #expect(error?.resultCode == .SQLITE_INTERRUPT)
            #expect(db.isInsideTransaction)
        }
        #expect(try writer.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") } == 1)
    }

    @Test(.proves("OPR-150"), arguments: WriterKind.allCases)
    func `An interruption that comes too late does not keep the log from being closed`(
        kind: WriterKind
    ) throws {
        let fixture = try FixtureDatabase()
        let writer = try fixture.open(kind) { $0.journalMode = .wal }
        try writer.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
        writer.interrupt()
        try writer.close()
        #expect(try fixture.directory.names().filter { $0.hasSuffix("-wal") } == [])
    }

    @Test(.proves("MEM-006"))
    func `Releasing memory lets the prepared statements go`() throws {
        let queue = try DatabaseQueue()
        try queue.inDatabase { db in
            let statement = try db.cachedStatement(sql: "SELECT 1")
            #expect(try db.cachedStatement(sql: "SELECT 1") === statement)
            db.releaseMemory()
            #expect(try db.cachedStatement(sql: "SELECT 1") !== statement)
        }
    }
}
