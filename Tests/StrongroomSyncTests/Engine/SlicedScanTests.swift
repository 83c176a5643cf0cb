import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Scans that something happens to between two slices.
@Suite struct SlicedScanTests {
    private static let numbers = """
        WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 59)
        INSERT INTO list SELECT 'l' || i, 'mine', i FROM n;
        """

    private struct Crash: Error {}

    private static func options(
        _ limit: Int = 10, step: @escaping @Sendable (String) throws -> Void = { _ in }
    ) -> SyncOptions {
        var options = SyncOptions()
        options.holdCount = 5
        options.atomicLimit = limit
        options.step = step
        return options
    }

    /// Options with which an engine is killed before a step of a name.
    private static func killed(before name: String, after count: Int) -> SyncOptions {
        let left = Locked(count)
        return options { step in
            guard step == name else { return }
            let isNow = left.withLock { left -> Bool in
                left -= 1
                return left < 0
            }
            if isNow { throw Crash() }
        }
    }

    private static func require(
        _ fixtures: [EngineFixture], _ engines: [SyncEngine]
    ) async throws {
        for _ in 0..<3 {
            for engine in engines { try await engine.synchronize() }
        }
        for (fixture, engine) in zip(fixtures, engines) {
            let rows = try fixtures[0].rows()
            #expect(try fixture.rows() == rows)
            try fixture.check()
            #expect(try await engine.differences() == [])
            #expect(try await engine.verifyRows().problems == [])
        }
    }

    /// A device whose first scan was killed after three slices.
    private func begun(_ hub: MemoryHub) async throws -> (EngineFixture, SyncEngine) {
        let a = try EngineFixture()
        try a.write(Self.numbers)
        let engine = try await a.creating(hub, Self.killed(before: "scan", after: 3))
        await #expect(throws: Crash.self) { try await engine.synchronize() }
        #expect(try a.values("SELECT count(*) FROM strongroom_sync_row") == ["15"])
        return (a, engine)
    }

    @Test(.proves("SYN-160"))
    func `a scan whose triggers are missing begins again, and counts nothing twice`() async throws {
        let hub = MemoryHub()
        let (a, old) = try await begun(hub)
        try ScanAgainTests.dropTriggers(a, of: "list")
        try a.write(
            """
            UPDATE list SET stars = stars + 100 WHERE id IN ('l12', 'l40');
            INSERT INTO list VALUES ('l00', 'late', 1), ('l99', 'late', 2);
            DELETE FROM list WHERE id IN ('l13', 'l41');
            """)
        let rows = try a.rows()
        let first = try await SyncEngine.reopened(old, a.queue, hub, Self.options())
        try a.write("UPDATE list SET stars = stars + 1000 WHERE id = 'l12'")
        try await first.synchronize()
        let b = try EngineFixture()
        let second = try await b.join(try await first.inviteDevice().ticket, hub)
        try await Self.require([a, b], [first, second])
        #expect(try b.rows().count == rows.count)
        #expect(
            try b.values("SELECT stars FROM list WHERE id IN ('l12', 'l40') ORDER BY id")
                == ["1112", "140"])
    }

    @Test(.proves("SYN-160"))
    func `rows that a migration writes between slices are sent`() async throws {
        let hub = MemoryHub()
        let (a, old) = try await begun(hub)
        var migrator = DatabaseMigrator()
        migrator.pauseCapture(for: EngineFixture.tables)
        migrator.registerMigration("note") { db in
            try db.execute(
                sql: """
                    ALTER TABLE list ADD COLUMN note TEXT;
                    INSERT INTO list VALUES ('l00', 'new', 1, 'x'), ('l99', 'new', 2, 'x');
                    """)
        }
        try migrator.migrate(a.queue)
        let first = try await SyncEngine.reopened(old, a.queue, hub, Self.options())
        #expect(try await first.synchronize().localChanges == 37)
        let b = try EngineFixture()
        try b.write("ALTER TABLE list ADD COLUMN note TEXT")
        let second = try await b.join(try await first.inviteDevice().ticket, hub)
        try await Self.require([a, b], [first, second])
        #expect(try b.values("SELECT count(*) FROM list") == ["52"])
    }

    @Test(.proves("SYN-160"))
    func `what others wrote to a table is shown when the rows of the app are known`() async throws {
        let hub = MemoryHub()
        let (both, one) = (
            [SyncedTable("list", merge: ["stars": .counter]), SyncedTable("item")],
            [SyncedTable("item")]
        )
        let sql = """
            CREATE TABLE list (id TEXT PRIMARY KEY NOT NULL, title TEXT, stars INTEGER NOT NULL DEFAULT 0);
            CREATE TABLE item (id TEXT PRIMARY KEY NOT NULL, title TEXT);
            """
        let a = try EngineFixture(sql, both)
        let b = try EngineFixture(sql, both)
        try a.write(Self.numbers)
        try a.write("INSERT INTO list VALUES ('lA', 'theirs', 3)")
        let first = try await a.creating(hub, Self.options())
        try await first.synchronize()
        let old = try await SyncEngine.join(
            try await first.inviteDevice().ticket, for: b.queue, transport: hub, tables: one)
        try await old.synchronize()
        try b.write(Self.numbers)
        try b.write("INSERT INTO list VALUES ('lB', 'mine', 3)")
        let rows = try b.texts("SELECT * FROM list ORDER BY 1")
        let seen = Locked(0)
        let second = try await SyncEngine.reopened(
            old, b.queue, hub, tables: both,
            Self.options { step in
                guard ["scan", "show"].contains(step) else { return }
                seen.withLock { $0 += 1 }
                let now = try b.texts("SELECT * FROM list ORDER BY 1")
                #expect(now == rows)
            })
        #expect(try b.texts("SELECT * FROM list ORDER BY 1") == rows)
        for engine in [second, first] { try await engine.synchronize() }
        #expect(seen.withLock { $0 } > 10)
        for fixture in [a, b] {
            #expect(try fixture.values("SELECT count(*) FROM list") == ["52"])
        }
        try await Self.require([a, b], [first, second])
    }

    @Test(.proves("SYN-160", "SYN-030"), arguments: [false, true])
    func `known rows are compared in slices, and counters stay exact`(isKilled: Bool) async throws {
        let hub = MemoryHub()
        let devices = try await TwoDevices(hub, rows: Self.numbers)
        try await devices.settle()
        let b = devices.b
        try ScanAgainTests.dropTriggers(b, of: "list")
        try b.write(
            """
            UPDATE list SET stars = stars + 1000 WHERE id > 'l30';
            DELETE FROM list WHERE id IN ('l20', 'l58'); INSERT INTO list VALUES ('l00', 'new', 5);
            """)
        let count = Locked(0)
        let write: @Sendable (String) throws -> Void = { step in
            guard step == "compare" else { return }
            let now = count.withLock { count -> Int in
                count += 1
                return count
            }
            try b.write(
                """
                UPDATE list SET stars = stars + 1;
                DELETE FROM list WHERE id = 'l\(10 + now)';
                """)
            if isKilled, now % 3 == 1 { throw Crash() }
        }
        var second = devices.second
        for attempt in 1... {
            do {
                second = try await SyncEngine.reopened(
                    second, b.queue, hub, Self.options(5000, step: write))
                break
            } catch is Crash {
                try #require(attempt < 30)
            }
        }
        let steps = count.withLock { $0 }
        #expect(steps > 15)
        try await second.synchronize()
        try await Self.require([devices.a, b], [devices.first, second])
        #expect(
            try devices.a.values("SELECT id || stars FROM list WHERE id IN ('l00', 'l29', 'l40')")
                == ["l00\(5 + steps)"] + (steps < 19 ? ["l29\(29 + steps)"] : [])
                + (steps < 30 ? ["l40\(1040 + steps)"] : []))
    }

    @Test(.proves("SYN-160"), arguments: [true, false])
    func `two copies of a file whose first scan is not over count once`(isKnown: Bool) async throws
    {
        let hub = MemoryHub()
        let (a, old) = try await begun(hub)
        let copy = try a.copied()
        try a.write("UPDATE list SET stars = stars + 100 WHERE id IN ('l11', 'l40')")
        try copy.write("UPDATE list SET stars = stars + 1000 WHERE id IN ('l11', 'l40')")
        let first = try await SyncEngine.reopened(old, a.queue, hub, Self.options())
        try await first.synchronize()
        var options = Self.options()
        // Without the file beside it, the hub tells that it is a copy.
        options.looksForCopies = isKnown
        let second = try await SyncEngine.open(
            copy.queue, hub, tables: EngineFixture.tables, options)
        try await second.synchronize()
        try await Self.require([a, copy], [first, second])
        #expect(
            try a.values("SELECT stars FROM list WHERE id IN ('l11', 'l40') ORDER BY id")
                == ["1111", "1140"])
        #expect(try a.values("SELECT sum(stars) FROM list") == ["\((10...59).reduce(2200, +))"])
    }
}
