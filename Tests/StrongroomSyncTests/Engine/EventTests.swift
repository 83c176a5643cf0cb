import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// What an app hears of, and what it asks about rows.
@Suite struct EventTests {
    private final class Log: SyncEngineDelegate {
        let events = Locked<[SyncEvent]>([])
        let (heard, hearing) = AsyncStream<SyncEvent>.makeStream()

        func syncEngine(_ engine: SyncEngine, didReceive event: SyncEvent) async {
            events.withLock { $0.append(event) }
            hearing.yield(event)
        }
    }

    private static let sql = """
        CREATE TABLE tag (id TEXT PRIMARY KEY NOT NULL, title TEXT UNIQUE);
        CREATE TABLE prefs (id TEXT PRIMARY KEY NOT NULL, value TEXT);
        """

    @Test(.proves("SYN-235", "SYN-272"), .timeLimit(.minutes(30)))
    func `a delegate hears of devices, held rows and tables that are not synchronised`()
        async throws
    {
        let folder = try TemporaryDirectory()
        let hub = FolderHub(path: folder.path)
        let tables = [SyncedTable("tag")]
        let (a, b) = (try EngineFixture(Self.sql, tables), try EngineFixture(Self.sql, tables))
        let log = Log()
        let first = try await SyncEngine(
            for: a.queue, tables: tables, privateTables: [SyncedTable("prefs")], transport: hub,
            name: "laptop", delegate: log)
        try a.write("INSERT INTO tag VALUES ('1', 'cold'); INSERT INTO prefs VALUES ('1', 'dark')")
        try await first.synchronize()
        let second = try await SyncEngine.join(
            try await first.inviteDevice().ticket, for: b.queue, transport: hub, name: "phone",
            tables: tables + [SyncedTable("prefs")])
        // The space has the table as a private one.
        #expect(
            second.status.withheldTables == ["prefs": "prefs: none here, private: yes there"])
        try b.write("INSERT INTO tag VALUES ('2', 'cold')")
        try await second.synchronize()
        try await first.synchronize()
        var kinds: Set<String> = []
        for await event in log.heard {
            kinds.insert(event.kind.rawValue)
            if kinds == ["joined", "heldRow"] { break }
        }
        let joined = log.events.withLock { $0.first { $0.kind == .joined } }
        #expect(joined?.subject == second.status.device)
        #expect(joined?.message == "the device phone has joined the space")
        var events = second.events.makeAsyncIterator()
        #expect(await events.next()?.kind == .policyMismatch)
        // Both have it as a private table.
        let c = try EngineFixture(Self.sql, tables)
        let third = try await SyncEngine.join(
            try await first.inviteDevice().ticket, for: c.queue, transport: hub, name: "desk",
            tables: tables + [SyncedTable("prefs").asPrivate])
        try await third.synchronize()
        #expect(try c.values("SELECT value FROM prefs") == ["dark"])
    }

    @Test(.proves("SYN-235"))
    func `each event is told once, when it begins`() {
        var (old, new) = (SyncStatus(space: "s", device: "d"), SyncStatus(space: "s", device: "d"))
        func kinds() -> [SyncEvent.Kind] { SyncEvent.events(from: old, to: new).map(\.kind) }
        new.devices = ["d": "laptop"]
        #expect(kinds() == [])
        old.devices = new.devices
        new.devices = ["d": "laptop", "e": "phone"]
        #expect(kinds() == [.joined])
        (old.devices, new.devices) = (new.devices, old.devices)
        #expect(kinds() == [.removed])
        old = new
        new.isRemoved = true
        new.divergedDevices = ["e"]
        new.findings = [.init(device: "e", number: 3, reason: "why")]
        new.missingBatches = [.init(device: "e", run: "r", first: 1, last: 2, since: 0)]
        new.overruledTriggers = ["t"]
        new.withheldTables = ["t": "why"]
        new.lostRows = ["t": 2]
        new.heldRows = ["why": 1]
        #expect(
            kinds() == [
                .removed, .diverged, .hubBehind, .refused, .policyMismatch, .triggerFought,
                .heldRow, .lostRows,
            ])
        old = new
        #expect(kinds() == [])
        new.heldRows = ["why": 3]
        #expect(SyncEvent.events(from: old, to: new).map(\.message) == ["2 rows are held: why"])
        new.heldRows = [:]
        #expect(kinds() == [])
    }

    @Test(.proves("SYN-234", "SYN-272"))
    func `a row tells whether the hub has what was written to it`() async throws {
        let a = try EngineFixture(Self.sql, [SyncedTable("tag")])
        let hub = MemoryHub()
        let first = try await a.engine(hub)
        func sent() throws -> [String] {
            try a.texts(
                """
                SELECT tag.id, m.isSent FROM tag LEFT JOIN strongroom_sync_metadata AS m
                ON m."table" = 'tag' AND m."key" = tag.id ORDER BY 1
                """)
        }
        try a.write("INSERT INTO tag VALUES ('1', 'cold'), ('2', 'warm')")
        #expect(try sent() == ["[id:\"1\" isSent:NULL]", "[id:\"2\" isSent:NULL]"])
        try await first.takeNotes()
        #expect(try sent() == ["[id:\"1\" isSent:0]", "[id:\"2\" isSent:0]"])
        try await first.synchronize()
        #expect(try sent() == ["[id:\"1\" isSent:1]", "[id:\"2\" isSent:1]"])
        try a.write("UPDATE tag SET title = 'hot' WHERE id = '2'")
        #expect(try sent() == ["[id:\"1\" isSent:1]", "[id:\"2\" isSent:0]"])
        try await first.takeNotes()
        #expect(try sent() == ["[id:\"1\" isSent:1]", "[id:\"2\" isSent:0]"])
        try await first.synchronize()
        let row = try await a.queue.read { try SyncRow.fetchOne($0, table: "tag", key: "2") }
        #expect(row?.isSent == true)
        #expect(
            try await a.queue.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM strongroom_sync_unsent")
            } == 0)
    }
}
