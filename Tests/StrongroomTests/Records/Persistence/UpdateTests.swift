import Strongroom
import StrongroomTestSupport
import Testing

/// Records whose rows are updated, saved, upserted, deleted and looked for.
@Suite struct UpdateTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    struct Player: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
        var id: Int64?
        var name: String
        var score: Int

        enum Columns {
            static let id = Column("id")
            static let name = Column("name")
            static let score = Column("score")
        }

        mutating func didInsert(_ inserted: InsertionSuccess) {
            id = inserted.rowID
        }
    }

    struct Membership: Codable, Equatable, FetchableRecord, PersistableRecord {
        var club: String
        var member: Int?
        var fee: Int?
    }

    struct Key: Codable, PersistableRecord {
        static let databaseTableName = "player"
        var id: Int64
    }

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT UNIQUE, score INT);
                    INSERT INTO player VALUES (1, 'Arthur', 100), (2, 'Barbara', 200);
                    CREATE TABLE membership(
                        club TEXT, member INT, fee INT, PRIMARY KEY (club, member));
                    INSERT INTO membership VALUES ('chess', 1, 10), ('chess', 2, 20);
                    CREATE TRIGGER counted BEFORE UPDATE ON player BEGIN
                        UPDATE membership SET fee = fee + 1;
                    END;
                    """)
        }
    }

    private func isNotFound(_ error: any Error, _ key: [String: DatabaseValue]) -> Bool {
        guard case RecordError.recordNotFound("player", key) = error else { return false }
        return true
    }

    @Test(.proves("REC-020", "REC-034"))
    func `An update writes all columns but the key`() throws {
        try queue.write { db throws in
            let sql = try db.capturedSQL {
                try Player(id: 1, name: "Craig", score: 7).update(db)
                try Membership(club: "chess", member: 2, fee: 5).update(db)
                try Key(id: 1).update(db)
            }.filter { !$0.contains("fee + 1") }
            #expect(
                sql == [
                    #"UPDATE "player" SET "name"='Craig', "score"=7 WHERE "id"=1"#,
                    #"UPDATE "membership" SET "fee"=5 WHERE "club"='chess' AND "member"=2"#,
                    #"UPDATE "player" SET "id"=1 WHERE "id"=1"#,
                ])
            #expect(try Player.fetchOne(db, key: 1) == Player(id: 1, name: "Craig", score: 7))
        }
    }

    @Test(.proves("REC-021")) func `An update writes the columns that are named`() throws {
        try queue.write { db throws in
            let player = Player(id: 1, name: "Craig", score: 7)
            let sql = try db.capturedSQL {
                try player.update(db, columns: ["SCORE"])
                try player.update(db, columns: [Column("score"), Column("name")])
                try player.update(db) { [$0.name] }
                try player.update(db, columns: ["id"])
            }.filter { !$0.contains("fee + 1") }
            #expect(
                sql == [
                    #"UPDATE "player" SET "score"=7 WHERE "id"=1"#,
                    #"UPDATE "player" SET "name"='Craig', "score"=7 WHERE "id"=1"#,
                    #"UPDATE "player" SET "name"='Craig' WHERE "id"=1"#,
                    #"UPDATE "player" SET "id"=1 WHERE "id"=1"#,
                ])
        }
    }

    @Test(.proves("REC-022")) func `Without a row there is nothing to update`() throws {
        try queue.write { db throws in
            let missing = #expect(throws: RecordError.self) {
                try Player(id: 3, name: "", score: 0).update(db)
            }
            #expect(missing.map { isNotFound($0, ["id": 3.databaseValue]) } == true)
            let keyless = #expect(throws: RecordError.self) {
                try Player(id: nil, name: "", score: 0).update(db)
            }
            #expect(keyless.map { isNotFound($0, ["id": .null]) } == true)
            #expect(throws: RecordError.self) {
                try Membership(club: "chess", member: nil).update(db)
            }
            #expect(throws: RecordError.self) {
                try Player(id: 3, name: "", score: 0).updateAndFetch(db)
            }
            #expect(throws: RecordError.self) {
                try Player(id: 3, name: "", score: 0)
                    .updateAndFetch(db, selection: [Column("id")]) { try Int.fetchOne($0)! }
            }
        }
    }

    @Test(.proves("REC-023", "REC-024"))
    func `Only changes are updated, if there are any`() throws {
        try queue.write { db throws in
            let arthur = Player(id: 1, name: "Arthur", score: 100)
            var player = arthur
            let sql = try db.capturedSQL { () throws in
                #expect(try !player.updateChanges(db, from: arthur))
                player.score = 101
                #expect(try player.updateChanges(db, from: arthur))
                #expect(try player.updateChanges(db, from: Key(id: 1)))
                #expect(try !player.updateChanges(db) { $0.score = 101 })
                #expect(try player.updateChanges(db) { $0.name = "Craig" })
                // There is no row, and nobody asks.
                #expect(
                    try !Player(id: 9, name: "", score: 0).updateChanges(
                        db, from: Player(id: 9, name: "", score: 0)))
            }.filter { !$0.contains("fee + 1") }
            #expect(
                sql == [
                    #"UPDATE "player" SET "score"=101 WHERE "id"=1"#,
                    #"UPDATE "player" SET "name"='Arthur', "score"=101 WHERE "id"=1"#,
                    #"UPDATE "player" SET "name"='Craig' WHERE "id"=1"#,
                ])
        }
    }

    @Test(.proves("REC-024")) func `A record keeps what was changed when the update fails`() throws
    {
        struct Failure: Error {}
        try queue.write { db throws in
            var player = Player(id: 9, name: "Zoe", score: 1)
            #expect(throws: RecordError.self) { try player.updateChanges(db) { $0.score = 2 } }
            #expect(player.score == 2)
            #expect(throws: Failure.self) {
                try player.updateChanges(db) {
                    $0.score = 3
                    throw Failure()
                }
            }
            #expect(player.score == 3)
        }
    }

    @Test(.proves("REC-025", "REC-026"))
    func `An update fetches what the row became`() throws {
        try queue.write { db throws in
            try db.execute(
                sql: "CREATE TRIGGER twice AFTER UPDATE OF name ON player BEGIN SELECT 1; END")
            var player = Player(id: 1, name: "Craig", score: 7)
            #expect(try player.updateAndFetch(db) == player)
            #expect(try player.updateAndFetch(db, as: Player.self) == player)
            #expect(
                try player.updateAndFetch(db, selection: [Column("score") * 2]) {
                    try Int.fetchOne($0)
                } == 14)
            #expect(
                try player.updateAndFetch(db, columns: ["score"], selection: [Column("name")]) {
                    try String.fetchOne($0)
                } == "Craig")
            #expect(
                try player.updateAndFetch(db) {
                    try String.fetchOne($0)
                } select: {
                    [$0.name]
                } == "Craig")
            #expect(try player.updateChangesAndFetch(db) { $0.score = 7 } == nil)
            #expect(try player.updateChangesAndFetch(db) { $0.score = 8 }?.score == 8)
            #expect(
                try player.updateChangesAndFetch(db, as: Player.self) { $0.score = 9 }?.score == 9)
            let score = try player.updateChangesAndFetch(
                db, selection: [Column("score")], fetch: { try Int.fetchOne($0) },
                modify: { $0.score = 10 })
            #expect(score == 10 && player.score == 10)
        }
    }

    @Test(.proves("REC-027", "REC-028"))
    func `Saving updates, or inserts where there is no row`() throws {
        try queue.write { db throws in
            var player = Player(id: nil, name: "Craig", score: 1)
            try player.save(db)
            #expect(player.id == 3)
            player.score = 2
            try player.save(db)
            var other = Player(id: 7, name: "Danielle", score: 3)
            let sql = try db.capturedSQL { try other.save(db) }.filter { !$0.contains("fee + 1") }
            #expect(
                sql == [
                    #"UPDATE "player" SET "name"='Danielle', "score"=3 WHERE "id"=7"#,
                    #"INSERT INTO "player" ("id", "name", "score") VALUES (7,'Danielle',3)"#,
                ])
            #expect(try Player(id: nil, name: "Eugene", score: 4).saved(db).id == 8)
            #expect(try player.saveAndFetch(db) == player)
            #expect(try player.saveAndFetch(db, as: Player.self) == player)
            let names = try player.saveAndFetch(db, selection: [Column("name")]) {
                try String.fetchAll($0)
            }
            #expect(names == ["Craig"])
            let membership = Membership(club: "go", member: 1, fee: 3)
            try membership.save(db)
            #expect(try membership.saveAndFetch(db, as: Membership.self) == membership)
            #expect(try Player.fetchCount(db) == 5)
        }
    }

    @Test(.proves("REC-032", "REC-033", "REC-034"))
    func `Records say whether they had a row, and whether they have one`() throws {
        try queue.write { db throws in
            let player = Player(id: 1, name: "", score: 0)
            #expect(try player.exists(db))
            let sql = try db.capturedSQL { () throws in #expect(try player.delete(db)) }
            #expect(sql == [#"DELETE FROM "player" WHERE "id"=1"#])
            #expect(try !player.exists(db))
            #expect(try !player.delete(db))
            #expect(try !Player(id: nil, name: "", score: 0).exists(db))
            #expect(try !Player(id: nil, name: "", score: 0).delete(db))
            let membership = Membership(club: "chess", member: 2)
            #expect(try membership.exists(db) && membership.delete(db))
            #expect(try Membership.fetchCount(db) == 1)
        }
    }

    @Test(.proves("REC-029", "REC-031"))
    func `An upsert inserts, or overwrites the row that is in the way`() throws {
        try queue.write { db throws in
            var player = Player(id: nil, name: "Barbara", score: 7)
            let sql = try db.capturedSQL { try player.upsert(db) }.filter {
                !$0.contains("fee + 1")
            }
            #expect(
                sql.first == """
                    INSERT INTO "player" ("id", "name", "score") VALUES (NULL,'Barbara',7) \
                    ON CONFLICT DO UPDATE SET "name" = "excluded"."name", \
                    "score" = "excluded"."score" RETURNING "rowid"
                    """)
            #expect(player.id == 2)
            var other = Player(id: nil, name: "Craig", score: 7)
            try other.upsert(db)
            #expect(other.id == 3)
            try Key(id: 3).upsert(db)
            try Membership(club: "chess", member: 1, fee: 99).upsert(db)
            #expect(try Membership.fetchOne(db, key: ["club": "chess", "member": 1])?.fee == 99)
            #expect(try Player.fetchAll(db).map(\.score) == [100, 7, 7])
        }
    }

    @Test(.proves("REC-030"))
    func `An upsert says what happens to the row that is in the way`() throws {
        try queue.write { db throws in
            var player = Player(id: nil, name: "Barbara", score: 7)
            #expect(try player.upsertAndFetch(db) == Player(id: 2, name: "Barbara", score: 7))
            #expect(player.id == 2)
            let sum = try player.upsertAndFetch(db, onConflict: ["id"]) { excluded in
                [Column("score") += excluded["score"]]
            }
            #expect(sum.score == 14)
            player.score = 1
            let kept = try player.upsertAndFetch(db, onConflict: ["id"]) { _ in
                [Column("score").noOverwrite]
            }
            #expect(kept.score == 14)
            player.name = "Bertha"
            let named = try player.upsertAndFetch(db, onConflict: ["id"]) { excluded in
                [Column("score").set(to: excluded[Column("score")] * 10)]
            }
            #expect(named == Player(id: 2, name: "Bertha", score: 10))
            #expect(try Key(id: 2).upsertAndFetch(db, as: Player.self) == named)
            #expect(throws: DatabaseError.self) {
                try player.upsertAndFetch(db, onConflict: ["score"])
            }
        }
    }
}
