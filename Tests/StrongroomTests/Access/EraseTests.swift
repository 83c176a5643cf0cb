import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct EraseTests {
    let fixture: FixtureDatabase
    let writer: any DatabaseWriter

    init() throws {
        fixture = try FixtureDatabase()
        writer = try DatabasePool(
            path: fixture.path, configuration: FixtureDatabase.configuration())
        try writer.write { db in
            try db.execute(
                sql: """
                    PRAGMA user_version = 7;
                    CREATE TABLE parent(id INTEGER PRIMARY KEY AUTOINCREMENT);
                    CREATE TABLE "a ""child"" of it"(
                        id REFERENCES parent ON DELETE RESTRICT, n UNIQUE);
                    CREATE INDEX i ON "a ""child"" of it"(id);
                    CREATE VIEW v AS SELECT * FROM parent;
                    CREATE VIEW broken AS SELECT * FROM missing;
                    CREATE TRIGGER t AFTER DELETE ON parent BEGIN SELECT 1; END;
                    CREATE TRIGGER u INSTEAD OF INSERT ON v BEGIN SELECT 1; END;
                    CREATE VIRTUAL TABLE f USING \(LinkedEngine.fullTextModule)(a);
                    CREATE VIRTUAL TABLE g USING fts4(a);
                    CREATE VIRTUAL TABLE r USING rtree(i, a, b);
                    INSERT INTO parent VALUES (41);
                    INSERT INTO "a ""child"" of it" VALUES (41, 1);
                    INSERT INTO f VALUES ('text');
                    ANALYZE
                    """)
        }
    }

    private func checkIsEmpty() throws {
        let names = try writer.read {
            try String.fetchAll($0, sql: "SELECT name FROM sqlite_master")
        }
        #expect(names == ["sqlite_sequence"])
        #expect(try fixture.shell().cell("SELECT COUNT(*) FROM sqlite_sequence") == 0)
        #expect(try fixture.shell().cell("PRAGMA user_version") == 7)
        #expect(try fixture.shell().cell("PRAGMA integrity_check") == "ok")
    }

    private func checkForeignKeysAreEnforced() throws {
        let error = #expect(throws: DatabaseError.self) {
            try writer.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE p(id INTEGER PRIMARY KEY, q REFERENCES p);
                        INSERT INTO p VALUES (1, 2)
                        """)
            }
        }
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
    }

    @Test(.proves("CCY-028"))
    func `Erasing removes everything but the settings of the file`() throws {
        try writer.erase()
        try checkIsEmpty()
        try checkForeignKeysAreEnforced()
        try writer.erase()
        try checkIsEmpty()
    }

    @Test(.proves("CCY-028"))
    func `A task erases likewise`() async throws {
        try await writer.erase()
        try checkIsEmpty()
        try checkForeignKeysAreEnforced()
    }

    private final class Canceller: TransactionObserver, Sendable {
        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidCommit(_ db: Database) { withUnsafeCurrentTask { $0?.cancel() } }
        func databaseDidRollback(_ db: Database) {}
    }

    @Test(.proves("CCY-028", "OPR-203"))
    func `A task that is cancelled when all is erased leaves foreign keys as they were`()
        async throws
    {
        let canceller = Canceller()
        writer.add(transactionObserver: canceller)
        let writer = writer
        try await Task { try await writer.erase() }.value
        writer.remove(transactionObserver: canceller)
        try checkIsEmpty()
        try checkForeignKeysAreEnforced()
    }

    @Test func `Erasing that fails leaves everything as it was`() throws {
        let before = try fixture.shell().cell("SELECT COUNT(*) FROM sqlite_master")
        let other = try fixture.open { $0.allowsUnsafeTransactions = true }
        try other.inDatabase { try $0.beginTransaction(.immediate) }
        let error = #expect(throws: DatabaseError.self) { try writer.erase() }
        #expect(error?.resultCode == .SQLITE_BUSY)
        try other.inDatabase { try $0.rollback() }
        #expect(try fixture.shell().cell("SELECT COUNT(*) FROM sqlite_master") == before)
        try checkForeignKeysAreEnforced()
        try writer.erase()
        try checkIsEmpty()
    }

    @Test func `Foreign keys that are not enforced stay so`() throws {
        let queue = try fixture.open { $0.foreignKeysEnabled = false }
        try queue.erase()
        let isOn = try queue.read { try Bool.fetchOne($0, sql: "PRAGMA foreign_keys") }
        #expect(isOn == false)
    }
}
