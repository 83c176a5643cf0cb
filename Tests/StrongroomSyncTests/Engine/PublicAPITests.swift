import Foundation
import Strongroom
import StrongroomSync
import StrongroomTestSupport
import Testing

/// What an app writes: nothing here is internal.
@Suite struct PublicAPITests {
    private struct Item: Codable, FetchableRecord, PersistableRecord {
        var id: String
        var title: String
        var stars = 0
        static let databaseTableName = "item"
    }

    private static let tables = [SyncedTable("item", merge: ["stars": .counter], unique: [:])]

    private func database() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE item (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL UNIQUE,
                        stars INTEGER NOT NULL DEFAULT 0)
                    """)
        }
        return queue
    }

    /// A hub whose tickets can be carried, and a folder for it.
    private struct Space {
        let folder: TemporaryDirectory
        let hub: FolderHub
        init() throws {
            folder = try TemporaryDirectory()
            hub = .folder(folder.path)
        }
    }

    @Test(.proves("SYN-272"))
    func `an engine sends and fetches when it is asked to`() async throws {
        let space = try Space()
        let (a, b) = (try database(), try database())
        let first = try await SyncEngine(for: a, transport: space.hub, name: "laptop") {
            SyncedTable("item", merge: ["stars": .counter])
        }
        let ticket = try await first.inviteDevice()
        #expect(ticket.ticket.hasPrefix("srs1") && !ticket.fingerprint.isEmpty)
        let second = try await SyncEngine.join(
            ticket.ticket, for: b, transport: space.hub, name: "phone", tables: Self.tables)
        #expect(first.space == second.space)

        try await a.write { try Item(id: "1", title: "Milk").insert($0) }
        let status = try await first.refreshStatus()
        #expect(status.pendingChanges == 1)
        let sent = try await first.sendChanges()
        #expect(sent.localChanges == 1 && sent.sentBatches == 1 && sent.mergedChanges == 0)
        #expect(first.status.pendingChanges == 0 && first.status.unsentBatches == 0)
        #expect(try await b.read { try Item.fetchCount($0) } == 0)
        let fetched = try await second.fetchChanges()
        #expect(fetched.mergedChanges == 1 && fetched.sentBatches == 0)
        #expect(try await b.read { try Item.fetchOne($0, key: "1")?.title } == "Milk")

        try await a.write { try $0.execute(sql: "UPDATE item SET stars = stars + 2") }
        try await b.write { try $0.execute(sql: "UPDATE item SET stars = stars + 3") }
        try await first.syncChanges()
        try await second.syncChanges()
        try await first.syncChanges()
        for queue in [a, b] {
            #expect(try await queue.read { try Item.fetchOne($0, key: "1")?.stars } == 5)
        }
        #expect(!first.isSynchronizing && !first.isSendingChanges && !first.isFetchingChanges)
        #expect(first.status.devices.values.sorted() == ["laptop", "phone"])
    }

    @Test(.proves("SYN-162", "SYN-233", "SYN-272"), .timeLimit(.minutes(30)))
    func `an engine that was started exchanges by itself until it is stopped`() async throws {
        let space = try Space()
        let (a, b) = (try database(), try database())
        let first = try await SyncEngine(
            for: a, transport: space.hub, startImmediately: true, tables: Self.tables)
        #expect(first.isRunning)
        let ticket = try await first.inviteDevice().ticket
        let second = try await SyncEngine.join(
            ticket, for: b, transport: space.hub, tables: Self.tables)
        #expect(!second.isRunning)
        await second.start()
        await second.start()
        #expect(second.isRunning)
        let observation = ValueObservation.tracking { try Item.fetchAll($0).map(\.title) }
        try await a.write { try Item(id: "1", title: "Milk").insert($0) }
        for try await titles in observation.values(in: b) where titles == ["Milk"] { break }

        await second.stop()
        #expect(!second.isRunning)
        // What happens between stop and start is sent, a row that was deleted and inserted again too.
        try await b.write { db in
            try Item.deleteOne(db, key: "1")
            try Item(id: "1", title: "Oat milk").insert(db)
        }
        #expect(try await a.read { try Item.fetchAll($0).map(\.title) } == ["Milk"])
        await second.start()
        for try await titles in observation.values(in: a) where titles == ["Oat milk"] { break }
        for await status in second.statuses
        where status.pendingChanges == 0 && status.unsentBatches == 0 { break }
        await first.stop()
        await second.stop()
    }

    @Test(.proves("SYN-233"))
    func `statuses begin with the present one, and end with the engine`() async throws {
        let space = try Space()
        let queue = try database()
        var engine: SyncEngine? = try await SyncEngine(
            for: queue, transport: space.hub, tables: Self.tables)
        let statuses = try #require(engine?.statuses)
        try await engine?.synchronize()
        engine = nil
        var seen: [SyncStatus.Activity] = []
        for await status in statuses { seen.append(status.activity) }
        #expect(seen.first == .idle && seen.last == .idle)
        #expect(seen.contains(.fetching) && seen.contains(.sending))
    }

    @Test(.proves("SYN-126", "SYN-234", "SYN-272"))
    func `rows of synchronisation are joined to those of the app`() async throws {
        let space = try Space()
        let (a, b) = (try database(), try database())
        let first = try await SyncEngine(for: a, transport: space.hub, tables: Self.tables)
        let ticket = try await first.inviteDevice().ticket
        let second = try await SyncEngine.join(
            ticket, for: b, transport: space.hub, tables: Self.tables)
        try await a.write { try Item(id: "1", title: "Milk").insert($0) }
        try await b.write { try Item(id: "2", title: "Milk").insert($0) }
        try await first.synchronize()
        try await second.synchronize()
        try await first.synchronize()
        try await a.write { try Item(id: "3", title: "Egg").insert($0) }
        let merged = try await a.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT item.id, m.isShown FROM item LEFT JOIN strongroom_sync_metadata AS m
                    ON m."table" = 'item' AND m."key" = item.id ORDER BY item.id
                    """
            ).map { "\($0)" }
        }
        // The older of both is shown, and their times are those of two clocks.
        let (shown, other) = merged.first == "[id:\"1\" isShown:1]" ? ("1", "2") : ("2", "1")
        #expect(merged == ["[id:\"\(shown)\" isShown:1]", "[id:\"3\" isShown:NULL]"])
        let held = try await a.read { try SyncRow.fetchHeld($0, table: "Item") }
        #expect(held.map(\.key) == [other.databaseValue])
        #expect(held.first?.reason == "an older row has the same unique value")
        let row = try await a.read { try SyncRow.fetchOne($0, table: "item", key: shown) }
        #expect(row?.isShown == true && row?.reason == nil)
        #expect(try await a.read { try SyncRow.fetchCount($0) } == 2)
        #expect(first.status.heldRows == ["an older row has the same unique value": 1])
    }

    @Test(.proves("SYN-234"))
    func `keys of every type are those of the rows`() async throws {
        let queue = try DatabaseQueue()
        let keys: [DatabaseValue] = [
            0.databaseValue, 1.databaseValue, (-1).databaseValue, Int64.max.databaseValue,
            Int64.min.databaseValue, 0x0123_4567_89AB_CDEF.databaseValue, "".databaseValue,
            "é%'".databaseValue, Data([0xFF, 3]).databaseValue,
        ]
        try await queue.write { db in
            try db.execute(sql: "CREATE TABLE t (k BLOB PRIMARY KEY NOT NULL)")
            for key in keys {
                try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [key])
            }
        }
        let engine = try await SyncEngine(
            for: queue, transport: .memory, tables: [SyncedTable("t")])
        try await engine.synchronize()
        let found = try await queue.read { try SyncRow.fetchAll($0).map(\.key) }
        #expect(Set(found) == Set(keys))
    }

    @Test(.proves("SYN-034", "SYN-163"))
    func `a database that leaves keeps its rows, and nothing of synchronisation`() async throws {
        let space = try Space()
        let queue = try database()
        let before = try await queue.read { try $0.dumpedSchema() }
        let engine = try await SyncEngine(for: queue, transport: space.hub, tables: Self.tables)
        try await queue.write { try Item(id: "1", title: "Milk").insert($0) }
        try await engine.synchronize()
        try await engine.leave()
        #expect(try await queue.read { try $0.dumpedSchema() } == before)
        #expect(try await queue.read { try Item.fetchCount($0) } == 1)
    }

    @Test(.proves("SYN-027", "SYN-272"))
    func `typed code and SQL can ask whether the engine writes`() async throws {
        let space = try Space()
        let (a, b) = (try database(), try database())
        let first = try await SyncEngine(for: a, transport: space.hub, tables: Self.tables)
        let ticket = try await first.inviteDevice().ticket
        let second = try await SyncEngine.join(
            ticket, for: b, transport: space.hub, tables: Self.tables)
        try await b.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE seen (origin);
                    CREATE TEMP TRIGGER asking AFTER INSERT ON item BEGIN
                        INSERT INTO seen SELECT origin FROM strongroom_sync_state; END
                    """)
            try Item(id: "1", title: "Milk").insert(db)
            #expect(!SyncEngine.isApplying(db))
        }
        try await a.write { try Item(id: "2", title: "Egg").insert($0) }
        try await first.synchronize()
        try await second.synchronize()
        #expect(
            try await b.read { try Int.fetchAll($0, sql: "SELECT origin FROM seen") } == [0, 2])
    }
}

extension Database {
    fileprivate func dumpedSchema() throws -> [String] {
        try String.fetchAll(
            self, sql: "SELECT ifnull(sql, name) FROM sqlite_master ORDER BY name")
    }
}
