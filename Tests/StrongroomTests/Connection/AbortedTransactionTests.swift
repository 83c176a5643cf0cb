import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct AbortedTransactionTests {
    /// What lies between the failing statement and the closure of the transaction.
    enum Nesting: CaseIterable, Sendable {
        case none, savepoint, savepoints, reentrantWrite, otherSavepointAfterwards
    }

    private static func balances(_ reader: any DatabaseReader) throws -> [Int] {
        try reader.read { try Int.fetchAll($0, sql: "SELECT balance FROM account ORDER BY id") }
    }

    /// Moves an amount from one account to the other; in between comes a failure that is caught.
    @Sendable private static func transfer(
        _ db: Database, _ writer: any DatabaseWriter, _ end: TransactionEnd, _ nesting: Nesting
    ) throws {
        try db.execute(sql: "UPDATE account SET balance = balance - 10 WHERE id = 1")
        func fail() throws -> Database.TransactionCompletion {
            try db.execute(sql: end.rawValue)
            return .commit
        }
        switch nesting {
        case .none: _ = try? fail()
        case .savepoint: try? db.inSavepoint(fail)
        case .savepoints:
            try? db.inSavepoint {
                try? db.inSavepoint(fail)
                return .commit
            }
        case .reentrantWrite:
            try? writer.unsafeReentrantWrite { db in try db.inSavepoint(fail) }
        case .otherSavepointAfterwards:
            try? db.inSavepoint(fail)
            try? db.inSavepoint {
                try db.execute(sql: "UPDATE account SET balance = balance + 1")
                return .commit
            }
        }
        #expect(!db.isInsideTransaction)
        let later = DatabaseError.thrown {
            try db.execute(sql: "UPDATE account SET balance = balance + 10 WHERE id = 2")
        }
        #expect(later?.resultCode == .SQLITE_ABORT)
        #expect(later?.message == "Transaction was aborted")
        let reading = DatabaseError.thrown { _ = try Int.fetchOne(db, sql: "SELECT 1") }
        #expect(reading?.resultCode == .SQLITE_ABORT)
    }

    @Test(
        "A transaction that SQLite ended lets nothing more be written, however it is nested",
        .proves("LOD-01"), arguments: TransactionEnd.allCases, Nesting.allCases)
    func transfersAreAtomic(end: TransactionEnd, nesting: Nesting) async throws {
        for kind in WriterKind.allCases {
            let fixture = try FixtureDatabase()
            let writer = try fixture.open(kind)
            try TransactionEnd.prepare(writer)
            let transfer = { @Sendable (db: Database) in
                try Self.transfer(db, writer, end, nesting)
            }
            let errors = [
                DatabaseError.thrown { try writer.write(transfer) },
                DatabaseError.thrown {
                    try writer.writeWithoutTransaction { db in
                        try db.inTransaction {
                            try transfer(db)
                            return .commit
                        }
                    }
                },
                await #expect(throws: DatabaseError.self) {
                    try await writer.write { try transfer($0) }
                },
                await #expect(throws: DatabaseError.self) {
                    try await writer.barrierWriteWithoutTransaction { db in
                        try db.inSavepoint {
                            try transfer(db)
                            return .commit
                        }
                    }
                },
                DatabaseError.thrown {
                    var migrator = DatabaseMigrator()
                    migrator.registerMigration("transfer") { try transfer($0) }
                    try migrator.migrate(writer)
                },
            ]
            #expect(errors.map { $0?.resultCode } == errors.map { _ in .SQLITE_ABORT })
            #expect(try Self.balances(writer) == [100, 100])
            // The next transaction is as good as any.
            try await writer.write { try $0.execute(sql: "UPDATE account SET balance = 50") }
            #expect(try Self.balances(writer) == [50, 50])
        }
    }

    @Test(
        "A transaction that SQLite rolled back satisfies who wanted it rolled back",
        .proves("LOD-01"))
    func rollbackAfterTheEnd() throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        try TransactionEnd.prepare(queue)
        try queue.inTransaction { db in
            try? db.execute(sql: TransactionEnd.conflict.rawValue)
            return .rollback
        }
        let error = DatabaseError.thrown {
            try queue.inTransaction { db in
                try db.inSavepoint {
                    try? db.execute(sql: TransactionEnd.conflict.rawValue)
                    return .rollback
                }
                return .commit
            }
        }
        #expect(error?.resultCode == .SQLITE_ABORT)
        let committed = DatabaseError.thrown {
            try queue.inTransaction { db in
                try db.execute(sql: "UPDATE account SET balance = 1; COMMIT")
                return .rollback
            }
        }
        #expect(committed?.resultCode == .SQLITE_ABORT)
        #expect(try Self.balances(queue) == [1, 1])
    }

    @Test(
        "What runs after a rollback, and who observes it, write in transactions of their own",
        .proves("LOD-01"), arguments: WriterKind.allCases)
    func hooksWrite(kind: WriterKind) throws {
        let fixture = try FixtureDatabase()
        let writer = try fixture.open(kind)
        try TransactionEnd.prepare(writer)
        let rollBack = { (db: Database) in
            try? db.inSavepoint {
                try db.execute(sql: TransactionEnd.trigger.rawValue)
                return .commit
            }
            try db.execute(sql: "INSERT INTO scrap VALUES ('lost')")
        }
        let observer = Rewriter()
        writer.add(transactionObserver: observer)
        let observed = DatabaseError.thrown { try writer.write(rollBack) }
        #expect(observed?.resultCode == .SQLITE_ABORT)
        writer.remove(transactionObserver: observer)
        let hooked = DatabaseError.thrown {
            try writer.write { db in
                db.afterNextTransaction(
                    onCommit: { _ in Issue.record("committed") },
                    onRollback: { db in
                        try? db.inTransaction {
                            try db.execute(sql: "INSERT INTO scrap VALUES ('hook')")
                            return .commit
                        }
                    })
                try rollBack(db)
            }
        }
        #expect(hooked?.resultCode == .SQLITE_ABORT)
        let rows = try writer.read { try String.fetchAll($0, sql: "SELECT a FROM scrap") }
        #expect(rows == ["observer", "hook"])
    }

    @Test(
        "A lost transaction keeps everything from writing to the file, also what is no statement",
        .proves("LOD-01"))
    func copiesAreRefused() throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        try TransactionEnd.prepare(queue)
        let source = try DatabaseQueue(
            path: fixture.directory.path(of: "source"),
            configuration: FixtureDatabase.configuration())
        try source.write { try $0.execute(sql: "CREATE TABLE other(a)") }
        try? queue.write { db in
            try? db.inSavepoint {
                try db.execute(sql: TransactionEnd.conflict.rawValue)
                return .commit
            }
            let copying = DatabaseError.thrown { try source.read { try $0.backup(to: db) } }
            #expect(copying?.resultCode == .SQLITE_ABORT)
            let rekeying = DatabaseError.thrown { try db.changePassphrase("other") }
            #expect(rekeying?.resultCode == .SQLITE_ABORT)
        }
        try queue.close()
        #expect(try Self.balances(try fixture.open()) == [100, 100])
    }

    @Test(
        "A snapshot whose transaction has ended reads nothing, rather than another state",
        .proves("LOD-01"))
    func snapshotsStayTrue() throws {
        let fixture = try FixtureDatabase()
        let pool = try fixture.openPool { configuration in
            configuration.prepareDatabase { db in
                db.add(
                    function: DatabaseFunction("fail", argumentCount: 0) { _ in
                        throw DatabaseError(resultCode: .SQLITE_IOERR)
                    })
            }
        }
        try pool.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
        let snapshot = try pool.makeSnapshot()
        func count() throws -> Int? {
            try snapshot.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") }
        }
        try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        #expect(try count() == 1)
        _ = try? snapshot.read { try Int.fetchOne($0, sql: "SELECT fail() FROM t") }
        #expect(DatabaseError.thrown { _ = try count() }?.resultCode == .SQLITE_ABORT)
    }
}

/// Writes a row when a transaction is rolled back.
private final class Rewriter: TransactionObserver, Sendable {
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {
        try? db.execute(sql: "INSERT INTO scrap VALUES ('observer')")
    }
}
