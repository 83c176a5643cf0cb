import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Engines whose database is in use, whose hub is full, and devices that have rows of their own when they meet.
@Suite struct RestlessTests {
    private static let rows = "INSERT INTO list VALUES ('l1', 'Groceries', 3)"

    @Test(.proves("SYN-237"), .timeLimit(.minutes(2)))
    func `a database in which another program writes is synchronised afterwards`() async throws {
        let devices = try await TwoDevices(rows: Self.rows)
        try await devices.settle()
        let observation = ValueObservation.tracking {
            try String.fetchAll($0, sql: "SELECT title FROM list ORDER BY id")
        }
        var titles = observation.values(in: devices.b.queue).makeAsyncIterator()
        #expect(try await titles.next() == ["Groceries"])
        try devices.a.write("UPDATE list SET title = 'Food'")
        try await devices.first.synchronize()
        var configuration = FixtureDatabase.configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(
            path: devices.b.database.path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        await #expect(throws: DatabaseError.self) { try await devices.second.synchronize() }
        #expect(devices.second.status.lastError != nil && !devices.second.isSynchronizing)
        try await other.writeWithoutTransaction { db in
            try db.execute(sql: "INSERT INTO list VALUES ('l2', 'Tools', 1); COMMIT")
        }
        try await devices.settle()
        #expect(devices.second.status.lastError == nil)
        #expect(try devices.a.values("SELECT title FROM list ORDER BY id") == ["Food", "Tools"])
        // No observation has ended by it.
        var seen: [String]?
        while seen != ["Food", "Tools"] { seen = try await titles.next() }
    }

    @Test(.proves("SYN-006", "SYN-231"))
    func `a hub that is full is read, and what was written stays`() async throws {
        let isFull = Locked(false)
        let hub = MemoryHub(
            time: MemoryHub.systemTime, sleep: { _ in },
            plan: { call in
                call.verb == .put && isFull.withLock { $0 } ? .error(.full) : nil
            })
        let devices = try await TwoDevices(hub, rows: Self.rows)
        try await devices.settle()
        try devices.a.write("UPDATE list SET title = 'Food'")
        try await devices.first.synchronize()
        try devices.b.write("INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1, NULL)")
        isFull.withLock { $0 = true }
        for _ in 0..<3 {
            await #expect(throws: HubError.self) { try await devices.second.synchronize() }
        }
        #expect(try devices.b.values("SELECT title FROM list") == ["Food"])
        #expect(try devices.b.values("SELECT title FROM item") == ["Milk"])
        #expect(devices.second.status.unsentBatches > 0)
        isFull.withLock { $0 = false }
        try await devices.settle()
        #expect(try devices.a.values("SELECT title FROM item") == ["Milk"])
    }

    @Test(.proves("SYN-161"), arguments: [false, true])
    func `two devices with rows of their own merge them by their keys`(isSecondFirst: Bool)
        async throws
    {
        let hub = MemoryHub()
        let (a, b) = (try EngineFixture(), try EngineFixture())
        try a.write("INSERT INTO list VALUES ('l1', 'Food', 2), ('l2', 'Tools', 0)")
        try b.write(
            """
            INSERT INTO list VALUES ('l1', 'Food', 5), ('l3', 'Books', 1);
            INSERT INTO item VALUES ('i1', 'l3', 'Atlas', 9, NULL);
            """)
        let first = try await a.engine(hub)
        if !isSecondFirst { try await first.synchronize() }
        let second = try await b.join(try await first.inviteDevice().ticket, hub)
        for engine in [second, first, second, first] { try await engine.synchronize() }
        #expect(try a.rows() == b.rows())
        // What both have counted adds up.
        #expect(
            try a.values("SELECT id || title || stars FROM list ORDER BY 1")
                == ["l1Food7", "l2Tools0", "l3Books1"])
        #expect(try a.values("SELECT id FROM item") == ["i1"])
    }

    @Test(.proves("SYN-169"))
    func `a device that leaves and joins again keeps what it had not sent`() async throws {
        let hub = MemoryHub()
        let devices = try await TwoDevices(hub, rows: Self.rows)
        try await devices.settle()
        try devices.b.write("INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1, NULL)")
        try await devices.second.leave()
        try devices.b.write("INSERT INTO item VALUES ('i2', 'l1', 'Egg', 2, NULL)")
        try devices.a.write(
            "UPDATE list SET title = 'Food'; INSERT INTO tag VALUES ('t1', 'cold', NULL)")
        try await devices.first.synchronize()
        let again = try await devices.b.join(try await devices.first.inviteDevice().ticket, hub)
        for engine in [again, devices.first, again, devices.first] {
            try await engine.synchronize()
        }
        #expect(try devices.a.rows() == devices.b.rows())
        #expect(try devices.a.values("SELECT title FROM item ORDER BY id") == ["Milk", "Egg"])
        #expect(try devices.b.values("SELECT title FROM tag") == ["cold"])
    }

    @Test(.proves("SYN-259"))
    func `engines over one hub in memory come to rest without waiting`() async throws {
        let hub = MemoryHub()
        let devices = try await TwoDevices(hub, rows: Self.rows)
        try devices.a.write("INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1, NULL)")
        try devices.b.write("INSERT INTO tag VALUES ('t1', 'cold', NULL)")
        try await hub.settle()
        #expect(try devices.a.rows() == devices.b.rows())
        #expect(try devices.a.rows().count == 3)
        // An engine that was closed does not keep the others.
        await devices.second.close()
        try devices.a.write("DELETE FROM item")
        try await hub.settle()
        #expect(devices.first.status.unsentBatches == 0)
    }
}
