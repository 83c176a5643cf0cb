import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Synchronization
import Testing

@testable import StrongroomSync

@Suite struct RestartTests {
    /// A hub that cannot say what is new.
    private struct DeafHub: SyncTransport {
        let hub: any SyncTransport
        let waitCount = Counter()

        func status() async throws -> HubStatus { try await hub.status() }
        func put(_ body: [UInt8], under name: String) async throws {
            try await hub.put(body, under: name)
        }
        func replace(_ name: String, with body: [UInt8]) async throws {
            try await hub.replace(name, with: body)
        }
        func get(_ name: String) async throws -> [UInt8] { try await hub.get(name) }
        func list(_ prefix: String, after name: String?, limit: Int) async throws -> HubListing {
            try await hub.list(prefix, after: name, limit: limit)
        }
        func delete(_ name: String) async throws { try await hub.delete(name) }
        func clock() async throws -> Int64? { try await hub.clock() }
        func mark(of prefixes: [String]) async throws -> HubMark? {
            throw HubError(.unreachable, "", "the connection was cut")
        }
        func wait(
            for prefixes: [String], since mark: HubMark?, atMost limit: Duration
        ) async throws -> Bool {
            waitCount.increment()
            throw HubError(.unreachable, "", "the connection was cut")
        }
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)
        func increment() { count.withLock { $0 += 1 } }
        var value: Int { count.withLock { $0 } }
    }

    @Test(.proves("SYN-162"), .timeLimit(.minutes(2)))
    func `an engine goes on though waiting for the hub fails`() async throws {
        let devices = try await TwoDevices(rows: "INSERT INTO list VALUES ('l1', 'Groceries', 3)")
        try await devices.settle()
        await devices.second.close()
        let hub = DeafHub(hub: devices.hub)
        let engine = try await devices.b.engine(hub)
        await engine.start()
        let observation = ValueObservation.tracking {
            try String.fetchAll($0, sql: "SELECT title FROM list ORDER BY id")
        }
        var titles = observation.values(in: devices.b.queue).makeAsyncIterator()
        for title in ["Food", "Tools"] {
            let before = hub.waitCount.value
            try devices.a.write("UPDATE list SET title = '\(title)'")
            try await devices.first.synchronize()
            var seen: [String]?
            while seen != [title] { seen = try await titles.next() }
            #expect(hub.waitCount.value >= before)
        }
        #expect(hub.waitCount.value > 0 && engine.isRunning)
        await engine.stop()
    }
}
