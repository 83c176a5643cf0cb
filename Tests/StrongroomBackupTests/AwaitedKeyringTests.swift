import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup
@testable import StrongroomKeyrings

/// An app with a keyring that awaits what takes time.
@Suite struct AwaitedKeyringTests {
    let folder: TemporaryDirectory
    let repository: BackupRepository
    let me = Unlocker.passphrase("first")

    init() throws {
        folder = try TemporaryDirectory()
        repository = try BackupRepository.create(at: folder.path(of: "repository"))
        try Keyring.create(forNew: path) { change in
            try change.addPassphrase("first", name: "me", work: 14)
        }
    }

    private var path: String { folder.path(of: "app.db") }

    private func pool() throws -> DatabasePool {
        var configuration = Configuration()
        configuration.prepareDatabase { [me] in try $0.unlock(with: me) }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.write { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS t AS SELECT 1 AS a") }
        return pool
    }

    @Test("rotates, backs up, verifies, prunes and restores by one secret", .proves("OPR-85"))
    func allWork() async throws {
        let pool = try pool()
        let first = try await repository.startBackUp(of: pool, unlockingWith: me).value
        let keyring = try await pool.startRotation(unlockingWith: me).value
        #expect(keyring.keys[0].id != first.keyIdentifier)
        // Right after a rotation: the stored keyring knows the key of each backup.
        let earlier = try await repository.startVerification(unlockingWith: me).value
        #expect(earlier.isSound && earlier.otherKeyBackups.isEmpty)
        let second = try await repository.startBackUp(of: pool, unlockingWith: me).value
        #expect(second.keyIdentifier != first.keyIdentifier)
        let report = try await repository.startVerification(unlockingWith: me).value
        #expect(report.isSound && report.otherKeyBackups.isEmpty)
        #expect(report.isSignerTrusted == true)
        let policy = RetentionPolicy(last: 1)
        let plan = try await repository.startPrune(
            keeping: policy, unlockingWith: me, dryRun: true
        ).value
        #expect(plan.removed.map(\.number) == [1])
        #expect(try repository.backups().count == 2)
        _ = try await repository.startPrune(keeping: policy, unlockingWith: me).value
        #expect(try repository.backups().map(\.number) == [2])
        let restored = folder.path(of: "restored.db")
        _ = try await repository.startRestoration(to: restored, unlockingWith: me).value
        var configuration = Configuration()
        configuration.prepareDatabase { [me] in try $0.unlock(with: me) }
        let queue = try DatabaseQueue(path: restored, configuration: configuration)
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 1)
    }

    @Test("refuses a secret that opens no stored keyring", .proves("OPR-85"))
    func strangeSecret() throws {
        try repository.backUp(pool(), unlockingWith: me)
        let stranger = Unlocker.passphrase("no")
        let policy = RetentionPolicy(last: 1)
        for work in [
            { _ = try repository.verify(unlockingWith: stranger) },
            { _ = try repository.prune(keeping: policy, unlockingWith: stranger) },
        ] as [() throws -> Void] {
            let error = #expect(throws: BackupError.self, performing: work)
            #expect(error?.code == .wrongKey)
        }
    }

    @Test("says so where the last keyring is lost, and cannot be compared", .proves("OPR-84"))
    func lostKeyring() throws {
        let pool = try pool()
        #expect(try repository.backUp(pool, unlockingWith: me).notices == [])
        let stored = repository.path + "/keyrings"
        for name in try FileManager.default.contentsOfDirectory(atPath: stored) {
            try FileManager.default.removeItem(atPath: stored + "/" + name)
        }
        let notices = try repository.backUp(pool, unlockingWith: me).notices
        #expect(notices.count == 1)
        #expect(notices.first?.contains("could not be compared") == true, "\(notices)")
        #expect(try repository.backUp(pool, unlockingWith: me).notices == [])
    }

    @Test(
        "goes on after a rotation that was killed, was backed up and then dropped",
        .proves("OPR-88"), arguments: [true, false])
    func interruptedRotation(repairs: Bool) throws {
        let pool = try pool()
        try repository.backUp(pool, unlockingWith: me)
        try pool.close()
        // As a process leaves it that is killed before the file has its new key.
        let open = try Keyring(of: path).open(with: me)
        var both: [UInt8] = []
        #expect(throws: CancellationError.self) {
            try KeyringRotation(open, Keyring(of: path).file).run { _, _, _ in
                both = [UInt8](try Data(contentsOf: URL(filePath: path + "-keyring")))
                throw CancellationError()
            }
        }
        try Data(both).write(to: URL(filePath: path + "-keyring"))
        #expect(try Keyring(of: path).isChangingKey)
        let file = DatabaseFile(path: path)
        #expect(try repository.backUp(file, unlockingWith: me).number == 2)
        if repairs { try Keyring(of: path).repair(unlockingWith: me) }
        for number in 3...4 {
            try Keyring(of: path).rotate(unlockingWith: me)
            let backup = try repository.backUp(file, unlockingWith: me)
            #expect(backup.number == number && backup.notices == [], "\(backup.notices)")
        }
        for number in 1...4 {
            let restored = folder.path(of: "restored-\(number).db")
            try repository.restore("\(number)", to: restored, unlockingWith: me)
        }
    }

    @Test(
        "restores what was backed up under a key file that became the first way in",
        .proves("KSL-047"))
    func keyFileFromBefore() throws {
        let key = try CipherKey.generated()
        let path = folder.path(of: "older.db")
        let file = DatabaseFile(path: path, key: key)
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.useKey(key) }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { try $0.execute(sql: "CREATE TABLE t AS SELECT 1 AS a") }
        try queue.close()
        try repository.backUp(file)
        try Keyring.create(for: file) { try $0.addKeyFile(key, name: "file") }
        // The key file introduces what follows it.
        let second = try repository.backUp(
            DatabaseFile(path: path), unlockingWith: .key(key))
        #expect(second.number == 2)
        try Keyring(of: path).change(unlockingWith: .key(key)) {
            try $0.addPassphrase("first", name: "me", work: 14)
        }
        try Keyring(of: path).rotate(unlockingWith: me)
        try repository.backUp(DatabaseFile(path: path), unlockingWith: me)
        for number in 1...3 {
            let restored = folder.path(of: "restored-\(number).db")
            try repository.restore("\(number)", to: restored, key: number == 1 ? key : nil)
        }
        let report = try repository.verify(unlockingWith: .key(key))
        #expect(report.isSound && report.otherKeyBackups.isEmpty)
        // Nobody else has it.
        #expect(throws: (any Error).self) {
            try repository.restore(
                "1", to: folder.path(of: "no.db"), unlockingWith: me)
        }
    }
}
