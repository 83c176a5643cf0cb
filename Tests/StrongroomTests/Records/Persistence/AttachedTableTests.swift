import Strongroom
import StrongroomTestSupport
import Testing

/// Records whose table is in an attached database, or hidden by another for a while: what was
/// learned of one table is not used for another of the same name.
@Suite struct AttachedTableTests {
    struct Item: Codable, FetchableRecord, PersistableRecord, Equatable {
        var id: Int64
        var code: String
        var name: String
    }

    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
    }

    /// Another file, whose items are told apart by one of their columns.
    private func makeFile(_ name: String, key: String) throws -> String {
        let path = fixture.directory.path(of: name)
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.usePassphrase(name) }
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try other.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE item(id INT, code TEXT, name TEXT, PRIMARY KEY (\(key)));
                    INSERT INTO item VALUES (1, 'a', 'one'), (2, 'b', 'two');
                    """)
        }
        return path
    }

    private func names(_ db: Database) throws -> [String] {
        try Item.order(Column("id")).fetchAll(db).map(\.name)
    }

    @Test func `A table that takes the place of another is found by its own key`() throws {
        let byID = try makeFile("byID", key: "id")
        let byCode = try makeFile("byCode", key: "code")
        try queue.inDatabase { db throws in
            for _ in 0..<2 {
                try db.attach(byID, as: "x", passphrase: "byID")
                #expect(try Item.fetchOne(db, key: 2)?.code == "b")
                // Another code, the same id: the row is found by its id.
                try Item(id: 2, code: "c", name: "by id").update(db)
                #expect(try names(db) == ["one", "by id"])
                try Item(id: 2, code: "b", name: "two").update(db)
                #expect(try Item.exists(db, key: 1))
                try db.detach("x")

                try db.attach(byCode, as: "x", passphrase: "byCode")
                #expect(try Item.fetchOne(db, key: "b")?.id == 2)
                #expect(try Item.fetchOne(db, key: 2) == nil)
                try Item(id: 3, code: "b", name: "by code").update(db)
                #expect(try names(db) == ["one", "by code"])
                try Item(id: 2, code: "b", name: "two").update(db)
                try db.detach("x")
                let error = DatabaseError.thrown { _ = try Item.fetchOne(db, key: "b") }
                #expect(error?.message == "no such table: item")
            }
        }
    }

    @Test func `A temporary table stands before one of the same name, as long as it is there`()
        throws
    {
        try queue.inDatabase { db throws in
            try db.execute(sql: "CREATE TABLE item(id INTEGER PRIMARY KEY, code TEXT, name TEXT)")
            try Item(id: 1, code: "a", name: "main").insert(db)
            try db.execute(
                sql: "CREATE TEMP TABLE item(id INT, code TEXT PRIMARY KEY, name TEXT)")
            try Item(id: 1, code: "a", name: "temporary").insert(db)
            try Item(id: 9, code: "a", name: "changed").update(db)
            #expect(try names(db) == ["changed"])
            try db.execute(sql: "DROP TABLE temp.item")
            #expect(try names(db) == ["main"])
            try Item(id: 1, code: "z", name: "found by id").update(db)
            #expect(try names(db) == ["found by id"])
        }
        #expect(try fixture.shell().cell("SELECT name FROM item") == "found by id")
    }
}
