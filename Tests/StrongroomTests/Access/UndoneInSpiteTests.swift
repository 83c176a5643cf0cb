import Foundation
import Strongroom
import StrongroomTestSupport
import Synchronization
import Testing

/// What is undone because of an interruption is undone in spite of the next ones.
@Suite(.timeLimit(.minutes(30))) struct UndoneInSpiteTests {
    private struct Failure: Error {}

    private static let endless = "WITH RECURSIVE n(i) AS (SELECT stop() UNION ALL SELECT 1 FROM n)"
    private static let query = "SELECT a FROM t ORDER BY a"

    private let fixture: FixtureDatabase

    init() throws { fixture = try FixtureDatabase() }

    private func open(_ kind: WriterKind) throws -> any DatabaseWriter {
        let writer = try fixture.open(kind)
        try writer.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)") }
        writer.writeWithoutTransaction { db in
            db.add(
                function: DatabaseFunction("stop", argumentCount: 0) { [weak writer] _ in
                    writer?.interrupt()
                    return 1
                })
            db.add(
                function: DatabaseFunction("undo", argumentCount: 0) { [weak writer] _ in
                    writer?.interrupt()
                    try writer?.unsafeReentrantWrite { try $0.rollback() }
                    return 1
                })
        }
        return writer
    }

    private static func fail(_ db: Database) throws -> Database.TransactionCompletion {
        try db.execute(sql: "INSERT INTO t VALUES (3)")
        _ = try Int.fetchOne(db, sql: "\(Self.endless) SELECT SUM(i) FROM n")
        return .commit
    }

    @Test(
        "An interrupted transaction is undone while a cursor stands on a row, and the cursor throws",
        .proves("LOD-01"), arguments: WriterKind.allCases, [true, false])
    func cursors(kind: WriterKind, isSavepoint: Bool) throws {
        let writer = try open(kind)
        try writer.writeWithoutTransaction { db in
            if isSavepoint { try db.beginTransaction() }
            let rows = try Row.fetchCursor(db, sql: Self.query)
            let other = try Int.fetchCursor(db, sql: "\(Self.query) DESC")
            let row = try #require(try rows.next())
            #expect(try other.next() == 2)
            let error = DatabaseError.thrown {
                try isSavepoint
                    ? db.inSavepoint { try Self.fail(db) }
                    : db.inTransaction { try Self.fail(db) }
            }
            #expect(error?.resultCode == .SQLITE_INTERRUPT)
            #expect(db.isInsideTransaction == isSavepoint)
            #expect(row["a"] == 1)
            for _ in 1...2 {
                let code = DatabaseError.thrown { _ = try rows.next() }?.resultCode
                #expect(code == .SQLITE_INTERRUPT)
            }
            #expect(DatabaseError.thrown { _ = try other.next() }?.resultCode == .SQLITE_INTERRUPT)
            // The same statements are good for the next cursors.
            #expect(try Int.fetchAll(db, sql: Self.query) == [1, 2])
            try db.execute(sql: "INSERT INTO t VALUES (4)")
            if isSavepoint { try db.commit() }
        }
        #expect(try writer.read { try Int.fetchAll($0, sql: Self.query) } == [1, 2, 4])
    }

    @Test(
        "A rollback inside of a statement that was interrupted throws, rather than try for ever",
        .proves("LOD-01"), arguments: WriterKind.allCases)
    func functions(kind: WriterKind) throws {
        let writer = try open(kind)
        let error = DatabaseError.thrown {
            try writer.write { db in
                try db.execute(sql: "INSERT INTO t VALUES (3)")
                _ = try Int.fetchAll(db, sql: "SELECT undo() FROM t")
            }
        }
        #expect(error?.resultCode == .SQLITE_INTERRUPT)
        #expect(try writer.read { try Int.fetchAll($0, sql: Self.query) } == [1, 2])
    }

    @Test(
        "Transactions and savepoints are undone while another thread interrupts all the time",
        .proves("LOD-01"), arguments: WriterKind.allCases)
    func storms(kind: WriterKind) throws {
        let writer = try open(kind)
        let storm = Storm(writer)
        for _ in 0..<20 {
            writer.writeWithoutTransaction { db in
                storm.isRaging = false
                _ = try? db.inTransaction {
                    try db.execute(sql: "INSERT INTO t VALUES (3)")
                    try db.inSavepoint {
                        try db.execute(sql: "INSERT INTO t VALUES (3)")
                        storm.isRaging = true
                        return .rollback
                    }
                    throw Failure()
                }
                #expect(!db.isInsideTransaction)
                storm.isRaging = false
            }
        }
        // Its last interruption may come late.
        storm.end()
        #expect(try writer.read { try Int.fetchAll($0, sql: Self.query) } == [1, 2])
    }
}

/// A thread that interrupts a database again and again.
private final class Storm: Sendable {
    private let raging = Atomic(false)
    private let over = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    var isRaging: Bool {
        get { raging.load(ordering: .acquiring) }
        set { raging.store(newValue, ordering: .releasing) }
    }

    init(_ writer: any DatabaseWriter) {
        Thread.detachNewThread { [self] in
            while !over.load(ordering: .acquiring) {
                if isRaging { writer.interrupt() }
            }
            ended.signal()
        }
    }

    func end() {
        over.store(true, ordering: .releasing)
        ended.wait()
    }
}
