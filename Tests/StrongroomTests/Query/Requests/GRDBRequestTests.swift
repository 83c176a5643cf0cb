import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Requests that came out otherwise than with GRDB.
@Suite struct GRDBRequestTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
                    CREATE TABLE player (
                        id INTEGER PRIMARY KEY, teamId INTEGER REFERENCES team, name TEXT, score INT);
                    CREATE VIEW best AS SELECT name, score FROM player WHERE score > 1;
                    INSERT INTO team VALUES (1, 'red'), (2, 'blue');
                    INSERT INTO player VALUES (1, 1, 'Arthur', 1), (2, 1, 'Barbara', 2),
                        (3, 2, 'Craig', 3);
                    """)
        }
    }

    struct Team: Codable, FetchableRecord, MutablePersistableRecord, Equatable {
        static let persistenceConflictPolicy = PersistenceConflictPolicy(
            insert: .replace, update: .ignore)
        static let players = hasMany(Player.self)
        var id: Int64
        var name: String
    }

    struct Player: Codable, FetchableRecord, TableRecord, Equatable {
        static let team = belongsTo(Team.self)
        var id: Int64
        var teamId: Int64
        var name: String
        var score: Int
    }

    private func sql(_ request: some FetchRequest) throws -> String {
        try queue.read { try request.makePreparedRequest($0, forSingleResult: false).statement.sql }
    }

    @Test(.proves("CMP-27"))
    func `Many rows are updated by the policy of the record type`() throws {
        try queue.write { db throws in
            #expect(try Team.updateAll(db, Column("name").set(to: "red")) == 1)
            #expect(try String.fetchAll(db, sql: "SELECT name FROM team") == ["red", "blue"])
            let request = Team.filter(Column("id") == 2)
            let statement = try request.updateAndFetchStatement(
                db, [Column("name").set(to: "red")], selection: [Column("id")])
            #expect(statement.sql.hasPrefix("UPDATE OR IGNORE"))
            #expect(try Table<Team>("team").updateAll(db, Column("name").set(to: "red")) == 1)
            #expect(throws: DatabaseError.self) {
                try Team.updateAll(db, onConflict: .abort, Column("name").set(to: "red"))
            }
            // A type without a policy, and rows of another type.
            #expect(throws: DatabaseError.self) {
                try Table("team").updateAll(db, Column("name").set(to: "red"))
            }
        }
    }

    @Test(.proves("CMP-28"))
    func `A table's keys have the form of the type of its rows`() throws {
        struct Event: Codable, FetchableRecord, EncodableRecord, Identifiable {
            var id: UUID

            static func databaseUUIDEncodingStrategy(
                for column: String
            ) -> DatabaseUUIDEncodingStrategy { .lowercaseString }
        }
        let (id, table) = (UUID(), Table<Event>("event"))
        try queue.write { db throws in
            try db.execute(sql: "CREATE TABLE event (id TEXT PRIMARY KEY)")
            try db.execute(
                sql: "INSERT INTO event VALUES (?)", arguments: [id.uuidString.lowercased()])
            #expect(try table.filter(id: id).fetchOne(db)?.id == id)
            #expect(try table.filter(ids: [id]).fetchCount(db) == 1)
            #expect(try table.filter(key: id).fetchCount(db) == 1)
            #expect(try table.exists(db, id: id))
            #expect(try table.deleteOne(db, id: id))
        }
    }

    @Test(.proves("CMP-29"))
    func `A comparison is collated by its left side`() throws {
        let name = Column("name")
        let conditions = [
            ["arthur", "craig"].contains(name).collating(.nocase),
            !["barbara"].contains(name).collating(.nocase),
            ["arthur", "craig"].contains(name.collating(.nocase)),
            (name != "barbara").collating(.nocase),
        ]
        for condition in conditions {
            let names = try queue.read { db in
                try String.fetchAll(db, Player.filter(condition).select(name).order(name))
            }
            #expect(names == ["Arthur", "Craig"])
        }
        #expect(try sql(Player.filter(conditions[0])).contains("(\"name\" COLLATE NOCASE) IN ("))
    }

    @Test(.proves("CMP-65"))
    func `A reversed ordering is also that of what is joined later`() throws {
        let id = Column("id")
        let team = Player.team.order(Column("name"))
        let later = Player.order(id).reversed().joining(required: team)
        #expect(try sql(later).hasSuffix("ORDER BY \"player\".\"id\" DESC, \"team\".\"name\" DESC"))
        let twice = later.reversed()
        #expect(try sql(twice).hasSuffix("ORDER BY \"player\".\"id\", \"team\".\"name\""))
        // An ordering of its own is not that of the reversal before.
        #expect(try sql(later.order(id)).hasSuffix("\"player\".\"id\", \"team\".\"name\""))
        let inside = Player.order(id).joining(required: team.reversed()).reversed()
        #expect(try sql(inside).hasSuffix("\"player\".\"id\" DESC, \"team\".\"name\""))
    }

    @Test(.proves("CMP-66"))
    func `Rows are grouped by their number, not by a key that may be NULL`() throws {
        struct Tag: TableRecord {}
        try queue.write { db throws in
            try db.execute(
                sql: """
                    CREATE TABLE tag (name TEXT PRIMARY KEY, n INT);
                    INSERT INTO tag VALUES (NULL, 1), (NULL, 2), ('b', 3), ('a', 4);
                    """)
            let request = Tag.all().groupByPrimaryKey().select(Column("n"))
            #expect(try Int.fetchAll(db, request) == [1, 2, 3, 4])
        }
    }

    @Test(.proves("CMP-40"))
    func `Rows are counted by a condition that names what is selected`() throws {
        let double = (Column("score") * 2).forKey("double")
        let request = Player.annotated(with: double).filter(Column("double") > 3)
        #expect(try queue.read { try request.fetchCount($0) } == 2)
    }

    @Test(.proves("CMP-41"))
    func `The columns of what is joined may be all`() throws {
        let request = Player.select([]).including(required: Player.team)
            .filter(Column("score") == 3)
        let row = try queue.read { try Row.fetchOne($0, request) }
        #expect(row?.count == 0 && row?.scopes["team"]?["name"] == "blue")
        #expect(throws: DatabaseError.self) {
            try sql(Player.select([]).joining(required: Player.team))
        }
    }

    @Test(.proves("CMP-42"))
    func `A view without a key has rows, and a stable order`() throws {
        struct Best: TableRecord {}
        try queue.read { db throws in
            let ordered = Best.all().withStableOrder()
            #expect(try sql(ordered, db).hasSuffix("ORDER BY \"name\", \"score\""))
            #expect(try Row.fetchAll(db, ordered).count == 2)
            let best = TableAlias<Best>()
            let names = Player.filter(Best.all().aliased(best).filter(best.exists).exists())
            #expect(try names.fetchCount(db) == 3)
            #expect(
                try sql(Best.all().aliased(best).filter(!best.exists), db)
                    .hasSuffix("\"name\" IS NULL AND \"best\".\"score\" IS NULL"))
        }
    }

    private func sql(_ request: some FetchRequest, _ db: Database) throws -> String {
        try request.makePreparedRequest(db, forSingleResult: false).statement.sql
    }

    @Test(.proves("CMP-43"))
    func `Rows fetched for a table that is only joined belong to the row`() throws {
        struct Info: Codable, FetchableRecord {
            var player: Player
            var players: [Player]
        }
        let request = Player.filter(key: 1)
            .joining(optional: Player.team.including(all: Team.players))
        try queue.read { db throws in
            let row = try #require(try Row.fetchOne(db, request))
            #expect(row.scopes.isEmpty && row.prefetchedRows["players"]?.count == 2)
            let info = try #require(try Info.fetchOne(db, request))
            #expect(info.player.name == "Arthur" && info.players.map(\.id) == [1, 2])
        }
    }

    @Test(.proves("CMP-69"))
    func `Rows without duplicates have what is fetched for all that they were`() throws {
        try queue.write { db throws in
            try db.execute(
                sql: """
                    CREATE TABLE medal (playerId INTEGER REFERENCES player, name TEXT);
                    INSERT INTO medal VALUES (1, 'gold'), (2, 'silver'), (3, 'bronze'), (2, 'iron');
                    """)
            let medals = Player.hasMany(Table("medal"), using: ForeignKey(["playerId"]))
                .order(Column("name"))
            let request = Team.joining(required: Team.players.including(all: medals))
            func names(_ request: QueryInterfaceRequest<Team>) throws -> [[String]] {
                try Row.fetchAll(db, request).map { row in
                    try #require(row.prefetchedRows["medals"]).map { $0["name"] }
                }
            }
            let each = [["gold"], ["iron", "silver"], ["bronze"]]
            #expect(
                try names(request.order(Column("id"))).sorted { $0[0] > $1[0] }
                    == each.sorted { $0[0] > $1[0] })
            let distinct = request.distinct().order(Column("id"))
            let merged = [["gold", "iron", "silver"], ["bronze"]]
            #expect(try names(distinct) == merged)
            #expect(try distinct.fetchCount(db) == 2)
            #expect(try names(distinct.limit(1)) == [merged[0]])
            #expect(try names(distinct.limit(5, offset: 1)) == [merged[1]])
            let row = try #require(try Row.fetchOne(db, distinct.reversed()))
            #expect(row["name"] == "blue" && row.prefetchedRows["medals"]?.count == 1)
        }
    }

    @Test(.proves("CMP-71"))
    func `What is asked for again comes last`() throws {
        let other = Player.belongsTo(Team.self, key: "other", using: ForeignKey(["teamId"]))
        let request = Player.including(required: Player.team).including(required: other)
            .including(required: Player.team)
        let row = try #require(try queue.read { try Row.fetchOne($0, request) })
        let text = try sql(request)
        #expect(text.contains("\"team1\".*, \"team2\".* FROM \"player\""))
        #expect(row.scopes.names.sorted() == ["other", "team"])
    }

    @Test(.proves("CMP-72"))
    func `What the schema lacks is told as with GRDB`() throws {
        try queue.write { db throws in
            for name in ["sqlite_master", "sqlite_schema", "SQLITE_TEMP_MASTER"] {
                #expect(try !db.tableExists(name), "\(name)")
            }
            #expect(try !db.table("nowhere", hasUniqueKey: ["id"]))
            #expect(throws: DatabaseError.self) { try db.indexes(on: "best") }
            #expect(throws: DatabaseError.self) { try db.foreignKeys(on: "best") }
            try db.create(table: "draft", options: .temporary) { t in
                t.primaryKey("id", .integer)
                t.belongsTo("team")
            }
            let keys = try db.foreignKeys(on: "draft")
            #expect(keys.map(\.destinationTable) == ["team"])
            #expect(keys.first?.destinationColumns == ["id"])
        }
    }
}
