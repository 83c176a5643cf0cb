import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct TransactionObserverTests {
    let queue: DatabaseQueue
    let recorder = Recorder()
    struct Failure: Error {}

    init() throws {
        queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT);
                    CREATE TABLE player(
                        id INTEGER PRIMARY KEY, name TEXT, score INTEGER,
                        teamID INTEGER REFERENCES team ON DELETE CASCADE);
                    CREATE TABLE log(text TEXT);
                    CREATE TABLE word(word TEXT PRIMARY KEY) WITHOUT ROWID;
                    """)
        }
        queue.add(transactionObserver: recorder)
    }

    func write(_ sql: String) throws {
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    @Test(.proves("OBS-037", "OBS-040", "CCY-030"), arguments: WriterKind.allCases)
    func `Changes come first, then the end of the transaction`(kind: WriterKind) throws {
        let fixture = try FixtureDatabase()
        let writer = try fixture.open(kind)
        try writer.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        writer.add(transactionObserver: recorder)
        try writer.write { db in
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            #expect(recorder.lines == ["insert main.t 1"])
            try db.execute(sql: "UPDATE t SET a = 2")
        }
        #expect(
            recorder.take() == ["insert main.t 1", "update main.t 1", "will commit", "commit"])
        try writer.writeWithoutTransaction { db in
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            #expect(recorder.take() == ["insert main.t 2", "will commit", "commit"])
            try db.execute(sql: "DELETE FROM t WHERE rowid = 1")
            #expect(recorder.take() == ["delete main.t 1", "will commit", "commit"])
        }
        #expect(throws: Failure.self) {
            try writer.write { db in
                try db.execute(sql: "INSERT INTO t VALUES (1)")
                throw Failure()
            }
        }
        #expect(recorder.take() == ["insert main.t 3", "rollback"])
        writer.remove(transactionObserver: recorder)
        try writer.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        #expect(recorder.lines == [])
    }

    @Test(.proves("OBS-040"))
    func `A statement that fails, or rolls back by itself, ends in a rollback`() throws {
        try write("INSERT INTO team VALUES (1, 'a')")
        _ = recorder.take()
        #expect(throws: DatabaseError.self) {
            try write("INSERT INTO team VALUES (2, 'b'), (1, '')")
        }
        #expect(recorder.take() == ["insert main.team 2", "rollback"])
        #expect(throws: DatabaseError.self) {
            try queue.write { db in
                try db.execute(sql: "INSERT INTO team VALUES (3, 'c')")
                try db.execute(sql: "INSERT OR ROLLBACK INTO team VALUES (1, '')")
            }
        }
        #expect(recorder.take() == ["insert main.team 3", "rollback"])
    }

    @Test(.proves("OBS-038"))
    func `An observer added twice is told twice, and removed once and for all`() throws {
        let other = Recorder()
        try queue.write { db in
            db.add(transactionObserver: other)
            db.add(transactionObserver: other, extent: .databaseLifetime)
            try db.execute(sql: "INSERT INTO log VALUES ('a')")
        }
        #expect(
            other.take() == [
                "insert main.log 1", "insert main.log 1", "will commit", "will commit", "commit",
                "commit",
            ])
        queue.inDatabase { $0.remove(transactionObserver: other) }
        try write("INSERT INTO log VALUES ('b')")
        #expect(other.lines == [])
        #expect(recorder.lines.count == 6)
    }

    @Test(.proves("OBS-039", "OBS-038"))
    func `Observers live as long as their extent says`() throws {
        weak var weakly: Recorder?
        do {
            let observer = Recorder()
            weakly = observer
            queue.add(transactionObserver: observer)
        }
        #expect(weakly == nil, "by default the database does not hold it")
        try write("INSERT INTO log VALUES ('a')")

        do {
            let observer = Recorder()
            weakly = observer
            queue.add(transactionObserver: observer, extent: .nextTransaction)
        }
        #expect(weakly != nil)
        let lines = Collected()
        weakly?.onCommit = { observer, _ in observer.lines.forEach(lines.add) }
        try write("INSERT INTO log VALUES ('b')")
        #expect(lines.texts == ["insert main.log 2", "will commit", "commit"])
        #expect(weakly == nil, "one transaction")

        try queue.inDatabase { db in
            try db.beginTransaction()
            let observer = Recorder()
            weakly = observer
            db.add(transactionObserver: observer, extent: .nextTransaction)
            try db.rollback()
        }
        #expect(weakly == nil, "the current transaction, however it ends")

        do {
            let observer = Recorder()
            weakly = observer
            queue.add(transactionObserver: observer, extent: .databaseLifetime)
        }
        try write("INSERT INTO log VALUES ('c')")
        try write("INSERT INTO log VALUES ('d')")
        #expect(weakly?.lines.count == 6)
    }

    @Test(
        .proves("OBS-041"),
        arguments: [
            "a", "\"a b\"", "'a'''", "[a]]", "`A`", "a -- outer", "a /* \"b\" */",
        ])
    func `Changes in a savepoint are told when it is released`(name: String) throws {
        let name = name == "[a]]" ? "[a b]" : name
        try queue.write { db in
            try db.execute(sql: "SAVEPOINT \(name)\n")
            try db.execute(sql: "INSERT INTO log VALUES ('1')")
            try db.execute(sql: "SAVEPOINT inner")
            try db.execute(sql: "INSERT INTO log VALUES ('2')")
            try db.execute(sql: "RELEASE INNER")
            #expect(recorder.lines == [])
            try db.execute(sql: "SAVEPOINT inner")
            try db.execute(sql: "INSERT INTO log VALUES ('3')")
            try db.execute(sql: "ROLLBACK TRANSACTION TO SAVEPOINT inner")
            try db.execute(sql: "INSERT INTO team VALUES (4, '')")
            try db.execute(sql: "RELEASE SAVEPOINT \(name)\n")
            #expect(
                recorder.take() == ["insert main.log 1", "insert main.log 2", "insert main.team 4"])
            try db.execute(sql: "SAVEPOINT \(name)\n")
            try db.execute(sql: "INSERT INTO log VALUES ('5')")
            try db.execute(sql: "SAVEPOINT inner; DELETE FROM log; RELEASE inner")
            try db.execute(sql: "ROLLBACK TO \(name)\n")
            try db.execute(sql: "INSERT INTO team VALUES (6, '')")
        }
        #expect(recorder.take() == ["insert main.team 6", "will commit", "commit"])
    }

    @Test(.proves("OBS-041"))
    func `Savepoints of wrappers, and those that are transactions, hold changes too`() throws {
        try queue.inDatabase { db in
            try db.execute(sql: "SAVEPOINT a; INSERT INTO log VALUES ('1'); RELEASE a")
            #expect(recorder.take() == ["insert main.log 1", "will commit", "commit"])
            try db.execute(sql: "SAVEPOINT a; INSERT INTO log VALUES ('2'); COMMIT")
            #expect(recorder.take() == ["insert main.log 2", "will commit", "commit"])
            try db.execute(sql: "SAVEPOINT a; INSERT INTO log VALUES ('3'); ROLLBACK")
            #expect(recorder.take() == ["rollback"])
            try db.inTransaction {
                try db.inSavepoint {
                    try db.execute(sql: "INSERT INTO log VALUES ('4')")
                    return .rollback
                }
                try db.inSavepoint {
                    try db.execute(sql: "INSERT INTO team VALUES (5, '')")
                    #expect(recorder.lines == [])
                    return .commit
                }
                #expect(recorder.lines == ["insert main.team 5"])
                return .commit
            }
            _ = recorder.take()
            // One who comes in the midst of a savepoint learns nothing of what it takes back.
            let late = Recorder()
            try db.inTransaction {
                try db.inSavepoint {
                    db.add(transactionObserver: late)
                    try db.execute(sql: "INSERT INTO log VALUES ('6')")
                    return .rollback
                }
                return .commit
            }
            #expect(late.lines == ["will commit", "commit"])
        }
    }

    @Test(.proves("OBS-042"))
    func `An observer can refuse a commit`() throws {
        recorder.refusesCommit = true
        #expect(throws: Recorder.Refusal.self) {
            try queue.write { try $0.execute(sql: "INSERT INTO log VALUES ('1')") }
        }
        #expect(recorder.take() == ["insert main.log 1", "will commit", "rollback"])
        #expect(throws: Recorder.Refusal.self) { try write("INSERT INTO log VALUES ('1')") }
        #expect(recorder.take() == ["insert main.log 1", "will commit", "rollback"])
        #expect(throws: Recorder.Refusal.self, "of nothing") { try queue.write { _ in } }
        #expect(recorder.take() == ["will commit", "rollback"])
        #expect(throws: Recorder.Refusal.self, "of nothing") {
            try queue.inDatabase { try $0.inTransaction(.deferred) { .commit } }
        }
        #expect(recorder.take() == ["will commit", "rollback"])
        try queue.inDatabase { db in
            try db.execute(sql: "BEGIN; INSERT INTO log VALUES ('1')")
            #expect(throws: Recorder.Refusal.self) { try db.commit() }
            #expect(!db.isInsideTransaction)
            try db.execute(sql: "SAVEPOINT a; INSERT INTO log VALUES ('1')")
            #expect(throws: Recorder.Refusal.self) { try db.execute(sql: "RELEASE a") }
            #expect(!db.isInsideTransaction)
        }
        recorder.refusesCommit = false
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM log") } == 0)
        try write("INSERT INTO log VALUES ('1')")
        #expect(recorder.lines.last == "commit")
    }

    @Test(.proves("OBS-043", "OBS-058"))
    func `Observers may write after a commit, which is told before they return`() throws {
        recorder.onCommit = { observer, db in
            observer.onCommit = { _, _ in }
            try? db.execute(sql: "INSERT INTO log VALUES ('nested')")
            #expect(!db.isInsideTransaction)
            observer.lines.append("returns")
        }
        let second = Recorder()
        queue.add(transactionObserver: second)
        try queue.write { try $0.execute(sql: "INSERT INTO team VALUES (1, 'a')") }
        #expect(
            recorder.take() == [
                "insert main.team 1", "will commit", "commit",
                "insert main.log 1", "will commit", "commit", "returns",
            ])
        #expect(second.lines.filter { $0 == "commit" }.count == 2)
        #expect(second.lines.contains("insert main.log 1"))
    }

    @Test(.proves("OBS-044"))
    func `An observer can have enough until the next transaction`() throws {
        recorder.onChange = { $0.stopObservingDatabaseChangesUntilNextTransaction() }
        try queue.write { db in
            try db.execute(sql: "INSERT INTO log VALUES ('1'), ('2'), ('3')")
            try db.execute(sql: "INSERT INTO log VALUES ('4')")
        }
        #expect(recorder.take() == ["insert main.log 1", "will commit", "commit"])
        #expect(throws: Failure.self) {
            try queue.write { db in
                try db.execute(sql: "INSERT INTO log VALUES ('5'), ('6')")
                throw Failure()
            }
        }
        #expect(recorder.take() == ["insert main.log 5", "rollback"])
    }

    @Test(.proves("OBS-044"))
    func `To have enough outside of a change is a bug`() async {
        await #expect(processExitsWith: .failure) {
            Recorder().stopObservingDatabaseChangesUntilNextTransaction()
        }
        await #expect(processExitsWith: .failure) {
            let queue = try DatabaseQueue()
            let recorder = Recorder()
            recorder.onCommit = { observer, _ in
                observer.stopObservingDatabaseChangesUntilNextTransaction()
            }
            queue.add(transactionObserver: recorder)
            try queue.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        }
    }
}
