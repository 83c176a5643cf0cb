import Strongroom
import StrongroomTestSupport
import Testing

private struct Team: Codable, FetchableRecord, PersistableRecord {
    var id: Int64

    static let players = hasMany(Player.self)
    static let staff = hasMany(Player.self, key: "people")
}

private struct Player: Codable, FetchableRecord, PersistableRecord {
    var id: Int64
    var teamId: Int64

    static let team = belongsTo(Team.self)
    static let named = belongsTo(Team.self, key: "teams")
    static let teamMates = hasMany(
        Player.self, through: belongsTo(Team.self), using: Team.players, key: "teamMates")
}

@Suite("The key that an app gives an association", .proves("CMP-26"))
struct AssociationKeyTests {
    private let fixture: FixtureDatabase
    private let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE team(id INTEGER PRIMARY KEY);
                    CREATE TABLE player(id INTEGER PRIMARY KEY, teamId INTEGER REFERENCES team);
                    INSERT INTO team VALUES (1);
                    INSERT INTO player VALUES (1, 1), (2, 1);
                    """)
        }
    }

    private func row(_ request: QueryInterfaceRequest<some Any>) throws -> Row {
        try queue.read { db throws in
            try #require(try Row.fetchAll(db, request.asRequest(of: Row.self)).first)
        }
    }

    @Test("is the name of prefetched rows", arguments: ["bs1", "box", "players", "sheep"])
    func prefetched(key: String) throws {
        let row = try row(Team.including(all: Team.players.forKey(key)))
        #expect(row.prefetchedRows.keys == [key])
        #expect(row.prefetchedRows[key]?.count == 2)
    }

    @Test("is the name of a joined row", arguments: ["teams", "as", "team"])
    func joined(key: String) throws {
        #expect(
            try row(Player.including(required: Player.team.forKey(key))).scopes.names == [key])
    }

    @Test("of several rows has a singular", arguments: [("boxes", "box"), ("bs1", "b1")])
    func singular(key: String, name: String) throws {
        #expect(try row(Team.including(required: Team.players.forKey(key))).scopes.names == [name])
    }

    @Test("of one row is its name, and of several theirs")
    func declared() throws {
        #expect(try row(Player.including(required: Player.named)).scopes.names == ["teams"])
        #expect(try row(Team.including(all: Team.staff)).prefetchedRows.keys == ["people"])
        #expect(try row(Team.including(required: Team.staff)).scopes.names == ["person"])
        #expect(
            try row(Player.including(all: Player.teamMates)).prefetchedRows.keys == ["teamMates"])
        // Those of tables are put in plural and singular as before.
        #expect(try row(Team.including(all: Team.players)).prefetchedRows.keys == ["players"])
        #expect(try row(Team.including(required: Team.players)).scopes.names == ["player"])
    }

    @Test("is in the names of aggregates, and of the first and last")
    func derived() throws {
        let players = Team.players.forKey("bs1")
        #expect(
            try row(Team.annotated(with: players.count)).columnNames.contains("b1Count"))
        let first = Team.players.order(Column("id")).forKey("boxes").first
        #expect(try row(Team.including(required: first)).scopes.names == ["firstBox"])
    }
}
