import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Trait.TableColumns, Player.TableColumns, Team.TableColumns, Visitor.TableColumns
)

// Types that are records and tables.

@Table struct Player: Codable, FetchableRecord, PersistableRecord, Identifiable, Hashable {
    static let databaseTableName = "player"
    enum Columns {
        static let name = Column(CodingKeys.name)
        static let score = Column(CodingKeys.score)
    }
    var id: Int64
    var name: String
    var score = 0
    var token: UUID?
    @Column(as: Date.UnixTimeRepresentation.self) var seen: Date?
    var teamID: Int64?
    static let team = belongsTo(Team.self)
}

@Table struct Team: FetchableRecord, MutablePersistableRecord, Equatable {
    let id: Int64?
    @Column("team_name") var name: String
    @Column(generated: .stored) let length: Int?
    static let players = hasMany(Player.self, using: ForeignKey(["teamID"]))
    static let counter = Locked(0)
    static var inserted: Int { counter.withLock { $0 } }
    func didInsert(_ inserted: InsertionSuccess) { Self.counter.withLock { $0 += 1 } }
}

@Table(records: .codable) struct Visitor: Codable, FetchableRecord, PersistableRecord {
    let id: Int
    @Column(as: UUID.BytesRepresentation.self) var token: UUID
}

@Suite(.serialized) struct RecordTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE teams (id INTEGER PRIMARY KEY, team_name TEXT NOT NULL,
                        length INTEGER AS (length(team_name)) STORED);
                    CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL,
                        score INTEGER NOT NULL, token, seen, teamID INTEGER REFERENCES teams);
                    CREATE TABLE visitors (id INTEGER PRIMARY KEY, token);
                    """)
        }
    }

    private var token: UUID { UUID(uuidString: "00000000-0000-4000-8000-00000000000A")! }

    @Test(.proves("NAM-007", "NAM-008"))
    func `both layers read and write the same bytes`() throws {
        try queue.write { db in
            let player = Player(
                id: 1, name: "a", token: token, seen: Date(timeIntervalSince1970: 60))
            try player.insert(db)
            let cells = "SELECT typeof(token), token, typeof(seen), seen FROM player"
            let written = try Row.fetchOne(db, sql: cells)
            try Player.delete().execute(db)
            try Player.insert { player }.execute(db)
            #expect(try Row.fetchOne(db, sql: cells) == written)
            #expect(written?[1] == "00000000-0000-4000-8000-00000000000a")
            #expect(written?[3] == 60)
            #expect(try Player.filter(id: 1).fetchOne(db) == player)
            #expect(try Player.find(1).fetchOne(db) == player)
            #expect(try Player.fetchAll(db, sql: "SELECT * FROM player") == [player])

            #expect(Team.databaseTableName == "teams")
            var team = Team(id: nil, name: "red", length: nil)
            try team.insert(db)
            #expect(
                try Team.fetchAll(db, sql: "SELECT * FROM teams") == [
                    Team(id: 1, name: "red", length: 3)
                ])
            let columns = try Row.fetchAll(db, Team.all()).map { Array($0.columnNames) }
            #expect(columns == [["id", "team_name", "length"]])
            let error = #expect(throws: QueryDecodingError.self) {
                try Team.fetchOne(db, sql: "SELECT 1 AS id, 2 AS team_name, 3 AS length")
            }
            #expect(error?.description.contains("Team.name") == true)
        }
    }

    @Test
    func `a record with a coding of its own keeps it`() throws {
        try queue.write { db in
            try Visitor(id: 1, token: token).insert(db)
            try Visitor.insert { Visitor(id: 2, token: token) }.execute(db)
            #expect(
                try String.fetchAll(db, sql: "SELECT typeof(token) FROM visitors") == [
                    "blob", "blob",
                ])
            #expect(try Visitor.filter(key: 2).fetchOne(db)?.token == token)
        }
    }

    @Test(.proves("NAM-004", "NAM-010"))
    func `what one layer has means that layer`() throws {
        try queue.write { db in
            try Player(id: 1, name: "a", score: 3).insert(db)
            try Player(id: 2, name: "b", score: 5).insert(db)
            let request: QueryInterfaceRequest<Player> = Player.filter { $0.name == "a" }
            #expect(try request.fetchCount(db) == 1)
            let typed: Where<Player> = Player.where { $0.name.eq("a") }
            #expect(try typed.fetchCount(db) == 1)
            let all: QueryInterfaceRequest<Player> = Player.all()
            let none: QueryInterfaceRequest<Player> = Player.none()
            #expect(try all.fetchCount(db) == 2 && none.fetchCount(db) == 0)
            #expect(try Player.all.fetchCount(db) == 2 && Player.none.fetchCount(db) == 0)
            let limited: QueryInterfaceRequest<Player> = Player.limit(1, offset: 1)
            #expect(try limited.fetchOne(db)?.id == 2)
            try Player(id: 1, name: "c").save(db)
            #expect(try Player.find(1).fetchOne(db)?.name == "c")
            let annotated = Player.annotated(with: Player.Columns.score + 1)
            #expect(try annotated.fetchCount(db) == 2)
            #expect(Player.Columns.name.name == "name")
            #expect(Player.Selection(id: Int64(1), name: "x").queryFragment.isEmpty == false)
            #expect(Trait.Columns(code: "x").queryFragment.isEmpty == false)
            let joined = try Player.including(optional: Player.team).fetchAll(db)
            #expect(joined.count == 2)
        }
    }

    @Test
    func `callbacks run for methods of records alone`() throws {
        try queue.write { db in
            let before = Team.inserted
            try Team.insert { Team(id: 5, name: "a", length: nil) }.execute(db)
            #expect(Team.inserted == before)
            var team = Team(id: 6, name: "b", length: nil)
            try team.insert(db)
            #expect(Team.inserted == before + 1)
        }
    }

    @Test
    func `the regions of both layers agree`() throws {
        try queue.read { db in
            let typed = try Player.where { $0.score > 1 }.select(\.name).databaseRegion(db)
            let record = try Player.filter { $0.score > 1 }.select { $0.name }.databaseRegion(db)
            #expect(typed == record)
        }
    }

    /// Each line of the first function compiled before the types were tables.
    @Test
    func `old lines and new lines compile on one type`() throws {
        let output = try MacroClient(Self.declarations + Self.oldLines + Self.newLines)
            .expansions()
        #expect(output.contains("extension Player: StrongroomTablesRuntime.Table"))
    }

    @Test(.proves("NAM-009"))
    func `a record that writes a UUID in another form is warned about`() throws {
        try MacroClient(
            """
            @Table struct A: Codable, FetchableRecord, PersistableRecord {
                let id: Int
                var token: UUID? // warning: the record writes 'token' as a blob | note: Add '@Column(as: UUID.BytesRepresentation.self)'
                @Column(as: UUID.BytesRepresentation.self) var other: UUID
                func encode(to encoder: any Encoder) throws {}
            }
            @Table(records: .codable) struct B: Codable, PersistableRecord {
                let id: Int
                @Column("t")
                var token: UUID // warning: the record writes 'token' as a blob
            }
            @Table struct C: Codable, PersistableRecord { let id: Int; var token: UUID }
            """
        ).expectDiagnostics()
    }
}
