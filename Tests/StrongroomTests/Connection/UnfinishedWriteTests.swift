import Strongroom
import StrongroomTestSupport
import Testing

/// Statements that have written, and stand on a row that they return.
@Suite struct UnfinishedWriteTests {
    private let fixture: FixtureDatabase

    init() throws { fixture = try FixtureDatabase() }

    private func open(_ kind: WriterKind) throws -> any DatabaseWriter {
        let writer = try fixture.open(kind)
        try writer.write {
            try $0.execute(
                sql: """
                    CREATE TABLE t(a UNIQUE);
                    INSERT INTO t VALUES (1), (2)
                    """)
        }
        return writer
    }

    private static func values(_ reader: any DatabaseReader) throws -> [Int] {
        try reader.read { try Int.fetchAll($0, sql: "SELECT a FROM t ORDER BY rowid") }
    }

    @Test(
        "A commit is told when SQLite commits: at the end of the statement that is still returning rows",
        .proves("LOD-01"), arguments: WriterKind.allCases)
    func commits(kind: WriterKind) throws {
        let writer = try open(kind)
        let other = try fixture.open(.queue)
        let observer = EndObserver()
        writer.add(transactionObserver: observer, extent: .databaseLifetime)
        try writer.writeWithoutTransaction { db in
            var rows: FastDatabaseValueCursor<Int>? = try Int.fetchCursor(
                db, sql: "UPDATE t SET a = a + 10 RETURNING a")
            #expect(try rows?.next() == 11)
            try db.execute(sql: "INSERT INTO t VALUES (3)")
            let conflict = DatabaseError.thrown { try db.execute(sql: "INSERT INTO t VALUES (3)") }
            #expect(conflict?.resultCode == .SQLITE_CONSTRAINT)
            #expect(try Self.values(other) == [1, 2])
            #expect(observer.log == [])
            rows = nil
            #expect(try Self.values(other) == [11, 12, 3])
            #expect(observer.log == ["commit of 3"])
        }
    }

    @Test(
        "A statement whose transaction was rolled back takes nothing with it that was written since",
        .proves("LOD-01"), arguments: WriterKind.allCases)
    func rollbacks(kind: WriterKind) throws {
        let writer = try open(kind)
        let observer = EndObserver()
        writer.add(transactionObserver: observer, extent: .databaseLifetime)
        try writer.writeWithoutTransaction { db in
            try db.beginTransaction()
            var rows: FastDatabaseValueCursor<Int>? = try Int.fetchCursor(
                db, sql: "UPDATE t SET a = a + 10 RETURNING a")
            #expect(try rows?.next() == 11)
            try db.rollback()
            #expect(observer.log == ["rollback"])
            try db.execute(sql: "INSERT INTO t VALUES (3)")
            #expect(observer.log == ["rollback", "commit of 1"])
            let error = DatabaseError.thrown { _ = try rows?.next() }
            #expect(error?.extendedResultCode == .SQLITE_ABORT_ROLLBACK)
            rows = nil
            #expect(observer.log == ["rollback", "commit of 1"])
        }
        #expect(try Self.values(writer) == [1, 2, 3])
    }
}

/// Writes down how transactions end.
// Safety: used by one access at a time.
private final class EndObserver: TransactionObserver, @unchecked Sendable {
    private(set) var log: [String] = []
    private var changeCount = 0

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) { changeCount += 1 }
    func databaseDidCommit(_ db: Database) { end("commit of \(changeCount)") }
    func databaseDidRollback(_ db: Database) { end("rollback") }

    private func end(_ text: String) {
        log.append(text)
        changeCount = 0
    }
}
