import Foundation
import Strongroom
import StrongroomBackup
import StrongroomTestSupport
import Testing

@Suite("Retired keys are not removed")
struct KeyStoreRemovalTests {
    let folder: TemporaryDirectory
    let store: KeyStore
    let repository: BackupRepository

    init() throws {
        folder = try TemporaryDirectory()
        store = KeyStore(folder: folder.path(of: "keys"))
        repository = try Self.repository("repository", folder)
    }

    private static func repository(
        _ name: String, _ folder: TemporaryDirectory
    ) throws -> BackupRepository {
        var repository = try BackupRepository.create(at: folder.path(of: name))
        repository.memory = BackupMemory(folder: folder.path(of: "memory"))
        return repository
    }

    private func open(_ name: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { [store] db in try db.useKey(from: store) }
        let queue = try DatabaseQueue(path: folder.path(of: name), configuration: configuration)
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (1)")
        }
        return queue
    }

    private func rotateAndBackUp() throws {
        let queue = try open("app.db")
        try repository.backUp(queue, keys: store)
        try queue.rotateKey(in: store, backups: repository)
        try repository.backUp(queue, keys: store)
        try repository.prune(keeping: RetentionPolicy(last: 1), key: store.currentKey())
        try queue.close()
    }

    @Test("while another database has them", .proves("OPR-155"))
    func secondDatabase() throws {
        try open("second.db").close()
        try rotateAndBackUp()
        #expect(try store.unneededKeys(backups: [repository]).isEmpty)
        #expect(try store.removeUnneededKeys(backups: [repository]).isEmpty)
        let second = DatabaseFile(
            path: folder.path(of: "second.db"), key: try #require(store.keys().first).key)
        #expect(try second.open().read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 1)
        // It gets the current key, and the next opening notes that.
        try second.rotateKey(to: store.currentKey())
        try open("second.db").close()
        #expect(try store.removeUnneededKeys(backups: [repository]).map(\.id) == ["0001"])
    }

    @Test("for a database that is gone: they are removed", .proves("OPR-155"))
    func goneDatabase() throws {
        try open("second.db").close()
        try rotateAndBackUp()
        try FileManager.default.removeItem(atPath: folder.path(of: "second.db"))
        #expect(try store.removeUnneededKeys(backups: [repository]).map(\.id) == ["0001"])
    }

    @Test("while an older backup lies in the place of a database", .proves("OPR-166"))
    func olderBackup() throws {
        let queue = try open("app.db")
        try repository.backUp(queue, keys: store)
        try queue.rotateKey(in: store, backups: repository)
        try repository.backUp(queue, keys: store)
        try queue.close()
        let path = folder.path(of: "app.db")
        try repository.restore("1", to: path, keys: store, overwrite: true)
        try repository.prune(keeping: RetentionPolicy(last: 1), key: store.currentKey())
        #expect(try store.removeUnneededKeys(backups: [repository]).isEmpty)
        let file = DatabaseFile(path: path, key: try #require(store.keys().first).key)
        try file.rotateKey(to: store.currentKey())
        try open("app.db").close()
        #expect(try store.removeUnneededKeys(backups: [repository]).map(\.id) == ["0001"])
    }

    @Test("and notes of copies do not fill the folder", .proves("OPR-155"))
    func copies() throws {
        try open("app.db").close()
        for number in 1...40 {
            let name = "copy-\(number).db"
            try FileManager.default.copyItem(
                atPath: folder.path(of: "app.db"), toPath: folder.path(of: name))
            try open(name).close()
            try FileManager.default.removeItem(atPath: folder.path(of: name))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: store.path)
        #expect((2...35).contains(names.count), "\(names)")
    }

    @Test("where an older copy of the store forgot a repository", .proves("OPR-156"))
    func olderCopy() throws {
        let manager = FileManager.default
        let elsewhere = try Self.repository("elsewhere", folder)
        let queue = try open("app.db")
        try repository.backUp(queue, keys: store)
        let copy = folder.path(of: "copy")
        try manager.copyItem(atPath: store.path, toPath: copy)
        try elsewhere.backUp(queue, keys: store)
        try queue.rotateKey(in: store, backups: repository)
        try repository.backUp(queue, keys: store)
        try repository.prune(keeping: RetentionPolicy(last: 1), key: store.currentKey())
        try queue.close()
        // The copy, with the keys that were made since.
        for name in try manager.contentsOfDirectory(atPath: store.path)
        where name.hasPrefix("repository-") {
            guard !manager.fileExists(atPath: "\(copy)/\(name)") else { continue }
            try manager.removeItem(atPath: "\(store.path)/\(name)")
        }
        let error = #expect(throws: CipherKeyError.self) {
            try store.removeUnneededKeys(backups: [repository])
        }
        #expect(error?.code == .needed)
        #expect(error?.message.contains(elsewhere.path) == true)
        #expect(try store.keys().count == 2)
        #expect(try store.removeUnneededKeys(backups: [repository, elsewhere]).isEmpty)
        // Gone for good: the hint names what to delete.
        let hint = try #require(error?.hint)
        let note = try #require(hint.firstMatch(of: /delete (.*); no key/)?.1)
        try manager.removeItem(atPath: String(note))
        #expect(try store.removeUnneededKeys(backups: [repository]).map(\.id) == ["0001"])
    }
}
