import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// A hub that stores whatever it gets under a name, be it taken or not.
private struct CarelessHub: SyncTransport {
    let objects = Locked<[String: [UInt8]]>([:])
    /// Called before each object is stored, and after it was.
    let before = Locked<(@Sendable (String) async throws -> Void)?>(nil)
    let after = Locked<(@Sendable (String) async throws -> Void)?>(nil)

    func status() async throws -> HubStatus { HubStatus(putsIfAbsent: false, hasClock: false) }

    func put(_ body: [UInt8], under name: String) async throws {
        let (before, after) = (before.withLock { $0 }, after.withLock { $0 })
        try await before?(name)
        objects.withLock { $0[name] = body }
        try await after?(name)
    }

    func replace(_ name: String, with body: [UInt8]) async throws {
        objects.withLock { $0[name] = body }
    }

    func get(_ name: String) async throws -> [UInt8] {
        guard let body = objects.withLock({ $0[name] }) else {
            throw HubError(.notFound, name, "there is no \(name)")
        }
        return body
    }

    func list(_ prefix: String, after name: String?, limit: Int) async throws -> HubListing {
        let names = objects.withLock { $0.keys.sorted() }.filter {
            $0.hasPrefix(prefix) && $0 > name ?? ""
        }
        return HubListing(names: Array(names.prefix(limit)), hasMore: names.count > limit)
    }

    func delete(_ name: String) async throws { objects.withLock { $0[name] = nil } }

    func clock() async throws -> Int64? { nil }
}

@Suite(.proves("SYN-118")) struct CarelessHubTests {
    private let hub = CarelessHub()

    @Test(.proves("SYN-187"))
    func `two copies of a file write nothing under one name`() async throws {
        let devices = try await TwoDevices(hub, rows: "INSERT INTO list VALUES ('l', 'x', 0)")
        try await devices.settle()
        var options = SyncOptions()
        options.looksForCopies = false
        // The copy is made while nothing runs; then both are in use, and neither knows of the other.
        let copy = try devices.b.copied()
        let one = try await SyncEngine.reopened(
            devices.second, devices.b.queue, hub, options)
        let other = try await SyncEngine.reopened(devices.second, copy.queue, hub, options)
        for round in 1...3 {
            try devices.b.write("INSERT INTO list VALUES ('b\(round)', 'b', 1)")
            try copy.write("INSERT INTO list VALUES ('c\(round)', 'c', 1)")
            try devices.b.write("UPDATE list SET stars = stars + 1 WHERE id = 'l'")
            try copy.write("UPDATE list SET stars = stars + 1 WHERE id = 'l'")
            // When one has found the name of its batch free, the other stores its own.
            onlyOnce(hub.before, "/log/") { [first = devices.first] in
                _ = try await other.push()
                _ = try await first.pull()
                let (run, otherRun) = (await one.store.run, await other.store.run)
                #expect(run != otherRun)
            }
            try await one.push()
        }
        for engine in [one, other, devices.first, one, other] { try await engine.synchronize() }
        #expect(try devices.a.rows() == devices.b.rows())
        #expect(try devices.a.rows() == copy.rows())
        #expect(try devices.a.values("SELECT stars FROM list WHERE id = 'l'") == ["6"])
        #expect(try devices.a.values("SELECT count(*) FROM list") == ["7"])
        #expect(try await devices.first.verifyHub().problems == [])
    }

    @Test func `of two that take a position in the roster, both hear who has it`() async throws {
        let devices = try await TwoDevices(hub)
        try await devices.settle()
        // When one has taken a position, another one that had found it free takes it, too.
        let (hub, before) = (hub, hub.objects.withLock { $0 })
        onlyOnce(hub.after, "/roster/") { [second = devices.second] in
            let mine = hub.objects.withLock { objects in
                defer { objects = before }
                return objects
            }
            _ = try await second.inviteDevice()
            #expect(hub.objects.withLock { Set($0.keys) } == Set(mine.keys))
        }
        let ticket = try await devices.first.inviteDevice().ticket
        let third = try EngineFixture()
        let joined = try await third.join(ticket, hub)
        try await joined.synchronize()
        try await devices.first.synchronize()
        #expect(devices.first.status.devices.count == 3)
    }

    private func onlyOnce(
        _ hook: Locked<(@Sendable (String) async throws -> Void)?>, _ part: String,
        _ work: @escaping @Sendable () async throws -> Void
    ) {
        hook.withLock {
            $0 = { name in
                guard name.contains(part) else { return }
                hook.withLock { $0 = nil }
                try await work()
            }
        }
    }
}
