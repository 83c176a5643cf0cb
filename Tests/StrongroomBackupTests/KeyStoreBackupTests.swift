import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("Backups of a database whose keys are in a store")
struct KeyStoreBackupTests {
    let folder: TemporaryDirectory
    let store: KeyStore
    let repository: BackupRepository

    init() throws {
        folder = try TemporaryDirectory()
        store = KeyStore(folder: folder.path(of: "keys"))
        repository = try BackupRepository.create(at: folder.path(of: "repository"))
    }

    /// As an app does at each launch.
    private func open() throws -> DatabasePool {
        var configuration = Configuration()
        configuration.prepareDatabase { [store] db in try db.useKey(from: store) }
        let pool = try DatabasePool(path: folder.path(of: "app.db"), configuration: configuration)
        try pool.write { db in
            try db.execute(
                sql: "CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (randomblob(9000))")
        }
        return pool
    }

    private func restoredCount(_ name: String) throws -> Int? {
        let path = folder.path(of: "restored-\(name).db")
        try repository.restore(name, to: path, keys: store)
        let keys = try store.keys()
        let key = try #require(
            keys.first { (try? DatabaseFile(path: path, key: $0.key).open().close()) != nil })
        let queue = try DatabaseFile(path: path, key: key.key).open()
        return try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
    }

    @Test("are verified and pruned with the store, right after a rotation", .proves("OPR-64"))
    func afterRotation() async throws {
        let pool = try open()
        for _ in 1...3 { try repository.backUp(pool, keys: store) }
        #expect(try pool.rotateKey(in: store, backups: repository).introductionError == nil)
        let current = try store.currentKey()
        #expect(throws: BackupError.self) { try repository.verify(key: .database(current)) }
        let report = try repository.verify(keys: store)
        #expect(report.isSound && report.authenticatedManifestCount == 3)
        #expect(try await repository.startVerification(keys: store).value.isSound)
        let policy = RetentionPolicy(last: 2)
        #expect(try repository.prune(keeping: policy, keys: store, dryRun: true).removed.count == 1)
        #expect(try repository.prune(keeping: policy, keys: store).removed.count == 1)
        let last = try await repository.startPrune(
            keeping: RetentionPolicy(last: 1), keys: store
        ).value
        #expect(last.removed.count == 1)
        try repository.backUp(pool, keys: store)
        #expect(try repository.forget(["3"], keys: store).kept.count == 1)
        let all = try await repository.startPrune(keeping: policy, key: current).value
        #expect(all.removed.isEmpty)
        try pool.close()
    }

    @Test("restore, every one, after an app was launched five times", .proves("OPR-31"))
    func fiveLaunches() throws {
        for launch in 1...5 {
            let pool = try open()
            let first = try repository.backUp(pool, keys: store)
            #expect(first.number == 2 * launch - 1)
            let rotation = try pool.rotateKey(in: store, backups: repository)
            #expect(rotation.introductionError == nil)
            try repository.backUp(pool, keys: store)
            try pool.close()
        }
        for number in 1...10 {
            #expect(try restoredCount("\(number)") == (number + 1) / 2)
        }
        let report = try repository.verify(key: .databases(store.keys().map(\.key)))
        #expect(report.isSound, "\(report.problems)")
        #expect(report.isSignerTrusted == true)
        #expect(report.authenticatedManifestCount == 10)
    }

    @Test("go on after any number of rotations without a backup", .proves("OPR-31"))
    func manyRotations() throws {
        let pool = try open()
        try repository.backUp(pool, keys: store)
        for _ in 1...4 { try pool.rotateKey(in: store) }
        let error = #expect(throws: BackupError.self) { try repository.backUp(pool) }
        #expect(error?.code == .notIntroduced)
        #expect(try repository.backUp(pool, keys: store).number == 2)
        #expect(try restoredCount("1") == 1)
    }

    @Test("learn the new key from a signed head, and store no page for it")
    func introduction() throws {
        let pool = try open()
        try repository.backUp(pool, keys: store)
        let files = try repositoryFiles()
        #expect(try pool.rotateKey(in: store, backups: repository).introductionError == nil)
        let changed = try repositoryFiles()
        #expect(files.keys.sorted() == changed.keys.sorted())
        #expect(files.filter { changed[$0.key] != $0.value }.map(\.key) == ["head"])
        #expect(try repository.introduceKey(of: pool, keys: store) == false)
        // Without the store from here on: the repository knows the key.
        #expect(try repository.backUp(pool).number == 2)
    }

    private func repositoryFiles() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: repository.path) {
            let url = URL(fileURLWithPath: repository.path + "/" + name)
            files[name] = try? Data(contentsOf: url)
        }
        return files
    }

    @Test("are told of the new key later, if the repository cannot be reached at the rotation")
    func unreachable() throws {
        let pool = try open()
        try repository.backUp(pool, keys: store)
        let away = folder.path(of: "away")
        try FileManager.default.moveItem(atPath: repository.path, toPath: away)
        let old = try store.currentKey()
        let rotation = try pool.rotateKey(in: store, backups: repository)
        #expect((rotation.introductionError as? BackupError)?.code == .notARepository)
        #expect(try store.currentKey().isSame(as: old) == false)
        try FileManager.default.moveItem(atPath: away, toPath: repository.path)
        #expect(try repository.backUp(pool, keys: store).number == 2)
    }

    @Test("keep the retired keys that they need from being removed", .proves("OPR-152"))
    func removal() throws {
        let other = try BackupRepository.create(at: folder.path(of: "other"))
        let pool = try open()
        try repository.backUp(pool, keys: store)
        try pool.rotateKey(in: store, backups: repository)
        try other.backUp(pool, keys: store)
        try pool.rotateKey(in: store)
        try pool.rotateKey(in: store)
        // The third key has no backup; but as long as the fourth has none, it may have to introduce it.
        #expect(try store.unneededKeys(backups: [repository]).isEmpty)
        try repository.backUp(pool, keys: store)
        try other.backUp(pool, keys: store)
        #expect(try store.unneededKeys(backups: [repository]).map(\.id) == ["0002", "0003"])
        let error = #expect(throws: CipherKeyError.self) {
            try store.removeUnneededKeys(backups: [repository])
        }
        #expect(error?.code == .needed)
        #expect(error?.message.contains(other.path) == true)
        #expect(try store.keys().count == 4)
        let removed = try store.removeUnneededKeys(backups: [repository, other])
        #expect(removed.map(\.id) == ["0003"])
        #expect(try restoredCount("1") == 1)
        try repository.prune(
            keeping: RetentionPolicy(last: 1), key: store.currentKey())
        // A copy of the folder from before the key was current was merged into it.
        try FileManager.default.copyItem(
            atPath: store.path + "/0001.key", toPath: store.path + "/0001.next")
        #expect(
            try store.removeUnneededKeys(backups: [repository, other]).map(\.id) == ["0001"])
        #expect(try store.keys().map(\.id) == ["0002", "0004"])
        // A number is never given twice.
        try pool.rotateKey(in: store)
        #expect(try store.keys().map(\.id) == ["0002", "0004", "0005"])
    }

    @Test(
        "store every page after a rotation, until prune frees the earlier ones", .proves("OPR-38"))
    func cost() throws {
        let pool = try open()
        try pool.write { db in
            for _ in 1...100 { try db.execute(sql: "INSERT INTO t VALUES (randomblob(9000))") }
        }
        let first = try repository.backUp(pool, keys: store)
        try pool.rotateKey(in: store, backups: repository)
        let second = try repository.backUp(pool, keys: store)
        #expect(second.storedPageCount == second.pageCount)
        let third = try repository.backUp(pool, keys: store)
        #expect(third.storedPageCount < 5)
        func size() throws -> Int {
            try repositoryFiles().values.reduce(0) { $0 + $1.count }
        }
        let before = try size()
        #expect(before > 2 * first.pageCount * first.pageSize)
        try repository.prune(keeping: RetentionPolicy(last: 1), key: store.currentKey())
        #expect(try size() < before * 6 / 10)
    }

    @Test("are verified and restored with one of several keys", .proves("OPR-37"))
    func severalKeys() throws {
        let pool = try open()
        let old = try store.currentKey()
        try repository.backUp(pool, keys: store)
        try pool.rotateKey(in: store)
        let new = try store.currentKey()
        let stranger = try CipherKey.generated()
        let error = #expect(throws: BackupError.self) {
            try repository.backUp(pool, authority: .introducedByOneOf([stranger]))
        }
        #expect(error?.code == .notIntroduced)
        try repository.backUp(pool, authority: .introducedByOneOf([stranger, old]))
        let report = try repository.verify(key: .databases([stranger, new, old]))
        #expect(report.authenticatedManifestCount == 2)
        #expect(try repository.verify(key: .databases([new])).authenticatedManifestCount == 1)
        for name in ["1", "2"] {
            let path = folder.path(of: name)
            try repository.restore(name, to: path, keys: [stranger, new, old])
            let wrong = #expect(throws: BackupError.self) {
                try repository.restore(name, to: path + "b", keys: [stranger])
            }
            #expect(wrong?.code == .wrongKey)
        }
    }

    @Test("refuse a store that has lost the key of the open database", .proves("OPR-144"))
    func lostStore() async throws {
        let pool = try open()
        let manager = FileManager.default
        let keys = store.path
        try repository.backUp(pool, keys: store)
        try manager.copyItem(atPath: keys, toPath: folder.path(of: "older"))
        try pool.rotateKey(in: store, backups: repository)
        let newest = folder.path(of: "newest")
        try manager.moveItem(atPath: keys, toPath: newest)
        for place in [nil, folder.path(of: "older")] {
            if let place { try manager.copyItem(atPath: place, toPath: keys) }
            let error = await #expect(throws: CipherKeyError.self) {
                try await repository.startBackUp(of: pool, keys: store).value
            }
            #expect(
                error?.code == .notInStore || error?.code == .lost, "\(String(describing: error))")
            #expect(throws: CipherKeyError.self) {
                try repository.introduceKey(of: pool, keys: store)
            }
            if place == nil { #expect(!manager.fileExists(atPath: keys)) }
        }
        try manager.removeItem(atPath: keys)
        try manager.moveItem(atPath: newest, toPath: keys)
        let backup = try repository.backUp(pool, keys: store)
        #expect(backup.number == 2)
        #expect(try restoredCount("2") == 1)
    }
}
