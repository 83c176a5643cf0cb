import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite struct LostHubTests {
    private let time: Locked<Int64>
    private let hub: MemoryHub

    init() {
        let time = Locked<Int64>(1_790_000_000_000)
        self.time = time
        hub = MemoryHub(time: { time.withLock { $0 } }, sleep: { _ in })
    }

    private var options: SyncOptions {
        var options = SyncOptions()
        let time = time
        options.time = { time.withLock { $0 } }
        return options
    }

    private final class Devices {
        var all: [(fixture: EngineFixture, engine: SyncEngine)] = []
    }

    private func devices(_ count: Int) async throws -> Devices {
        let devices = Devices()
        for number in 0..<count { try await add(to: devices, number) }
        try await exchange(devices)
        return devices
    }

    private func add(to devices: Devices, _ number: Int) async throws {
        let fixture = try EngineFixture()
        if let first = devices.all.first {
            let ticket = try await first.engine.inviteDevice().ticket
            devices.all.append((fixture, try await fixture.joining(ticket, hub, options)))
        } else {
            devices.all.append((fixture, try await fixture.creating(hub, options)))
        }
    }

    private func exchange(_ devices: Devices) async throws {
        for _ in 0..<3 {
            for device in devices.all { try await device.engine.synchronize() }
        }
    }

    private func write(_ devices: Devices, _ mark: String) throws {
        for (number, device) in devices.all.enumerated() {
            try device.fixture.write(
                """
                INSERT INTO list VALUES ('\(mark)\(number)', 'by \(number)', \(number));
                INSERT INTO item VALUES ('\(mark)\(number)', '\(mark)\(number)', 'x', 1, NULL);
                """)
        }
    }

    private func expectEqual(_ devices: Devices, rowCount: Int) async throws {
        let state = try await devices.all[0].engine.mergedState()
        for (fixture, engine) in devices.all {
            let own = try await engine.mergedState()
            #expect(own.canonicalBytes == state.canonicalBytes)
            #expect(try fixture.rows() == devices.all[0].fixture.rows())
            #expect(try fixture.rows().count == rowCount)
            #expect(engine.status.missingBatches == [] && engine.status.findings == [])
            #expect(engine.status.unsentBatches == 0)
            #expect(try await engine.verifyHub().problems == [])
            try fixture.check()
        }
    }

    @Test(.proves("SYN-167"))
    func `a hub that was put back gets its batches again, and what is missing has a name`()
        async throws
    {
        let devices = try await devices(3)
        try write(devices, "old")
        try await exchange(devices)
        let old = hub.contents
        try write(devices, "new")
        try await exchange(devices)
        let before = hub.contents
        hub.restore(old)
        let first = devices.all[0].engine
        try await first.synchronize()
        let missing = first.status.missingBatches
        let others = [devices.all[1].engine.status.device, devices.all[2].engine.status.device]
        #expect(Set(missing.map(\.device)) == Set(others))
        #expect(missing.allSatisfy { $0.first == 2 && $0.last == 2 && $0.since > 0 })
        let report = try await devices.all[0].fixture.queue.read { try SyncReport($0) }
        #expect(report?.missingBatches == missing)
        for device in devices.all[1...] { try await device.engine.synchronize() }
        try await first.synchronize()
        #expect(
            hub.contents.filter { $0.key.contains("/log/") }
                == before.filter { $0.key.contains("/log/") })
        try await exchange(devices)
        try await expectEqual(devices, rowCount: 12)
        try await add(to: devices, 3)
        try await exchange(devices)
        try await expectEqual(devices, rowCount: 12)
    }

    @Test(
        .proves("SYN-166"),
        arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func `a hub that was erased is filled again, whoever comes first`(order: [Int]) async throws {
        let devices = try await devices(3)
        try write(devices, "old")
        try await exchange(devices)
        try write(devices, "new")
        // They stand at different vectors.
        try await devices.all[0].engine.synchronize()
        try await devices.all[1].engine.synchronize()
        hub.restore([:])
        for number in order { try await devices.all[number].engine.synchronize() }
        try await exchange(devices)
        try await expectEqual(devices, rowCount: 12)
        try await add(to: devices, 3)
        try await exchange(devices)
        try await expectEqual(devices, rowCount: 12)
    }

    @Test(.proves("SYN-167", "SYN-168"))
    func `who has merged what nobody sends again writes a snapshot`() async throws {
        let devices = try await devices(3)
        let old = hub.contents
        try write(devices, "new")
        try await devices.all[2].engine.synchronize()
        // The second device has not merged it.
        try await devices.all[0].engine.synchronize()
        hub.restore(old)
        let lost = devices.all.removeLast()
        try await exchange(devices)
        #expect(
            devices.all[0].engine.status.missingBatches.map(\.device) == [lost.engine.status.device]
        )
        #expect(try devices.all[1].fixture.rows().count == 4)
        time.withLock { $0 += 11 * 60_000 }
        #expect(try await devices.all[0].engine.synchronize().sentSnapshots == 1)
        #expect(try await devices.all[1].engine.synchronize().mergedSnapshots == 1)
        #expect(try await devices.all[1].engine.synchronize().mergedSnapshots == 0)
        #expect(try await devices.all[0].engine.synchronize().sentSnapshots == 0)
        #expect(devices.all[0].engine.status.missingBatches == [])
        #expect(try devices.all[1].fixture.rows().count == 6)
        try await add(to: devices, 3)
        try await exchange(devices)
        for device in devices.all { #expect(try device.fixture.rows().count == 6) }
        // The lost one comes back.
        devices.all.append(lost)
        try await exchange(devices)
        try await expectEqual(devices, rowCount: 6)
    }

    @Test(.proves("SYN-167"))
    func `a gap in the hub is filled by who wrote the batch, when an engine opens`() async throws {
        let devices = try await devices(2)
        for mark in ["a", "b", "c"] {
            try write(devices, mark)
            try await exchange(devices)
        }
        let device = devices.all[0].engine.status.device
        let gap = try #require(
            hub.contents.keys.first {
                $0.contains("/log/\(device)-") && $0.hasSuffix("/000000000002")
            })
        try await hub.delete(gap)
        #expect(try await devices.all[1].engine.verifyHub().problems.count == 1)
        let engine = try await SyncEngine.reopened(
            devices.all[0].engine, devices.all[0].fixture.queue, hub, options)
        try await engine.synchronize()
        #expect(hub.contents[gap] != nil)
        try await expectEqual(devices, rowCount: 12)
    }

    @Test(.proves("SYN-117"), arguments: [false, true])
    func `of two batches under one number nothing is lost`(isOriginalFirst: Bool) async throws {
        let devices = try await devices(2)
        try write(devices, "old")
        try await exchange(devices)
        let copy = try devices.all[0].fixture.copied()
        let old = hub.contents
        try devices.all[0].fixture.write(
            "INSERT INTO list VALUES ('first', 'original', 0); UPDATE list SET stars = stars + 5")
        try await exchange(devices)
        // The hub is put back, and the copy writes under the same number.
        hub.restore(old)
        try copy.write(
            "INSERT INTO list VALUES ('second', 'copy', 0); UPDATE list SET stars = stars + 7")
        var unaware = options
        unaware.looksForCopies = false
        let engine = try await SyncEngine.open(
            copy.queue, hub, tables: EngineFixture.tables, unaware)
        try await engine.push()
        try copy.write("INSERT INTO list VALUES ('third', 'copy', 0)")
        try await engine.push()
        devices.all.insert((copy, engine), at: isOriginalFirst ? 1 : 2)
        if !isOriginalFirst { devices.all.reverse() }
        try await exchange(devices)
        time.withLock { $0 += 11 * 60_000 }
        try await exchange(devices)
        let ids = try devices.all[0].fixture.values(
            "SELECT id FROM list WHERE id NOT LIKE 'old%' ORDER BY 1")
        #expect(ids == ["first", "second", "third"])
        // Who noticed says which counters lack one of both.
        let inexact = devices.all.map(\.engine.status.inexactCounters).filter { !$0.isEmpty }
        #expect(!inexact.isEmpty && inexact.allSatisfy { $0.keys.elementsEqual(["list.stars"]) })
        let state = try await devices.all[0].engine.mergedState()
        for device in devices.all {
            let own = try await device.engine.mergedState()
            #expect(own.canonicalBytes == state.canonicalBytes)
            #expect(try device.fixture.rows() == devices.all[0].fixture.rows())
            #expect(device.engine.status.findings == [])
        }
        try await add(to: devices, 3)
        try await exchange(devices)
        #expect(try devices.all[3].fixture.rows() == devices.all[0].fixture.rows())
    }
}
