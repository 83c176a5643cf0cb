import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite("A hub in memory whose network fails")
struct MemoryHubTests {
    private static let name = "0a/heads/d1"

    /// A hub whose next calls fail so.
    private func hub(_ faults: [HubFault?]) -> MemoryHub {
        let faults = Locked(faults)
        return MemoryHub(
            time: { 5 }, sleep: { _ in },
            plan: { _ in faults.withLock { $0.isEmpty ? nil : $0.removeFirst() } })
    }

    @Test("does not hear a request, or its answer is lost: the caller cannot know which")
    func lost() async throws {
        for (fault, isStored) in [(HubFault.lostRequest, false), (.lostAnswer, true)] {
            let hub = hub([fault])
            await expectError(.unreachable) { try await hub.put([1], under: Self.name) }
            #expect((hub.contents[Self.name] != nil) == isStored)
            // Asking again ends both in the same state.
            #expect(try await hub.putOnce([1], under: Self.name) == .stored)
            #expect(hub.contents == [Self.name: [1]])
        }
    }

    @Test("does a request twice: the caller finds his own object there")
    func doubled() async throws {
        let hub = hub([.doubled])
        #expect(try await hub.putOnce([1], under: Self.name) == .stored)
        #expect(hub.contents == [Self.name: [1]])
    }

    @Test("refuses, or lists a part, or in a wrong order, which is not believed")
    func lists() async throws {
        let hub = hub([nil, nil, .error(.refused), .partial(1), nil, .reordered])
        try await hub.put([1], under: "0a/heads/d1")
        try await hub.put([1], under: "0a/heads/d2")
        await expectError(.refused) { try await hub.get("0a/heads/d1") }
        #expect(try await hub.names("0a/") == ["0a/heads/d1", "0a/heads/d2"])
        await expectError(.damaged) { try await hub.names("0a/") }
    }

    @Test("is put back to an earlier state")
    func restored() async throws {
        let hub = MemoryHub()
        try await hub.put([1], under: "0a/heads/d1")
        let before = hub.contents
        try await hub.put([1], under: "0a/heads/d2")
        hub.restore(before)
        await expectError(.notFound) { try await hub.get("0a/heads/d2") }
        #expect(try await hub.get("0a/heads/d1") == [1])
    }

    @Test("wakes several that wait, and those whose time is over by its own clock")
    func waiting() async throws {
        let isOver = try await hub([]).wait(for: ["0a/"], atMost: .seconds(600))
        #expect(!isOver)
    }
}
