import Strongroom
import StrongroomTestSupport
import Testing

private struct Team: Codable, FetchableRecord, PersistableRecord, Equatable {
    var id: Int64
    var name: String

    static let players = hasMany(Player.self).order(Column("id"))
    static let medals = hasMany(Medal.self, through: players, using: Player.medals)
        .order(Column("name"))
}

private struct Player: Codable, FetchableRecord, PersistableRecord, Equatable {
    var id: Int64
    var teamId: Int64?
    var name: String

    static let team = belongsTo(Team.self)
    static let medals = hasMany(Medal.self).order(Column("name"))
}

private struct Medal: Codable, FetchableRecord, PersistableRecord, Equatable {
    var playerId: Int64
    var name: String
}

private struct Shelf: TableRecord {
    static let databaseTableName = "shelf"

    struct Book: TableRecord {}

    static let books = hasMany(
        Book.self,
        using: ForeignKey(["room", "number"], to: ["room", "number"])
    )
    .order(Column("title"))
}

/// Red has Ann and Bob, of whom Ann has two medals; Blue has nobody, and Cy has no team.
@Suite struct PrefetchTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT);
                    CREATE TABLE player(
                        id INTEGER PRIMARY KEY, teamId INT REFERENCES team, name TEXT);
                    CREATE TABLE medal(playerId INT REFERENCES player, name TEXT);
                    INSERT INTO team VALUES (1, 'Red'), (2, 'Blue');
                    INSERT INTO player VALUES (1, 1, 'Ann'), (2, 1, 'Bob'), (3, NULL, 'Cy');
                    INSERT INTO medal VALUES (1, 'gold'), (1, 'silver'), (3, 'tin');
                    """)
        }
    }

    @Test(.proves("ASC-026"))
    func `A row has its own columns, and its associated rows by their keys`() throws {
        struct Info: FetchableRecord {
            let player: Player
            let team: Team?
            let medals: [Medal]

            init(row: Row) throws {
                player = try Player(row: row)
                team = try row.decodeIfPresent(forKey: "team")
                medals = try row.decode(forKey: "medals")
            }
        }
        let request = Player.including(optional: Player.team).including(all: Player.medals)
            .order(Column("id"))
        try queue.read { db throws in
            let infos = try Info.fetchAll(db, request)
            #expect(infos.map(\.player.name) == ["Ann", "Bob", "Cy"])
            #expect(infos.map(\.team?.name) == ["Red", "Red", nil])
            #expect(infos.map { $0.medals.map(\.name) } == [["gold", "silver"], [], ["tin"]])
            let rows = try Row.fetchAll(db, request)
            #expect(rows[0]["team"] == Team(id: 1, name: "Red"))
            #expect(rows[2]["team"] as Team? == nil)
            #expect(rows[2]["medals"] == [Medal(playerId: 3, name: "tin")])
            #expect(try rows[0].decode(Team.self, forKey: "team").name == "Red")
            #expect(throws: RowDecodingError.self) { try rows[2].decode(Team.self, forKey: "team") }
            #expect(throws: RowDecodingError.self) {
                try rows[0].decode([Medal].self, forKey: "missing")
            }
        }
    }

    @Test(.proves("ASC-027", "ASC-033"))
    func `A row describes its scopes, and the columns that were fetched for the library`() throws {
        let request = Player.including(required: Player.team.including(all: Team.players))
            .including(all: Player.medals).filter(Column("id") == 1)
        try queue.read { db throws in
            let row = try #require(try Row.fetchOne(db, request))
            #expect(row.description == #"[id:1 teamId:1 name:"Ann"]"#)
            #expect(
                row.debugDescription == """
                    ▿ [id:1 teamId:1 name:"Ann"]
                      unadapted: [id:1 teamId:1 name:"Ann" id:1 name:"Red"]
                      - team: [id:1 name:"Red"]
                        + players: 2 rows
                      + medals: 2 rows
                      + players: 2 rows
                    """)
            let medal = try #require(row.prefetchedRows["medals"]?.first)
            #expect(medal.description == #"[playerId:1 name:"gold"]"#)
            #expect(medal.unadapted.description == #"[playerId:1 name:"gold" grdb_playerId:1]"#)
        }
    }

    @Test(.proves("ASC-005", "ASC-017"))
    func `Rows over an association come besides its own, under keys that one chooses`() throws {
        enum Key: String, CodingKey { case awards }
        let request = Team.including(all: Team.players)
            .including(all: Team.medals.forKey(Key.awards)).order(Column("id"))
        try queue.read { db throws in
            let rows = try Row.fetchAll(db, request)
            #expect(rows.map { $0.prefetchedRows["players"]?.count } == [2, 0])
            #expect(rows.map { $0.prefetchedRows["awards"]?.count } == [2, 0])
            let row = try Row.fetchOne(
                db, Player.including(required: Player.team.forKey("club")))
            #expect(row?.scopes["club"]?["name"] == "Red")
        }
        func keyed<A: AssociationToOne>(
            _ association: A
        ) -> some DerivableRequest<A.RowDecoder> & Sendable where A.OriginRowDecoder == Player {
            association.forKey("x")
        }
        #expect(keyed(Player.team).databaseTableName == "team")
    }

    @Test(.proves("DMP-002"))
    func `A dump shows the rows, then what was fetched for them`() throws {
        let request = Team.including(all: Team.players.including(all: Player.medals))
            .order(Column("id"))
        let text = try DumpedText.of {
            try queue.dumpRequest(request, format: .list(header: true), to: $0)
        }
        #expect(
            text == """
                id|name
                1|Red
                2|Blue

                players
                id|teamId|name
                1|1|Ann
                2|1|Bob

                players.medals
                playerId|name
                1|gold
                1|silver

                """)
        let nothing = try DumpedText.of {
            try queue.dumpRequest(Team.including(all: Team.players).none(), to: $0)
        }
        #expect(nothing == "players\n")
    }

    @Test(.proves("REC-073"))
    func `Nothing is fetched that was not asked for`() throws {
        try queue.read { db throws in
            let lone = try db.capturedSQL {
                let players = try Player.order(Column("id")).fetchAll(db)
                #expect(players.map(\.teamId) == [1, 1, nil])
            }
            #expect(lone == [#"SELECT * FROM "player" ORDER BY "id""#])
            let joined = try db.capturedSQL {
                _ = try Row.fetchAll(db, Player.including(optional: Player.team))
            }
            #expect(joined.count == 1)
        }
    }

    @Test func `Rows find those they belong to in whatever order they come`() throws {
        try queue.write { db throws in
            try db.execute(
                sql: """
                    INSERT INTO player VALUES (4, 2, 'Di'), (5, 1, 'Ed'), (6, 2, 'Fay');
                    """)
            let rows = try Row.fetchAll(
                db, Team.including(all: Team.players).order(Column("id")))
            let names = rows.map { $0.prefetchedRows["players"]?.map { $0["name"] as String } }
            #expect(names == [["Ann", "Bob", "Ed"], ["Di", "Fay"]])
        }
    }

    @Test func `Rows find those they belong to by several columns, and by equal numbers`() throws {
        try queue.write { db throws in
            try db.execute(
                sql: """
                    CREATE TABLE shelf(room, number);
                    CREATE TABLE book(title, room, number);
                    INSERT INTO shelf VALUES ('x', 1), ('x', 2), ('y', 1), (NULL, 1), ('z', 9);
                    INSERT INTO book VALUES
                        ('a', 'x', 1), ('b', 'x', 2), ('c', 'x', 1.0), ('d', 'y', 1.0),
                        ('e', 'x', 2), ('f', NULL, 1);
                    """)
            let rows = try Row.fetchAll(
                db, Shelf.including(all: Shelf.books).order(Column("rowid")))
            let titles = rows.map { $0.prefetchedRows["books"]?.map { $0["title"] as String } }
            #expect(titles == [["a", "c"], ["b", "e"], ["d"], [], []])
            #expect(
                rows[0].prefetchedRows["books"]?.last?.unadapted.description
                    == #"[title:"c" room:"x" number:1.0 grdb_room:"x" grdb_number:1.0]"#)
        }
    }

    @Test func `The region of a request is also that of what it fetches besides`() throws {
        let request = Team.including(all: Team.players.including(all: Player.medals))
        try queue.read { db throws in
            let region = try request.databaseRegion(db)
            #expect(
                region.description == "medal(name,playerId),player(id,name,teamId),team(id,name)")
        }
    }
}
