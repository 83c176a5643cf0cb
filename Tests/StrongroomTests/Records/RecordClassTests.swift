import Strongroom
import StrongroomTestSupport
import Testing

/// The base class that knows whether a record differs from its row.
@Suite struct RecordClassTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    class Player: Record {
        var id: Int64?
        var name: String
        var score: Int
        var calls: [String] = []

        init(id: Int64? = nil, name: String, score: Int = 0) {
            (self.id, self.name, self.score) = (id, name, score)
            super.init()
        }

        required init(row: Row) throws {
            id = row["id"]
            name = row["name"]
            score = row["score"] ?? 0
            try super.init(row: row)
        }

        override class var databaseTableName: String { "player" }

        override func encode(to container: inout PersistenceContainer) throws {
            container["id"] = id
            container["name"] = name
            container["score"] = score
        }

        override func willSave(_ db: Database) throws {
            calls.append("willSave")
            try super.willSave(db)
        }
        override func willInsert(_ db: Database) throws {
            calls.append("willInsert")
            try super.willInsert(db)
        }
        override func didInsert(_ inserted: InsertionSuccess) {
            calls.append("didInsert")
            super.didInsert(inserted)
            id = inserted.rowID
        }
        override func aroundUpdate(
            _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
        ) throws {
            calls.append("aroundUpdate \(columns.sorted().joined(separator: ","))")
            try super.aroundUpdate(db, columns: columns, update: update)
        }
        override func didSave(_ saved: PersistenceSuccess) {
            calls.append("didSave")
            super.didSave(saved)
        }
        override func didDelete(deleted: Bool) {
            calls.append("didDelete \(deleted)")
            super.didDelete(deleted: deleted)
        }
    }

    final class Champion: Player {
        override class var databaseTableName: String { "champion" }
        override class var persistenceConflictPolicy: PersistenceConflictPolicy {
            PersistenceConflictPolicy(insert: .replace)
        }
        override class var databaseSelection: [any SQLSelectable] {
            [Column("id"), Column("name")]
        }
    }

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            for table in ["player", "champion"] {
                try db.execute(
                    sql: "CREATE TABLE \(table)(id INTEGER PRIMARY KEY, name TEXT, score INT)")
            }
        }
    }

    @Test(.proves("REC-075", "REC-077"))
    func `Subclasses are fetched and written, each in its table`() throws {
        try queue.write { db throws in
            let player = Player(name: "Arthur")
            try player.insert(db)
            #expect(player.id == 1)
            #expect(player.calls == ["willSave", "willInsert", "didInsert", "didSave"])
            // The static type is that of the base class.
            let champion: Player = Champion(name: "Barbara")
            try champion.insert(db)
            try Champion(id: 1, name: "Craig").insert(db)
            #expect(try Player.fetchAll(db).map(\.name) == ["Arthur"])
            #expect(try Champion.fetchAll(db).map(\.name) == ["Craig"])
            let sql = try db.capturedSQL { _ = try Champion.fetchOne(db, key: 1) }
            #expect(sql == [#"SELECT "id", "name" FROM "champion" WHERE "id" = 1"#])
            player.calls = []
            player.name = "Danielle"
            try player.save(db)
            #expect(player.calls == ["willSave", "aroundUpdate id,name,score", "didSave"])
            #expect(try player.delete(db) && player.calls.last == "didDelete true")
            #expect(Record.persistenceConflictPolicy.conflictResolutionForInsert == .abort)
        }
    }

    @Test(.proves("REC-076")) func `A record knows what has changed since it had a row`() throws {
        try queue.write { db throws in
            let player = Player(name: "Arthur")
            #expect(player.hasDatabaseChanges)
            #expect(try player.databaseChanges == ["id": .none, "name": .none, "score": .none])
            try player.insert(db)
            #expect(try !player.hasDatabaseChanges && player.databaseChanges.isEmpty)
            player.name = "Barbara"
            #expect(try player.databaseChanges == ["name": "Arthur".databaseValue])
            player.name = "Arthur"
            #expect(!player.hasDatabaseChanges)
            #expect(try !player.updateChanges(db))
            player.score = 1
            player.calls = []
            #expect(try player.updateChanges(db) && !player.hasDatabaseChanges)
            #expect(player.calls == ["willSave", "aroundUpdate score", "didSave"])
            let fetched = try Player.find(db, key: 1)
            #expect(!fetched.hasDatabaseChanges && fetched.score == 1)
            let partial = try #require(try Player.fetchOne(db, sql: "SELECT id, name FROM player"))
            #expect(try partial.databaseChanges == ["score": .none])
            #expect(try fetched.delete(db) && fetched.hasDatabaseChanges)
        }
    }

    @Test(.proves("REC-078")) func `A subclass must name its table`() async {
        await #expect(processExitsWith: .failure) {
            class Nameless: Record {}
            _ = Nameless.databaseTableName
        }
    }
}
