import Strongroom
import StrongroomTestSupport
import Testing

/// Statements that a connection keeps, when what their names mean has changed.
@Suite struct KeptStatementTests {
    private let fixture: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase()
    }

    private struct Thing: TableRecord {
        static var databaseTableName: String { "thing" }
    }

    @Test(.proves("CMP-31"), arguments: ["main", "temp"])
    func `A name reads the table that it means now`(schema: String) throws {
        let queue = try fixture.open(.queue)
        try queue.writeWithoutTransaction { db throws in
            try db.execute(sql: "ATTACH ':memory:' AS other KEY ''")
            try db.execute(sql: "CREATE TABLE other.thing(a); INSERT INTO other.thing VALUES (1)")
            let sql = "SELECT a FROM thing"
            #expect(try Int.fetchAll(db, sql: sql) == [1])
            #expect(try Int.fetchAll(db.cachedStatement(sql: sql)) == [1])
            try db.execute(sql: "CREATE TABLE \(schema).thing(a, b)")
            #expect(try Int.fetchAll(db, sql: sql) == [])
            #expect(try Int.fetchAll(db.cachedStatement(sql: sql)) == [])
            try db.execute(sql: "INSERT INTO thing VALUES (2, 3)")
            #expect(try Int.fetchAll(db, sql: sql) == [2])
            try db.execute(sql: "DROP TABLE \(schema).thing")
            #expect(try Int.fetchAll(db, sql: sql) == [1])
        }
    }

    @Test(.proves("CMP-30"))
    func `After a change that was rolled back, columns are those of before`() throws {
        let queue = try fixture.open(.queue)
        try queue.writeWithoutTransaction { db throws in
            try db.execute(sql: "CREATE TABLE thing(a, b)")
            #expect(try Thing.numberOfSelectedColumns(db) == 2)
            try db.inTransaction {
                try db.execute(sql: "DROP TABLE thing; CREATE TABLE thing(a)")
                #expect(try Thing.numberOfSelectedColumns(db) == 1)
                return .rollback
            }
            #expect(try Thing.numberOfSelectedColumns(db) == 2)
            try db.inSavepoint {
                try db.execute(sql: "ALTER TABLE thing ADD COLUMN c")
                #expect(try Thing.numberOfSelectedColumns(db) == 3)
                return .rollback
            }
            #expect(try Thing.numberOfSelectedColumns(db) == 2)
        }
    }

    @Test(.proves("CMP-31"))
    func `A cursor that stands on a row goes on while others change the schema`() throws {
        let queue = try fixture.open(.queue)
        try queue.writeWithoutTransaction { db throws in
            try db.execute(sql: "CREATE TABLE thing(a); INSERT INTO thing VALUES (1), (2), (3)")
            let cursor = try Int.fetchCursor(db, sql: "SELECT a FROM thing")
            #expect(try cursor.next() == 1)
            try db.execute(sql: "CREATE TABLE another(a)")
            #expect(try Int.fetchAll(db, sql: "SELECT a FROM thing") == [1, 2, 3])
            #expect(try cursor.next() == 2)
            #expect(try cursor.next() == 3)
            #expect(try cursor.next() == nil)
        }
    }
}
