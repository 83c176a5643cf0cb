import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("Backups whose keys were exposed, all of them at once,", .proves("OPR-55"))
struct RekeyingTests {
    private let folder: TemporaryDirectory
    private let store: KeyStore
    private let repository: BackupRepository

    /// Two backups under each of three keys, and a fourth key that the database has got since.
    init() throws {
        folder = try TemporaryDirectory()
        store = KeyStore(folder: folder.path(of: "keys"))
        repository = try BackupRepository.create(at: folder.path(of: "repository"))
        let queue = try open()
        for _ in 1...3 {
            for _ in 1...2 {
                try queue.write {
                    try $0.execute(sql: "INSERT INTO t VALUES (hex(randomblob(20000)))")
                }
                try repository.backUp(queue, keys: store)
            }
            try queue.rotateKey(in: store)
        }
        try queue.close()
    }

    private func open() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { [store] db in try db.useKey(from: store) }
        let queue = try DatabaseQueue(path: folder.path(of: "app.db"), configuration: configuration)
        try queue.write { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS t (a)") }
        return queue
    }

    private func exposedKeys() throws -> [CipherKey] {
        try store.keys().filter { $0.state == .retired }.map(\.key)
    }

    /// All but the locks, which are there or not.
    private func contents() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: repository.path)
        where !name.hasPrefix("lock") {
            files[name] = try? Data(contentsOf: URL(fileURLWithPath: repository.path + "/" + name))
        }
        return files
    }

    /// Each backup restores under the current key alone, and none of the exposed ones signs.
    private func check() throws {
        let key = try store.currentKey()
        let backups = try repository.backups()
        #expect(backups.count == 6)
        let path = folder.path(of: "restored.db")
        for (index, backup) in backups.enumerated() {
            try repository.restore(backup.id, to: path, key: key, overwrite: true)
            let queue = try DatabaseFile(path: path, key: key).open()
            let count = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
            #expect(count == index + 1)
            try queue.close()
        }
        let report = try repository.verify(key: .database(key))
        #expect(report.isSound && report.isSignerTrusted == true, "\(report.problems)")
        #expect(report.authenticatedManifestCount == 6)
        let policy = RetentionPolicy(last: 100)
        for exposed in try exposedKeys() {
            #expect(try repository.keyIdentifiers(of: exposed).isEmpty)
            let error = #expect(throws: BackupError.self) {
                try repository.prune(keeping: policy, key: exposed)
            }
            #expect(error?.step as? BackupStep == .giveSuccessor)
        }
        // What the exposed keys opened is gone.
        #expect(try repository.prune(keeping: policy, key: key).freedByteCount == 0)
        let queue = try open()
        #expect(try repository.backUp(queue, keys: store).notices.isEmpty)
    }

    @Test("get the current key of their store")
    func all() throws {
        #expect(try repository.rekey(keys: store).count == 6)
        try check()
    }

    /// Each group of backups begins with `storing`, and the removal of old pages with `pruning`.
    private enum Place: Int, CaseIterable {
        case first = 1, second, third, pruning
    }

    @Test("get it after kills at every stage", arguments: Place.allCases)
    private func killed(place: Place) async throws {
        try await Self.rekeyAndDie(folder.path, place.rawValue)
        #expect(try repository.verify().isSound)
        let rest = try repository.rekey(keys: store)
        #expect(rest.count == 6 - 2 * (place.rawValue - 1))
        try check()
    }

    /// The key of a passphrase depends on the salt, so that a run that goes on has another one.
    @Test("get a passphrase after a kill between two of them")
    func passphrase() async throws {
        let words = "six words that were chosen by dice"
        try await Self.rekeyAndDie(folder.path, 2, passphrase: words)
        let key = try CipherKey(passphrase: words)
        #expect(try repository.rekey(from: exposedKeys(), to: key).count == 4)
        let report = try repository.verify(key: .database(key))
        #expect(report.isSound && report.isSignerTrusted == true, "\(report.problems)")
        #expect(report.authenticatedManifestCount == 6)
    }

    private static func rekeyAndDie(
        _ folder: String, _ place: Int, passphrase: String? = nil
    ) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder, place, passphrase] in
            let repository = try BackupRepository(path: folder + "/repository")
            let count = Locked((value: 0, wasStoring: false))
            let die: OperationProgress.Handler = { progress in
                let number = count.withLock { count in
                    let isStoring = progress.phase == .storing
                    if isStoring, !count.wasStoring { count.value += 1 }
                    count.wasStoring = isStoring
                    return progress.phase == .pruning ? 4 : count.value
                }
                if number == place { kill(getpid(), SIGKILL) }
            }
            let store = KeyStore(folder: folder + "/keys")
            guard let passphrase else {
                try repository.rekey(keys: store, progress: die)
                return
            }
            let exposed = try store.keys().filter { $0.state == .retired }.map(\.key)
            let newKey = try CipherKey(passphrase: passphrase)
            try repository.rekey(from: exposed, to: newKey, progress: die)
        }
    }

    @Test("keep their keys if the new key is one of those, or the database has not got it")
    func refused() throws {
        let files = try contents()
        let keys = try store.keys().map(\.key)
        for exposed in [keys, [keys[3]], Array(keys.suffix(2))] {
            let error = #expect(throws: BackupError.self) {
                try repository.rekey(from: exposed, to: keys[3])
            }
            #expect(error?.step as? BackupStep == .giveNewKey)
        }
        let pending = try store.makePendingKey()
        let unfinished = #expect(throws: BackupError.self) { try repository.rekey(keys: store) }
        #expect(unfinished?.step as? BackupStep == .rotateStore)
        try DatabaseFile(path: folder.path(of: "app.db"), key: keys[3]).rotateKey(to: pending.key)
        try store.settle(pending)
        let fresh = KeyStore(folder: folder.path(of: "fresh"))
        _ = try fresh.makeFirstKey()
        let alone = #expect(throws: BackupError.self) { try repository.rekey(keys: fresh) }
        #expect(alone?.step as? BackupStep == .rotateStore)
        let strangers = try (1...2).map { _ in try CipherKey.generated() }
        let unknown = #expect(throws: BackupError.self) {
            try repository.rekey(from: strangers, to: store.currentKey())
        }
        #expect(unknown?.code == .wrongKey)
        #expect(try contents() == files)
    }

    @Test("leave no key that signs, also where all backups of a key are gone")
    func prunedBackups() throws {
        let keys = try exposedKeys()
        try repository.prune(keeping: RetentionPolicy(last: 2), key: keys[2])
        let opened = try OpenRepository(repository)
        let signers = try keys.map { key in
            try #require(
                try opened.readHead().authorities?.first { entry in
                    try BackupChain(opened, opened.readHead()).contains { link in
                        try link.backup.get().key(derivedFrom: key)?.authority?.publicKey
                            .hexadecimal == entry.key
                    }
                }
            ).key
        }
        #expect(Set(signers).count == 3)
        #expect(try repository.rekey(keys: store).count == 2)
        let authorities = Authorities(try opened.readHead().authorities ?? [])
        for signer in signers { #expect(authorities.isReplaced(signer)) }
        let error = #expect(throws: BackupError.self) {
            try repository.prune(keeping: RetentionPolicy(last: 1), key: keys[0])
        }
        #expect(error?.step as? BackupStep == .giveSuccessor)
        #expect(try repository.verify(key: .database(store.currentKey())).isSound)
    }

    @Test(
        "leave no key that signs, also one that was introduced and has no backup",
        .proves("OPR-210"))
    func introducedKey() throws {
        let (path, leaked) = (folder.path(of: "app.db"), folder.path(of: "leaked/app.db"))
        try FileManager.default.createDirectory(
            atPath: folder.path(of: "leaked"), withIntermediateDirectories: false)
        let queue = try open()
        try queue.rotateKey(in: store, backups: repository)
        let key = try store.currentKey()
        try queue.close()
        try FileManager.default.copyItem(atPath: path, toPath: leaked)
        let mine = try open()
        try mine.rotateKey(in: store)
        let rekeyed = try repository.rekey(keys: store)
        #expect(rekeyed.count == 6)
        #expect(!rekeyed.flatMap(\.notices).contains { $0.contains("may still sign") })
        try repository.backUp(mine, keys: store)
        let thief = try DatabaseFile(path: leaked, key: key).open()
        let error = #expect(throws: BackupError.self) { try repository.backUp(thief) }
        #expect(error?.step as? BackupStep == .rotateDatabase)
        let pruning = #expect(throws: BackupError.self) {
            try repository.prune(keeping: RetentionPolicy(last: 1), key: key)
        }
        #expect(pruning != nil)
        #expect(try repository.backups().count == 7)
        try mine.close()
    }
}
