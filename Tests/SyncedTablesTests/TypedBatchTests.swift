import Foundation
import StrongroomCore
import StrongroomSync
import StrongroomTables
import StrongroomTestSupport
import Synchronization
import Testing

/// An item whose default scope hides most rows.
@Table("item") struct Item: Identifiable, Hashable {
    static let all = Self.where { $0.stars > 100 }
    let id: String
    var title: String?
    var price: Double?
    @Column(merge: MergePolicy.sum) var stars = 0
    @Column(generated: .stored) let double: Double?
    @Ephemeral var isSelected = false
}

/// The same rows as a Codable record.
private struct ItemRecord: Codable, FetchableRecord, MutablePersistableRecord {
    var id: String
    var title: String?
    var price: Double?
    var stars = 0
    static let databaseTableName = "item"
}

/// However an app writes, the same bytes lie in the hub.
@Suite struct TypedBatchTests {
    private static func database() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { db in
            db.add(
                function: DatabaseFunction("julianday", argumentCount: 0) { _ in 2_460_000.5 })
            db.add(function: DatabaseFunction("random", argumentCount: 0) { _ in 7 })
            try db.execute(
                sql: """
                    CREATE TABLE item (id TEXT PRIMARY KEY NOT NULL, title TEXT, price REAL,
                        stars INTEGER NOT NULL DEFAULT 0, double REAL AS (price * 2) STORED);
                    INSERT INTO item VALUES ('a', 'old', 1, 1)
                    """)
        }
        return queue
    }

    /// The same bytes for every way to write.
    private static func randomness() -> SyncRandomness {
        let generator = Mutex(SeededGenerator(seed: 7))
        return SyncRandomness { count in
            var secret = SecretBytes(capacity: count)
            generator.withLock { generator in
                for _ in 0..<count { secret.append(.random(in: 0...255, using: &generator)) }
            }
            return secret
        }
    }

    private static func engine(_ queue: DatabaseQueue, _ hub: MemoryHub) async throws -> SyncEngine
    {
        var options = SyncOptions()
        options.randomness = randomness()
        options.time = { 1_790_000_000_000 }
        return try await SyncEngine.create(
            queue, hub, tables: [SyncedTable(Item.schema)], name: "device", options)
    }

    /// What the hub has after a device with a given clock and given random numbers has written.
    private func contents(
        _ write: @Sendable (Database) throws -> Void
    ) async throws -> [String: [UInt8]] {
        let queue = try Self.database()
        let hub = MemoryHub(time: { 1_790_000_000_000 }, sleep: { _ in })
        let engine = try await Self.engine(queue, hub)
        try await engine.synchronize()
        try await queue.write { try write($0) }
        #expect(try await engine.synchronize().sentBatches == 1)
        return hub.contents
    }

    @Test(.proves("SYN-273"))
    func `table types, Codable records and SQL leave the same batches, byte for byte`() async throws
    {
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
            var item = ItemRecord(id: "b", title: "new", price: 2.5, stars: 3)
            try item.insert(db)
            var old = try ItemRecord.find(db, key: "a")
            try old.updateChanges(db) {
                $0.title = nil
                $0.stars = 5
            }
            try item.delete(db)
            var last = ItemRecord(id: "c", title: "", price: nil)
            try last.insert(db)
        }
        let tables = try await contents { db in
            try Item.insert {
                ($0.id, $0.title, $0.price, $0.stars)
            } values: {
                ("b", "new", 2.5, 3)
            }.execute(db)
            try Item.unscoped.where { $0.id.eq("a") }.update {
                $0.title = nil
                $0.stars += 4
            }.execute(db)
            try Item.unscoped.where { $0.id.eq("b") }.delete().execute(db)
            try Item.insert {
                ($0.id, $0.title)
            } values: {
                ("c", "")
            }.execute(db)
        }
        #expect(sql.count > 3)
        #expect(records == sql)
        #expect(tables == sql)
    }

    @Test(.proves("SYN-276"))
    func `rows outside of a default scope are sent, columns that SQLite computes are not`()
        async throws
    {
        let (a, b) = (try Self.database(), try Self.database())
        let hub = MemoryHub()
        let first = try await Self.engine(a, hub)
        try await b.write {
            try $0.execute(sql: "DELETE FROM item; ALTER TABLE item DROP COLUMN double")
        }
        try await b.write {
            try $0.execute(sql: "ALTER TABLE item ADD COLUMN double REAL AS (price * 3)")
        }
        let second = try await SyncEngine.join(
            try await first.inviteDevice().ticket, for: b, transport: hub, name: "other",
            tables: [SyncedTable(Item.schema)], SyncOptions())
        for engine in [first, second] { try await engine.synchronize() }
        #expect(try await a.read { try Item.fetchCount($0) } == 0)
        let rows = try await b.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM item").map { "\($0)" }
        }
        #expect(rows == [#"[id:"a" title:"old" price:1.0 stars:1 double:3.0]"#])
        #expect(second.status.findings.isEmpty && second.status.withheldTables.isEmpty)
    }
}
