import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

private typealias Tables = HookTables

@Suite struct StoredTableTests {
    private let fixture: HookFixture

    init() throws { fixture = try HookFixture() }

    private func stored(_ type: any StrongroomTables.Table.Type) throws -> StoredTable {
        try #require(try fixture.queue.read { try $0.storedTable(of: type) })
    }

    @Test(.proves("THK-01"))
    func `a type leads to all that the database says of its table`() throws {
        let items = try stored(HookItem.self)
        #expect(items.schemaName == "main" && items.name == "items" && items.key == ["id"])
        #expect(!items.isWithoutRowID && !items.isStrict && items.rowIDName == "rowid")
        #expect(
            items.columns.map(\.name) == ["id", "title", "folderID", "code", "length"]
                && items.columns.map(\.isGenerated) == [false, false, false, false, true])
        #expect(
            items.columns.map(\.collation) == ["BINARY", "NOCASE", "BINARY", "BINARY", "BINARY"])
        #expect(items.columns[1].defaultSQL == "''" && items.columns[1].isNotNull)
        let key = try #require(items.foreignKeys.first)
        #expect(items.foreignKeys.count == 1 && key.columns == ["folderID"])
        #expect(key.table == "folders" && key.targets == ["id"])
        #expect(key.onDelete == "CASCADE" && key.onUpdate == "CASCADE")
        #expect(items.checks == ["length(code) < 9", "id > 0"])
        let first = try #require(items.indexes.first { $0.name == "items_first" })
        #expect(first.isUnique && !first.isPrimaryKey && first.condition == "folderID IS NULL")
        #expect(first.terms.map(\.sql) == ["lower(substr(code, 1, 2))"])
        #expect(first.terms.map(\.column) == [nil] && first.terms[0].collation == "NOCASE")
        let code = try #require(items.indexes.first { $0.name == "items_code" })
        #expect(code.terms.map(\.column) == ["code"] && code.condition == nil)
    }

    @Test(.proves("THK-01"))
    func `composite keys, strict tables, and tables without row numbers are understood`() throws {
        let grid = try stored(Grid.self)
        #expect(grid.isWithoutRowID && grid.isStrict && grid.rowIDName == nil)
        #expect(grid.key == ["order", "group"])
        #expect(grid.columns.map(\.collation) == ["BINARY", "NOCASE", "BINARY"])
        let index = try #require(grid.indexes.first)
        #expect(index.isPrimaryKey && index.isUnique)
        #expect(index.terms.map(\.collation) == ["BINARY", "NOCASE"])
        let keyless = try stored(Keyless.self)
        #expect(keyless.key.isEmpty && keyless.indexes.map(\.isUnique) == [true])
        let folders = try stored(HookFolder.self)
        #expect(
            folders.checks == ["title <> 'no'"] && folders.foreignKeys[0].onUpdate == "NO ACTION")
    }

    @Test(.proves("THK-01"))
    func `missing tables are nil, views are refused, attached tables are found`() throws {
        try fixture.queue.inDatabase { db in
            #expect(try db.storedTable(of: Crew.self) == nil)
            try db.execute(
                sql: """
                    CREATE VIEW crews AS SELECT 1 AS id, 'x' AS name;
                    CREATE TABLE hidden (rowid, _rowid_, oid, a);
                    ATTACH '' AS other; CREATE TABLE other.things (id INTEGER PRIMARY KEY, name);
                    CREATE TABLE main.things (x);
                    """)
            #expect(throws: DatabaseError.self) { _ = try db.storedTable(of: Crew.self) }
            #expect(try db.storedTable(of: Thing.self)?.columns.map(\.name) == ["id", "name"])
            let hidden = try #require(try db.storedTable("hidden"))
            #expect(hidden.rowIDName == nil && !hidden.isWithoutRowID)
        }
    }

    /// What code does that knows no type of the app.
    private func copy(
        _ type: any StrongroomTables.Table.Type, _ row: [String: DatabaseValue], _ db: Database
    ) throws -> [DatabaseValue] {
        let decoded = try type.decode(Row(row))
        let values = stored(decoded)
        #expect(values == row)
        let schema = type.schema
        let written = values.filter { name, _ in
            !schema.columns.contains { $0.isGenerated && $0.name == name }
        }
        try db.execute(literal: try schema.upsert(written))
        return schema.columns.filter { $0.keyPosition != nil }.map { values[$0.name] ?? .null }
    }

    private func stored(_ row: some StrongroomTables.Table) -> [String: DatabaseValue] {
        Dictionary(uniqueKeysWithValues: type(of: row).encode(row).map { ($0.column, $0.value) })
    }

    @Test(.proves("THK-01", "THK-03"))
    func `rows are read, written and deleted by the names of their columns alone`() throws {
        try fixture.queue.write { db in
            let item: [String: DatabaseValue] = [
                "id": 1.databaseValue, "title": "new".databaseValue, "folderID": .null,
                "code": "Z".databaseValue, "length": 3.databaseValue,
            ]
            let key = try copy(HookItem.self, item, db)
            #expect(key == [1.databaseValue])
            #expect(try HookItem.find(db, key: 1).title == "new")
            try db.execute(literal: try HookItem.schema.delete(key: key))
            #expect(try HookItem.find(1).fetchOne(db) == nil)
            let grid: [String: DatabaseValue] = [
                "order": Data([1]).databaseValue, "group": "g".databaseValue,
                "from": 2.5.databaseValue,
            ]
            let gridKey = try copy(Grid.self, grid, db)
            _ = try copy(Grid.self, grid, db)
            #expect(try Grid.fetchCount(db) == 1)
            let found = try Row.fetchOne(
                db, SQLRequest(literal: try Grid.schema.select(key: gridKey)))
            let expected = gridKey + [DatabaseValue(value: 2.5) ?? .null]
            #expect(found.map { Array($0.databaseValues) } == expected)
            // The default scope hides this row from queries, not from its key.
            let id = "00000000-0000-4000-8000-000000000001".databaseValue
            let hidden: [String: DatabaseValue] = [
                "id": id, "title": "t".databaseValue, "count": 1.databaseValue,
                "owner": "".databaseValue, "width": 0.databaseValue, "depth": .null,
                "isHidden": 1.databaseValue,
            ]
            _ = try copy(Rack.self, hidden, db)
            #expect(try Rack.fetchCount(db) == 0)
            #expect(try Rack.unscoped.fetchCount(db) == 1)
            var other = hidden
            other["count"] = nil
            other["COUNT"] = 2.databaseValue
            try db.execute(literal: try Rack.schema.upsert(other))
            #expect(try Rack.unscoped.select(\.number).fetchAll(db) == [2])
            try db.execute(literal: try Rack.schema.delete(key: [id]))
            #expect(try Rack.unscoped.fetchCount(db) == 0)
        }
    }

    @Test(.proves("THK-01"))
    func `a row that does not fit its type is refused before it is written`() throws {
        func refusal(_ body: () throws -> SQL) -> String? {
            DatabaseError.thrown { _ = try body() }?.message
        }
        let schema = HookItem.schema
        let one = 1.databaseValue
        #expect(
            refusal { try schema.upsert(["titel": one, "id": one]) }?.contains("titel") == true)
        #expect(
            refusal { try schema.upsert(["length": one, "id": one]) }?.contains("length") == true)
        #expect(refusal { try schema.upsert(["title": one]) }?.contains("\"id\"") == true)
        #expect(refusal { try schema.delete(key: []) }?.contains("1 columns, not 0") == true)
        #expect(refusal { try Keyless.schema.delete(key: [one]) }?.contains("no key") == true)
        let sql = try fixture.queue.read { try Grid.schema.delete(key: [one, one]).build($0).sql }
        #expect(sql == #"DELETE FROM "select" WHERE "order" = ? AND "group" = ?"#)
        let upsert = try fixture.queue.read { db in
            try Thing.schema.upsert(["id": one]).build(db).sql
        }
        #expect(
            upsert
                == #"INSERT INTO "other"."things" ("id") VALUES (?) ON CONFLICT ("id") DO NOTHING"#)
    }

    @Test(.proves("THK-03"))
    func `no default scope hides rows from what reads and writes without it`() throws {
        let id = UUID()
        try fixture.queue.write { db in
            try Rack.insert { Rack(id: id, isHidden: true) }.execute(db)
            #expect(try Rack.find(id).fetchOne(db) == nil)
            #expect(try Rack.unscoped.find(id).fetchOne(db)?.isHidden == true)
            #expect(try Rack.unscoped.where { $0.number.eq(0) }.fetchCount(db) == 1)
            #expect(try Rack.Draft.unscoped.fetchAll(db).count == 1)
            let joined = HookFolder.unscoped.join(Rack.unscoped) { $0.id.eq($1.number + 1) }
            #expect(try joined.fetchCount(db) == 1)
            try Rack.unscoped.find(id).update { $0.number = 5 }.execute(db)
            #expect(try Rack.unscoped.select(\.number).fetchAll(db) == [5])
            let undo = try Rack.unscoped.delete().recordingUndo(db)
            #expect(try Rack.unscoped.fetchCount(db) == 0)
            try undo.execute(db)
            #expect(try Rack.unscoped.select(\.number).fetchAll(db) == [5])
            // The schema check decodes such rows, too.
            try db.execute(sql: "UPDATE shelves SET width = 'x'")
            #expect(try db.mismatches(of: [Rack.self], sampling: 9).map(\.column).contains("width"))
        }
    }
}
