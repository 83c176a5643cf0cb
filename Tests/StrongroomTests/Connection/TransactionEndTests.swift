import Foundation
import Strongroom
import StrongroomTestSupport
import Synchronization
import Testing

@Suite struct TransactionEndTests {
    struct Failure: Error {}

    /// A clock that goes on by a second each time that it is asked.
    private static func ticking() -> CustomTransactionClock {
        let seconds = Atomic(0)
        return .custom { _ in
            Date(timeIntervalSince1970: Double(seconds.add(1, ordering: .relaxed).newValue))
        }
    }

    @Test(.proves("TXN-014", "TXN-015", "CNF-033", "CNF-034"))
    func `A transaction has one date, from the clock of the configuration`() throws {
        var configuration = Configuration()
        configuration.transactionClock = Self.ticking()
        let queue = try DatabaseQueue(configuration: configuration)
        func seconds(_ db: Database) throws -> Double {
            try db.transactionDate.timeIntervalSince1970
        }
        try queue.write { db in
            #expect(try seconds(db) == 1)
            try db.execute(sql: "CREATE TABLE t(a)")
            try db.inSavepoint { () throws in
                #expect(try seconds(db) == 1)
                return .rollback
            }
            #expect(try seconds(db) == 1)
        }
        #expect(try queue.write(seconds) == 2)
        try queue.read { db throws in
            #expect(try seconds(db) == 3)
            #expect(try seconds(db) == 3)
        }
        try queue.inDatabase { db in
            #expect(try seconds(db) == 4)
            #expect(try seconds(db) == 5)
            try db.execute(sql: "SAVEPOINT s")
            #expect(try seconds(db) == 6)
            #expect(try seconds(db) == 6)
            try db.execute(sql: "ROLLBACK")
            try db.execute(sql: "BEGIN")
            #expect(try seconds(db) == 7)
            try db.rollback()
        }
        let before = Date()
        let date = try DatabaseQueue().write { try $0.transactionDate }
        #expect(date >= before && date <= Date())
    }

    @Test(.proves("CNF-034"))
    func `A clock that fails disturbs only who asks for the date`() throws {
        var configuration = Configuration()
        configuration.transactionClock = .custom { _ in throw Failure() }
        let queue = try DatabaseQueue(configuration: configuration)
        try queue.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        #expect(throws: Failure.self) { try queue.write { _ = try $0.transactionDate } }
        #expect(throws: Failure.self) { try queue.inDatabase { _ = try $0.transactionDate } }
    }

    private func log(_ collected: Collected, _ name: String = "") -> (
        commit: @Sendable (Database) -> Void, rollback: @Sendable (Database) -> Void
    ) {
        (
            { collected.add("\(name)commit \($0.isInsideTransaction)") },
            { collected.add("\(name)rollback \($0.isInsideTransaction)") }
        )
    }

    @Test(.proves("TXN-016"), arguments: WriterKind.allCases)
    func `Hooks run once, after the transaction`(kind: WriterKind) throws {
        let fixture = try FixtureDatabase()
        let writer = try fixture.open(kind)
        let collected = Collected()
        let (commit, rollback) = log(collected)
        try writer.write { db in
            db.afterNextTransaction(onCommit: commit, onRollback: rollback)
            try db.execute(sql: "CREATE TABLE t(a UNIQUE)")
            #expect(collected.texts == [])
        }
        #expect(collected.texts == ["commit false"])
        try writer.write { _ in }
        #expect(collected.texts == ["commit false"], "once")

        try writer.writeWithoutTransaction { db in
            db.afterNextTransaction(onCommit: commit, onRollback: rollback)
            _ = try Int.fetchOne(db, sql: "SELECT 1")
            #expect(collected.texts.count == 1, "a plain SELECT is no transaction")
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            #expect(collected.texts.count == 2, "a write that commits by itself is one")
            db.afterNextTransaction(onCommit: commit, onRollback: rollback)
        }
        #expect(throws: Failure.self) { try writer.write { _ in throw Failure() } }
        #expect(collected.texts == ["commit false", "commit false", "rollback false"])
        writer.writeWithoutTransaction { db in
            db.afterNextTransaction(onCommit: commit, onRollback: rollback)
        }
        try writer.write { _ in }
        #expect(collected.texts.last == "commit false", "an empty write is a transaction")
        #expect(collected.texts.count == 4)
    }

    @Test(.proves("TXN-016"))
    func `A hook may use the database, and add another`() throws {
        let queue = try DatabaseQueue()
        let collected = Collected()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE t(a)")
            db.afterNextTransaction { db in
                try? db.inTransaction {
                    try db.execute(sql: "INSERT INTO t VALUES (1)")
                    db.afterNextTransaction { _ in collected.add("inner") }
                    return .commit
                }
                collected.add("outer")
            }
        }
        #expect(collected.texts == ["inner", "outer"])
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 1)
    }

    @Test(.proves("TXN-017", "OBS-054"))
    func `The outermost transaction decides, and reads tell nothing`() throws {
        let queue = try DatabaseQueue()
        try queue.write {
            try $0.execute(sql: "CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES (1)")
        }
        let collected = Collected()
        let (commit, rollback) = log(collected)
        try queue.write { db in
            try db.inSavepoint {
                db.afterNextTransaction(onCommit: commit, onRollback: rollback)
                return .rollback
            }
        }
        #expect(collected.texts == ["commit false"])
        queue.inDatabase { $0.afterNextTransaction(onCommit: commit, onRollback: rollback) }
        _ = try queue.read { try Int.fetchOne($0, sql: "SELECT a FROM t") }
        #expect(collected.texts.count == 1)
        // A statement whose failure rolls the whole transaction back.
        #expect(throws: DatabaseError.self) {
            try queue.write { try $0.execute(sql: "INSERT OR ROLLBACK INTO t VALUES (1)") }
        }
        #expect(collected.texts == ["commit false", "rollback false"])
        try queue.inDatabase { db in
            db.afterNextTransaction(onCommit: commit, onRollback: rollback)
            try db.execute(sql: "SAVEPOINT s; INSERT INTO t VALUES (2); RELEASE s")
        }
        #expect(collected.texts.count == 3 && collected.texts.last == "commit false")
    }
}
