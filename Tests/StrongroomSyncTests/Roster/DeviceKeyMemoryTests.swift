import Foundation
import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// A look through all memory of a process that has synchronised.
@Suite struct DeviceKeyMemoryTests {
    @Test(
        .proves("SYN-107"),
        .enabled(
            if: FileManager.default.fileExists(atPath: "/proc/self/mem"), "needs Linux's /proc"))
    func `after engine and file are closed, no key of the device is left, and the hub has none`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let (first, second) = (directory.path(of: "a.db"), directory.path(of: "b.db"))
        let hub = directory.path(of: "hub")
        try FileManager.default.createDirectory(
            atPath: hub, withIntermediateDirectories: false)
        await scan(first, second, hub)
    }

    private func scan(_ first: String, _ second: String, _ hub: String) async {
        await #expect(processExitsWith: .success) {
            [first = first as String, second = second as String, hub = hub as String] in
            var secrets: [MaskedBytes] = []
            try await DeviceKeyMemoryTests.use(first, second, hub, &secrets)
            precondition(secrets.count == 4, "\(secrets.count)")
            for secret in secrets {
                precondition(MemoryScan().findings(of: secret).count == 0, "A key is left")
                precondition(!DeviceKeyMemoryTests.isThere(secret, below: hub), "The hub has it")
            }
        }
    }

    private static func use(
        _ first: String, _ second: String, _ hub: String, _ secrets: inout [MaskedBytes]
    ) async throws {
        let transport = FolderHub(path: hub)
        let a = try open(first)
        let engine = try await SyncEngine(
            for: a, transport: transport, tables: EngineFixture.tables)
        let b = try open(second)
        let other = try await SyncEngine.join(
            engine.inviteDevice().ticket, for: b, transport: transport,
            tables: EngineFixture.tables)
        try await a.write { try $0.execute(sql: "INSERT INTO list VALUES ('l', 'x', 1)") }
        for engine in [engine, other, engine] { try await engine.synchronize() }
        for engine in [engine, other] {
            let membership = await engine.membership
            membership.identity.seed.withUnsafeBytes { secrets.append(MaskedBytes($0)) }
            guard let key = membership.keys[1] else { throw CancellationError() }
            key.bytes.withUnsafeBytes { secrets.append(MaskedBytes($0)) }
        }
        precondition(MemoryScan().findings(of: secrets[0]).count > 0, "The scan is blind")
        await engine.close()
        await other.close()
        try a.close()
        try b.close()
        // What the file keeps is read again, too.
        let again = try open(first)
        let reopened = try await SyncEngine(
            for: again, transport: transport, tables: EngineFixture.tables)
        try await reopened.synchronize()
        await reopened.close()
        try again.close()
    }

    private static func open(_ path: String) throws -> DatabaseQueue {
        let isNew = !FileManager.default.fileExists(atPath: path)
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.usePassphrase("a passphrase")
            // Pages that SQLite frees are wiped.
            try db.execute(sql: "PRAGMA cipher_memory_security = ON")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        if isNew { try queue.write { try $0.execute(sql: EngineFixture.sql) } }
        return queue
    }

    private static func isThere(_ secret: MaskedBytes, below folder: String) -> Bool {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
        return (names ?? []).contains { name in
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                return false
            }
            return secret.withClearBytes { data.range(of: Data($0)) != nil }
        }
    }
}
