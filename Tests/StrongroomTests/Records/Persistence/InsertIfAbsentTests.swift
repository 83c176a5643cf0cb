import Strongroom
import StrongroomTestSupport
import Testing

/// Records that are inserted where no row is in the way.
@Suite struct InsertIfAbsentTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    struct Player: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
        var id: Int64?
        var name: String?
        var email: String

        mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }

    struct Word: Codable, PersistableRecord {
        var text: String
    }

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE player (
                        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (name <> ''),
                        email TEXT NOT NULL UNIQUE);
                    CREATE TABLE word (text TEXT PRIMARY KEY) WITHOUT ROWID;
                    CREATE TABLE log (id INTEGER PRIMARY KEY);
                    CREATE TRIGGER tried BEFORE INSERT ON player BEGIN
                        INSERT INTO log VALUES (NULL);
                    END;
                    INSERT INTO player VALUES (5, 'Arthur', 'a@example.com');
                    """)
        }
    }

    @Test(.proves("REC-082"))
    func `A record is inserted once, and the row in the way stays`() throws {
        try queue.write { db throws in
            var arthur = Player(name: "Arthur", email: "b@example.com")
            #expect(try !arthur.insertIfAbsent(db))
            #expect(arthur.id == nil)
            #expect(try !arthur.insertIfAbsent(db, onConflict: ["name"]))
            var barbara = Player(name: "Barbara", email: "b@example.com")
            #expect(try barbara.insertIfAbsent(db))
            #expect(barbara.id == 6)
            #expect(
                try Player.order(\.id).fetchAll(db) == [
                    Player(id: 5, name: "Arthur", email: "a@example.com"), barbara,
                ])
            #expect(try Word(text: "so").insertIfAbsent(db))
            #expect(try !Word(text: "so").insertIfAbsent(db))
            #expect(try Word.fetchCount(db) == 1)
        }
    }

    @Test(.proves("REC-082"))
    func `What is not the uniqueness that was asked for throws`() throws {
        try queue.write { db throws in
            let wrong: [(Player, [String], ResultCode)] = [
                (Player(name: nil, email: "c"), [], .SQLITE_CONSTRAINT_NOTNULL),
                (Player(name: "", email: "c"), ["name"], .SQLITE_CONSTRAINT_CHECK),
                (Player(name: "Arthur", email: "c"), ["email"], .SQLITE_CONSTRAINT_UNIQUE),
            ]
            for (player, target, code) in wrong {
                var player = player
                let error = #expect(throws: DatabaseError.self) {
                    try player.insertIfAbsent(db, onConflict: target)
                }
                #expect(error?.extendedResultCode == code)
            }
            var craig = Player(name: "Craig", email: "c")
            #expect(throws: DatabaseError.self) {
                try craig.insertIfAbsent(db, onConflict: ["missing"])
            }
            #expect(try Player.fetchCount(db) == 1)
        }
    }
}

extension InsertIfAbsentTests.Player {
    enum Columns {
        static let id = Column("id")
    }
}
