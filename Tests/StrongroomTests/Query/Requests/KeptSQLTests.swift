import Strongroom
import StrongroomTestSupport
import Testing

/// A request that is fetched again runs the SQL of the first time, unless that depended on what the
/// database says of itself.
@Suite("Requests fetched again")
struct KeptSQLTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT, score INTEGER);
                    INSERT INTO player VALUES (1, 'Arthur', 10), (2, 'Barbara', 20), (3, 'Craig', 30)
                    """)
        }
    }

    private func names(_ request: some FetchRequest) throws -> [String] {
        try queue.read { try Row.fetchAll($0, request).map { $0["name"] } }
    }

    @Test("A request gives the rows that there are by then", .proves("QRY-001"))
    func rowsOfNow() throws {
        let request = Table("player").filter(Column("score") > 15).order(Column("score").desc)
        #expect(try names(request) == ["Craig", "Barbara"])
        try queue.write { try $0.execute(sql: "UPDATE player SET score = 40 WHERE id = 1") }
        #expect(try names(request) == ["Arthur", "Craig", "Barbara"])
    }

    @Test("What is derived from a request that was fetched has SQL of its own", .proves("QRY-001"))
    func derived() throws {
        let all = Table("player").order(Column("id"))
        #expect(try names(all) == ["Arthur", "Barbara", "Craig"])
        #expect(try names(all.filter(Column("score") > 15)) == ["Barbara", "Craig"])
        #expect(try names(all.reversed()) == ["Craig", "Barbara", "Arthur"])
        #expect(try names(all.limit(1)) == ["Arthur"])
        #expect(try names(all.select(Column("name"), as: String.self)) == names(all))
        #expect(try queue.read { try all.fetchOne($0) }?["name"] == "Arthur")
        #expect(try names(all) == ["Arthur", "Barbara", "Craig"])
        var changed = all
        changed._query = Table("player").filter(Column("id") == 2)._query
        #expect(try names(changed) == ["Barbara"])
        #expect(try names(all) == ["Arthur", "Barbara", "Craig"])
    }

    @Test("A request follows changes of the schema on which its SQL depends", .proves("QRY-012"))
    func schema() throws {
        let byKey = Table("player").orderByPrimaryKey()
        let bySome = Table("player").order(Column("score")).withStableOrder()
        let withoutScore = Table("player").select(.allColumns(excluding: ["score"]))
        for request in [byKey, bySome] {
            #expect(try names(request) == ["Arthur", "Barbara", "Craig"])
        }
        #expect(try queue.read { try withoutScore.fetchAll($0)[0].count } == 2)
        try queue.write { db in
            try db.execute(
                sql: """
                    DROP TABLE player;
                    CREATE TABLE player(
                        name TEXT PRIMARY KEY, id INTEGER, score INTEGER, email TEXT) WITHOUT ROWID;
                    INSERT INTO player VALUES ('Zoe', 1, 10, NULL), ('Yvonne', 2, 10, NULL)
                    """)
        }
        for request in [byKey, bySome] {
            #expect(try names(request) == ["Yvonne", "Zoe"])
        }
        #expect(try queue.read { try withoutScore.fetchAll($0)[0].count } == 3)
    }

    @Test("A request is fetched by many tasks at once, the first time too", .proves("QRY-001"))
    func concurrent() async throws {
        let pool = try DatabasePool(
            path: fixture.path, configuration: FixtureDatabase.configuration())
        for number in 0..<50 {
            let request = Table("player").filter(Column("id") > number % 3).order(Column("id"))
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await pool.read { try Row.fetchAll($0, request).count } }
                }
                for try await count in group { #expect(count == 3 - number % 3) }
            }
        }
    }
}
