import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct DatabaseEventTests {
    let tests: TransactionObserverTests
    var queue: DatabaseQueue { tests.queue }
    var recorder: Recorder { tests.recorder }

    init() throws {
        tests = try TransactionObserverTests()
    }

    @Test(.proves("OBS-045", "OBS-046"))
    func `Events tell the row, before it is known which ones their kind is told`() throws {
        let kinds = Collected()
        recorder.observed = { kind in
            switch kind {
            case .insert(let tableName): kinds.add("insert \(tableName)")
            case .delete(let tableName): kinds.add("delete \(tableName)")
            case .update(let tableName, let columnNames):
                kinds.add("update \(tableName) \(columnNames.sorted())")
            }
            #expect(["team", "player"].contains(kind.tableName))
            return true
        }
        try queue.write { db in
            try db.execute(sql: "INSERT INTO team VALUES (7, 'a')")
            try db.execute(sql: "UPDATE team SET name = 'b', id = 8")
            try db.execute(sql: "DELETE FROM team WHERE id = 8")
        }
        #expect(
            recorder.lines.prefix(3) == [
                "insert main.team 7", "update main.team 8", "delete main.team 8",
            ])
        #expect(
            kinds.texts.contains("update team [\"id\", \"name\"]")
                && kinds.texts.contains("insert team"))
    }

    @Test(.proves("OBS-046"))
    func `A kept event stays what it was`() throws {
        final class Keeper: TransactionObserver {
            var events: [DatabaseEvent] = []
            func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
            func databaseDidChange(with event: DatabaseEvent) { events.append(event.copy()) }
            func databaseDidCommit(_ db: Database) {}
            func databaseDidRollback(_ db: Database) {}
        }
        let keeper = Keeper()
        queue.add(transactionObserver: keeper)
        try tests.write("INSERT INTO team VALUES (1, 'a'); INSERT INTO log VALUES ('a')")
        #expect(keeper.events.map(\.tableName) == ["team", "log"])
        #expect(keeper.events.map(\.databaseName) == ["main", "main"])
    }

    @Test(.proves("OBS-047"))
    func `Foreign keys, triggers, temporary and attached tables are told`() throws {
        let fixture = try FixtureDatabase()
        try queue.inDatabase { db in
            try db.execute(
                sql: """
                    INSERT INTO team VALUES (1, 'a');
                    INSERT INTO player VALUES (1, 'x', 0, 1), (2, 'y', 0, 1);
                    CREATE TRIGGER logged AFTER DELETE ON team BEGIN
                        INSERT INTO log VALUES (OLD.name);
                    END;
                    """)
            _ = recorder.take()
            try db.execute(sql: "DELETE FROM team WHERE id = 1")
            #expect(
                Set(recorder.take()) == [
                    "delete main.player 1", "delete main.player 2", "delete main.team 1",
                    "insert main.log 1", "will commit", "commit",
                ])
            try db.execute(sql: "CREATE TEMP TABLE t(a); ATTACH '\(fixture.path)' AS other")
            try db.execute(sql: "CREATE TABLE other.u(a)")
            _ = recorder.take()
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            #expect(recorder.take().first == "insert temp.t 1")
            try db.execute(sql: "INSERT INTO u VALUES (1)")
            #expect(recorder.take().first == "insert other.u 1")
        }
    }

    @Test(.proves("OBS-048", "REC-066"))
    func `Internal tables, tables without row ids, replaced rows and reads tell nothing`() throws {
        let ends = ["will commit", "commit"]
        try tests.write("CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT, a UNIQUE)")
        #expect(recorder.take() == ends)
        try tests.write("INSERT INTO word VALUES ('a')")
        #expect(recorder.take() == ends)
        try tests.write("INSERT INTO counted(a) VALUES (1), (2)")
        #expect(recorder.take() == ["insert main.counted 1", "insert main.counted 2"] + ends)
        try tests.write("REPLACE INTO counted(id, a) VALUES (9, 1)")
        #expect(recorder.take() == ["insert main.counted 9"] + ends)
        try tests.write("DROP TABLE counted")
        #expect(recorder.take() == ends)
        _ = try queue.read { try Int.fetchOne($0, sql: "SELECT 1") }
        try queue.read { try $0.inSavepoint { .commit } }
        #expect(recorder.take() == [])
        try queue.write { _ in }
        #expect(recorder.take() == ends, "a write that changes nothing")
        try queue.inDatabase { try $0.inTransaction(.deferred) { .commit } }
        #expect(recorder.take() == ends)

        let fixture = try FixtureDatabase()
        let pool = try fixture.openPool()
        try pool.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        pool.add(transactionObserver: recorder)
        let other = try fixture.open()
        try other.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        _ = try pool.read { try Int.fetchOne($0, sql: "SELECT a FROM t") }
        #expect(recorder.take() == [], "another connection")
    }

    @Test(.proves("OBS-049"))
    func `To empty a table tells of every row, as often as somebody observes`() throws {
        let sql = "DELETE FROM log"
        try queue.inDatabase { db in
            func fill() throws { try db.execute(sql: "INSERT INTO log VALUES ('1'), ('2')") }
            func deletions() -> Int { recorder.take().count { $0.hasPrefix("delete") } }
            try fill()
            // Prepared, and run, while nobody observes.
            db.remove(transactionObserver: recorder)
            let statement = try db.makeStatement(sql: sql)
            try db.execute(sql: sql)
            try fill()
            db.add(transactionObserver: recorder)
            try statement.execute()
            #expect(deletions() == 2)
            try fill()
            try db.execute(sql: sql)
            #expect(deletions() == 2)
            db.remove(transactionObserver: recorder)
            try fill()
            try statement.execute()
            #expect(db.changesCount == 2)
            db.add(transactionObserver: recorder)
            try fill()
            try statement.execute()
            #expect(deletions() == 2)
            // To have rows deleted one by one must not keep tables from being dropped.
            try db.execute(sql: "DROP TABLE log")
            #expect(try !db.tableExists("log"))
            try db.execute(sql: "CREATE TABLE log(text TEXT)")
            try fill()
            try db.execute(sql: "DELETE FROM log")
            #expect(deletions() == 2)
        }
    }

    @Test(.proves("OBS-050"))
    func `Observers are asked before a statement runs, and not for each row`() throws {
        var count = 0
        recorder.observed = { kind in
            count += 1
            return kind.tableName == "team"
        }
        try queue.write { db in
            try db.execute(sql: "INSERT INTO log VALUES ('1'), ('2'), ('3'), ('4')")
        }
        #expect(count == 1)
        #expect(recorder.take() == ["will commit", "commit"])
        try queue.write { db in
            try db.execute(sql: "INSERT INTO team VALUES (1, ''), (2, '')")
            try db.execute(sql: "INSERT INTO log VALUES ('1')")
        }
        #expect(count == 3)
        #expect(recorder.take().count == 4)
    }

    @Test(.proves("OBS-051"))
    func `Changes that nobody noticed can be told`() throws {
        try queue.inDatabase { db in
            try db.notifyChanges(in: Table("team"))
            #expect(recorder.take() == ["change", "will commit", "commit"], "right away")
            try db.inTransaction {
                try db.notifyChanges(in: .fullDatabase)
                #expect(recorder.take() == ["change"])
                return .commit
            }
            #expect(recorder.take() == ["will commit", "commit"], "with the transaction")
            try db.inTransaction {
                try db.inSavepoint {
                    try db.notifyChanges(in: .fullDatabase)
                    return .rollback
                }
                return .commit
            }
            #expect(recorder.take() == ["change", "will commit", "commit"])
            recorder.observed = { $0.tableName == "log" }
            try db.notifyChanges(in: Table("team"))
            #expect(recorder.take() == ["will commit", "commit"])
            recorder.refusesCommit = true
            #expect(throws: Recorder.Refusal.self) { try db.notifyChanges(in: Table("log")) }
            #expect(recorder.take() == ["change", "will commit", "rollback"])
            #expect(throws: DatabaseError.self) { try db.notifyChanges(in: Table("nothing")) }
        }
        try queue.read { try $0.notifyChanges(in: .fullDatabase) }
        #expect(recorder.take() == [])
    }

    @Test(.proves("OBS-042"))
    func `A cursor that is given up commits what its statement has written`() throws {
        let row = try queue.inDatabase {
            try Row.fetchOne($0, sql: "INSERT INTO team VALUES (1, 'a'), (2, 'b') RETURNING id")
        }
        #expect(row == ["id": 1])
        #expect(
            recorder.take() == [
                "insert main.team 1", "insert main.team 2", "will commit", "commit",
            ])
    }
}
