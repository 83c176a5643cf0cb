import Strongroom
import StrongroomCore
import StrongroomSchema
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite struct OriginTests {
    private static let schema = """
        CREATE TABLE t (id TEXT PRIMARY KEY NOT NULL, a, updated INT);
        CREATE TABLE seen (line);
        CREATE TRIGGER stamp AFTER UPDATE OF a ON t BEGIN UPDATE t SET updated = ifnull(updated, 0) + 1 WHERE id = new.id; END;
        INSERT INTO t VALUES ('x', 1, 2), ('y', 1, 2);
        """
    private let fixture: CaptureFixture

    init() throws {
        fixture = try CaptureFixture(Self.schema, [SyncedTable("t")])
        // The view is there once capture is.
        try fixture.write { db throws in
            try db.execute(
                sql: """
                    CREATE TRIGGER ask AFTER INSERT ON t
                    BEGIN INSERT INTO seen SELECT origin FROM strongroom_sync_state; END
                    """)
        }
    }

    private func origin(_ db: Database) throws -> Int? {
        try Int.fetchOne(db, sql: "SELECT origin FROM strongroom_sync_state")
    }

    @Test(.proves("SYN-027"))
    func `the app has origin 0, whatever other origin it gives itself`() throws {
        try fixture.write { db throws in
            #expect(try origin(db) == 0)
            #expect(try fixture.words(db, "UPDATE t SET id = 'z' WHERE id = 'y'").count == 2)
            try db.withOrigin("import") { () throws in
                #expect(try origin(db) == 0)
                #expect(
                    try fixture.words(db, "UPDATE t SET a = 5 WHERE id = 'x'") == [
                        "t 'x': a updated"
                    ])
            }
        }
    }

    @Test(.proves("SYN-027"))
    func `the engine takes no notes, and no other connection sees its origin`() throws {
        let pool = try DatabasePool(
            path: fixture.database.path, configuration: FixtureDatabase.configuration())
        try pool.write { db throws in
            try db.applyingChanges {
                #expect(try origin(db) == 1)
                try db.execute(
                    sql:
                        "INSERT INTO t VALUES ('n', 1, 1); UPDATE t SET a = 9; UPDATE t SET id = id || '1'; DELETE FROM t WHERE id = 'x1'"
                )
                #expect(try pool.unsafeRead(origin) == 0)
            }
            #expect(try origin(db) == 0)
            #expect(try fixture.taken(db).isEmpty)
            #expect(try Int.fetchAll(db, sql: "SELECT line FROM seen") == [1])
            #expect(throws: CancellationError.self) {
                try db.applyingChanges {
                    try db.execute(sql: "DELETE FROM t")
                    throw CancellationError()
                }
            }
            #expect(
                try fixture.words(db, "UPDATE t SET a = 3 WHERE id = 'y1'") == ["t 'y1': a updated"]
            )
        }
    }

    @Test(.proves("SYN-027"))
    func `what triggers of the app do to the engine's writes is noted and not kept`() throws {
        try fixture.write { db throws in
            try db.execute(sql: "UPDATE t SET a = 0 WHERE id = 'y'")
            let (result, rows) = try db.applyingWatchedChanges {
                #expect(try origin(db) == 2)
                try db.execute(sql: "UPDATE t SET a = 9 WHERE id = 'x'")
                return 7
            }
            #expect(result == 7)
            #expect(try fixture.words(db, rows) == ["t 'x': a updated"])
            #expect(try fixture.words(db, fixture.taken(db)) == ["t 'y': a updated"])
        }
    }
}
