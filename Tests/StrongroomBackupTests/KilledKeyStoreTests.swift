import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("An app with a store of keys that is killed", .tags(.slow))
struct KilledKeyStoreTests {
    /// `STRONGROOM_KILLS=300` is the full proof.
    private static let rounds =
        Int(ProcessInfo.processInfo.environment["STRONGROOM_KILLS"] ?? "") ?? 12

    @Test("restores every backup that it made", .proves("OPR-31", "OPR-32"))
    func killed() async throws {
        let folder = try TemporaryDirectory()
        let repository = try BackupRepository.create(at: folder.path(of: "repository"))
        let store = KeyStore(folder: folder.path(of: "keys"))
        let seed = UInt64.random(in: 0...9999)
        var random = SeededGenerator(seed: seed)
        var horizon = 200_000_000.0
        var known = 0
        for _ in 1...Self.rounds {
            let nanoseconds = Int(Double.random(in: 0...1, using: &random) * horizon)
            try await Self.liveAndDie(folder.path, after: nanoseconds)
            let count = try store.keys().count
            horizon *= count > known + 1 ? 0.9 : 1.2
            known = count
        }
        let pool = try Self.open(folder.path)
        try repository.backUp(pool, keys: store)
        try pool.rotateKey(in: store, backups: repository)
        let backups = try repository.backups()
        print("seed \(seed): \(Self.rounds) kills, \(known) keys, \(backups.count) backups")
        let keys = try store.keys()
        for backup in backups {
            let path = folder.path(of: "restored.db")
            try repository.restore(backup.id, to: path, keys: store, overwrite: true)
            #expect(keys.count { DatabaseFile(path: path, key: $0.key).opens() } == 1)
        }
        let report = try repository.verify(key: .databases(keys.map(\.key)))
        #expect(report.isSound, "\(report.problems)")
        #expect(report.authenticatedManifestCount == backups.count)
        // No rotation jammed: at most one key is pending, and only before the database has it.
        #expect(keys.filter { $0.state == .current }.map(\.id) == [keys.last?.id])
        try store.removeUnneededKeys(backups: [repository])
        for backup in backups {
            let path = folder.path(of: "restored.db")
            try repository.restore(backup.id, to: path, keys: store, overwrite: true)
        }
    }

    private static func open(_ folder: String) throws -> DatabasePool {
        let store = KeyStore(folder: folder + "/keys")
        var configuration = Configuration()
        configuration.prepareDatabase { db in try db.useKey(from: store) }
        let pool = try DatabasePool(path: folder + "/app.db", configuration: configuration)
        try pool.write { db in
            try db.execute(
                sql: "CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (randomblob(900))")
        }
        return pool
    }

    /// Backs up and rotates until the end, which comes at any instant.
    private static func liveAndDie(_ folder: String, after nanoseconds: Int) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder, nanoseconds] in
            DispatchQueue.global(qos: .userInteractive)
                .asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
                    kill(getpid(), SIGKILL)
                }
            let pool = try KilledKeyStoreTests.open(folder)
            let repository = try BackupRepository(path: folder + "/repository")
            let store = KeyStore(folder: folder + "/keys")
            while true {
                try repository.backUp(pool, keys: store)
                try pool.rotateKey(in: store, backups: repository)
            }
        }
    }
}
