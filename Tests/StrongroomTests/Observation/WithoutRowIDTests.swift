import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Observations of tables whose rows have no numbers.
@Suite(.timeLimit(.minutes(30))) struct WithoutRowIDTests {
    private func database(_ kind: WriterKind) throws -> ObservedDatabase {
        let database = try ObservedDatabase(kind)
        try database.writer.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE word (text TEXT PRIMARY KEY, length INT) WITHOUT ROWID;
                    CREATE TABLE use (
                        word TEXT REFERENCES word ON DELETE CASCADE, line INT,
                        PRIMARY KEY (word, line)) WITHOUT ROWID;
                    CREATE TRIGGER counted AFTER INSERT ON player BEGIN
                        INSERT INTO word VALUES (new.name, length(new.name));
                    END;
                    """)
        }
        return database
    }

    @Test(.proves("OBS-061"), arguments: WriterKind.allCases)
    func `Each way to change a table without row numbers gives a value`(kind: WriterKind) throws {
        let database = try database(kind)
        let values = Values<[Int]>()
        let observation = ValueObservation.tracking { db in
            try Int.fetchAll(
                db,
                sql: """
                    SELECT COUNT(*) FROM word UNION ALL SELECT COUNT(*) FROM use
                    UNION ALL SELECT TOTAL(length) FROM word
                    """)
        }
        let cancellable = observation.start(in: database, values)
        defer { cancellable.cancel() }
        values.wait(for: [0, 0, 0])
        for (sql, expected) in [
            ("INSERT INTO word VALUES ('a', 1)", [1, 0, 1]),
            ("INSERT INTO player (name) VALUES ('bc')", [2, 0, 3]),
            ("INSERT INTO use VALUES ('a', 1), ('bc', 2)", [2, 2, 3]),
            ("REPLACE INTO word VALUES ('bc', 5)", [2, 1, 6]),
            ("UPDATE word SET length = 7 WHERE text = 'a'", [2, 1, 12]),
            ("DELETE FROM word WHERE text = 'a'", [1, 0, 5]),
            ("DELETE FROM word", [0, 0, 0]),
        ] {
            try database.run(sql)
            values.wait(for: expected)
        }
    }

    @Test(.proves("OBS-061"), arguments: WriterKind.allCases)
    func `Regions are told of commits, and of nothing that was rolled back`(
        kind: WriterKind
    ) throws {
        let database = try database(kind)
        let count = Locked(0)
        let observation = DatabaseRegionObservation(tracking: Table("use"))
        let cancellable = observation.start(in: database.writer) { error in
            Issue.record(error)
        } onChange: { _ in
            count.withLock { $0 += 1 }
        }
        defer { cancellable.cancel() }
        func calls(for sql: String...) throws -> Int {
            let before = count.withLock(\.self)
            try database.writer.writeWithoutTransaction { db in
                for sql in sql { try db.execute(sql: sql) }
            }
            return count.withLock { $0 - before }
        }
        #expect(try calls(for: "INSERT INTO word VALUES ('a', 1)") == 0)
        #expect(try calls(for: "INSERT INTO use VALUES ('a', 1)") == 1)
        #expect(try calls(for: "BEGIN", "DELETE FROM use", "ROLLBACK") == 0)
        #expect(
            try calls(
                for: "BEGIN", "SAVEPOINT s", "DELETE FROM use", "ROLLBACK TO s", "RELEASE s",
                "COMMIT") == 0)
        // The foreign key deletes what belongs to the word.
        #expect(try calls(for: "BEGIN", "DELETE FROM word", "COMMIT") == 1)
    }
}
