import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Records of a table: all of them, those of requests, SQL and statements, and those of keys.
@Suite struct KeyFetchingTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    struct Player: Codable, Hashable, Identifiable, FetchableRecord, PersistableRecord {
        var id: Int64
        var name: String
        var email: String?
    }

    struct Visit: Codable, Hashable, FetchableRecord, PersistableRecord {
        var country: String
        var citizen: Int
    }

    static let arthur = Player(id: 1, name: "Arthur", email: "arthur@example.com")
    static let barbara = Player(id: 2, name: "Barbara", email: nil)

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT, email TEXT UNIQUE);
                    CREATE TABLE visit(country TEXT, citizen INT, PRIMARY KEY (country, citizen));
                    INSERT INTO visit VALUES ('FR', 1), ('DE', 1);
                    """)
            try Self.arthur.insert(db)
            try Self.barbara.insert(db)
        }
    }

    @Test(.proves("REC-052", "REC-062", "STM-014", "STM-050", "ROW-001", "ROW-031"))
    func `The four verbs fetch from tables, requests, SQL and statements`() throws {
        let both = [Self.arthur, Self.barbara]
        let sql = "SELECT * FROM player ORDER BY id"
        try queue.read { db throws in
            let cursor: RecordCursor<Player> = try Player.fetchCursor(db)
            #expect(try Array(cursor) == both)
            #expect(try Player.fetchAll(db) == both)
            #expect(try Player.fetchSet(db) == Set(both))
            #expect(try Player.fetchOne(db) == both[0])
            let request = Player.order(Column("id"))
            #expect(try Array(request.fetchCursor(db)) == both)
            #expect(try request.fetchAll(db) == both && Player.fetchAll(db, request) == both)
            #expect(try request.fetchSet(db) == Set(both))
            #expect(try request.fetchOne(db) == both[0] && Player.fetchOne(db, request) == both[0])
            #expect(try Array(Player.fetchCursor(db, sql: sql)) == both)
            #expect(try Player.fetchAll(db, sql: sql) == both)
            #expect(try Player.fetchSet(db, sql: sql) == Set(both))
            #expect(try Player.fetchOne(db, sql: sql) == both[0])
            let statement = try db.makeStatement(sql: sql)
            #expect(try Array(Player.fetchCursor(statement)) == both)
            #expect(try Player.fetchAll(statement) == both)
            #expect(try Player.fetchSet(statement) == Set(both))
            #expect(try Player.fetchOne(statement) == both[0])
            #expect(try Player.none().fetchOne(db) == nil)
        }
    }

    @Test(.proves("REC-053", "REC-067", "UTL-004"))
    func `Records are fetched by their ids`() throws {
        try queue.read { db throws in
            #expect(try Array(Player.fetchCursor(db, ids: [1])) == [Self.arthur])
            #expect(try Set(Player.fetchAll(db, ids: [1, 2, 3])) == [Self.arthur, Self.barbara])
            #expect(try Player.fetchSet(db, ids: [2]) == [Self.barbara])
            #expect(try Player.fetchOne(db, id: 2) == Self.barbara)
            #expect(try Player.fetchOne(db, id: 3) == nil)
            #expect(try Player.find(db, id: 1) == Self.arthur)
            let error = #expect(throws: RecordError.self) { try Player.find(db, id: 3) }
            #expect(error?.description == "Key not found in table player: [id:3]")
        }
    }

    @Test(.proves("REC-054", "REC-058"))
    func `Records are fetched by values and dictionaries of keys`() throws {
        try queue.read { db throws in
            let sql = try db.capturedSQL { () throws in
                #expect(try Player.fetchOne(db, key: 1) == Self.arthur)
                #expect(try Player.fetchOne(db, key: 2) == Self.barbara)
            }
            #expect(
                sql == [
                    #"SELECT * FROM "player" WHERE "id" = 1"#,
                    #"SELECT * FROM "player" WHERE "id" = 2"#,
                ])
            #expect(try Array(Player.fetchCursor(db, keys: [1])) == [Self.arthur])
            #expect(try Player.fetchAll(db, keys: [2, 7]) == [Self.barbara])
            #expect(try Player.fetchSet(db, keys: [1, 2]).count == 2)
            #expect(try Player.find(db, key: 2) == Self.barbara)
            let email: [String: (any DatabaseValueConvertible)?] = ["EMAIL": Self.arthur.email]
            #expect(try Player.fetchOne(db, key: email) == Self.arthur)
            #expect(
                try Player.find(db, key: ["email": Self.arthur.email, "name": "Arthur"])
                    == Self.arthur)
            #expect(try Player.fetchOne(db, key: ["email": nil]) == Self.barbara)
            #expect(try Array(Player.fetchCursor(db, keys: [email])) == [Self.arthur])
            #expect(try Player.fetchAll(db, keys: [email, ["id": 2]]).count == 2)
            #expect(try Player.fetchSet(db, keys: [email, ["rowid": 1]]) == [Self.arthur])
            #expect(try Visit.fetchOne(db, key: ["citizen": 1, "country": "DE"])?.country == "DE")
            #expect(throws: RecordError.self) { try Player.find(db, key: ["id": 9]) }
        }
    }

    @Test(.proves("REC-055"))
    func `A key that is none is an error, and no crash`() throws {
        try queue.read { db throws in
            let error = #expect(throws: DatabaseError.self) {
                try Player.fetchOne(db, key: ["score": 1])
            }
            #expect(error?.message == "table player has no unique key on column(s) score")
            #expect(error?.resultCode == .SQLITE_MISUSE)
            #expect(throws: DatabaseError.self) {
                try Player.fetchAll(db, keys: [["name": "Arthur"]])
            }
            #expect(throws: DatabaseError.self) { try Visit.fetchOne(db, key: "FR") }
            #expect(throws: DatabaseError.self) { try Visit.fetchOne(db, key: ["country": "FR"]) }
        }
    }

    @Test(.proves("REC-057")) func `A nil key is the key of nothing`() throws {
        let noKey: Int64? = nil
        let noKeys: [String: (any DatabaseValueConvertible)?]? = nil
        try queue.read { db throws in
            #expect(try Player.fetchOne(db, key: noKey) == nil)
            #expect(try Player.fetchOne(db, key: noKeys) == nil)
            #expect(try Player.fetchAll(db, keys: [noKey]) == [])
            #expect(throws: RecordError.self) { try Player.find(db, key: noKey) }
            #expect(try !Player.exists(db, key: noKey))
        }
    }

    @Test(.proves("REC-059", "REC-060"))
    func `Tables are counted and changed, as a whole and by keys`() throws {
        try queue.write { db throws in
            #expect(try Player.fetchCount(db) == 2)
            let sql = try db.capturedSQL { () throws in #expect(try Player.exists(db, id: 1)) }
            #expect(sql.first?.hasPrefix("SELECT EXISTS (SELECT") == true)
            #expect(try Player.exists(db, key: 2) && !Player.exists(db, key: ["email": "x"]))
            #expect(try Player.updateAll(db, [Column("name").set(to: "X")]) == 2)
            #expect(try Player.updateAll(db, onConflict: .ignore, Column("id").set(to: 1)) == 1)
            #expect(try Player.deleteOne(db, id: 1) && !Player.deleteOne(db, id: 1))
            #expect(try Visit.deleteOne(db, key: ["country": "FR", "citizen": 1]))
            #expect(try Visit.deleteAll(db, keys: [["country": "DE", "citizen": 1]]) == 1)
            #expect(try Player.deleteOne(db, key: 2) && Player.deleteAll(db, ids: [1, 2]) == 0)
            try Self.arthur.insert(db)
            #expect(try Player.deleteAll(db, keys: [1]) == 1)
            try Self.arthur.insert(db)
            #expect(try Player.deleteAll(db) == 1)
        }
    }

    @Test(.proves("REC-061")) func `The errors of missing records are there for the asking`() throws
    {
        try queue.read { db throws in
            for error in [
                Player.recordNotFound(db, id: 1), Player.recordNotFound(db, key: 1),
                Player.recordNotFound(key: ["id": 1]), Self.arthur.recordNotFound(db),
            ] {
                let text = (error as? RecordError)?.description
                #expect(text == "Key not found in table player: [id:1]")
            }
            #expect(
                (Visit(country: "FR", citizen: 1).recordNotFound(db) as? RecordError)?.description
                    == #"Key not found in table visit: [citizen:1 country:"FR"]"#)
        }
    }

    @Test(.proves("ROW-004")) func `A record may keep its row`() throws {
        struct Keeper: FetchableRecord {
            let row: Row
            let copy: Row
            init(row: Row) { (self.row, copy) = (row, row.copy()) }
        }
        try queue.read { db throws in
            let cursor = try Keeper.fetchCursor(db, sql: "SELECT name FROM player ORDER BY id")
            let first = try #require(try cursor.next())
            let second = try #require(try cursor.next())
            #expect(first.row == ["name": "Arthur"] && first.copy == first.row)
            #expect(second.row == ["name": "Barbara"])
        }
    }

    @Test func `Plans follow the schema and attached databases`() throws {
        try queue.write { db throws in
            #expect(try Player.fetchOne(db, key: 1) == Self.arthur)
            try Self.arthur.update(db)
            // The same table, with another primary key.
            try db.execute(
                sql: """
                    DROP TABLE player;
                    CREATE TABLE player(id INT, name TEXT PRIMARY KEY, email TEXT);
                    """)
            try Self.arthur.insert(db)
            #expect(try Player.fetchOne(db, key: "Arthur") == Self.arthur)
            #expect(try Player.fetchOne(db, key: 1) == nil)
            var renumbered = Self.arthur
            renumbered.id = 7
            try renumbered.update(db)
            #expect(try Player.fetchAll(db) == [renumbered])
            // A temporary table hides it.
            try db.execute(
                sql: "CREATE TEMP TABLE player(id INTEGER PRIMARY KEY, name TEXT, email TEXT)")
            #expect(try Player.fetchOne(db, key: 7) == nil)
            try Self.barbara.insert(db)
            #expect(try Player.find(db, key: 2) == Self.barbara)
            try db.execute(sql: "DROP TABLE temp.player")
            #expect(try Player.fetchOne(db, key: "Arthur") == renumbered)
        }
    }
}
