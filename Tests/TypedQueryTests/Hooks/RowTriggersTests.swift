import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

private typealias Tables = HookTables

@Suite struct RowTriggersTests {
    private let fixture: HookFixture

    init() throws { fixture = try HookFixture() }

    /// Triggers that write the key of each row that changes.
    private func triggers(
        _ table: StoredTable, isTemporary: Bool = true, timing: RowTriggers.Timing = .after,
        isSilentWithOrigin: Bool = false
    ) throws -> RowTriggers {
        let key = table.key.isEmpty ? ["rowid"] : table.key
        return try RowTriggers(
            "test", on: table, isTemporary: isTemporary, timing: timing,
            isSilentWithOrigin: isSilentWithOrigin
        ) { change in
            let values = key.map { "quote(\"\(change.row)\".\"\($0)\")" }.joined(separator: " || ")
            return "INSERT INTO seen SELECT '\(change.kind) ' || \(values)\(change.source)"
        }
    }

    private func seen(_ db: Database, _ sql: String) throws -> [String] {
        try db.execute(sql: sql)
        let lines = try String.fetchAll(db, sql: "SELECT line FROM seen ORDER BY rowid")
        try db.execute(sql: "DELETE FROM seen")
        return lines
    }

    private func watch(
        _ db: Database, _ type: any StrongroomTables.Table.Type, isTemporary: Bool = true
    ) throws {
        try db.execute(sql: "CREATE \(isTemporary ? "TEMP" : "") TABLE seen (line)")
        let table = try #require(try db.storedTable(of: type))
        try triggers(table, isTemporary: isTemporary).create(db)
    }

    @Test(.proves("THK-02"), arguments: [true, false])
    func `each kind of change is told, and nothing that changes nothing`(isTemporary: Bool) throws {
        try fixture.queue.write { db in
            try watch(db, HookItem.self, isTemporary: isTemporary)
            #expect(try seen(db, "INSERT INTO items (id) VALUES (9)") == ["insert 9"])
            #expect(try seen(db, "INSERT INTO items (code) VALUES ('x')") == ["insert 10"])
            #expect(try seen(db, "UPDATE items SET title = 'n' WHERE id = 9") == ["update 9"])
            #expect(try seen(db, "UPDATE items SET title = title, code = code") == [])
            #expect(try seen(db, "UPDATE items SET title = 'N' WHERE id = 9") == ["update 9"])
            #expect(
                try seen(db, "UPDATE items SET id = 11 WHERE id = 9").sorted()
                    == ["keyChange 11", "update 9"])
            #expect(
                try seen(db, "DELETE FROM items WHERE id > 9").sorted()
                    == ["delete 10", "delete 11"])
        }
    }

    @Test(.proves("THK-02"))
    func `a value of another storage class is another value`() throws {
        try fixture.queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE crews (id BLOB PRIMARY KEY, name);
                    INSERT INTO crews VALUES (1, 1);
                    """)
            try watch(db, Crew.self)
            #expect(try seen(db, "UPDATE crews SET name = 1.0") == ["update 1"])
            #expect(
                try seen(db, "UPDATE crews SET id = 1.0").sorted() == ["keyChange 1.0", "update 1"])
            #expect(try seen(db, "UPDATE crews SET name = '1'") == ["update 1.0"])
            #expect(try seen(db, "UPDATE crews SET name = NULL") == ["update 1.0"])
            #expect(try seen(db, "UPDATE crews SET name = NULL") == [])
            #expect(
                try seen(db, "UPDATE crews SET id = X'31'").sorted()
                    == ["keyChange X'31'", "update 1.0"])
        }
    }

    @Test(.proves("THK-02"), arguments: [true, false])
    func `rows that REPLACE deletes are told`(isRecursive: Bool) throws {
        try fixture.queue.inDatabase { db in
            try db.execute(sql: "PRAGMA recursive_triggers = \(isRecursive)")
            try watch(db, HookItem.self)
            func replaced(_ sql: String) throws -> Set<String> {
                Set(try seen(db, sql)).filter { $0.hasPrefix("replace") }
            }
            // By the key, by a unique column, and by both.
            #expect(try replaced("REPLACE INTO items (id) VALUES (3)") == ["replace 3"])
            #expect(try replaced("REPLACE INTO items (code) VALUES ('A1')") == ["replace 1"])
            #expect(
                try replaced("REPLACE INTO items (id, code) VALUES (3, 'B2')")
                    == ["replace 2", "replace 3"])
            // By an index on an expression of some rows.
            #expect(
                try replaced("REPLACE INTO items (code, folderID) VALUES ('d45', NULL)")
                    == ["replace 4"])
            #expect(try replaced("REPLACE INTO items (code, folderID) VALUES ('d46', 1)") == [])
            // By an update, in which the row itself is in nobody's way.
            let id = try Int.fetchOne(db, sql: "SELECT id FROM items WHERE code = 'd45'") ?? 0
            #expect(
                try replaced("UPDATE OR REPLACE items SET code = 'd45' WHERE code = 'd46'")
                    == ["replace \(id)"])
            #expect(try replaced("UPDATE OR REPLACE items SET title = 'same'") == [])
        }
    }

    @Test(.proves("THK-02"))
    func `a row that an update replaces because of a computed column is told`() throws {
        try fixture.queue.write { db in
            try db.execute(
                sql: """
                    CREATE TEMP TABLE seen (line);
                    CREATE TABLE pairs (
                        id INTEGER PRIMARY KEY, a TEXT, b TEXT, both TEXT AS (a || b) STORED UNIQUE);
                    INSERT INTO pairs (id, a, b) VALUES (1, 'x', 'y'), (2, 'z', 'y')
                    """)
            let table = try #require(try db.storedTable("pairs"))
            try triggers(table).create(db)
            let lines = try seen(db, "UPDATE OR REPLACE pairs SET a = 'x' WHERE id = 2")
            #expect(Set(lines) == ["replace 1", "update 2"])
        }
    }

    @Test(.proves("THK-02"))
    func `composite keys of tables without row numbers, and names like keywords`() throws {
        try fixture.queue.write { db in
            try watch(db, Grid.self)
            #expect(
                try seen(db, #"INSERT INTO "select" VALUES (X'01', 'a', 1)"#) == ["insert X'01''a'"]
            )
            #expect(
                try seen(db, #"REPLACE INTO "select" VALUES (X'01', 'A', 1)"#).first
                    == "replace X'01''a'")
            #expect(
                try seen(db, #"UPDATE "select" SET "group" = 'a'"#).sorted()
                    == ["keyChange X'01''a'", "update X'01''A'"])
            #expect(try seen(db, #"DELETE FROM "select""#) == ["delete X'01''a'"])
        }
    }

    @Test(.proves("THK-02"))
    func `tables without a key, and of an attached database`() throws {
        try fixture.queue.inDatabase { db in
            try watch(db, Keyless.self)
            #expect(try seen(db, "INSERT INTO keyless VALUES ('a')") == ["insert 1"])
            #expect(try seen(db, "REPLACE INTO keyless VALUES ('a')") == ["replace 1", "insert 2"])
            #expect(
                try seen(db, "UPDATE keyless SET rowid = 7").sorted() == [
                    "keyChange 7", "update 2",
                ])
            try db.execute(
                sql: """
                    ATTACH '' AS other; CREATE TABLE other.things (id INTEGER PRIMARY KEY, name);
                    """)
            let table = try #require(try db.storedTable(of: Thing.self))
            try triggers(table).create(db)
            #expect(try seen(db, "INSERT INTO other.things VALUES (1, 'x')") == ["insert 1"])
            #expect(
                try seen(db, "REPLACE INTO other.things VALUES (1, 'x')") == [
                    "replace 1", "insert 1",
                ])
            let refusal = DatabaseError.thrown {
                _ = try triggers(table, isTemporary: false, isSilentWithOrigin: true)
            }
            #expect(refusal?.message?.contains("cannot read the origin") == true)
            try triggers(table).drop(db)
            #expect(try seen(db, "DELETE FROM other.things") == [])
        }
    }

    @Test(.proves("THK-02", "THK-04"), arguments: [true, false])
    func `triggers are silent while there is an origin`(isTemporary: Bool) throws {
        try fixture.queue.write { db in
            try db.execute(sql: "CREATE \(isTemporary ? "TEMP" : "") TABLE seen (line)")
            let table = try #require(try db.storedTable(of: HookFolder.self))
            let triggers = try triggers(
                table, isTemporary: isTemporary, isSilentWithOrigin: true)
            try triggers.create(db)
            #expect(try seen(db, "INSERT INTO folders (id, title) VALUES (7, 'x')") == ["insert 7"])
            let quiet = try db.withOrigin("sync") {
                try seen(db, "UPDATE folders SET id = 8, title = 'y' WHERE id = 7")
            }
            #expect(quiet == [])
            #expect(try seen(db, "DELETE FROM folders WHERE id = 8") == ["delete 8"])
        }
    }

    @Test(.proves("THK-02"))
    func `permanent triggers work for any program that opens the file`() throws {
        try fixture.queue.write { db in
            try db.execute(sql: "CREATE TABLE seen (line)")
            for type in [HookItem.self, Grid.self] as [any StrongroomTables.Table.Type] {
                let table = try #require(try db.storedTable(of: type))
                try triggers(table, isTemporary: false, isSilentWithOrigin: true).create(db)
            }
            let names = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'")
            #expect(names.count == 12 && names.allSatisfy { $0.hasPrefix("strongroom_test_") })
        }
        try fixture.queue.close()
        let output = try fixture.fixture.shell().run(
            """
            REPLACE INTO items (id, code) VALUES (3, 'A1');
            INSERT INTO "select" VALUES (X'00', 'g', 2.5);
            SELECT line FROM seen;
            """)
        #expect(
            output.split(separator: "\n").sorted()
                == ["insert 3", "insert X'00''g'", "replace 1", "replace 3"])
        // Also where it is attached under another name.
        let attached = try FixtureDatabase()
        try attached.open().inDatabase { db in
            try db.attach(fixture.fixture.path, as: "aux", passphrase: FixtureDatabase.rawKey)
            try db.execute(sql: "INSERT INTO aux.items (id) VALUES (20)")
            #expect(
                try String.fetchAll(db, sql: "SELECT line FROM aux.seen").contains("insert 20"))
        }
    }
}
