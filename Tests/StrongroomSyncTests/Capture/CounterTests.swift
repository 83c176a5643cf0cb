import Strongroom
import StrongroomCore
import StrongroomSchema
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite struct CounterTests {
    private let fixture: CaptureFixture

    init() throws {
        fixture = try CaptureFixture(
            """
            CREATE TABLE player (id TEXT PRIMARY KEY NOT NULL, name TEXT, score INTEGER, hits INTEGER NOT NULL DEFAULT 0);
            INSERT INTO player VALUES ('a', 'x', 5, 1);
            """, [SyncedTable("player", merge: ["score": .counter, "hits": .counter])])
    }

    @Test(.proves("SYN-026"))
    func `counters note their differences, and nothing else has a value in the journal`() throws {
        try fixture.write { db throws in
            #expect(
                try fixture.words(db, "UPDATE player SET score = score + 2") == [
                    "player 'a': +score 2"
                ])
            #expect(
                try fixture.words(
                    db,
                    "UPDATE player SET score = 10, name = 'y'; UPDATE player SET score = score - 4, hits = 2"
                )
                    == ["player 'a': name +score -1 +hits 1"])
            #expect(
                try fixture.words(db, "UPDATE player SET score = NULL") == ["player 'a': +score -6"]
            )
            // NULL counts as nothing.
            #expect(try fixture.words(db, "UPDATE player SET score = 0") == [])
            #expect(
                try fixture.words(db, "INSERT INTO player VALUES ('secretkey', 'secretname', 7, 0)")
                    == ["player 'secretkey': inserted +score 7"])
            try db.execute(sql: "UPDATE player SET name = 'secretvalue'")
            let texts = try String.fetchAll(
                db,
                sql: "SELECT note || ' ' || ifnull(mask, '') || time FROM strongroom_sync_journal")
            #expect(texts.count == 2 && !texts.joined().contains("secret"))
            #expect(
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM pragma_table_info('strongroom_sync_journal')")
                    == 6)
        }
    }

    @Test(.proves("SYN-026"))
    func `a row that begins anew counts from nothing`() throws {
        try fixture.write { db throws in
            #expect(
                try fixture.words(
                    db, "UPDATE player SET score = 9; REPLACE INTO player VALUES ('a', 'n', 4, 0)")
                    == ["player 'a': inserted +score 4"])
            #expect(
                try fixture.words(
                    db, "DELETE FROM player; INSERT INTO player VALUES ('a', 'n', 3, 1)")
                    == ["player 'a': deleted inserted +score 3 +hits 1"])
            #expect(
                try fixture.words(db, "UPDATE player SET id = 'b', score = score + 1").sorted()
                    == ["player 'a': deleted", "player 'b': inserted +score 4 +hits 1"])
        }
    }

    @Test(.proves("SYN-026", "SYN-050"))
    func `what cannot be added up is an error of the writer`() throws {
        try fixture.write { db throws in
            for sql in [
                "UPDATE player SET score = 'many'", "UPDATE player SET score = 1.5",
                "UPDATE player SET score = x'00'",
                "INSERT INTO player VALUES ('b', 'n', 'many', 0)",
                "INSERT OR IGNORE INTO player VALUES ('b', 'n', 0.5, 0)",
                "REPLACE INTO player VALUES ('a', 'n', 0.5, 0)",
            ] {
                let error = DatabaseError.thrown { try db.execute(sql: sql) }
                #expect(
                    error?.message?.contains("the counter player.score takes integers") == true,
                    "\(sql)")
            }
            #expect(try fixture.taken(db).isEmpty)
            #expect(try String.fetchAll(db, sql: "SELECT id || score FROM player") == ["a5"])
            // From end to end is more than 64 bits: in one step an error, in two exact.
            try db.execute(
                sql:
                    "UPDATE player SET score = 0; UPDATE player SET score = -9223372036854775807 - 1"
            )
            let message = DatabaseError.thrown {
                try db.execute(sql: "UPDATE player SET score = 9223372036854775807")
            }?.message
            #expect(message?.contains("changes of 64 bits") == true)
            try db.execute(
                sql:
                    "UPDATE player SET score = -1; UPDATE player SET score = 0; UPDATE player SET score = 9223372036854775807"
            )
            try Journal.mergeNotes(db)
            #expect(
                try fixture.words(db, fixture.taken(db)) == [
                    "player 'a': +score 9223372036854775802"
                ])
            try db.execute(
                sql:
                    "UPDATE player SET score = 0; UPDATE player SET score = -9223372036854775807 - 1"
            )
            try Journal.mergeNotes(db)
            #expect(
                try fixture.words(db, fixture.taken(db)) == [
                    "player 'a': +score -18446744073709551615"
                ])
        }
    }
}
