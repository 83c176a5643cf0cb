import StrongroomTestSupport
import Testing

@testable import StrongroomCore

private let needsHook: Comment = "needs a SQLCipher with SQLITE_ENABLE_PREUPDATE_HOOK"
private let hasHook: Comment = "SQLCipher was built with SQLITE_ENABLE_PREUPDATE_HOOK"

/// What is told of rows before they change, by a SQLCipher that was built for it, and that nothing is
/// told by one that was not.
@Suite struct PreUpdateTests {
    /// Keeps what it is told, and writes it down.
    final class Witness: TransactionObserver {
        var lines: [String] = []
        var kept: [DatabasePreUpdateEvent] = []

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
            eventKind.tableName != "quiet"
        }

        func databaseWillChange(with event: DatabasePreUpdateEvent) {
            lines.append("will \(Self.text(event))")
            kept.append(event.copy())
        }

        func databaseDidChange(with event: DatabaseEvent) {
            lines.append("did \(event.kind) \(event.tableName) \(event.rowID)")
        }

        func databaseDidCommit(_ db: Database) {}

        func databaseDidRollback(_ db: Database) {}

        static func text(_ event: DatabasePreUpdateEvent) -> String {
            func text(_ values: [DatabaseValue]?) -> String {
                values.map { "(\($0.map(\.description).joined(separator: ", ")))" } ?? "nothing"
            }
            func text(_ rowID: Int64?) -> String { rowID.map(String.init) ?? "none" }
            return "\(event.kind) \(event.databaseName).\(event.tableName) \(event.count) columns, "
                + "depth \(event.depth): \(text(event.initialRowID)) "
                + "\(text(event.initialDatabaseValues)) to \(text(event.finalRowID)) "
                + text(event.finalDatabaseValues)
        }
    }

    let fixture: FixtureDatabase
    let queue: DatabaseQueue
    let witness = Witness()

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b);
                    CREATE TABLE log(a);
                    CREATE TABLE quiet(a);
                    """)
        }
        queue.add(transactionObserver: witness)
    }

    @Test(.proves("OBS-052"), .disabled(if: PreUpdateHook.isAvailable, hasHook))
    func `Without the hook, nothing is told before a change, and the app is told so`() throws {
        #expect(!DatabasePreUpdateEvent.isAvailable)
        try queue.write { try $0.execute(sql: "INSERT INTO t(a) VALUES ('x'); DELETE FROM t") }
        #expect(witness.lines == ["did insert t 1", "did delete t 1"])
    }

    @Test(.proves("OBS-052"), .enabled(if: PreUpdateHook.isAvailable, needsHook))
    func `A row is told with its values before and after, before it changes`() throws {
        #expect(DatabasePreUpdateEvent.isAvailable)
        try queue.write { db in
            try db.execute(sql: "INSERT INTO t VALUES (3, 'x', NULL)")
            try db.execute(sql: "UPDATE t SET b = x'0102', a = a || 'y'")
            try db.execute(sql: "UPDATE t SET id = 4")
            try db.execute(sql: "INSERT INTO quiet VALUES (1)")
            try db.execute(sql: "DELETE FROM t")
        }
        let told = [
            #"will insert main.t 3 columns, depth 0: none nothing to 3 (3, "x", NULL)"#,
            "did insert t 3",
            #"will update main.t 3 columns, depth 0: 3 (3, "x", NULL) to 3 "#
                + #"(3, "xy", Data(2 bytes))"#,
            "did update t 3",
            #"will update main.t 3 columns, depth 0: 3 (3, "xy", Data(2 bytes)) to 4 "#
                + #"(4, "xy", Data(2 bytes))"#,
            "did update t 4",
            #"will delete main.t 3 columns, depth 0: 4 (4, "xy", Data(2 bytes)) to none nothing"#,
            "did delete t 4",
        ]
        #expect(witness.lines == told)
        // Kept events say the same.
        let kept = witness.kept.map { "will \(Witness.text($0))" }
        #expect(kept == told.filter { $0.hasPrefix("will") })
        let update = try #require(witness.kept.dropFirst().first)
        #expect(update.initialDatabaseValue(atIndex: 1) == "x".databaseValue)
        #expect(update.finalDatabaseValue(atIndex: 1) == "xy".databaseValue)
        #expect(try #require(witness.kept.first).initialDatabaseValue(atIndex: 1) == nil)
        #expect(try #require(witness.kept.last).finalDatabaseValue(atIndex: 1) == nil)
    }

    @Test(.proves("OBS-052"), .enabled(if: PreUpdateHook.isAvailable, needsHook))
    func `What triggers do is told with its depth`() throws {
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END;
                    INSERT INTO t(a) VALUES ('x');
                    """)
        }
        #expect(
            witness.lines.filter { $0.hasPrefix("will") } == [
                #"will insert main.t 3 columns, depth 0: none nothing to 1 (1, "x", NULL)"#,
                #"will insert main.log 1 columns, depth 1: none nothing to 1 ("x")"#,
            ])
    }

    @Test(.proves("OBS-052"), .enabled(if: PreUpdateHook.isAvailable, needsHook))
    func `What a savepoint takes back is not told, and the rest when it is released`() throws {
        try queue.write { db in
            try db.inSavepoint {
                try db.execute(sql: "INSERT INTO t(a) VALUES ('lost')")
                return .rollback
            }
            try db.inSavepoint {
                try db.execute(sql: "INSERT INTO t(a) VALUES ('kept')")
                try db.execute(sql: "UPDATE t SET a = 'later'")
                #expect(witness.lines.isEmpty)
                return .commit
            }
        }
        #expect(
            witness.lines == [
                #"will insert main.t 3 columns, depth 0: none nothing to 1 (1, "kept", NULL)"#,
                "did insert t 1",
                #"will update main.t 3 columns, depth 0: 1 (1, "kept", NULL) to 1 "#
                    + #"(1, "later", NULL)"#,
                "did update t 1",
            ])
    }

    @Test(.proves("OBS-052"), .enabled(if: PreUpdateHook.isAvailable, needsHook))
    func `Temporary and attached tables are told with the name of their database`() throws {
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    ATTACH ':memory:' AS other;
                    CREATE TABLE other.o(a);
                    CREATE TEMP TABLE p(a);
                    INSERT INTO other.o VALUES (1);
                    INSERT INTO p VALUES (2);
                    """)
        }
        #expect(
            witness.lines.filter { $0.hasPrefix("will") } == [
                "will insert other.o 1 columns, depth 0: none nothing to 1 (1)",
                "will insert temp.p 1 columns, depth 0: none nothing to 1 (2)",
            ])
    }

    @Test(.proves("OBS-052"), .enabled(if: PreUpdateHook.isAvailable, needsHook))
    func `Observers that went, or want to hear no more, are told nothing`() throws {
        /// Wants to hear of one change only.
        final class Once: TransactionObserver {
            var count = 0
            func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
            func databaseWillChange(with event: DatabasePreUpdateEvent) {
                count += 1
                stopObservingDatabaseChangesUntilNextTransaction()
            }
            func databaseDidChange(with event: DatabaseEvent) { Issue.record("muted") }
            func databaseDidCommit(_ db: Database) {}
            func databaseDidRollback(_ db: Database) {}
        }
        let once = Once()
        queue.add(transactionObserver: once)
        queue.remove(transactionObserver: witness)
        for _ in 0..<2 {
            try queue.write { try $0.execute(sql: "INSERT INTO t(a) VALUES ('x'), ('y')") }
        }
        #expect(once.count == 2)
        #expect(witness.lines.isEmpty)
        queue.remove(transactionObserver: once)
        try queue.write { try $0.execute(sql: "DELETE FROM t") }
        #expect(once.count == 2)
    }
}
