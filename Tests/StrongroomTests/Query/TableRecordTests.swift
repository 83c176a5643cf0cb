import Strongroom
import StrongroomTestSupport
import Testing

private struct Place: TableRecord {}
private struct PostalAddress: TableRecord {}
private struct HTTPRequest: TableRecord {}
private struct TOEFL: TableRecord {}
private struct X: TableRecord {}
private struct Wrapper<T>: TableRecord {}

private struct Player: TableRecord {
    static let databaseTableName = "the \"player"
    static var databaseSelection: [any SQLSelectable] {
        [.allColumns(excluding: ["SECRET", "unknown"]), .rowID]
    }

    enum CodingKeys: String, CodingKey { case name, teamId = "team_id" }
    enum Columns {
        static let name = Column(CodingKeys.name)
        static let team = Column(CodingKeys.teamId)
    }
}

private struct Team: TableRecord {
    static var databaseSelection: [any SQLSelectable] { [Column("id"), Column("name")] }
}

@Suite struct TableRecordTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE "the ""player" (name TEXT, secret TEXT, team_id INT);
                    INSERT INTO "the ""player" VALUES ('Arthur', 'x', 1), ('Barbara', 'y', 2);
                    CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT, motto TEXT);
                    INSERT INTO team VALUES (1, 'red', '');
                    """)
        }
    }

    private func expect(
        _ literal: SQL, _ sql: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        try queue.read { db throws in
            #expect(try literal.build(db).sql == sql, sourceLocation: location)
        }
    }

    @Test(.proves("REC-003", "REC-005"))
    func `A table is named like its type, unless it says otherwise`() {
        #expect(Place.databaseTableName == "place")
        #expect(PostalAddress.databaseTableName == "postalAddress")
        #expect(HTTPRequest.databaseTableName == "httpRequest")
        #expect(TOEFL.databaseTableName == "toefl")
        #expect(X.databaseTableName == "x")
        #expect(Wrapper<Place>.databaseTableName == "wrapper")
        #expect(Player.databaseTableName == "the \"player")
        #expect(Place.databaseSelection.count == 1)
    }

    @Test(.proves("REC-006", "REC-007", "ROW-048"))
    func `A type says what is selected, and how many columns they are`() throws {
        try queue.read { db throws in
            #expect(
                try db.sql(of: Player.all())
                    == #"SELECT "name", "team_id", "rowid" FROM "the ""player""#)
            #expect(try Player.numberOfSelectedColumns(db) == 3)
            #expect(try Team.numberOfSelectedColumns(db) == 2)
            let row = try #require(try Row.fetchOne(db, Player.all()))
            #expect(Array(row.columnNames) == ["name", "team_id", "rowid"])
            #expect(throws: DatabaseError.self) { _ = try Place.numberOfSelectedColumns(db) }
        }
    }

    @Test(.proves("REC-008", "REC-009"))
    func `Columns are declared beside the record, and come by closures and key paths`() throws {
        try queue.read { db throws in
            let request = Player.filter { $0.team == 1 }.order(\.name).select(\.name)
            #expect(
                try db.sql(of: request) == """
                    SELECT "name" FROM "the ""player" WHERE "team_id" = 1 ORDER BY "name"
                    """)
            #expect(try String.fetchAll(db, request) == ["Arthur"])
        }
    }

    @Test(.proves("STM-031", "STM-032"))
    func `Tables and their columns are interpolated in SQL`() throws {
        try expect("\(Player.self)", #""the ""player""#)
        try expect("\(Table("a b"))", #""a b""#)
        try expect("\(tableOf: Team())", #""team""#)
        try expect("\(columnsOf: Team.self)", #""team"."id", "team"."name""#)
        try expect("\(columnsOf: Place.self)", #""place".*"#)
        try expect("\(columnsOf: Place.self, tableAlias: "p \"q")", #""p ""q".*"#)
        try expect(
            "\(columnsOf: Player.self, tableAlias: "p")", #""p"."name", "p"."team_id", "p"."rowid""#
        )
        try queue.read { db throws in
            let request: SQLRequest<Row> = """
                SELECT \(columnsOf: Player.self), \(columnsOf: Team.self, tableAlias: "t")
                FROM \(Player.self) JOIN \(Team.self) AS t ON t.id = \(Player.Columns.team)
                """
            let row = try #require(try request.fetchOne(db))
            #expect(Array(row.columnNames) == ["name", "team_id", "rowid", "id", "name"])
        }
    }

    @Test(.proves("STM-058"))
    func `Whatever can be interpolated can be so without its type being known`() throws {
        let table: any TableRecord.Type = Team.self
        let selection: any SQLSelectable = Column("id").forKey("n")
        let ordering: any SQLOrderingTerm = Column("id").desc
        let expressible: any SQLExpressible = 1
        let key: any CodingKey = Player.CodingKeys.teamId
        let list: [any SQLExpressible] = [1, "x"]
        try expect("\(table) \(columnsOf: table)", #""team" "team"."id", "team"."name""#)
        try expect("\(selection) \(ordering)", #""id" AS "n" "id" DESC"#)
        try expect("\(expressible) \(key) \(list)", #"? "team_id" (?,?)"#)
    }

    @Test(.proves("STM-029"))
    func `SQL is an operand among others`() throws {
        let literal: SQL = "a + \(Column("b"))"
        let p = TableAlias(name: "p")
        try expect("\(literal.sqlExpression * 2)", "((a + \"b\") * ?)")
        try queue.read { db throws in
            let raw = SQL("\(Column("name")) || motto").sqlExpression
            let request = Table("team").all().aliased(p).select(raw).order(raw.desc).reversed()
            #expect(
                try db.sql(of: request) == """
                    SELECT "p"."name" || motto FROM "team" "p" ORDER BY "p"."name" || motto ASC
                    """)
            #expect(try Table("team").select(SQL("1, 2")).order(SQL("1")).fetchOne(db)?.count == 2)
        }
    }
}
