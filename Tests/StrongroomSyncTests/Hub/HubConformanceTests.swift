import Foundation
import StrongroomCore
import StrongroomSync
import StrongroomTestSupport
import Testing

/// The hubs that everything here is asked of.
enum TestedHub: String, CaseIterable, CustomTestStringConvertible {
    case memory, folder, folderWithSpaces

    var testDescription: String { rawValue }

    func open(_ folder: TemporaryDirectory) throws -> any SyncTransport {
        switch self {
        case .memory: return MemoryHub()
        case .folder: return FolderHub(path: folder.path)
        case .folderWithSpaces:
            let path = folder.path(of: "my shared folder \u{e9}")
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
            return FolderHub(path: path)
        }
    }
}

@Suite("A hub", .proves("SYN-180", "SYN-187"))
struct HubConformanceTests {
    private static let space = String(repeating: "0a", count: 32)
    private static func log(_ number: Int) -> String {
        "\(space)/log/d1-r1/" + String(repeating: "0", count: 11) + "\(number)"
    }

    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test("stores an object under a free name, and returns it", arguments: TestedHub.allCases)
    func putAndGet(_ kind: TestedHub) async throws {
        let hub = try kind.open(folder)
        let name = Self.log(1)
        await expectError(.notFound) { try await hub.get(name) }
        for body in [[], [7], [UInt8](repeating: 3, count: 1 << 20)] as [[UInt8]] {
            let name = Self.log(body.count % 7)
            try await hub.put(body, under: name)
            #expect(try await hub.get(name) == body)
            await expectError(.exists) { try await hub.put([1, 2], under: name) }
            #expect(try await hub.get(name) == body)
        }
        let status = try await hub.status()
        #expect(status.putsIfAbsent && status.deletes && status.hasClock)
    }

    @Test(
        "lists what was put and what was not deleted, page by page", arguments: TestedHub.allCases)
    func listing(_ kind: TestedHub) async throws {
        let hub = try kind.open(folder)
        let other = String(repeating: "0b", count: 32)
        var names: [String] = []
        for device in ["d1-r1", "d1-r2", "d10-r1"] {
            for number in 1...12 {
                names.append("\(Self.space)/log/\(device)/\(HubNumber.text(number))")
            }
        }
        names.append("\(Self.space)/heads/d1")
        for name in names.shuffled() { try await hub.put([1], under: name) }
        try await hub.put([1], under: "\(other)/heads/d1")
        names.sort()

        let all = try await hub.list("\(Self.space)/", after: nil, limit: 1000)
        #expect(all == HubListing(names: names, hasMore: false))
        var paged: [String] = []
        while true {
            let page = try await hub.list("\(Self.space)/", after: paged.last, limit: 5)
            paged += page.names
            if !page.hasMore { break }
        }
        #expect(paged == names)
        let one = try await hub.list("\(Self.space)/log/d1-r1/", after: nil, limit: 1000)
        #expect(one.names.count == 12)
        let part = try await hub.list("\(Self.space)/log/d1", after: nil, limit: 1000)
        #expect(part.names.count == 36)
        #expect(try await hub.list("\(other)/log/", after: nil, limit: 9).names.isEmpty)

        try await hub.delete(names[0])
        try await hub.delete(names[0])
        await expectError(.notFound) { try await hub.get(names[0]) }
        let rest = try await hub.list("\(Self.space)/", after: nil, limit: 1000)
        #expect(rest.names == Array(names.dropFirst()))
        // A deleted name is free again.
        try await hub.put([2], under: names[0])
        #expect(try await hub.get(names[0]) == [2])
    }

    @Test("returns numbered objects up to the first gap", arguments: TestedHub.allCases)
    func numbered(_ kind: TestedHub) async throws {
        let hub = try kind.open(folder)
        for number in [1, 2, 3, 5] {
            try await hub.put([UInt8(number)], under: Self.log(number))
        }
        let prefix = "\(Self.space)/log/d1-r1/"
        #expect(try await hub.get(numbered: prefix, from: 1, upTo: 100) == [[1], [2], [3]])
        #expect(try await hub.get(numbered: prefix, from: 2, upTo: 1) == [[2]])
        #expect(try await hub.get(numbered: prefix, from: 4, upTo: 100).isEmpty)
    }

    @Test("replaces the heads of devices and nothing else", arguments: TestedHub.allCases)
    func replacing(_ kind: TestedHub) async throws {
        let hub = try kind.open(folder)
        let head = "\(Self.space)/heads/d1"
        try await hub.replace(head, with: [1])
        try await hub.replace(head, with: [2])
        #expect(try await hub.get(head) == [2])
        try await hub.put([1], under: Self.log(1))
        await expectError(.refused) { try await hub.replace(Self.log(1), with: [2]) }
        #expect(try await hub.get(Self.log(1)) == [1])
    }

    @Test(
        "refuses names that lead elsewhere, and objects that are too large",
        arguments: TestedHub.allCases)
    func hostileCalls(_ kind: TestedHub) async throws {
        let hub = try kind.open(folder)
        let names = [
            "", "a", "/a/b", "a/", "a//b", "a/../b", "../a/b", "a/.b", "a/b\0", "a/B", "a/b c",
            "a/é", "a/b/c/d/e/f", "a/" + String(repeating: "b", count: 81), "a/b\n", "a/-b",
        ]
        for name in names {
            await expectError(.invalidName) { try await hub.put([1], under: name) }
            await expectError(.invalidName) { try await hub.get(name) }
            await expectError(.invalidName) { try await hub.delete(name) }
        }
        await expectError(.invalidName) {
            try await hub.list("a/../", after: nil, limit: 1)
        }
        let batch = [UInt8](repeating: 0, count: 1 << 20 + 1)
        await expectError(.tooLarge) { try await hub.put(batch, under: Self.log(1)) }
        let snapshot = "\(Self.space)/snapshots/s1/"
        await expectError(.tooLarge) {
            try await hub.put(batch, under: snapshot + "manifest")
        }
        let part = [UInt8](repeating: 0, count: 4 << 20)
        try await hub.put(part, under: snapshot + "000000000000")
        await expectError(.tooLarge) {
            try await hub.put(part + [0], under: snapshot + "000000000001")
        }
        #expect(try await hub.get(snapshot + "000000000000") == part)
    }

    @Test("gives each name to one of eight that race for it", arguments: TestedHub.allCases)
    func race(_ kind: TestedHub) async throws {
        let hub = try kind.open(folder)
        for round in 0..<20 {
            let name = Self.log(round % 10) + "\(round)"
            let winners = try await withThrowingTaskGroup(of: UInt8?.self) { group in
                for writer in UInt8(0)..<8 {
                    group.addTask {
                        do {
                            try await hub.put([writer], under: name)
                            return writer
                        } catch let error as HubError where error.code == .exists {
                            return nil
                        }
                    }
                }
                return try await group.reduce(into: [UInt8]()) { list, winner in
                    if let winner { list.append(winner) }
                }
            }
            #expect(winners.count == 1)
            #expect(try await hub.get(name) == winners)
        }
    }

    @Test(
        "tells whether an object is there by an earlier call, or is another one",
        arguments: TestedHub.allCases)
    func putOnce(_ kind: TestedHub) async throws {
        let hub = try kind.open(folder)
        #expect(try await hub.putOnce([1], under: Self.log(1)) == .stored)
        #expect(try await hub.putOnce([1], under: Self.log(1)) == .stored)
        #expect(try await hub.putOnce([2], under: Self.log(1)) == .taken(by: [1]))
    }

    @Test("has a clock", .proves("SYN-071"), arguments: TestedHub.allCases)
    func clock(_ kind: TestedHub) async throws {
        let hub = try kind.open(folder)
        let before = Date().timeIntervalSince1970 * 1000
        let time = try #require(try await hub.clock())
        let after = Date().timeIntervalSince1970 * 1000
        // A file system may count in steps of 10 ms.
        #expect((before - 20...after + 20).contains(Double(time)))
    }

    @Test("wakes who waits for a prefix, and only then", arguments: TestedHub.allCases)
    func waiting(_ kind: TestedHub) async throws {
        let hub = try kind.open(folder)
        let heads = "\(Self.space)/heads/"
        try await hub.put([1], under: heads + "d1")
        #expect(try await !hub.wait(for: [heads], atMost: .milliseconds(20)))
        let isWoken = Locked(false)
        let waiting = Task {
            let result = try await hub.wait(for: [heads], atMost: .seconds(60))
            isWoken.withLock { $0 = true }
            return result
        }
        // It may begin to wait after one of the writes: then another one wakes it.
        var number: UInt8 = 0
        while !isWoken.withLock({ $0 }) {
            number &+= 1
            try await hub.replace(heads + "d2", with: [number])
        }
        #expect(try await waiting.value)
    }

    @Test("notices what was put since a mark", arguments: TestedHub.allCases)
    func marks(_ kind: TestedHub) async throws {
        let hub = try kind.open(folder)
        let logs = "\(Self.space)/log/"
        try await hub.put([1], under: logs + "d1-r1/\(HubNumber.text(1))")
        let mark = try #require(try await hub.mark(of: [logs]))
        try await hub.put([1], under: "\(Self.space)/heads/d1")
        #expect(try await hub.mark(of: [logs]) == mark || kind == .memory)
        #expect(try await !hub.wait(for: [logs], since: mark, atMost: .milliseconds(20)))
        try await hub.put([1], under: logs + "d2-r1/\(HubNumber.text(1))")
        #expect(try await hub.wait(for: [logs], since: mark, atMost: .seconds(600)))
        let later = try #require(try await hub.mark(of: [logs]))
        #expect(later != mark)
        #expect(try await !hub.wait(for: [logs], since: later, atMost: .milliseconds(20)))
    }

    @Test("ends a wait whose task is cancelled", arguments: TestedHub.allCases)
    func cancelledWait(_ kind: TestedHub) async throws {
        let hub = try kind.open(folder)
        let waiting = Task {
            try await hub.wait(for: ["\(Self.space)/heads/"], atMost: .seconds(600))
        }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}

/// Numbers as names have them.
enum HubNumber {
    static func text(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 12 - digits.count) + digits
    }
}

/// Expects a ``HubError`` of a kind.
func expectError<Result>(
    _ code: HubError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Result
) async {
    do {
        _ = try await body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch let error as HubError {
        #expect(error.code == code, sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}
