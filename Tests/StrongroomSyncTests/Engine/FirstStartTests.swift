import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Synchronization
import Testing

@testable import StrongroomSync

/// Devices that have rows when they begin to share them.
@Suite struct FirstStartTests {
    private static func require(_ starts: [FirstStart], _ engines: [SyncEngine]) async throws {
        for _ in 0..<3 {
            for engine in engines { try await engine.synchronize() }
        }
        let rows = try starts[0].fixture.rows()
        let added = starts.reduce(0) { $0 + $1.added }
        for (start, engine) in zip(starts, engines) {
            #expect(start.problems.withLock { $0 } == [])
            #expect(try start.fixture.rows() == rows)
            try start.fixture.check()
            #expect(try start.fixture.values("SELECT sum(n) FROM tally") == ["\(added)"])
            #expect(try await engine.differences() == [])
            #expect(try await engine.verifyRows().problems == [])
            #expect(engine.status.rowsToScan == 0 && engine.status.scannedRows == 0)
            #expect(
                try start.fixture.values(
                    "SELECT name FROM strongroom_sync_setting WHERE name LIKE 'scan%'") == [])
        }
        let (one, other) = (
            try await engines[0].mergedState(), try await engines[1].mergedState()
        )
        #expect(one.canonicalBytes == other.canonicalBytes)
    }

    @Test(.proves("SYN-160"), arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `apps write while two devices with rows meet, and both end with the same`(seed: UInt64)
        async throws
    {
        let hub = MemoryHub()
        let (a, b) = (
            try FirstStart(seed: seed, "a"), try FirstStart(seed: seed + 100, "b")
        )
        let first = try await a.fixture.creating(hub, a.options())
        if seed % 2 == 0 { try await first.synchronize() }
        let ticket = try await first.inviteDevice().ticket
        let second = try await b.fixture.joining(ticket, hub, b.options())
        try await second.synchronize()
        #expect(b.steps.count { $0 == "scan" } > 10)
        try await Self.require([a, b], [first, second])
    }

    /// Opens an engine as often as it is killed, each time one step of the scan later.
    private static func killing(
        _ start: FirstStart, _ hub: MemoryHub, every count: Int,
        _ begin: (SyncOptions) async throws -> SyncEngine
    ) async throws -> SyncEngine {
        var engine: SyncEngine?
        var attempt = 0
        while true {
            attempt += 1
            // What is killed before its first step comes no further.
            let step = 2 + attempt % count
            do {
                let options = start.options(isKilledBefore: step)
                if let old = engine {
                    engine = try await SyncEngine.reopened(
                        old, start.fixture.queue, hub, tables: FirstStart.tables, options)
                } else {
                    engine = try await begin(options)
                }
                try await engine?.synchronize()
                if let engine { return engine }
            } catch is FirstStart.Crash {
                try #require(attempt < 200)
            }
        }
    }

    @Test(.proves("SYN-160"), arguments: [1, 2, 5])
    func `a first scan that is killed between slices goes on where it stood`(count: Int)
        async throws
    {
        let hub = MemoryHub()
        let (a, b) = (try FirstStart(seed: 7, "a"), try FirstStart(seed: 8, "b"))
        let first = try await Self.killing(a, hub, every: count) {
            try await a.fixture.creating(hub, $0)
        }
        let ticket = try await first.inviteDevice().ticket
        let second = try await Self.killing(b, hub, every: count) {
            try await b.fixture.joining(ticket, hub, $0)
        }
        try await Self.require([a, b], [first, second])
    }

    @Test(.proves("SYN-160"), arguments: [2, 3])
    func `a first scan goes on after exchanges that were cancelled`(count: Int) async throws {
        let hub = MemoryHub()
        let (a, b) = (try FirstStart(seed: 9, "a"), try FirstStart(seed: 10, "b"))
        let first = try await a.fixture.creating(hub, a.options(cancelledEvery: count))
        let ticket = try await first.inviteDevice().ticket
        let second = try await b.fixture.joining(ticket, hub, b.options(cancelledEvery: count))
        for engine in [first, second] {
            var cancelledCount = 0
            while true {
                let result = await Task { try await engine.synchronize() }.result
                guard case .failure(let error) = result else { break }
                #expect(error is CancellationError)
                cancelledCount += 1
                try #require(cancelledCount < 100)
            }
            #expect(cancelledCount > 3)
        }
        try await Self.require([a, b], [first, second])
    }

    @Test(.proves("SYN-160"))
    func `no transaction of a first scan takes more rows than it may`() async throws {
        let (hub, a) = (MemoryHub(), try EngineFixture(FirstStart.sql, FirstStart.tables))
        try a.write(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
            INSERT INTO tally SELECT 't' || i, i FROM n;
            """)
        var options = SyncOptions()
        options.holdCount = 7
        options.atomicLimit = 50
        let statuses = Locked<[[Int]]>([])
        let engine = try await a.creating(hub, options)
        let reading = Task {
            for await status in engine.statuses where status.rowsToScan > 0 {
                statuses.withLock { $0.append([status.scannedRows, status.rowsToScan]) }
                if status.scannedRows == 100 { return }
            }
        }
        try await engine.synchronize()
        await reading.value
        let counts = try a.values("SELECT changes FROM strongroom_sync_outbox")
        #expect(counts.count == 15 && counts.allSatisfy { ["7", "2"].contains($0) })
        let seen = statuses.withLock { $0 }
        #expect(seen.last == [100, 100] && seen.allSatisfy { $0[1] == 100 })
        #expect(try await engine.synchronize().localChanges == 0)
    }
}
