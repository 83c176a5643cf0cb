import Strongroom
import StrongroomTestSupport
import Testing

/// Records that are inserted: one at a time, in each way.
@Suite struct InsertTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    struct Player: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
        var id: Int64?
        var name: String
        var score: Int?

        enum Columns {
            static let id = Column("id")
            static let name = Column("name")
            static let score = Column("score")
            static let double = Column("double")
        }

        mutating func didInsert(_ inserted: InsertionSuccess) {
            id = inserted.rowID
        }
    }

    /// The same table, with the columns that the database fills.
    struct StoredPlayer: Codable, Equatable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "player"
        var id: Int64
        var name: String
        var score: Int
        var double: Int?
    }

    struct PlayerName: Codable, PersistableRecord {
        static let databaseTableName = "player"
        var name: String
    }

    struct Citizenship: Codable, Equatable, FetchableRecord, PersistableRecord {
        var country: String
        var citizen: Int?
        var since: Int?
    }

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE player(
                        id INTEGER PRIMARY KEY, name TEXT UNIQUE, score INT DEFAULT 10,
                        double INT GENERATED ALWAYS AS (score * 2));
                    CREATE TABLE citizenship(
                        country TEXT NOT NULL, citizen INT NOT NULL, since INT,
                        PRIMARY KEY (country, citizen)) WITHOUT ROWID;
                    CREATE TABLE log(id INTEGER PRIMARY KEY, text TEXT);
                    CREATE TRIGGER logged AFTER INSERT ON player BEGIN
                        INSERT INTO log VALUES (1000 + NEW.id, NEW.name);
                    END;
                    """)
        }
    }

    @Test(.proves("REC-013", "REC-015", "REC-080"))
    func `An insertion lists all columns and gives the record its number`() throws {
        try queue.write { db throws in
            var player = Player(id: nil, name: "Arthur", score: nil)
            let sql = try db.capturedSQL { try player.insert(db) }
            #expect(
                sql.first == """
                    INSERT INTO "player" ("id", "name", "score") VALUES (NULL,'Arthur',NULL)
                    """)
            // The trigger has inserted another row, elsewhere, in between.
            #expect(player.id == 1)
            #expect(try Int.fetchOne(db, sql: "SELECT id FROM log") == 1001)
            var other = Player(id: 12, name: "Barbara", score: 3)
            try other.insert(db)
            #expect(try Player.fetchAll(db, sql: "SELECT * FROM player") == [player, other])
        }
    }

    @Test(.proves("REC-013", "REC-014", "REC-004"))
    func `Records that do not change are inserted too, as constants`() throws {
        try queue.write { db throws in
            try PlayerName(name: "Arthur").insert(db)
            #expect(try Int.fetchOne(db, sql: "SELECT score FROM player") == 10)
            let player = try Player(id: nil, name: "Barbara", score: 1).inserted(db)
            #expect(player.id == 2)
            #expect(try Player.fetchOne(db, key: 2) == player)
        }
    }

    @Test(.proves("REC-016", "REC-034"))
    func `What is known of an insertion is told`() throws {
        struct Watched: Encodable, MutablePersistableRecord {
            static let databaseTableName = "player"
            var name: String
            var inserted: InsertionSuccess?

            enum CodingKeys: String, CodingKey { case name }

            mutating func didInsert(_ inserted: InsertionSuccess) { self.inserted = inserted }
        }
        struct WatchedCitizenship: Encodable, MutablePersistableRecord {
            static let databaseTableName = "citizenship"
            var country: String
            var citizen: Int
            var inserted: InsertionSuccess?

            enum CodingKeys: String, CodingKey { case country, citizen }

            mutating func didInsert(_ inserted: InsertionSuccess) { self.inserted = inserted }
        }
        try queue.write { db throws in
            var player = Watched(name: "Arthur")
            try player.insert(db)
            #expect(player.inserted?.rowID == 1)
            #expect(player.inserted?.rowIDColumn == "id")
            #expect(player.inserted?.persistenceContainer.map(\.0) == ["name", "id"])
            var citizenship = WatchedCitizenship(country: "FR", citizen: 1)
            try citizenship.insert(db)
            #expect(citizenship.inserted != nil && citizenship.inserted?.rowIDColumn == nil)
        }
    }

    @Test(.proves("REC-017", "REC-069"))
    func `An insertion fetches what the database has added`() throws {
        try queue.write { db throws in
            let name = PlayerName(name: "Arthur")
            let sql = try db.capturedSQL {
                let player = try name.insertAndFetch(db, as: StoredPlayer.self)
                #expect(player == StoredPlayer(id: 1, name: "Arthur", score: 10, double: 20))
            }
            #expect(sql.first == #"INSERT INTO "player" ("name") VALUES ('Arthur') RETURNING *"#)
            let player = Player(id: nil, name: "Barbara", score: 3)
            #expect(
                try player.insertAndFetch(db) == Player(id: 2, name: "Barbara", score: 3))
            var variable = Player(id: nil, name: "Craig", score: 4)
            let stored = try variable.insertAndFetch(db, as: StoredPlayer.self)
            #expect(stored.double == 8 && variable.id == 3)
        }
    }

    @Test(.proves("REC-018"))
    func `An insertion fetches the columns that are asked for`() throws {
        try queue.write { db throws in
            var player = Player(id: nil, name: "Arthur", score: 3)
            let score = try player.insertAndFetch(db, selection: [Column("double")]) {
                try Int.fetchOne($0)
            }
            #expect(score == 6 && player.id == 1)
            let row = try Player(id: nil, name: "Barbara", score: 5).inserted(db)
            #expect(row.id == 2)
            var other = Player(id: nil, name: "Craig", score: 7)
            let double = try other.insertAndFetch(db) { statement in
                try Int.fetchOne(statement)
            } select: {
                [$0.double]
            }
            #expect(double == 14)
            let name = PlayerName(name: "Danielle")
            #expect(
                try name.insertAndFetch(
                    db, selection: [Column.rowID], fetch: { try Int.fetchOne($0) }) == 4)
        }
    }

    @Test(.proves("REC-018")) func `To select nothing is a fatal error`() async {
        await #expect(processExitsWith: .failure) {
            try DatabaseQueue().write { db in
                try db.execute(sql: "CREATE TABLE player(name TEXT)")
                _ = try PlayerName(name: "").insertAndFetch(db, selection: []) { _ in 0 }
            }
        }
    }

    @Test(.proves("REC-019"))
    func `A row that is left out for a conflict cannot be fetched`() throws {
        try queue.write { db throws in
            var player = Player(id: nil, name: "Arthur", score: 3)
            try player.insert(db)
            var twin = Player(id: nil, name: "Arthur", score: 4)
            #expect(throws: RecordError.self) {
                try twin.insertAndFetch(db, onConflict: .ignore, as: Player.self)
            }
            let ids = try twin.insertAndFetch(
                db, onConflict: .ignore, selection: [Column("id")]
            ) { try Int.fetchAll($0) }
            #expect(ids.isEmpty)
            // Nothing is said of the number that it gets.
            try twin.insert(db, onConflict: .ignore)
            #expect(twin.id != nil)
            #expect(try Player.fetchCount(db) == 1)
        }
    }

    @Test(.proves("REC-064", "REC-065"))
    func `The conflict policy is that of the type, or of the call`() throws {
        struct Replacing: Codable, PersistableRecord {
            static let databaseTableName = "player"
            static let persistenceConflictPolicy = PersistenceConflictPolicy(
                insert: .replace, update: .replace)
            var id: Int64
            var name: String
        }
        #expect(Player.persistenceConflictPolicy.conflictResolutionForInsert == .abort)
        #expect(Player.persistenceConflictPolicy.conflictResolutionForUpdate == .abort)
        try queue.write { db throws in
            let sql = try db.capturedSQL {
                try Replacing(id: 1, name: "Arthur").insert(db)
                try Replacing(id: 1, name: "Barbara").insert(db)
                try Replacing(id: 1, name: "Craig").update(db)
                try Replacing(id: 1, name: "Danielle").update(db, onConflict: .abort)
                try Replacing(id: 2, name: "Eugene").insert(db, onConflict: .ignore)
            }.filter { !$0.contains("log") }
            #expect(
                sql == [
                    #"INSERT OR REPLACE INTO "player" ("id", "name") VALUES (1,'Arthur')"#,
                    #"INSERT OR REPLACE INTO "player" ("id", "name") VALUES (1,'Barbara')"#,
                    #"UPDATE OR REPLACE "player" SET "name"='Craig' WHERE "id"=1"#,
                    #"UPDATE "player" SET "name"='Danielle' WHERE "id"=1"#,
                    #"INSERT OR IGNORE INTO "player" ("id", "name") VALUES (2,'Eugene')"#,
                ])
            #expect(try String.fetchAll(db, sql: "SELECT name FROM player ORDER BY id").count == 2)
            #expect(throws: DatabaseError.self) {
                try Replacing(id: 1, name: "").insert(db, onConflict: .abort)
            }
        }
    }

    @Test func `A record without columns is a row of defaults`() throws {
        struct Nothing: Codable, PersistableRecord {
            static let databaseTableName = "player"
        }
        try queue.write { db throws in
            try Nothing().insert(db)
            #expect(
                try Row.fetchOne(db, sql: "SELECT id, score FROM player") == ["id": 1, "score": 10])
        }
    }

    @Test(.proves("REC-035"))
    func `A table without explicit key is keyed by its row numbers`() throws {
        struct Note: Codable, FetchableRecord, MutablePersistableRecord {
            static var databaseSelection: [any SQLSelectable] { [.allColumns, .rowID] }
            var rowid: Int64?
            var text: String

            mutating func didInsert(_ inserted: InsertionSuccess) { rowid = inserted.rowID }
        }
        struct Anonymous: Codable, PersistableRecord {
            static let databaseTableName = "note"
            var text: String
        }
        try queue.write { db throws in
            try db.execute(sql: "CREATE TABLE note(text TEXT)")
            var note = Note(text: "a")
            try note.insert(db)
            #expect(note.rowid == 1)
            note.text = "b"
            try note.update(db)
            #expect(try Note.fetchOne(db, key: 1)?.text == "b")
            try note.save(db)
            #expect(try note.delete(db))
            let anonymous = Anonymous(text: "c")
            #expect(throws: RecordError.self) { try anonymous.update(db) }
            try anonymous.save(db)
            try anonymous.save(db)
            #expect(try Note.fetchCount(db) == 2)
        }
    }
}
