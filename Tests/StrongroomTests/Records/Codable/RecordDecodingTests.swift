import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Records that decode themselves by their coding keys.
@Suite struct RecordDecodingTests {
    struct Address: Codable, Equatable {
        var street: String
        var number: Int?
    }

    enum Grade: String, Codable { case bronze, gold }

    struct Player: Codable, Equatable, FetchableRecord {
        var id: Int64
        var name: String
        var nickname: String?
        var isActive: Bool
        var rating: Double?
        var age: UInt8
        var grade: Grade
        var address: Address?
        var scores: [Int]
        var joined: Date?
    }

    static var row: Row {
        [
            "id": 1, "name": "Arthur", "nickname": nil, "isActive": true, "rating": 1.5, "age": 30,
            "grade": "gold", "address": #"{"street":"Rue de la Paix","number":7}"#,
            "scores": "[1,2,3]",
            "joined": "2001-01-01 00:00:00",
        ]
    }

    @Test(.proves("REC-001", "VAL-043", "VAL-053"))
    func `Values come from columns, and all else from JSON`() throws {
        let player = try Player(row: Self.row)
        #expect(
            player
                == Player(
                    id: 1, name: "Arthur", isActive: true, rating: 1.5, age: 30, grade: .gold,
                    address: Address(street: "Rue de la Paix", number: 7), scores: [1, 2, 3],
                    joined: Date(timeIntervalSinceReferenceDate: 0)))
        // The order and the case of the columns do not count, nor do columns that nobody asks for.
        let shuffled = Row(
            Dictionary(
                uniqueKeysWithValues: Self.row.map { ($0.uppercased(), $1) }
                    + [("EXTRA", 1.databaseValue)]))
        #expect(try Player(row: shuffled) == player)
        #expect(try FetchableRecordDecoder().decode(Player.self, from: Self.row) == player)
    }

    @Test(.proves("REC-001"))
    func `The rows of a database decode as rows in memory do`() throws {
        let fixture = try FixtureDatabase()
        try fixture.open().write { db throws in
            let values = "1, 'Arthur', NULL, 1, 1.5, 30, 'gold', '{\"street\":\"a\"}', '[]', NULL"
            let names = "id, name, nickname, isActive, rating, age, grade, address, scores, joined"
            try db.execute(sql: "CREATE TABLE player(\(names))")
            try db.execute(sql: "INSERT INTO player VALUES (\(values)), (\(values))")
            for columns in ["*", "joined, address, name, *"] {
                let players = try Player.fetchAll(db, sql: "SELECT \(columns) FROM player")
                let kept = try Row.fetchAll(db, sql: "SELECT \(columns) FROM player")
                #expect(players.count == 2)
                #expect(try kept.map { try Player(row: $0) } == players)
                #expect(players[1].address == Address(street: "a") && players[1].joined == nil)
            }
        }
    }

    @Test(
        .proves("VAL-055"),
        arguments: [
            ("id", nil), ("name", DatabaseValue.null), ("name", Data([0xFF]).databaseValue),
            ("isActive", "maybe".databaseValue), ("age", 300.databaseValue), ("grade", nil),
            ("grade", .null), ("joined", "yesterday".databaseValue),
        ] as [(String, DatabaseValue?)])
    func `An unsuitable value is a decoding error of the row`(
        column: String, value: DatabaseValue?
    ) throws {
        let error = #expect(throws: RowDecodingError.self) {
            try Player(row: Self.changed(column, value))
        }
        #expect(error?.description.contains(column) == true)
    }

    @Test(
        .proves("VAL-055"),
        arguments: [
            nil, DatabaseValue.null, "{".databaseValue, "{}".databaseValue, 1.databaseValue,
        ])
    func `Unsuitable JSON is a decoding error of Swift`(value: DatabaseValue?) throws {
        let row = Self.changed("scores", value)
        #expect(throws: DecodingError.self) { try Player(row: row) }
    }

    private static func changed(_ column: String, _ value: DatabaseValue?) -> Row {
        var values = Dictionary(
            uniqueKeysWithValues: row.map { ($0, Optional<any DatabaseValueConvertible>($1)) })
        values[column] = value.map { $0 }
        if value == nil { values.removeValue(forKey: column) }
        return Row(values)
    }

    @Test func `A missing column is a nil property`() throws {
        struct Optionals: Codable, FetchableRecord {
            var a: Int?
            var b: Address?
            var c: [String]?
            var d: Date?
            var e: Grade?
        }
        for row: Row in [[:], ["a": nil, "b": nil, "c": nil, "d": nil, "e": nil]] {
            let record = try Optionals(row: row)
            #expect(record.a == nil && record.b == nil && record.c == nil)
            #expect(record.d == nil && record.e == nil)
        }
    }

    @Test(.proves("VAL-052"))
    func `Decoders and JSON decoders are given user info`() throws {
        struct Nested: Decodable {
            var info: String?
            init(from decoder: any Decoder) throws {
                _ = try decoder.container(keyedBy: AnyKey.self)
                info = decoder.userInfo[.note] as? String
            }
        }
        struct Noted: Decodable, FetchableRecord {
            static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { [.note: "hello"] }
            var nested: Nested
            var info: String?
            init(from decoder: any Decoder) throws {
                info = decoder.userInfo[.note] as? String
                nested = try decoder.container(keyedBy: AnyKey.self)
                    .decode(Nested.self, forKey: AnyKey("nested"))
            }
        }
        let noted = try Noted(row: ["nested": "{}"])
        #expect(noted.info == "hello" && noted.nested.info == "hello")
        struct Silent: Codable, FetchableRecord, EncodableRecord { var a = 1 }
        #expect(Silent.databaseDecodingUserInfo.isEmpty && Silent.databaseEncodingUserInfo.isEmpty)
    }

    @Test(.proves("ROW-022", "ROW-023"))
    func `Scopes and prefetched rows decode as nested records`() throws {
        struct Team: Codable, FetchableRecord, Hashable {
            var id: Int
            var name: String?
        }
        struct PlayerInfo: Decodable, FetchableRecord {
            var player: Team
            var team: Team
            var club: Team?
            var fans: [Team]
            var rivals: Set<Team>
        }
        let fixture = try FixtureDatabase()
        try fixture.open().read { db throws in
            let adapter = ScopeAdapter([
                "team": SuffixRowAdapter(fromIndex: 2), "club": RangeRowAdapter(4..<6),
            ])
            var row = try #require(
                try Row.fetchOne(
                    db,
                    sql:
                        "SELECT 1 AS id, 'Arthur' AS name, 2 AS id, 'Reds' AS name, NULL AS id, NULL",
                    adapter: adapter))
            row.setPrefetchedRows([["id": 5], ["id": 6, "name": "x"]], forKey: "fans")
            row.setPrefetchedRows([["id": 7], ["id": 7]], forKey: "rivals")
            let info = try PlayerInfo(row: row)
            #expect(info.player == Team(id: 1, name: "Arthur"))
            #expect(info.team == Team(id: 2, name: "Reds"))
            #expect(info.club == nil)
            #expect(info.fans == [Team(id: 5), Team(id: 6, name: "x")])
            #expect(info.rivals == [Team(id: 7)])
            #expect(try row.decode(Team.self, forKey: "team").id == 2)
            #expect(throws: RowDecodingError.self) { try row.decode(Team.self, forKey: "club") }
            #expect(throws: RowDecodingError.self) { try row.decode(Team.self, forKey: "zoo") }
            #expect(throws: RowDecodingError.self) { try row.decode([Team].self, forKey: "zoo") }
            #expect(throws: RowDecodingError.self) { try row.decode(Set<Team>.self, forKey: "zoo") }
            #expect(try row.decode([Team].self, forKey: "fans") == info.fans)
            #expect(try row.decode(Set<Team>.self, forKey: "rivals") == info.rivals)
            #expect(try row.decodeIfPresent(Team.self, forKey: "team") == info.team)
            #expect(try row.decodeIfPresent(Team.self, forKey: "zoo") == nil)
            #expect(try row.decodeIfPresent(Team.self, forKey: "club") == nil)
            let (team, club): (Team, Team?) = (row["team"], row["club"])
            let (fans, rivals): ([Team], Set<Team>) = (row["fans"], row["rivals"])
            #expect(team == info.team && club == nil)
            #expect(fans == info.fans && rivals == info.rivals)
            let noTeam: Team? = row["zoo"]
            #expect(noTeam == nil)
        }
    }
}

/// What subscripts do where `decode` throws, in a process of its own.
@Suite struct ScopeTrapTests {
    struct Team: Codable, FetchableRecord, Hashable { var id: Int }

    @Test(.proves("ROW-022")) func `A missing scope is a fatal error`() async {
        await #expect(processExitsWith: .failure) { _ = Row()["player"] as Team }
    }

    @Test(.proves("ROW-022")) func `Missing prefetched rows are a fatal error`() async {
        await #expect(processExitsWith: .failure) { _ = Row()["books"] as [Team] }
        await #expect(processExitsWith: .failure) { _ = Row()["books"] as Set<Team> }
    }
}

/// Any name as a coding key.
struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension CodingUserInfoKey {
    static let note = CodingUserInfoKey(rawValue: "note")!
}
