import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

private typealias Tables = HookTables

@Suite struct UndoTests {
    struct Stop: Error {}

    private let fixture: HookFixture

    init() throws { fixture = try HookFixture() }

    private static let all: [any StrongroomTables.Table.Type] = [
        HookItem.self, HookFolder.self, Grid.self, Keyless.self,
    ]

    /// Runs SQL, takes it back, and makes it again.
    private func check(
        _ sql: String, of types: [any StrongroomTables.Table.Type] = all,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        do {
            try fixture.queue.inDatabase { try check(sql, of: types, $0, location) }
        } catch {
            Issue.record("\(sql): \(error)", sourceLocation: location)
        }
    }

    private func check(
        _ sql: String, of types: [any StrongroomTables.Table.Type], _ db: Database,
        _ location: SourceLocation
    ) throws {
        let before = try HookFixture.content(db)
        var after: [String] = []
        let undo = try db.recordingUndo(of: types) {
            try db.execute(sql: sql)
            after = try HookFixture.content(db)
        }
        let redo = try undo.recordingUndo(db)
        #expect(try HookFixture.content(db) == before, "\(sql)", sourceLocation: location)
        #expect(undo.isEmpty == (before == after), "\(sql)", sourceLocation: location)
        try redo.execute(db)
        #expect(try HookFixture.content(db) == after, "\(sql)", sourceLocation: location)
        let left = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM temp.sqlite_master WHERE name LIKE 'strongroom%'")
        #expect(left == 0, sourceLocation: location)
        #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty)
    }

    @Test(.proves("THK-05"))
    func `an update or a delete gives the statement that takes it back`() throws {
        try fixture.queue.write { db in
            let before = try HookFixture.content(db)
            let change = HookItem.where { $0.id > 1 }.update { $0.title = "new" }
            let undo = try change.recordingUndo(db)
            #expect(undo.tables == ["items"] && !undo.isEmpty)
            #expect(try HookItem.where { $0.title.eq("new") }.fetchCount(db) == 3)
            try undo.execute(db)
            #expect(try HookFixture.content(db) == before)
            // With the folders in it, and their items.
            let removal = try HookFolder.find(1).delete().recordingUndo(db)
            #expect(try HookFolder.fetchCount(db) == 1 && HookItem.fetchCount(db) == 2)
            #expect(removal.tables == ["folders", "items"])
            try removal.execute(db)
            #expect(try HookFixture.content(db) == before)
            let insert = HookFolder.insert {
                HookFolder.Draft(title: "x"); HookFolder.Draft(title: "y")
            }
            try insert.recordingUndo(db).execute(db)
            #expect(try HookFixture.content(db) == before)
            let nothing = HookItem.where { $0.id > 99 }.delete()
            #expect(try nothing.recordingUndo(db).isEmpty)
        }
    }

    @Test(.proves("THK-05"))
    func `whatever a statement does to rows is taken back`() throws {
        try check("UPDATE items SET title = upper(title), code = NULL")
        try check("INSERT INTO items (title) VALUES ('x'), ('y'); DELETE FROM items WHERE id = 2")
        try check("REPLACE INTO items (id, code) VALUES (30, 'A1')")
        try check("REPLACE INTO items (id, code) VALUES (2, 'A1')")
        // Rows replace each other.
        try check("UPDATE OR REPLACE items SET code = 'D4' WHERE code IS NOT 'D4' AND id > 1")
        try check("INSERT OR IGNORE INTO items (id, code) VALUES (2, 'A1')")
        try check(
            """
            INSERT INTO items (id, title) VALUES (3, 'x') ON CONFLICT (id) DO UPDATE SET title = 'z'
            """)
        // The items follow the key of their folder.
        try check("UPDATE folders SET id = id + 10 WHERE id = 3")
        try check(
            "UPDATE folders SET id = 20 WHERE id = 13; UPDATE folders SET id = 21 WHERE id = 20")
        try check("UPDATE items SET id = 50 WHERE id = 1; UPDATE items SET id = 51 WHERE id = 50")
        try check("UPDATE items SET title = 'ONE' WHERE id = 1")
        try check("DELETE FROM folders")
        try check("DELETE FROM items; INSERT INTO items (id, title) VALUES (1, 'again')")
        try check("INSERT INTO items (id) VALUES (77); DELETE FROM items WHERE id = 77")
    }

    @Test(.proves("THK-05"))
    func `keys of several columns, no key, and values of any class`() throws {
        try check(#"INSERT INTO "select" VALUES (X'00', 'a', 1), (X'', 'b', NULL)"#)
        try check(#"UPDATE "select" SET "group" = 'A' WHERE "group" = 'a'"#)
        try check(#"UPDATE "select" SET "order" = X'FF', "from" = 9 WHERE "group" = 'a'"#)
        try check(#"REPLACE INTO "select" VALUES (X'FF', 'a', 3)"#)
        try check(#"DELETE FROM "select""#)
        try check("INSERT INTO keyless VALUES ('a'), ('b'), (NULL), (NULL)")
        try check("REPLACE INTO keyless VALUES ('b')")
        try check("UPDATE keyless SET value = 'z' WHERE rowid = 1")
        try check("DELETE FROM keyless WHERE value IS NULL")
        try check("UPDATE keyless SET rowid = rowid + 100")
    }

    @Test(.proves("THK-05"))
    func `a value moves from row to row and back`() throws {
        try check(
            """
            UPDATE items SET code = NULL WHERE code = 'A1';
            UPDATE items SET code = 'A1' WHERE id = 2; UPDATE items SET code = 'B2' WHERE id = 3
            """)
        try check("DELETE FROM items WHERE id = 2; INSERT INTO items (id, code) VALUES (9, 'A1')")
    }

    @Test(.proves("THK-05"))
    func `recordings are composed, and lie inside of each other`() throws {
        try fixture.queue.write { db in
            let before = try HookFixture.content(db)
            let first = try HookItem.find(1).update { $0.title = "a" }.recordingUndo(db)
            var inner: UndoStatement?
            let second = try db.recordingUndo(of: Self.all) {
                try HookItem.find(1).update { $0.title = "b" }.execute(db)
                inner = try HookItem.find(1).delete().recordingUndo(db)
                try HookFolder.insert { HookFolder.Draft(title: "n") }.execute(db)
            }
            let whole = first.followed(by: second)
            try #require(inner).execute(db)
            #expect(try HookItem.find(db, key: 1).title == "b")
            try HookItem.find(1).delete().execute(db)
            try whole.execute(db)
            #expect(try HookFixture.content(db) == before)
        }
    }

    @Test(.proves("THK-05"))
    func `what is rolled back inside is not recorded, and a throw undoes all`() throws {
        try fixture.queue.write { db in
            let before = try HookFixture.content(db)
            let undo = try db.recordingUndo(of: [HookItem.self]) {
                try db.inSavepoint {
                    try HookItem.delete().execute(db)
                    return .rollback
                }
                try HookItem.find(4).update { $0.title = "x" }.execute(db)
            }
            try HookItem.find(1).update { $0.title = "later" }.execute(db)
            try undo.execute(db)
            #expect(try HookItem.find(db, key: 1).title == "later")
            try HookItem.find(1).update { $0.title = "one" }.execute(db)
            #expect(try HookFixture.content(db) == before)
            #expect(throws: Stop.self) {
                try db.recordingUndo(of: [HookItem.self]) {
                    try HookItem.delete().execute(db)
                    throw Stop()
                }
            }
            #expect(try HookFixture.content(db) == before)
            // Nothing records any more.
            try HookItem.delete().execute(db)
        }
    }

    @Test(.proves("THK-05"))
    func `other columns may change meanwhile; a row that is gone or in the way throws`() throws {
        try fixture.queue.write { db in
            let undo = try HookItem.find(1).update { $0.title = "x" }.recordingUndo(db)
            try HookItem.find(1).update { $0.code = "Q" }.execute(db)
            try undo.execute(db)
            #expect(try HookItem.find(db, key: 1).title == "one")
            #expect(try HookItem.find(db, key: 1).code == "Q")
            let both = try HookItem.where { $0.id < 3 }.update { $0.title = "x" }.recordingUndo(db)
            try HookItem.find(1).delete().execute(db)
            let state = try HookFixture.content(db)
            #expect(DatabaseError.thrown { try both.execute(db) }?.resultCode == .SQLITE_NOTFOUND)
            #expect(try HookFixture.content(db) == state)
            let gone = try HookItem.find(2).delete().recordingUndo(db)
            try db.execute(sql: "INSERT INTO items (id, code) VALUES (60, 'B2')")
            let blocked = DatabaseError.thrown { try gone.execute(db) }
            #expect(blocked?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
        }
    }

    @Test(.proves("THK-05"))
    func `an open foreign key is found at the commit`() throws {
        try fixture.queue.inDatabase { db in
            let undo = try db.recordingUndo(of: [HookItem.self]) {
                try HookItem.find(3).delete().execute(db)
            }
            try HookFolder.find(3).delete().execute(db)
            let error = DatabaseError.thrown { try undo.execute(db) }
            #expect(error?.resultCode == .SQLITE_CONSTRAINT)
            #expect(try HookItem.find(3).fetchOne(db) == nil && !db.isInsideTransaction)
        }
    }

    @Test(.proves("THK-05"))
    func `triggers of the app fire, and their writes to the same row are taken back`() throws {
        try fixture.queue.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER twice AFTER UPDATE OF title ON items WHEN new.title = 'x'
                    BEGIN UPDATE items SET title = 'y', code = 'fromX' WHERE id = new.id; END;
                    CREATE TRIGGER before BEFORE UPDATE OF title ON items WHEN new.title = 'b'
                    BEGIN UPDATE items SET code = 'fromB' WHERE id = new.id; END;
                    """)
        }
        try check("UPDATE items SET title = 'x' WHERE id = 1")
        try check("UPDATE items SET title = 'b' WHERE id = 2")
    }

    @Test(.proves("THK-05"))
    func `attached and missing tables, and views`() throws {
        try fixture.queue.inDatabase { db in
            try db.execute(
                sql: """
                    ATTACH '' AS other; CREATE TABLE other.things (id INTEGER PRIMARY KEY, name);
                    CREATE TABLE main.things (id INTEGER PRIMARY KEY, name);
                    INSERT INTO other.things VALUES (1, 'x'); CREATE VIEW crews AS SELECT 1 AS id;
                    """)
            let undo = try Thing.find(1).update { $0.name = "y" }.recordingUndo(db)
            #expect(undo.tables == ["other.things"])
            try undo.execute(db)
            #expect(try Thing.fetchAll(db) == [Thing(id: 1, name: "x")])
            #expect(
                DatabaseError.thrown { _ = try Crew.delete().recordingUndo(db) }?.resultCode
                    == .SQLITE_MISUSE)
            #expect(
                DatabaseError.thrown { _ = try Stamped.delete().recordingUndo(db) }?.message
                    == "no such table: stampeds")
        }
        let error = DatabaseError.thrown {
            try fixture.queue.read { _ = try HookItem.delete().recordingUndo($0) }
        }
        #expect(error?.resultCode == .SQLITE_READONLY)
    }
}
