import Foundation
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite("A hub in a folder", .proves("SYN-180"))
struct FolderHubTests {
    private static let space = String(repeating: "0a", count: 32)
    private static let name = "\(space)/log/d1-r1/000000000001"

    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    }

    // MARK: - Processes

    @Test("gives a name to one of eight processes that race for it")
    func race() async throws {
        let path = folder.path
        for round in 0..<3 {
            let name = "\(Self.space)/log/d1-r1/\(HubNumber.text(round))"
            await withTaskGroup { group in
                for writer in UInt8(0)..<8 {
                    group.addTask { await Self.race(path, name, writer) }
                }
            }
            let hub = FolderHub(path: path)
            let winners = try await hub.list(name + "-won-", after: nil, limit: 9).names
            #expect(winners.count == 1)
            let winner = try await hub.get(#require(winners.first))
            let body = try await hub.get(name)
            #expect(body == [UInt8](repeating: winner[0], count: 100_000))
        }
        #expect(try !files().contains { $0.contains(HubFolder.temporaryMark) })
    }

    /// Another process writes; if it comes first, it says so in the hub.
    private static func race(_ path: String, _ name: String, _ writer: UInt8) async {
        await #expect(processExitsWith: .success) { [path, name, writer] in
            let hub = FolderHub(path: path)
            let body = [UInt8](repeating: writer, count: 100_000)
            do {
                try await hub.put(body, under: name)
                try await hub.put([writer], under: "\(name)-won-\(writer)")
            } catch let error as HubError where error.code == .exists {}
        }
    }

    @Test("has whole objects or none after a process was killed while it put them")
    func killed() async throws {
        let seed = UInt64.random(in: 0...9999)
        var random = SeededGenerator(seed: seed)
        var count = 0
        for round in UInt8(0)..<8 {
            let nanoseconds = Int.random(in: 1_000_000...120_000_000, using: &random)
            await Self.liveAndDie(folder.path, round, after: nanoseconds)
            let hub = FolderHub(path: folder.path)
            let prefix = "\(Self.space)/log/d\(round)/"
            let names = try await hub.list(prefix, after: nil, limit: 99_999).names
            for (number, name) in names.enumerated() {
                #expect(name.hasSuffix(HubNumber.text(number)), "seed \(seed)")
                let body = try await hub.get(name)
                #expect(body == [UInt8](repeating: round, count: 50_000), "seed \(seed)")
            }
            count += names.count
        }
        print("killed in put, seed \(seed): \(count) objects of 8 processes")
        #expect(count > 0)
    }

    private static func liveAndDie(
        _ path: String, _ round: UInt8, after nanoseconds: Int
    ) async {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path, round, nanoseconds] in
            let hub = FolderHub(path: path)
            DispatchQueue.global(qos: .userInteractive)
                .asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
                    kill(getpid(), SIGKILL)
                }
            for number in 0... {
                let name = "\(FolderHubTests.space)/log/d\(round)/\(HubNumber.text(number))"
                try await hub.put([UInt8](repeating: round, count: 50_000), under: name)
            }
        }
    }

    @Test("is cleared of what killed processes have left, but not of what is being written")
    func leftovers() async throws {
        let hub = FolderHub(path: folder.path)
        try await hub.put([1], under: Self.name)
        let log = folder.path + "/\(Self.space)/log/d1-r1"
        let old = log + "/.strongroom-0123456789abcdef"
        let new = log + "/.strongroom-fedcba9876543210"
        for path in [old, new] { try Data([1]).write(to: URL(fileURLWithPath: path)) }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: old)
        let bytes = try #require(Hexadecimal.bytes(Self.space))
        let space = try #require(SpaceID(bytes))
        #expect(try await hub.removeLeftovers(of: space) == 1)
        #expect(FileManager.default.fileExists(atPath: new))
        #expect(!FileManager.default.fileExists(atPath: old))
        #expect(try await hub.list("\(Self.space)/", after: nil, limit: 9).names == [Self.name])
        #expect(try await hub.get(Self.name) == [1])
    }

    // MARK: - Faults

    @Test("that is full says so, keeps what it has, and goes on when there is room", .mayMountHub)
    func full() async throws {
        let disk = try SmallHubDisk(megabytes: 1)
        let hub = FolderHub(path: disk.path)
        let body = [UInt8](repeating: 1, count: 300_000)
        try await hub.put(body, under: Self.name)
        var stored = 1
        do {
            for number in 2...20 {
                try await hub.put(body, under: "\(Self.space)/log/d1-r1/\(HubNumber.text(number))")
                stored += 1
            }
            Issue.record("the disk was never full")
        } catch let error as HubError {
            #expect(error.code == .full && error.hint != nil)
        }
        let names = try await hub.list("\(Self.space)/", after: nil, limit: 99).names
        #expect(names.count == stored)
        for name in names { #expect(try await hub.get(name) == body) }
        try await hub.delete(names[0])
        try await hub.put(body, under: names[0])
    }

    /// A file system on which one call fails.
    private func hub(_ change: (inout FileSystem) -> Void) -> FolderHub {
        var files = FileSystem.system
        change(&files)
        return FolderHub(path: folder.path, files: files)
    }

    @Test(
        "whose disk or rights fail stores nothing and says why",
        arguments: [
            (EIO, HubError.Code.failed), (ENOSPC, .full), (EDQUOT, .full), (EACCES, .refused),
            (EROFS, .refused),
        ])
    func faults(_ number: Int32, _ code: HubError.Code) async throws {
        @Sendable func fail(_ call: String) -> SystemError { SystemError(call, "", number: number) }
        let hubs: [(String, FolderHub)] = [
            ("fsync", hub { $0.synchronize = { (_) throws(SystemError) in throw fail("fsync") } }),
            ("write", hub { $0.write = { (_, _) throws(SystemError) in throw fail("write") } }),
            (
                "open",
                hub { $0.inFolder.create = { (_, _) throws(SystemError) in throw fail("open") } }
            ),
            (
                "rename",
                hub {
                    $0.inFolder.renameToFreeName = { (_, _, _) throws(SystemError) in
                        throw fail("rename")
                    }
                }
            ),
        ]
        let good = FolderHub(path: folder.path)
        try await good.put([1], under: "\(Self.space)/log/d1-r1/000000000000")
        for (call, hub) in hubs {
            await expectError(code) { try await hub.put([2], under: Self.name) }
            await expectError(.notFound) { try await good.get(Self.name) }
            #expect(try files().count == 4, "\(call) left a file")
        }
    }

    @Test("brings a file to the disk before it has its name, and the name before it counts")
    func order() async throws {
        let calls = Locked<[String]>([])
        let recording = hub { files in
            let base = files
            files.synchronize = { (file) throws(SystemError) in
                calls.withLock { $0.append("fsync file") }
                try base.synchronize(file)
            }
            files.inFolder.renameToFreeName = { (folder, old, new) throws(SystemError) in
                calls.withLock { $0.append("rename") }
                try base.inFolder.renameToFreeName(folder, old, new)
            }
            files.inFolder.synchronize = { (folder) throws(SystemError) in
                calls.withLock { $0.append("fsync folder") }
                try base.inFolder.synchronize(folder)
            }
        }
        try await recording.put([1], under: "\(Self.space)/heads/d1")
        // The two folders first, which did not exist.
        let file = ["fsync file", "rename", "fsync folder"]
        #expect(calls.withLock { $0 } == ["fsync folder", "fsync folder"] + file)
        calls.withLock { $0 = [] }
        try await recording.put([1], under: "\(Self.space)/heads/d2")
        #expect(calls.withLock { $0 } == file)
        let failing = hub {
            $0.inFolder.synchronize = { (_) throws(SystemError) in
                throw SystemError("fsync", "", number: EIO)
            }
        }
        await expectError(.failed) { try await failing.put([1], under: "\(Self.space)/heads/d3") }
    }

    @Test("follows no link in it, and reads nothing but files")
    func links() async throws {
        let hub = FolderHub(path: folder.path)
        try await hub.put([1], under: Self.name)
        let elsewhere = try TemporaryDirectory()
        let secret = try elsewhere.write("secret", to: "secret")
        let log = folder.path + "/\(Self.space)/log/d1-r1"
        let manager = FileManager.default
        try manager.createSymbolicLink(
            atPath: log + "/000000000002", withDestinationPath: secret)
        try manager.createSymbolicLink(
            atPath: folder.path + "/\(Self.space)/heads", withDestinationPath: elsewhere.path)
        try manager.createDirectory(
            atPath: log + "/000000000003", withIntermediateDirectories: false)
        #expect(mkfifo(log + "/000000000004", 0o600) == 0)
        let prefix = "\(Self.space)/log/d1-r1/00000000000"
        for number in 2...4 {
            await expectError(.damaged) { try await hub.get(prefix + "\(number)") }
        }
        await expectError(.damaged) { try await hub.get("\(Self.space)/heads/secret") }
        await expectError(.damaged) { try await hub.put([1], under: "\(Self.space)/heads/d1") }
        #expect(try await hub.list("\(Self.space)/", after: nil, limit: 9).names == [Self.name])
        #expect(try elsewhere.names() == ["secret"])
        await expectError(.exists) { try await hub.put([1], under: prefix + "2") }
        #expect(try Data(contentsOf: URL(fileURLWithPath: secret)) == Data("secret".utf8))
    }

    @Test("does not list files whose names no object has, and reads none that is too long")
    func strangers() async throws {
        let hub = FolderHub(path: folder.path)
        try await hub.put([1], under: Self.name)
        let log = folder.path + "/\(Self.space)/log/d1-r1"
        for name in ["000000000001 (conflicted copy)", "Thumbs.db", ".stversions", "desktop.INI"] {
            try Data([1]).write(to: URL(fileURLWithPath: log + "/" + name))
        }
        #expect(try await hub.list("\(Self.space)/", after: nil, limit: 9).names == [Self.name])
        try Data(count: 1 << 20 + 1).write(to: URL(fileURLWithPath: log + "/000000000002"))
        await expectError(.tooLarge) {
            try await hub.get("\(Self.space)/log/d1-r1/000000000002")
        }
    }

    @Test("that is not there is named")
    func missing() async throws {
        let hub = FolderHub(path: folder.path(of: "missing"))
        await expectError(.notFound) { try await hub.status() }
        await expectError(.notFound) { try await hub.put([1], under: Self.name) }
    }

    @Test("notices what another machine writes, which no event of this one reports")
    func polling() async throws {
        // The names of the folder are those of a mount whose other side writes: no inotify.
        let hub = FolderHub(path: folder.path, pollInterval: .milliseconds(5))
        let heads = "\(Self.space)/heads/"
        let isWoken = Locked(false)
        let waiting = Task {
            let result = try await hub.wait(for: [heads], atMost: .seconds(60))
            isWoken.withLock { $0 = true }
            return result
        }
        var number: UInt8 = 0
        while !isWoken.withLock({ $0 }) {
            number &+= 1
            // The folder of the heads comes into being now, so nothing watches it.
            try await hub.replace(heads + "d1", with: [number])
        }
        #expect(try await waiting.value)
    }
}
