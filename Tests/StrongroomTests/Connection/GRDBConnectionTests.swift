import CSQLCipher
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Transactions, observers and dumps that came out otherwise than with GRDB.
@Suite struct GRDBConnectionTests {
    let fixture: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase()
    }

    @Test(.proves("CMP-35"))
    func `A transaction that SQLite has ended names the SQL that it stops`() throws {
        let queue = try fixture.open()
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a UNIQUE ON CONFLICT ROLLBACK)") }
        try queue.inDatabase { db throws in
            let error = DatabaseError.thrown {
                try db.inTransaction {
                    try db.execute(sql: "INSERT INTO t VALUES (1)")
                    try? db.execute(sql: "INSERT INTO t VALUES (1)")
                    try db.execute(sql: "INSERT INTO t VALUES (2)")
                    return .commit
                }
            }
            #expect(error?.message == "Transaction was aborted")
            #expect(error?.sql == "INSERT INTO t VALUES (2)")
            try db.inTransaction {
                try db.execute(sql: "INSERT INTO t VALUES (1)")
                try? db.execute(sql: "INSERT INTO t VALUES (1)")
                return .rollback
            }
            #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 0)
        }
    }

    @Test(.proves("CMP-35", "CMP-36"))
    func `A suspended queue reads a log that a pragma has begun, and takes savepoints back`() throws
    {
        let queue = try fixture.open { $0.observesSuspensionNotifications = true }
        try queue.inDatabase { db throws in
            try db.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
            try db.execute(sql: "BEGIN; SAVEPOINT one; SELECT * FROM t")
            NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
            defer {
                NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
            }
            #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 0)
            try db.execute(sql: "ROLLBACK TO SAVEPOINT one")
            let error = DatabaseError.thrown { try db.execute(sql: "INSERT INTO t VALUES (1)") }
            #expect(error?.message == "Database is suspended")
            #expect(error?.sql == "INSERT INTO t VALUES (1)")
            try db.rollback()
        }
    }

    /// Writes down what it is told, with its name.
    private final class Named: TransactionObserver {
        let name: String
        let log: Locked<[String]>
        let tables: Set<String>

        init(_ name: String, _ log: Locked<[String]>, tables: Set<String>) {
            (self.name, self.log, self.tables) = (name, log, tables)
        }

        private func add(_ event: String) { log.withLock { $0.append("\(name) \(event)") } }

        func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
            tables.contains(kind.tableName)
        }
        func databaseDidChange() { add("change") }
        func databaseDidChange(with event: DatabaseEvent) { add("row") }
        func databaseDidCommit(_ db: Database) { add("commit") }
        func databaseDidRollback(_ db: Database) { add("rollback") }
    }

    @Test(.proves("CMP-49", "CMP-70"))
    func `Observers are told in the order in which they were added`() throws {
        let queue = try fixture.open()
        let log = Locked<[String]>([])
        func take() -> [String] {
            log.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
        try queue.inDatabase { db throws in
            try db.execute(sql: "CREATE TABLE t (a UNIQUE)")
            let nobody = Named("nobody", log, tables: [])
            let (first, last) = (
                Named("first", log, tables: ["t"]), Named("last", log, tables: ["t"])
            )
            db.add(transactionObserver: first)
            db.afterNextTransaction { _ in log.withLock { $0.append("hook") } }
            db.add(transactionObserver: last)
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            #expect(take() == ["first row", "last row", "first commit", "hook", "last commit"])

            db.add(transactionObserver: nobody)
            try db.inTransaction {
                try db.inSavepoint {
                    try db.notifyChanges(in: .fullDatabase)
                    #expect(take() == ["first change", "last change"])
                    return .rollback
                }
                return .commit
            }
            #expect(take() == ["first commit", "last commit", "nobody commit"])

            // It fails at its first row: nothing was told.
            try? db.execute(sql: "INSERT INTO t VALUES (1)")
            #expect(take() == [])
            try? db.execute(sql: "INSERT INTO t VALUES (2), (1)")
            #expect(take().last == "nobody rollback")
        }
    }

    @Test(.proves("CMP-49"))
    func `A reader tells nobody of the end of its transactions`() throws {
        _ = try fixture.open()
        let log = Locked<[String]>([])
        let observer = Named("observer", log, tables: [])
        try fixture.open { $0.readonly = true }.inDatabase { db throws in
            db.add(transactionObserver: observer)
            try db.inTransaction(.deferred) { .rollback }
            #expect(log.withLock { $0 } == [])
        }
    }

    @Test(.proves("CMP-50"))
    func `A dump has what the app has made`() throws {
        try fixture.open().write { db throws in
            try db.execute(
                sql: """
                    CREATE TABLE grdb_migrations (identifier TEXT PRIMARY KEY);
                    CREATE TABLE t (a);
                    CREATE VIRTUAL TABLE f USING fts4(a);
                    INSERT INTO t VALUES (x'e621e1f8c36c495a93fc0c247a3e6e5f'), (2);
                    """)
            let schema = try DumpedText.of { try db.dumpSchema(to: $0) }
            #expect(
                schema == """
                    sqlite_master
                    CREATE VIRTUAL TABLE f USING fts4(a);
                    CREATE TABLE t (a);

                    """)
            let row = try DumpedText.of { try db.dumpSQL("SELECT a FROM t LIMIT 1", to: $0) }
            #expect(row == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F\n")
        }
    }

    @Test(.proves("CMP-51"))
    func `A cursor's own way through its elements is taken`() throws {
        final class Once: Cursor {
            var count = 0
            func next() throws -> Int? { nil }
            func forEach(_ body: (Int) throws -> Void) throws {
                count += 1
                try body(1)
            }
        }
        let cursor = Once()
        #expect(try Array(cursor) == [1] && Set(cursor) == [1])
        #expect(try Array(cursor.map { $0 + 1 }) == [2])
        #expect(try Array(cursor.filter { $0 > 0 }) == [1])
        #expect(try Array(cursor.enumerated()).map(\.0) == [0])
        #expect(try Dictionary(grouping: cursor) { $0 } == [1: [1]])
        #expect(cursor.count == 6)
    }

    @Test(.proves("CMP-52"))
    func `Statements that keep a connection open are named`() async {
        await #expect(processExitsWith: .success) {
            let queue = try DatabaseQueue()
            let log = Collected()
            Database.logError = { log.add("\($0.primaryResultCode.rawValue) \($1)") }
            let statement = try queue.inDatabase { try $0.makeStatement(sql: "SELECT 'one'") }
            let isBusy = DatabaseError.thrown { try queue.close() }?.resultCode == .SQLITE_BUSY
            struct Unexpected: Error {}
            guard isBusy, log.texts.contains("5 unfinalized statement: SELECT 'one'") else {
                throw Unexpected()
            }
            _ = statement
        }
    }

    @Test(.proves("CMP-53"))
    func `The model of the schema is a file`() throws {
        let results = Locked<[CInt]>([])
        let queue = try fixture.open { configuration in
            configuration.prepareDatabase { db in
                var flag: CInt = 1
                let code = sqlite3_file_control(
                    db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &flag)
                results.withLock { $0.append(code) }
                guard code == SQLITE_OK else {
                    throw DatabaseError(resultCode: ResultCode(rawValue: code))
                }
            }
        }
        var migrator = DatabaseMigrator()
        migrator.eraseDatabaseOnSchemaChange = true
        migrator.registerMigration("v1") { try $0.execute(sql: "CREATE TABLE t (a)") }
        try migrator.migrate(queue)
        migrator.registerMigration("v2") { try $0.execute(sql: "CREATE TABLE u (a)") }
        try migrator.migrate(queue)
        #expect(results.withLock { $0 } == [SQLITE_OK, SQLITE_OK])
    }
}
