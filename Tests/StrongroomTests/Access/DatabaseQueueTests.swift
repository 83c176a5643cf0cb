import CSQLCipher
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct DatabaseQueueTests {
    let fixture: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase()
    }

    @Test(.proves("CNF-001"))
    func `A queue creates the file, and says where it is`() throws {
        let queue = try fixture.open { $0.label = "Test" }
        try queue.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        #expect(queue.path == fixture.path)
        #expect(queue.configuration.label == "Test")
        #expect(try fixture.shell().cell("SELECT name FROM sqlite_master") == "t")
    }

    @Test(.proves("CNF-003", "CNF-004"))
    func `Databases in memory are private, or shared by name`() throws {
        #expect(try DatabaseQueue().path == ":memory:")
        let name = UUID().uuidString
        let one = try DatabaseQueue(named: name)
        let two = try DatabaseQueue(named: name)
        #expect(one.path == "file:\(name)?mode=memory&cache=shared")
        try one.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
        #expect(try two.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 1)
    }

    @Test(.proves("CNF-008", "CNF-018", "OPR-71"))
    func `A missing folder, and a missing file that may only be read, cannot be opened`() throws {
        let nowhere = fixture.directory.path(of: "missing/database.sqlite")
        let folder = #expect(throws: DatabaseError.self) { try DatabaseQueue(path: nowhere) }
        #expect(folder?.resultCode == .SQLITE_CANTOPEN)
        #expect(folder?.message == "unable to open database file: \(nowhere)")
        let file = #expect(throws: DatabaseError.self) { try fixture.open { $0.readonly = true } }
        #expect(file?.resultCode == .SQLITE_CANTOPEN)
        try fixture.open().write { try $0.execute(sql: "CREATE TABLE t(a)") }
        let queue = try fixture.open { $0.readonly = true }
        let write = #expect(throws: DatabaseError.self) {
            try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        }
        #expect(write?.resultCode == .SQLITE_READONLY)
    }

    @Test(.proves("CNF-014"))
    func `Living statements keep a queue from closing, and it works on`() throws {
        let queue = try fixture.open()
        var statement: Statement? = try queue.inDatabase { try $0.makeStatement(sql: "SELECT 1") }
        let error = #expect(throws: DatabaseError.self) { try queue.close() }
        #expect(error?.resultCode == .SQLITE_BUSY)
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT 2") } == 2)
        #expect(statement?.sql == "SELECT 1")
        statement = nil
        try queue.close()
    }

    @Test(.proves("CNF-016"))
    func `A connection closes with its queue, and a statement that lives on ends in an error`()
        throws
    {
        var statement: Statement?
        do {
            let queue = try fixture.open()
            statement = try queue.inDatabase { try $0.makeStatement(sql: "SELECT 1") }
        }
        let error = #expect(throws: DatabaseError.self) { try statement?.execute() }
        #expect(error?.resultCode == .SQLITE_MISUSE)
        // Nobody holds the file any more: it can be taken for one connection alone.
        statement = nil
        try fixture.open().inTransaction(.exclusive) { _ in .commit }
    }

    @Test
    func `A write-ahead log is kept when configured`() throws {
        let queue = try fixture.open { $0.journalMode = .wal }
        try queue.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        try queue.inDatabase { db throws in
            #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal")
            #expect(try Int.fetchOne(db, sql: "PRAGMA synchronous") == 1)
            #expect(try db.checkpoint(.truncate).walFrameCount == 0)
        }
        #expect(try fixture.directory.names().contains("database.sqlite-wal"))
    }

    @Test(.proves("CNF-039"))
    func `Preparation runs in its order, and its error makes opening fail`() throws {
        struct Refusal: Error {}
        let collected = Collected()
        let queue = try fixture.open { configuration in
            configuration.label = "MyDB"
            configuration.prepareDatabase { collected.add("1 \($0.description)") }
            configuration.prepareDatabase { collected.add("2 \($0.debugDescription)") }
        }
        #expect(collected.texts == ["1 MyDB", "2 <Database: MyDB>"])
        #expect(queue.inDatabase { "\($0)" } == "MyDB")
        #expect(throws: Refusal.self) {
            try fixture.open { $0.prepareDatabase { _ in throw Refusal() } }
        }
    }

    @Test(.proves("CNF-040", "CNF-041", "CNF-042", "CNF-043", "CNF-044", "CNF-045"))
    func `A connection tells what it did`() throws {
        let queue = try fixture.open()
        try queue.inDatabase { db throws in
            try db.execute(sql: "CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES (1), (2)")
            #expect(db.changesCount == 2 && db.totalChangesCount == 2)
            #expect(db.lastInsertedRowID == 2)
            try? db.execute(sql: "INSERT INTO t VALUES (1)")
            #expect(db.lastErrorCode == .SQLITE_CONSTRAINT_UNIQUE)
            #expect(db.lastErrorMessage == "UNIQUE constraint failed: t.a")
            #expect(db.maximumStatementArgumentCount == 32_766)
            #expect(db.sqliteConnection != nil)
        }
        #expect(Database.sqliteLibVersionNumber >= 3_044_000)
    }

    @Test(.proves("CNF-046", "CNF-058"))
    func `The raw connection has no lock of its own`() throws {
        // The two names mean the same type as far as the compiler goes.
        let connection = try fixture.open().inDatabase { db throws in
            let statement = try db.makeStatement(sql: "SELECT 1")
            let pointer: SQLiteStatement = statement.sqliteStatement
            let parent: OpaquePointer? = sqlite3_db_handle(pointer as OpaquePointer)
            #expect(parent == db.sqliteConnection)
            withExtendedLifetime(statement) {}
            let connection: SQLiteConnection? = db.sqliteConnection
            // <https://www.sqlite.org/c3ref/db_mutex.html>: there is one in serialized mode only.
            #expect(sqlite3_db_mutex(connection) == nil)
            return connection as OpaquePointer?
        }
        #expect(connection != nil)
    }

    @Test func `A cursor that lives on lets go of the connection when it goes`() throws {
        weak var connection: Database?
        var cursor: FastDatabaseValueCursor<Int>?
        do {
            let queue = try fixture.open()
            cursor = try queue.inDatabase { db in
                connection = db
                return try Int.fetchCursor(db, sql: "SELECT 1")
            }
        }
        #expect(connection != nil)
        #expect(cursor != nil)
        cursor = nil
        #expect(connection == nil)
    }
}
