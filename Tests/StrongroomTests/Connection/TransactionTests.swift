import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct TransactionTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    struct Refusal: Error, Equatable {}

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { try $0.execute(sql: "CREATE TABLE t(a UNIQUE)") }
    }

    private func count() throws -> Int {
        try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") ?? -1 }
    }

    @Test(.proves("TXN-001", "CCY-032"))
    func `A transaction commits, rolls back, or rolls back and rethrows`() throws {
        let result = try queue.write { db in
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            return "result"
        }
        #expect(result == "result")
        #expect(throws: Refusal.self) {
            try queue.write { db in
                try db.execute(sql: "INSERT INTO t VALUES (2)")
                throw Refusal()
            }
        }
        try queue.inTransaction { db in
            try db.execute(sql: "INSERT INTO t VALUES (3)")
            return .rollback
        }
        try queue.inTransaction(.exclusive) { db in
            try db.execute(sql: "INSERT INTO t VALUES (4)")
            return .commit
        }
        #expect(
            try queue.read { try Int.fetchAll($0, sql: "SELECT a FROM t ORDER BY a") } == [1, 4])
    }

    @Test(.proves("TXN-002", "TXN-003"))
    func `An inner savepoint undoes its own changes only`() throws {
        try queue.inDatabase { db throws in
            try db.inSavepoint {
                #expect(db.isInsideTransaction)
                try db.execute(sql: "INSERT INTO t VALUES (1)")
                try db.inSavepoint {
                    try db.execute(sql: "INSERT INTO t VALUES (2)")
                    return .rollback
                }
                try? db.inSavepoint {
                    try db.execute(sql: "INSERT INTO t VALUES (3)")
                    throw Refusal()
                }
                try db.inSavepoint {
                    try db.execute(sql: "INSERT INTO t VALUES (4)")
                    return .commit
                }
                return .commit
            }
            #expect(try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a") == [1, 4])
        }
    }

    @Test(.proves("TXN-004", "TXN-005", "TXN-008"))
    func `Transactions are managed by hand too, and do not nest`() throws {
        try queue.inDatabase { db throws in
            #expect(throws: DatabaseError.self) { try db.commit() }
            try db.rollback()
            try db.beginTransaction()
            #expect(db.isInsideTransaction)
            #expect(throws: DatabaseError.self) { try db.beginTransaction() }
            try db.rollback()
            try db.execute(sql: "BEGIN; INSERT INTO t VALUES (1); COMMIT")
            #expect(!db.isInsideTransaction)
        }
        #expect(try count() == 1)
    }

    @Test(.proves("TXN-007"))
    func `A commit that fails is rolled back`() throws {
        try queue.inDatabase { db throws in
            try db.execute(
                sql: """
                    CREATE TABLE parent(id INTEGER PRIMARY KEY);
                    CREATE TABLE child(p REFERENCES parent DEFERRABLE INITIALLY DEFERRED)
                    """)
            let error = #expect(throws: DatabaseError.self) {
                try db.inTransaction {
                    try db.execute(sql: "INSERT INTO child VALUES (1)")
                    return .commit
                }
            }
            #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
            #expect(!db.isInsideTransaction)
        }
    }

    @Test(.proves("TXN-018"))
    func `After SQLite rolled back by itself nothing runs and the wrapper throws`() throws {
        try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        var later: ResultCode?
        let error = #expect(throws: DatabaseError.self) {
            try queue.write { db in
                try db.execute(sql: "INSERT INTO t VALUES (2)")
                try? db.execute(sql: "INSERT OR ROLLBACK INTO t VALUES (1)")
                do {
                    try db.execute(sql: "INSERT INTO t VALUES (3)")
                } catch let error as DatabaseError {
                    later = error.resultCode
                }
            }
        }
        #expect(later == .SQLITE_ABORT)
        #expect(error?.description == "SQLite error 4: Transaction was aborted")
        #expect(try count() == 1)
    }

    @Test(.proves("TXN-019"))
    func `A closure that commits by itself makes the wrapper throw, what it committed stays`()
        throws
    {
        let error = #expect(throws: DatabaseError.self) {
            try queue.write { db in
                try db.execute(sql: "INSERT INTO t VALUES (1); COMMIT")
            }
        }
        #expect(error?.resultCode == .SQLITE_ABORT)
        #expect(try count() == 1)
    }

    @Test(.proves("TXN-012"))
    func `Reads refuse every write, temporary tables too, and end refusing`() throws {
        for sql in ["INSERT INTO t VALUES (1)", "CREATE TEMP TABLE x(a)", "DROP TABLE t"] {
            let error = #expect(throws: DatabaseError.self) {
                try queue.read { try $0.execute(sql: sql) }
            }
            #expect(error?.resultCode == .SQLITE_READONLY)
        }
        try queue.inDatabase { db throws in
            try db.readOnly {
                try db.readOnly {}
                // This one may write, says SQLite, but as it is written here it does not.
                #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "delete")
                _ = #expect(throws: DatabaseError.self) { try db.execute(sql: "DELETE FROM t") }
            }
            try db.execute(sql: "INSERT INTO t VALUES (1)")
        }
        #expect(try count() == 1)
    }

    @Test(.proves("CCY-006"))
    func `Reads are deferred and guarded against writes when need be, writes are immediate`() throws
    {
        let collected = Collected()
        queue.inDatabase { $0.trace { collected.add("\($0)") } }
        _ = try count()
        try? queue.read { try $0.execute(sql: "DELETE FROM t") }
        try queue.write { try $0.execute(sql: "DELETE FROM t") }
        #expect(
            collected.texts == [
                "BEGIN DEFERRED TRANSACTION", "SELECT COUNT(*) FROM t",
                "COMMIT TRANSACTION", "BEGIN DEFERRED TRANSACTION", "PRAGMA query_only = 1",
                "DELETE FROM t", "ROLLBACK TRANSACTION", "PRAGMA query_only = 0",
                "BEGIN IMMEDIATE TRANSACTION",
                "DELETE FROM t", "COMMIT TRANSACTION",
            ])
    }

    @Test(.proves("TXN-009", "TXN-010", "TXN-011"))
    func `A transaction begins as it is asked to, or as the connection can`() throws {
        func begun(_ queue: DatabaseQueue, _ access: (Database) throws -> Void) throws -> String? {
            let collected = Collected()
            try queue.inDatabase { db in
                db.trace { collected.add("\($0)") }
                try access(db)
                db.trace()
            }
            return collected.texts.first
        }
        func traced(_ kind: Database.TransactionKind?) throws -> String? {
            try begun(queue) { try $0.inTransaction(kind) { .commit } }
        }
        #expect(try traced(.deferred) == "BEGIN DEFERRED TRANSACTION")
        #expect(try traced(.immediate) == "BEGIN IMMEDIATE TRANSACTION")
        #expect(try traced(.exclusive) == "BEGIN EXCLUSIVE TRANSACTION")
        #expect(try traced(nil) == "BEGIN IMMEDIATE TRANSACTION")
        let inReadOnly = try begun(queue) { db in
            try db.readOnly { try db.inTransaction { .rollback } }
        }
        #expect(inReadOnly == "BEGIN DEFERRED TRANSACTION")
        let reader = try fixture.open { $0.readonly = true }
        let onReader = try begun(reader) { db in try db.inTransaction { .commit } }
        #expect(onReader == "BEGIN DEFERRED TRANSACTION")
        let names = [Database.TransactionKind.deferred, .immediate, .exclusive].map(\.rawValue)
        #expect(names == ["DEFERRED", "IMMEDIATE", "EXCLUSIVE"])

        let collected = Collected()
        queue.inDatabase { $0.trace { collected.add("\($0)") } }
        try queue.inTransaction(.exclusive) { _ in .rollback }
        #expect(collected.texts == ["BEGIN EXCLUSIVE TRANSACTION", "ROLLBACK TRANSACTION"])
    }

    @Test(.proves("TXN-013"))
    func `An unsafe read can have SQLite itself forbid writes`() throws {
        try queue.unsafeRead { db throws in
            try db.execute(sql: "INSERT INTO t VALUES (1); PRAGMA query_only = 1")
            let error = #expect(throws: DatabaseError.self) { try db.execute(sql: "DELETE FROM t") }
            #expect(error?.resultCode == .SQLITE_READONLY)
            try db.execute(sql: "PRAGMA query_only = 0; INSERT INTO t VALUES (2)")
        }
        #expect(try count() == 2)
    }

    @Test
    func `A transaction left open and a nested access are bugs that trap`() async {
        await #expect(processExitsWith: .failure) {
            try DatabaseQueue().inDatabase { try $0.beginTransaction() }
        }
        await #expect(processExitsWith: .failure) {
            let queue = try DatabaseQueue()
            try queue.read { _ in try queue.read { _ in } }
        }
        await #expect(processExitsWith: .success) {
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let queue = try DatabaseQueue(configuration: configuration)
            try queue.inDatabase { try $0.beginTransaction() }
            try queue.inDatabase { try $0.commit() }
        }
    }
}
