import Strongroom
import StrongroomTestSupport
import Testing

/// Updates that name columns, some of which the record, or the table, has not.
@Suite struct UnknownColumnTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    final class Log: @unchecked Sendable {
        // Safety: the database accesses of one test follow each other.
        var columns: [Set<String>] = []
    }

    /// A record of two of the three columns of its table.
    struct Player: Encodable, PersistableRecord {
        var id: Int64
        var name: String
        var log = Log()

        enum CodingKeys: String, CodingKey { case id, name }

        func willUpdate(_ db: Database, columns: Set<String>) throws {
            log.columns.append(columns)
        }
    }

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT, score INTEGER);
                    INSERT INTO player VALUES (1, 'Arthur', 5)
                    """)
        }
    }

    @Test(.proves("CMP-93"))
    func `Columns that the record does not have are left out`() throws {
        try queue.write { db throws in
            let player = Player(id: 1, name: "Craig")
            let sql = try db.capturedSQL {
                try player.update(db, columns: ["NAME", "updatedAt"])
                try player.update(db, columns: [Column("updatedAt"), Column("score")])
                try player.update(db) { _ in [Column("updatedAt")] }
            }
            #expect(
                sql == [
                    #"UPDATE "player" SET "name"='Craig' WHERE "id"=1"#,
                    #"UPDATE "player" SET "id"=1 WHERE "id"=1"#,
                    #"UPDATE "player" SET "id"=1 WHERE "id"=1"#,
                ])
            #expect(try Row.fetchOne(db, sql: "SELECT * FROM player")?["score"] == 5)
            let names = try player.updateAndFetch(
                db, columns: ["updatedAt"], selection: [Column("score")]
            ) { try Int.fetchOne($0) }
            #expect(names == 5)
        }
    }

    @Test(.proves("CMP-93"))
    func `Without a row, an update of columns that the record does not have finds none`() throws {
        try queue.write { db throws in
            #expect(throws: RecordError.self) {
                try Player(id: 2, name: "").update(db, columns: ["updatedAt"])
            }
            #expect(throws: RecordError.self) {
                try Player(id: 2, name: "").update(db, columns: ["name", "updatedAt"])
            }
        }
    }

    @Test(.proves("CMP-91"))
    func `A full update tells its callbacks all columns of the table`() throws {
        try queue.write { db throws in
            let player = Player(id: 1, name: "Craig")
            try player.update(db)
            try player.save(db)
            try player.update(db, columns: ["name"])
            #expect(
                player.log.columns == [
                    ["id", "name", "score"], ["id", "name", "score"], ["name"],
                ])
        }
    }
}
