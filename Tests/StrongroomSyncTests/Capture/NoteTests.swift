import Foundation
import Strongroom
import StrongroomCore
import StrongroomSchema
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite struct NoteTests {
    private static let player = """
        CREATE TABLE player (id TEXT PRIMARY KEY NOT NULL, name TEXT COLLATE NOCASE, score INTEGER DEFAULT 0, w);
        """

    @Test(.proves("SYN-025"))
    func `delete and insert of one key is a reinsertion`() throws {
        let fixture = try CaptureFixture(Self.player, [SyncedTable("player")])
        try fixture.write { db throws in
            let insertion = "INSERT INTO player (id, name) VALUES ('a', 'x');"
            #expect(try fixture.words(db, insertion) == ["player 'a': inserted"])
            #expect(
                try fixture.words(db, "DELETE FROM player; \(insertion)")
                    == ["player 'a': deleted inserted"])
            #expect(
                try fixture.words(
                    db, "\(insertion.replacing("INSERT", with: "REPLACE")) UPDATE player SET w = 1")
                    == ["player 'a': inserted w"])
            #expect(
                try fixture.words(db, "UPDATE player SET w = 2; DELETE FROM player;")
                    == ["player 'a': deleted"])
        }
        // Between two looks at the journal, too, and over merging.
        try fixture.write { db throws in
            try db.execute(sql: "INSERT INTO player (id) VALUES ('b')")
            _ = try fixture.taken(db)
            try db.execute(sql: "DELETE FROM player")
            try Journal.mergeNotes(db)
            try db.execute(sql: "INSERT INTO player (id, name) VALUES ('b', 'y')")
            try Journal.mergeNotes(db)
            #expect(try fixture.words(db, fixture.taken(db)) == ["player 'b': deleted inserted"])
        }
    }

    @Test(.proves("SYN-048"))
    func
        `a change of the key is a deletion and an insertion, and children have notes of their own`()
        throws
    {
        let fixture = try CaptureFixture(
            Self.player + """
                CREATE TABLE hit (id TEXT PRIMARY KEY NOT NULL, player TEXT REFERENCES player ON UPDATE CASCADE);
                CREATE INDEX hp ON hit (player);
                INSERT INTO player (id) VALUES ('a'), ('b'); INSERT INTO hit VALUES ('h', 'a');
                """, [SyncedTable("player"), SyncedTable("hit")])
        try fixture.write { db throws in
            #expect(
                try fixture.words(db, "UPDATE player SET id = 'c', w = 1 WHERE id = 'a'").sorted()
                    == [
                        "hit 'h': player", "player 'a': deleted", "player 'c': inserted w",
                    ])
            // Two rows exchange their keys.
            #expect(
                try fixture.words(
                    db,
                    """
                    UPDATE player SET id = 'x' WHERE id = 'b'; UPDATE player SET id = 'b' WHERE id = 'c';
                    UPDATE player SET id = 'c' WHERE id = 'x';
                    """
                ).sorted() == [
                    "hit 'h': player", "player 'b': deleted inserted",
                    "player 'c': deleted inserted",
                    "player 'x': deleted",
                ])
        }
    }

    @Test(.proves("SYN-023"))
    func `an update without a changed byte notes nothing, and changes of case and class are noted`()
        throws
    {
        let fixture = try CaptureFixture(
            Self.player + "INSERT INTO player VALUES ('a', 'Anna', 1, 3);", [SyncedTable("player")])
        try fixture.write { db throws in
            for sql in [
                "UPDATE player SET name = 'Anna', score = 1, w = 3",
                "UPDATE player SET score = 1.0",
                "UPDATE player SET id = 'a'", "UPDATE player SET rowid = rowid + 7",
                "UPDATE player SET name = 'x' WHERE 0",
            ] { #expect(try fixture.words(db, sql) == [], "\(sql)") }
            for (value, column) in [
                ("name = 'anna'", "name"), ("w = 3.0", "w"), ("w = '3'", "w"), ("w = x'33'", "w"),
                ("w = NULL", "w"), ("w = ''", "w"), ("w = x''", "w"), ("name = NULL", "name"),
            ] {
                #expect(
                    try fixture.words(db, "UPDATE player SET \(value)") == ["player 'a': \(column)"]
                )
            }
        }
    }

    @Test(.proves("SYN-024"), arguments: [61, 62, 63, 124, 125, 700, 1999])
    func `tables of up to 2,000 columns are noted column by column`(count: Int) throws {
        let columns = (0..<count).map { "c\($0)" }
        let fixture = try CaptureFixture(
            """
            CREATE TABLE wide (id TEXT PRIMARY KEY NOT NULL, \(columns.joined(separator: ", ")));
            INSERT INTO wide (id) VALUES ('a'), ('b');
            """, [SyncedTable("wide")])
        var random = SeededGenerator(seed: UInt64(count))
        try fixture.write { db throws in
            for _ in 0..<6 {
                let some = Set(
                    (0..<5).map { _ in Int.random(in: 0..<count, using: &random) } + [count - 1])
                let list = some.sorted().map { "c\($0) = ifnull(c\($0), 0) + 1" }.joined(
                    separator: ", ")
                try db.execute(sql: "UPDATE wide SET \(list) WHERE id = 'b'")
                let rows = try fixture.taken(db)
                #expect(rows.count == 1)
                #expect(rows.first.map { Set($0.columns.keys) } == some)
                #expect(try fixture.words(db, "UPDATE wide SET c0 = c0") == [])
            }
        }
    }

    @Test(.proves("SYN-065"))
    func `keys keep their bytes, whatever they are`() throws {
        let fixture = try CaptureFixture(
            """
            CREATE TABLE t (k NOT NULL, l NOT NULL, m, PRIMARY KEY (l, k)) WITHOUT ROWID;
            CREATE TABLE s (k PRIMARY KEY NOT NULL, m);
            """, [SyncedTable("t"), SyncedTable("s")])
        try fixture.write { db throws in
            let values = [
                "1", "1.5", "'1'", "x'31'", "''", "x''", "-9223372036854775808", "9e300",
                "CAST(x'00' AS TEXT)", "CAST(x'6100ff62' AS TEXT)", "x'0001'", "'a' || char(0)",
            ]
            for value in values {
                try db.execute(
                    sql:
                        "INSERT INTO t VALUES (\(value), 'l', 0); INSERT INTO s VALUES (\(value), 0)"
                )
            }
            let rows = try fixture.taken(db)
            #expect(rows.count == 2 * values.count)
            #expect(Set(rows.map(\.key.keyBytes)).count == 2 * values.count)
            // What was noted finds the row again, byte by byte.
            let one = try db.makeStatement(
                sql: "UPDATE s SET m = m + 1 WHERE k IS ? AND typeof(k) = typeof(?1)")
            let two = try db.makeStatement(sql: "UPDATE t SET m = m + 1 WHERE l IS ?1 AND k IS ?2")
            for row in rows { try (row.key.count == 1 ? one : two).forEachRow(row.key) }
            #expect(
                try Int.fetchAll(
                    db, sql: "SELECT DISTINCT m FROM s UNION ALL SELECT DISTINCT m FROM t") == [
                        1, 1,
                    ])
            // KeyBytes has the same form for all that Swift can hold.
            for value in [
                DatabaseValue.null, 5.databaseValue, 2.5.databaseValue, "a\0b".databaseValue,
            ] {
                var captured: [CapturedValue] = []
                try db.makeStatement(sql: "SELECT ?").captured(value) { captured = [$0] }
                #expect(captured.keyBytes == KeyBytes.encode([value]))
            }
        }
    }

    @Test(.proves("SYN-065"))
    func `a row with NULL in its key has no note that is read`() throws {
        let fixture = try CaptureFixture(
            "CREATE TABLE t (k TEXT PRIMARY KEY, v);", [SyncedTable("t")])
        try fixture.write { db throws in
            #expect(
                try fixture.words(db, "INSERT INTO t VALUES (NULL, 1), ('a', 1)") == [
                    "t 'a': inserted"
                ])
        }
    }

    @Test(.proves("SYN-075"))
    func `times are those of the device's clock`() throws {
        let fixture = try CaptureFixture(Self.player, [SyncedTable("player")])
        func now() -> Int64 { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) }
        try fixture.write { db throws in
            let start = now()
            try db.execute(sql: "INSERT INTO player (id) VALUES ('a')")
            let time = try #require(try fixture.taken(db).first?.inserted)
            // The Julian day is exact to less than a millisecond.
            #expect(time >= start - 1 && time <= now() + 1)
            // A clock in the year 2150, and one in 1970.
            for (day, expected) in [(2_506_331.5, 5_680_281_600_000), (2_440_587.5, 0)]
                as [(Double, Int64)]
            {
                #expect(NoteTime.milliseconds(julianDay: day) == expected)
                #expect(NoteTime.julianDay(milliseconds: expected) == day)
            }
            #expect(NoteTime.milliseconds(julianDay: .infinity) == 0)
        }
    }
}

extension Statement {
    /// The value as SQLite gives it back.
    fileprivate func captured(_ value: DatabaseValue, _ body: (CapturedValue) -> Void) throws {
        setUncheckedArguments([value])
        while try step() { body(CapturedValue(sqliteStatement, 0)) }
    }
}
