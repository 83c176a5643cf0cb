import Strongroom
import StrongroomTestSupport
import Testing

/// Fifty requests as applications have them.
///
/// `Scripts/typecheck` measures how long the compiler takes for this file.
@Suite struct FiftyRequestTests {
    struct Team: Codable, FetchableRecord, PersistableRecord, Identifiable {
        var id: Int64
        var name: String
        var city: String?

        enum Columns {
            static let id = Column("id")
            static let name = Column("name")
            static let city = Column("city")
        }

        static let players = hasMany(Player.self)
    }

    struct Player: Codable, FetchableRecord, PersistableRecord, Identifiable {
        var id: Int64
        var teamId: Int64?
        var name: String
        var score: Int
        var bonus: Int
        var joined: String

        enum Columns {
            static let id = Column("id")
            static let teamId = Column("teamId")
            static let name = Column("name")
            static let score = Column("score")
            static let bonus = Column("bonus")
            static let joined = Column("joined")
        }

        static let team = belongsTo(Team.self)
    }

    @Test func `Fifty typical requests are compiled and run`() throws {
        let fixture = try FixtureDatabase()
        try fixture.open().write { db throws in
            try db.execute(
                sql: """
                    CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT, city TEXT);
                    CREATE TABLE player(
                        id INTEGER PRIMARY KEY, teamId INT REFERENCES team, name TEXT, score INT,
                        bonus INT, joined TEXT);
                    """)
            let team = Team(id: 1, name: "Red", city: nil)
            try first(db, name: "a", minimum: 5, team: team, ids: [1, 2])
            try second(db, name: "a", minimum: 5, team: team, ids: [1, 2])
            #expect(try Player.fetchCount(db) == 0)
        }
    }

    private func first(
        _ db: Database, name: String, minimum: Int, team: Team, ids: [Int64]
    ) throws {
        _ = try Player.fetchAll(db)
        _ = try Player.fetchOne(db, key: 1)
        _ = try Player.filter { $0.name == name }.fetchOne(db)
        _ = try Player.filter { $0.score > minimum }.fetchAll(db)
        _ = try Player.filter { $0.score > minimum && $0.name != name }.fetchAll(db)
        _ = try Player.filter { $0.score + $0.bonus > minimum }.fetchAll(db)
        _ = try Player.filter { $0.score >= minimum && $0.score < minimum + 100 }.fetchAll(db)
        _ = try Player.filter { $0.name == name || $0.score == 0 || $0.bonus == 0 }.fetchAll(db)
        _ = try Player.filter { $0.id <= 12 && ($0.name != name || $0.score != $0.bonus + 5) }
            .fetchAll(db)
        _ = try Player.filter { $0.teamId == nil }.fetchAll(db)
        _ = try Player.filter { $0.teamId != nil && $0.score > 1000 }.fetchAll(db)
        _ = try Player.filter { ids.contains($0.id) }.fetchAll(db)
        _ = try Player.filter { ![1, 2, 3].contains($0.id) }.fetchAll(db)
        _ = try Player.filter { (0...100).contains($0.score) }.fetchAll(db)
        _ = try Player.filter { $0.name.like("%\(name)%") }.fetchAll(db)
        _ = try Player.filter { $0.name.collating(.nocase) == name }.fetchAll(db)
        _ = try Player.filter { !($0.score > minimum) }.fetchAll(db)
        _ = try Player.filter(id: 1).fetchOne(db)
        _ = try Player.filter(ids: ids).fetchCount(db)
        _ = try Player.order(\.name).fetchAll(db)
        _ = try Player.order(\.score.desc).limit(10).fetchAll(db)
        _ = try Player.order { [$0.score.desc, $0.name] }.fetchAll(db)
        _ = try Player.select(\.name, as: String.self).fetchSet(db)
        _ = try Player.select { [$0.name, $0.score] }.asRequest(of: Row.self).fetchAll(db)
        _ = try Player.select({ max($0.score) }, as: Int.self).fetchOne(db)
    }

    private func second(
        _ db: Database, name: String, minimum: Int, team: Team, ids: [Int64]
    ) throws {
        _ = try Player.select({ sum($0.score + $0.bonus) }, as: Int.self).fetchOne(db)
        _ = try Player.select { [$0.teamId, count($0.id), average($0.score)] }.group(\.teamId)
            .asRequest(of: Row.self).fetchAll(db)
        _ = try Player.select { [$0.teamId, max($0.score)] }.group(\.teamId).having {
            max($0.score) > minimum
        }.asRequest(of: Row.self).fetchAll(db)
        _ = try Player.annotated { [($0.score + $0.bonus).forKey("total")] }.asRequest(of: Row.self)
            .fetchAll(db)
        _ = try Player.select(\.teamId).distinct().fetchCount(db)
        _ = try Player.filter { $0.score * 2 - $0.bonus / 3 > minimum }.fetchAll(db)
        _ = try Player.filter { $0.score > Player.select({ average($0.score) }, as: Double.self) }
            .fetchAll(db)
        _ = try Player.filter { ($0.teamId ?? 0) == 0 }.fetchAll(db)
        _ = try Player.filter { length($0.name) > 3 && abs($0.score) < 10 }.fetchAll(db)
        _ = try Player.including(required: Player.team).asRequest(of: Row.self).fetchAll(db)
        _ = try Player.including(optional: Player.team.filter { $0.city == "Paris" }).asRequest(
            of: Row.self
        ).fetchAll(db)
        _ = try Player.joining(required: Player.team.filter { $0.name == name }).fetchAll(db)
        _ = try Team.including(all: Team.players.order(\.score.desc)).asRequest(of: Row.self)
            .fetchAll(db)
        _ = try Team.annotated(with: Team.players.count).asRequest(of: Row.self).fetchAll(db)
        _ = try Team.annotated(with: Team.players.max(\.score), Team.players.average(\.score))
            .asRequest(of: Row.self).fetchAll(db)
        _ = try Team.having(Team.players.count > 5).fetchAll(db)
        _ = try Team.having(Team.players.isEmpty == false && Team.players.max(\.score) > minimum)
            .fetchAll(db)
        _ = try team.request(for: Team.players).filter { $0.score > 5 }.fetchAll(db)
        _ = try Player.filter { $0.score > 5 }.updateAll(db) {
            [$0.score += 1, $0.bonus.set(to: 0)]
        }
        _ = try Player.updateAll(db) { $0.score.set(to: $0.score + $0.bonus) }
        _ = try Player.filter { $0.score < 5 }.deleteAll(db)
        let alias = TableAlias<Team>()
        _ = try Player.joining(required: Player.team.aliased(alias)).filter {
            $0.score > 5 && alias.city == "Paris"
        }.order(alias.name, Player.Columns.name).fetchAll(db)
        _ = try Team.aliased(alias).filter(
            Player.filter { $0.teamId == alias.id && $0.score > minimum }.exists()
        ).fetchAll(db)
        _ = try Player.filter {
            [$0.name, " ".databaseValue, $0.joined].joined(operator: .concat) == name
        }.fetchAll(db)
        _ = try Player.filter {
            $0.joined >= name && $0.joined < "2030" && $0.score > 10 && $0.bonus > 10
        }.fetchAll(db)
    }
}
