import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct OriginTests {
    struct Stop: Error {}

    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.createOriginTable()
            try db.execute(
                sql: """
                    CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT UNIQUE);
                    CREATE TABLE log (id INTEGER, origin TEXT);
                    CREATE TRIGGER every AFTER INSERT ON note
                    BEGIN INSERT INTO log SELECT new.id, name FROM strongroom_origin; END;
                    CREATE TRIGGER quiet AFTER DELETE ON note
                    WHEN (SELECT name FROM strongroom_origin) IS NULL
                    BEGIN INSERT INTO log VALUES (-old.id, 'deleted'); END;
                    """)
        }
    }

    private func insert(_ id: Int, _ db: Database) throws {
        try db.execute(sql: "INSERT INTO note (id) VALUES (?)", arguments: [id])
    }

    private func fail(_ db: Database) throws {
        try db.withOrigin("sync") { () -> Void in throw Stop() }
    }

    private func log(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT id || ' ' || coalesce(origin, '-') FROM log ORDER BY rowid")
    }

    private func storedOrigin(_ db: Database) throws -> [String?] {
        try Optional<String>.fetchAll(db, sql: "SELECT name FROM strongroom_origin")
    }

    @Test(.proves("THK-04"), arguments: WriterKind.allCases)
    func `triggers of the file read the origin, also of nested closures`(kind: WriterKind) throws {
        try queue.close()
        let writer = try fixture.open(kind)
        try writer.write { db in
            #expect(db.origin == nil)
            try insert(1, db)
            let answer = try db.withOrigin("sync") {
                try insert(2, db)
                try db.withOrigin("import") { try insert(3, db) }
                try db.withOrigin(nil) {
                    #expect(db.origin == nil)
                    try insert(4, db)
                }
                try insert(5, db)
                try db.execute(sql: "DELETE FROM note WHERE id = 1")
                return db.origin
            }
            #expect(answer == "sync" && db.origin == nil)
            try insert(6, db)
            try db.execute(sql: "DELETE FROM note WHERE id = 2")
            #expect(
                try log(db) == [
                    "1 -", "2 sync", "3 import", "4 -", "5 sync", "6 -", "-2 deleted",
                ])
            #expect(try storedOrigin(db) == [nil])
        }
    }

    @Test(.proves("THK-04"))
    func `a closure that throws leaves no origin and none of its changes`() throws {
        try queue.write { db in
            try db.withOrigin("sync") {
                try insert(1, db)
                #expect(throws: Stop.self) {
                    try db.withOrigin("import") {
                        try insert(2, db)
                        throw Stop()
                    }
                }
                #expect(try storedOrigin(db) == ["sync"])
                #expect(db.origin == "sync")
                try db.inSavepoint {
                    try db.withOrigin("import") { try insert(3, db) }
                    return .rollback
                }
                try insert(4, db)
            }
            #expect(try log(db) == ["1 sync", "4 sync"])
        }
        #expect(throws: Stop.self) {
            try queue.writeWithoutTransaction { db in try fail(db) }
        }
        #expect(try queue.read { try storedOrigin($0) } == [nil])
    }

    @Test(.proves("THK-04"))
    func `a transaction that ends inside the closure leaves nothing behind`() throws {
        for sql in ["COMMIT", "ROLLBACK", "END", "RELEASE outer", "ROLLBACK TO outer"] {
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: sql.contains("outer") ? "SAVEPOINT outer" : "BEGIN")
                let error = DatabaseError.thrown {
                    try db.withOrigin("sync") {
                        try insert(1, db)
                        try db.execute(sql: sql)
                    }
                }
                #expect(error != nil, "\(sql)")
                if ["COMMIT", "END", "RELEASE outer"].contains(sql) {
                    #expect(error?.message?.contains("inside withOrigin") == true, "\(sql)")
                }
                try db.rollback()
                #expect(db.origin == nil && !db.isInsideTransaction)
                #expect(try storedOrigin(db) == [nil], "\(sql)")
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM note") == 0, "\(sql)")
                // The next transactions commit as ever.
                try db.inTransaction {
                    try db.withOrigin("sync") { try insert(1, db) }
                    return .commit
                }
                try db.execute(sql: "DELETE FROM note")
            }
        }
    }

    @Test(.proves("THK-04"), arguments: ["WAL", "DELETE"])
    func `a crash inside the closure leaves no origin`(mode: String) throws {
        let copy = try TemporaryDirectory()
        let path = copy.path(of: "copy.db")
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = \(mode); PRAGMA cache_size = 5")
            try db.withOrigin("sync") {
                // More than the cache holds: pages of the open transaction are in the file.
                for id in 1...300 { try insert(id, db) }
                try db.execute(
                    sql: "UPDATE note SET text = hex(randomblob(400)); PRAGMA cache_spill = 1")
                for suffix in ["", "-wal", "-journal"] {
                    let source = queue.path + suffix
                    guard FileManager.default.fileExists(atPath: source) else { continue }
                    try FileManager.default.copyItem(atPath: source, toPath: path + suffix)
                }
            }
        }
        let survivor = try DatabaseQueue(path: path, configuration: queue.configuration)
        try survivor.write { (db) throws in
            #expect(try storedOrigin(db) == [nil])
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM note") == 0)
        }
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") } == 300)
    }

    @Test(.proves("THK-04"))
    func `another connection never sees an origin`() throws {
        try queue.close()
        let pool = try fixture.open(.pool)
        let other = try fixture.open(.pool)
        try pool.write { db in
            try db.withOrigin("sync") {
                try insert(1, db)
                #expect(try other.read { try storedOrigin($0) } == [nil])
            }
        }
        try other.write { db in
            #expect(db.origin == nil)
            try insert(2, db)
            #expect(try log(db) == ["1 sync", "2 -"])
        }
    }

    @Test(.proves("THK-04"))
    func `an origin cannot be given where writes are forbidden`() throws {
        let error = DatabaseError.thrown {
            try queue.read { db in try db.withOrigin("sync") {} }
        }
        #expect(error?.resultCode == .SQLITE_READONLY)
        try queue.close()
        let reader = try fixture.open { $0.readonly = true }
        let refusal = DatabaseError.thrown {
            try reader.inDatabase { db in
                defer { #expect(db.origin == nil) }
                try db.withOrigin("sync") {}
            }
        }
        #expect(refusal?.resultCode == .SQLITE_READONLY)
        #expect(try reader.read { try storedOrigin($0) } == [nil])
    }

    @Test(.proves("THK-04"))
    func `the table is made when it is needed, and its row again`() throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY)")
            #expect(throws: Stop.self) { try fail(db) }
            #expect(try !db.tableExists("strongroom_origin"))
            let first = try db.withOrigin("a") {
                try db.execute(sql: "INSERT INTO t VALUES (42)")
                return try storedOrigin(db)
            }
            #expect(first == ["a"])
            #expect(db.lastInsertedRowID == 42)
            try db.execute(sql: "DELETE FROM strongroom_origin")
            let origin = try db.withOrigin("b") { try storedOrigin(db) }
            #expect(origin == ["b"])
            #expect(try storedOrigin(db) == [nil])
        }
    }

    private final class Listener: TransactionObserver {
        var events: [String] = []
        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
        func databaseDidChange(with event: DatabaseEvent) {
            events.append("\(event.tableName) \(event.rowID) \(event.origin ?? "-")")
        }
        func databaseDidCommit(_ db: Database) { events.append("commit \(db.origin ?? "-")") }
        func databaseDidRollback(_ db: Database) { events.append("rollback") }
    }

    @Test(.proves("THK-04"))
    func `observers find the origin in each event, and hear nothing of its table`() throws {
        let listener = Listener()
        queue.add(transactionObserver: listener)
        try queue.write { db in
            try db.execute(sql: "DROP TRIGGER every")
            try insert(1, db)
            // The events of a savepoint are told when it ends: they have the origin of their time.
            try db.inSavepoint {
                try db.withOrigin("sync") {
                    try insert(2, db)
                    try db.withOrigin("import") { try insert(3, db) }
                }
                try insert(4, db)
                return .commit
            }
        }
        #expect(
            listener.events == [
                "note 1 -", "note 2 sync", "note 3 import", "note 4 -", "commit -",
            ])
    }
}
