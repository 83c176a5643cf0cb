import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// A year of writing without a hub.
@Suite(.tags(.slow)) struct YearOfflineTests {
    private static let day: Int64 = 86_400_000
    private static let start: Int64 = 1_790_000_000_000
    private static let days = 365
    private static let editsOfDay = 600

    /// Lets triggers note another time than the machine's.
    private static func give(_ time: Locked<Int64>, to fixture: EngineFixture) throws {
        try fixture.queue.write { db in
            db.add(
                function: DatabaseFunction("julianday", argumentCount: 0) { _ in
                    NoteTime.julianDay(milliseconds: time.withLock { $0 })
                })
        }
    }

    private static func write(_ edit: Int, of day: Int, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE list SET title = ?, stars = stars + 1 WHERE id = ?",
            arguments: ["day \(day) edit \(edit)", "l\((edit * 7 + day) % 50 + 1)"])
    }

    @Test(.proves("SYN-006", "SYN-032"))
    func `notes stay few, nothing is lost, and each edit keeps its time`() async throws {
        let time = Locked(Self.start)
        let isAway = Locked(false)
        let hub = MemoryHub(
            time: { time.withLock { $0 } }, sleep: { _ in },
            plan: { _ in isAway.withLock { $0 } ? .error(.unreachable) : nil })
        var options = SyncOptions()
        options.time = { time.withLock { $0 } }
        let (a, b) = (try EngineFixture(), try EngineFixture())
        for fixture in [a, b] { try Self.give(time, to: fixture) }
        let first = try await SyncEngine.create(
            a.queue, hub, tables: a.tables, name: "a", options)
        let ticket = try await first.inviteDevice().ticket
        let second = try await SyncEngine.join(
            ticket, for: b.queue, transport: hub, name: "b", tables: b.tables, options)
        try a.write(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
            INSERT INTO list (id, title) SELECT 'l' || i, '' FROM n
            """)
        try await first.synchronize()
        try await second.synchronize()

        isAway.withLock { $0 = true }
        var greatest: Int64 = 0
        for day in 0..<Self.days {
            time.withLock { $0 += Self.day }
            try await a.queue.write { db in
                for edit in 0..<Self.editsOfDay { try Self.write(edit, of: day, db) }
            }
            if day == 100 { try b.write("UPDATE list SET title = 'early' WHERE id = 'l1'") }
            if day == Self.days - 1 {
                time.withLock { $0 += 1000 }
                try b.write("UPDATE list SET title = 'late' WHERE id = 'l2'")
            }
            await #expect(throws: HubError.self) { try await first.synchronize() }
            greatest = max(greatest, try await a.queue.read { try Journal.noteCount($0) })
        }
        let written = Self.days * Self.editsOfDay
        #expect(written > 2 * Int(Journal.mergeThreshold))
        // Two notes for each edit of a day come on top.
        #expect(greatest <= Journal.mergeThreshold + 2 * Int64(Self.editsOfDay))
        let titles = try a.values("SELECT title FROM list WHERE id <> 'l2' ORDER BY id")

        isAway.withLock { $0 = false }
        for _ in 0..<2 {
            try await first.synchronize()
            try await second.synchronize()
        }
        #expect(try a.rows() == b.rows())
        #expect(try a.values("SELECT title FROM list WHERE id <> 'l2' ORDER BY id") == titles)
        #expect(try a.values("SELECT title FROM list WHERE id = 'l2'") == ["late"])
        #expect(try a.values("SELECT sum(stars) FROM list") == ["\(written)"])
    }
}
