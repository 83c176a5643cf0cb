import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct DatabaseErrorTests {
    @Test(.proves("ERR-002", "ERR-003", "ERR-004"))
    func `The description shows arguments only when they are public`() {
        let hidden = DatabaseError(
            resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY, message: "FOREIGN KEY constraint failed",
            sql: "INSERT INTO t VALUES (?, ?)", arguments: [12, "secret"])
        let text = """
            SQLite error 19: FOREIGN KEY constraint failed - while executing \
            `INSERT INTO t VALUES (?, ?)`
            """
        #expect(hidden.description == text)
        #expect(hidden.expandedDescription == text + #" with arguments [12, "secret"]"#)
        #expect(hidden.arguments == [12, "secret"])
        #expect(hidden.extendedResultCode.rawValue == 787)
        #expect(hidden.resultCode == .SQLITE_CONSTRAINT)
        let shown = DatabaseError(
            message: "no", sql: "S", arguments: [1], publicStatementArguments: true)
        #expect(shown.description == "SQLite error 1: no - while executing `S` with arguments [1]")
        #expect(DatabaseError(resultCode: .SQLITE_BUSY).message == "database is locked")
        #expect(DatabaseError(resultCode: .SQLITE_INTERRUPT).isInterruptionError)
        #expect(!DatabaseError(resultCode: .SQLITE_BUSY).isInterruptionError)
    }

    @Test(.proves("ERR-001"))
    func `It is an error with a domain and a code`() {
        let error = DatabaseError(resultCode: .SQLITE_BUSY_SNAPSHOT)
        #expect(DatabaseError.errorDomain == "GRDB.DatabaseError")
        #expect(error.errorCode == 517)
        #expect(error.errorUserInfo[NSLocalizedDescriptionKey] as? String == error.description)
    }

    @Test(.proves("ERR-008", "CNF-030"))
    func `A failed statement tells its extended code, its SQL and the place of the fault`() throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open { $0.publicStatementArguments = true }
        try queue.write { db throws in
            try db.execute(sql: "CREATE TABLE t(a UNIQUE)")
            let insert = "INSERT INTO t VALUES (?)"
            try db.execute(sql: insert, arguments: ["x"])
            let unique = #expect(throws: DatabaseError.self) {
                try db.execute(sql: insert, arguments: ["x"])
            }
            #expect(unique?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
            #expect(
                unique?.description == """
                    SQLite error 19: UNIQUE constraint failed: t.a - while executing \
                    `INSERT INTO t VALUES (?)` with arguments ["x"]
                    """)
            let syntax = #expect(throws: DatabaseError.self) {
                try db.execute(sql: "SELECT a, b FROM t")
            }
            #expect(syntax?.sqlOffset == 10)
            #expect(syntax?.sql == "SELECT a, b FROM t")
        }
    }
}
