import StrongroomTablesRuntime
import StrongroomTestSupport
import Testing

/// What a module does that has neither macros nor types of rows.
@Suite struct SchemaByHandTests {
    @Test(.proves("THK-09"))
    func `a schema made by hand reads, writes and undoes rows without a type`() throws {
        var id = TableSchema.Column("id", type: "Int", affinity: .integer)
        id.keyPosition = 1
        let title = TableSchema.Column("title", type: "String", affinity: .text)
        let schema = TableSchema("Item", name: "items", columns: [id, title])
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        let titles = try queue.write { db -> [[String]] in
            try db.execute(sql: "CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
            func titles() throws -> [String] {
                try String.fetchAll(db, sql: "SELECT title FROM items")
            }
            let row = ["id": 1.databaseValue, "title": "Tea".databaseValue]
            let undo = try db.recordingUndo(of: [schema]) {
                try db.execute(literal: try schema.upsert(row))
            }
            let after = try titles()
            try undo.execute(db)
            return [after, try titles(), try db.storedTable(schema)?.key ?? []]
        }
        #expect(titles == [["Tea"], [], ["id"]])
    }
}
