import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct DatabaseRegionTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE team(id INTEGER PRIMARY KEY, name);
                    CREATE TABLE "my ""x"" table"(id INTEGER PRIMARY KEY, name, teamID);
                    CREATE VIEW member AS SELECT name AS n FROM "my ""x"" table" WHERE teamID = 1;
                    """)
        }
    }

    static let regions: [(String, String)] = [
        ("SELECT id, NAME FROM team", "team(id,name)"),
        ("SELECT * FROM Team", "team(id,name)"),
        ("SELECT rowid FROM team WHERE name = ?", "team(id,name)"),
        ("SELECT COUNT(*) FROM team", "team(*)"),
        (#"SELECT t.name FROM team t, "my ""x"" table" p"#, #"my "x" table(*),team(name)"#),
        ("SELECT n FROM member", #"my "x" table(name,teamID)"#),
        ("WITH team AS (SELECT name FROM main.team) SELECT * FROM team", "team(name)"),
        ("SELECT value FROM json_each('[1]')", "empty"),
        ("SELECT 1", "empty"),
        ("INSERT INTO team SELECT id, name FROM \"my \"\"x\"\" table\"", "empty"),
        ("DELETE FROM team WHERE id = 1 RETURNING name", "team(id,name)"),
        ("UPDATE team SET name = 'x' WHERE id = 1", "empty"),
        ("PRAGMA table_info('team')", "empty"),
        ("BEGIN", "empty"),
    ]

    @Test(.proves("STM-012"), arguments: regions)
    func `A statement knows what it reads`(sql: String, region: String) throws {
        try queue.inDatabase { db throws in
            let statement = try db.makeStatement(sql: sql)
            #expect(statement.databaseRegion.description == region)
            #expect(statement.databaseRegion == statement.databaseRegion)
        }
    }

    @Test func `To ask for a region disturbs no statement that runs`() throws {
        try queue.write { db throws in
            try db.execute(sql: "INSERT INTO team VALUES (1, 'a'), (2, 'b'), (3, 'c')")
            let names = try String.fetchCursor(db, sql: "SELECT name FROM team ORDER BY id")
            #expect(try names.next() == "a")
            let other = try db.makeStatement(sql: "SELECT id FROM team")
            #expect(other.databaseRegion.description == "team(id)")
            #expect(try names.next() == "b")
            #expect(try Int.fetchAll(other) == [1, 2, 3])
            #expect(try names.next() == "c")
        }
    }

    @Test func `A region follows the schema, and a view over a table of its name`() throws {
        try queue.inDatabase { db throws in
            let statement = try db.makeStatement(sql: "SELECT * FROM team")
            #expect(statement.databaseRegion.description == "team(id,name)")
            try db.execute(sql: "ALTER TABLE team ADD COLUMN city")
            _ = try Row.fetchAll(statement)
            #expect(statement.databaseRegion.description == "team(city,id,name)")
            try db.execute(sql: "CREATE TEMP VIEW team AS SELECT id FROM main.team")
            let view = try db.makeStatement(sql: "SELECT * FROM team")
            #expect(view.databaseRegion.description == "team(id)")
            try db.execute(sql: "DROP VIEW team; DROP TABLE team")
            let gone = try db.makeStatement(sql: "SELECT 1")
            #expect(gone.databaseRegion.isEmpty)
        }
    }

    @Test func `Regions unite`() throws {
        try queue.read { db throws in
            func region(_ sql: String) throws -> DatabaseRegion {
                try db.makeStatement(sql: sql).databaseRegion
            }
            let id = try region("SELECT id FROM team")
            let name = try region("SELECT name FROM TEAM")
            let count = try region("SELECT COUNT(*) FROM team")
            let both = try region("SELECT Id, name FROM team")
            #expect(id != name && id.union(name) == both && name.union(id) == both)
            #expect(id.union(count) == count && count.union(id) == count)
            #expect(id.union(DatabaseRegion()) == id && !id.isEmpty && !id.isFullDatabase)
            #expect(DatabaseRegion().isEmpty && DatabaseRegion().description == "empty")
            let all = id.union(.fullDatabase)
            #expect(all == .fullDatabase && all.isFullDatabase && !all.isEmpty)
            #expect(DatabaseRegion.fullDatabase.union(id).description == "full database")
            #expect(try both.databaseRegion(db) == both)
            var sum = try region("SELECT n FROM member")
            sum.formUnion(both)
            #expect(sum.description == #"my "x" table(name,teamID),team(id,name)"#)
        }
    }
}
