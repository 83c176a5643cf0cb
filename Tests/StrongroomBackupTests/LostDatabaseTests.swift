import Foundation
import Strongroom
import StrongroomBackup
import StrongroomTestSupport
import Testing

/// A database is lost, and the app creates it anew at its next launch.
@Suite("A database that was lost and created anew")
struct LostDatabaseTests {
    let folder: TemporaryDirectory
    let store: KeyStore
    var repository: BackupRepository

    private var path: String { folder.path(of: "app.db") }

    init() throws {
        folder = try TemporaryDirectory()
        store = KeyStore(folder: folder.path(of: "keys"))
        repository = try BackupRepository.create(at: folder.path(of: "repository"))
        let pool = try open()
        for _ in 1...2 { try repository.backUp(pool, keys: store) }
        try pool.close()
    }

    /// As an app does at each launch.
    private func open() throws -> DatabasePool {
        var configuration = Configuration()
        configuration.prepareDatabase { [store] db in try db.useKey(from: store) }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.write { db in
            try db.execute(
                sql: "CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (randomblob(9000))")
        }
        return pool
    }

    private func lose() throws {
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + ending)
        }
    }

    private func expectRefusal(of pool: DatabasePool) {
        #expect {
            try repository.backUp(pool, keys: store)
        } throws: {
            ($0 as? BackupError)?.code == .otherDatabase
        }
    }

    @Test(
        "is refused, also after its key was rotated, and after other launches", .proves("OPR-139"))
    func refused() throws {
        try lose()
        for launch in 1...2 {
            let pool = try open()
            expectRefusal(of: pool)
            let rotation = try pool.rotateKey(in: store, backups: repository)
            let error = rotation.introductionError as? BackupError
            #expect(error?.code == .otherDatabase, "\(launch): \(String(describing: error))")
            #expect(error?.message.contains("lost and created anew") == true)
            expectRefusal(of: pool)
            try pool.close()
        }
        #expect(try repository.backups().count == 2)
    }

    @Test("counts as the old one again once a backup was restored in its place", .proves("OPR-139"))
    func restored() throws {
        try lose()
        try open().close()
        try repository.restore(to: path, keys: store, overwrite: true)
        var pool = try open()
        #expect(try repository.backUp(pool, keys: store).number == 3)
        #expect(try pool.rotateKey(in: store, backups: repository).introductionError == nil)
        #expect(try repository.backUp(pool, keys: store).number == 4)
        try pool.close()
        pool = try open()
        #expect(try pool.rotateKey(in: store, backups: repository).introductionError == nil)
        #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 3)
        #expect(try repository.verify(keys: store).isSound)
        try pool.close()
    }

    @Test("is taken when that is asked for once, and from then on", .proves("OPR-139"))
    func accepted() throws {
        try lose()
        let pool = try open()
        _ = try pool.rotateKey(in: store)
        var accepting = repository
        accepting.takesOtherDatabases = true
        #expect(try accepting.backUp(pool, keys: store).number == 3)
        #expect(try repository.backUp(pool, keys: store).number == 4)
        for number in 5...6 {
            #expect(try pool.rotateKey(in: store, backups: repository).introductionError == nil)
            #expect(try repository.backUp(pool, keys: store).number == number)
        }
        try pool.close()
    }

    /// The `sqlcipher` shell: another process.
    private func shell() throws -> SQLCipherShell {
        let current = try #require(try store.keys().last { $0.state == .current })
        let text = try String(
            contentsOfFile: folder.path(of: "keys/\(current.id).key"), encoding: .utf8)
        return SQLCipherShell(
            path: path, key: .content(text.trimmingCharacters(in: .newlines)))
    }

    @Test("keeps its locks: other programs leave its log alone", .proves("OPR-165"))
    func locks() throws {
        try lose()
        let pool = try open()
        func count() throws -> Int {
            try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } ?? 0
        }
        var expected = try count()
        func expectShared(_ step: String) throws {
            try shell().run("INSERT INTO t VALUES (1)")
            try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
            expected += 2
            #expect(try count() == expected, "\(step)")
            let seen = try shell().run("SELECT count(*) FROM t")
            #expect(seen.split(whereSeparator: \.isNewline).last == "\(expected)", "\(step)")
        }
        try expectShared("opened")
        expectRefusal(of: pool)
        try expectShared("refused")
        _ = try pool.rotateKey(in: store, backups: repository)
        try expectShared("rotated")
        try pool.close()
    }

    @Test(
        "is not seen where an app has only opened a file, and written nothing", .proves("OPR-139"))
    func openedBefore() throws {
        let other = try BackupRepository.create(at: folder.path(of: "other"))
        let file = folder.path(of: "late.db")
        var configuration = Configuration()
        configuration.prepareDatabase { [store] db in try db.useKey(from: store) }
        for _ in 1...2 { try DatabaseQueue(path: file, configuration: configuration).close() }
        let queue = try DatabaseQueue(path: file, configuration: configuration)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
        for _ in 1...3 {
            try other.backUp(queue, keys: store)
            #expect(try queue.rotateKey(in: store, backups: other).introductionError == nil)
        }
        try other.backUp(queue, keys: store)
        try queue.close()
    }

    @Test(
        "is refused under its old key where it is much smaller than its backups", .proves("OPR-139")
    )
    func smaller() throws {
        let key = try store.currentKey()
        for _ in 1...5 { try open().close() }
        var host = repository
        host.memory = BackupMemory(folder: folder.path(of: "memory"))
        try host.backUp(DatabaseFile(path: path, key: key))
        try lose()
        let file = DatabaseFile(path: path, key: key)
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.useKey(key) }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
        try queue.close()
        let error = #expect(throws: BackupError.self) { try host.backUp(file).number }
        #expect(error?.message.contains("lost and created anew") == true)
        // A rotation, and its earlier key as introducer, change nothing.
        let newKey = try CipherKey.generated()
        try file.rotateKey(to: newKey)
        let rotated = DatabaseFile(path: path, key: newKey)
        let other = #expect(throws: BackupError.self) {
            try host.backUp(rotated, authority: .introduced(by: key)).number
        }
        #expect(other?.code == .otherDatabase)
        try rotated.rotateKey(to: key)
        host.takesOtherDatabases = true
        #expect(try host.backUp(file).number == 4)
    }
}
