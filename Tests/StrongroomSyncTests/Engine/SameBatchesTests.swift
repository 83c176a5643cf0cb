import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// However an app writes, the same bytes lie in the hub.
@Suite struct SameBatchesTests {
    private struct Item: Codable, FetchableRecord, MutablePersistableRecord {
        var id: String
        var title: String?
        var price: Double?
        var stars = 0
        static let databaseTableName = "item"
    }

    private static let table = SyncedTable("item", merge: ["stars": .counter])

    /// What the hub has after a device with a given clock and given random numbers has written.
    private func contents(
        _ write: @Sendable (Database) throws -> Void
    ) async throws -> [String: [UInt8]] {
        let fixture = try EngineFixture(
            """
            CREATE TABLE item (id TEXT PRIMARY KEY NOT NULL, title TEXT, price REAL,
                stars INTEGER NOT NULL DEFAULT 0)
            """, [Self.table])
        try await fixture.queue.write { db in
            db.add(
                function: DatabaseFunction("julianday", argumentCount: 0) { _ in 2_460_000.5 })
            db.add(function: DatabaseFunction("random", argumentCount: 0) { _ in 7 })
        }
        var options = SyncOptions()
        options.randomness = .seeded(7)
        options.time = { 1_790_000_000_000 }
        let hub = MemoryHub(time: { 1_790_000_000_000 }, sleep: { _ in })
        let engine = try await SyncEngine.create(
            fixture.queue, hub, tables: [Self.table], name: "device", options)
        for step in 0..<2 {
            try await fixture.queue.write { db in
                if step == 0 { try db.execute(sql: "INSERT INTO item VALUES ('a', 'old', 1, 1)") }
                if step == 1 { try write(db) }
            }
            try await engine.synchronize()
        }
        return hub.contents
    }

    @Test(.proves("SYN-273"))
    func `records, requests and SQL leave the same batches, byte for byte`() async throws {
        let sql = try await contents { db in
            try db.execute(
                sql: """
                    INSERT INTO item VALUES ('b', 'new', 2.5, 3);
                    UPDATE item SET title = NULL, stars = 5 WHERE id = 'a';
                    DELETE FROM item WHERE id = 'b';
                    INSERT INTO item VALUES ('c', '', NULL, 0)
                    """)
        }
        let records = try await contents { db in
            var item = Item(id: "b", title: "new", price: 2.5, stars: 3)
            try item.insert(db)
            var old = try Item.find(db, key: "a")
            try old.updateChanges(db) {
                $0.title = nil
                $0.stars = 5
            }
            try item.delete(db)
            var last = Item(id: "c", title: "", price: nil)
            try last.insert(db)
        }
        let requests = try await contents { db in
            var item = Item(id: "b", title: "new", price: 2.5, stars: 3)
            try item.upsert(db)
            try Item.filter(Column("id") == "a")
                .updateAll(db, Column("title").set(to: nil), Column("stars") += 4)
            try Item.filter(Column("id") == "b").deleteAll(db)
            var last = Item(id: "c", title: "", price: nil)
            try last.save(db)
        }
        #expect(sql.count > 3)
        #expect(records == sql)
        #expect(requests == sql)
    }
}
