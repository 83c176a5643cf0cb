import Strongroom
import StrongroomTestSupport
import Testing

/// The difference DIF-36: a program may compose these requests of what its users choose.
@Suite("Requests of which there is no SQL")
struct RequestWithoutSQLTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { try $0.execute(sql: "CREATE TABLE player(id INTEGER, score INTEGER)") }
    }

    @Test("An empty selection throws", .proves("QRY-004"))
    func emptySelection() throws {
        let nothing: [any SQLSelectable] = []
        let players = Table("player")
        try queue.write { db throws in
            let attempts: [() throws -> Void] = [
                { _ = try players.select(nothing).fetchAll(db) },
                { _ = try players.select(nothing).makePreparedRequest(db) },
                { _ = try players.all().deleteAndFetchStatement(db, selection: nothing) },
            ]
            for attempt in attempts {
                let error = DatabaseError.thrown(by: attempt)
                #expect(error?.resultCode == .SQLITE_MISUSE)
                #expect(
                    error?.message == "can't generate SQL with an empty selection: of table player")
            }
        }
    }

    @Test("An ordering that is SQL can't be reversed, but twice", .proves("QRY-064"))
    func reversedSQL() throws {
        let literal = Table("player").order(literal: "score")
        try queue.read { db throws in
            for request in [literal, Table("player").order(SQL("score"))] {
                let error = DatabaseError.thrown { _ = try request.reversed().fetchAll(db) }
                #expect(error?.resultCode == .SQLITE_MISUSE)
                #expect(error?.message?.hasSuffix("use SQL(...).sqlExpression instead") == true)
            }
            let twice = try literal.reversed().reversed().makePreparedRequest(db)
            #expect(twice.statement.sql == #"SELECT * FROM "player" ORDER BY score"#)
            let expression = Table("player").order(SQL("score").sqlExpression).reversed()
            let sql = try expression.makePreparedRequest(db).statement.sql
            #expect(sql == #"SELECT * FROM "player" ORDER BY score DESC"#)
        }
    }
}
