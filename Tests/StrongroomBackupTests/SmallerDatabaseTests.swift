import Foundation
import Strongroom
import StrongroomBackup
import StrongroomTestSupport
import Testing

/// A database that is much smaller than its last backup: it shrank, an older state was restored, or it is another one.
@Suite("A database that is much smaller than its last backup")
struct SmallerDatabaseTests {
    let folder: TemporaryDirectory
    let repository: BackupRepository
    private var path: String { folder.path(of: "app.db") }

    init() throws {
        folder = try TemporaryDirectory()
        var host = try BackupRepository.create(at: folder.path(of: "repository"))
        host.memory = BackupMemory(folder: folder.path(of: "memory"))
        repository = host
    }

    /// With a salt, as keyrings keep it.
    private func key(_ digit: String = "a", salt: Bool = true) throws -> CipherKey {
        try BackupFixture.key("x'\(String(repeating: digit, count: salt ? 96 : 64))'")
    }

    private func write(_ sql: String..., key: CipherKey) throws {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.prepareDatabase { try $0.useKey(key) }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { db in for sql in sql { try db.execute(sql: sql) } }
        try queue.close()
    }

    private static let creation =
        "CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (randomblob(5000))"
    private static let growth = """
        INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
        SELECT randomblob(3000) FROM n
        """

    private func backUp(_ key: CipherKey) throws -> Backup {
        try repository.backUp(DatabaseFile(path: path, key: key))
    }

    private func expectRefusal(_ key: CipherKey, _ number: Int) {
        let error = #expect(throws: BackupError.self) { _ = try backUp(key) }
        #expect(error?.code == .otherDatabase, "\(String(describing: error))")
        #expect(error?.message.contains("not what backup \(number) of") == true)
    }

    private func lose() throws {
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + ending)
        }
    }

    @Test("is refused if it was created anew with the old one's salt", .proves("OPR-192"))
    func sameSalt() throws {
        let key = try key()
        try write(Self.creation, Self.growth, key: key)
        _ = try backUp(key)
        try lose()
        try write(Self.creation, key: key)
        expectRefusal(key, 1)
        try write(Self.growth, Self.growth, key: key)
        let larger = try backUp(key)
        #expect(larger.number == 2)
        #expect(
            larger.notices.contains { $0.contains("may have been lost and created anew") },
            "\(larger.notices) \(larger.storedPageCount) of \(larger.pageCount)")
        _ = try repository.forget(["2"], keys: [key], newest: true)
        try lose()
        try write(Self.creation, key: key)
        expectRefusal(key, 1)
        // Restored, it is what it was.
        try repository.restore(to: path, key: key, overwrite: true)
        try write(Self.creation, key: key)
        let next = try backUp(key)
        #expect(next.number == 3 && next.notices.isEmpty, "\(next.notices)")
    }

    @Test("is taken if it is an older copy, which has pages of a backup", .proves("OPR-192"))
    func olderCopy() throws {
        let key = try key()
        try write(Self.creation, key: key)
        _ = try backUp(key)
        let copy = try Data(contentsOf: URL(fileURLWithPath: path))
        try write(Self.growth, key: key)
        _ = try backUp(key)
        try lose()
        try copy.write(to: URL(fileURLWithPath: path))
        try write("INSERT INTO t VALUES (1)", key: key)
        #expect(try backUp(key).number == 3)
    }

    @Test("is taken if it became smaller, also under a new key", .proves("OPR-193"))
    func vacuumed() throws {
        let (key, newKey) = (try key(salt: false), try key("b", salt: false))
        try write(Self.creation, Self.growth, key: key)
        _ = try backUp(key)
        try write("DELETE FROM t WHERE rowid > 2", "VACUUM", key: key)
        try DatabaseFile(path: path, key: key).rotateKey(to: newKey)
        let backup = try repository.backUp(
            DatabaseFile(path: path, key: newKey), authority: .introduced(by: key))
        #expect(backup.number == 2)
        #expect(backup.byteCount < 40_000)
    }

    @Test("is taken if it was restored, and then rotated", .proves("OPR-193"))
    func restored() throws {
        let (key, newKey) = (try key(salt: false), try key("b", salt: false))
        try write(Self.creation, key: key)
        _ = try backUp(key)
        try write(Self.growth, key: key)
        _ = try backUp(key)
        try repository.restore("1", to: path, key: key, overwrite: true)
        let file = DatabaseFile(path: path, key: key)
        try file.rotateKey(to: newKey)
        let rotated = DatabaseFile(path: path, key: newKey)
        #expect(try repository.backUp(rotated, authority: .introduced(by: key)).number == 3)
    }

    @Test(
        "is compared with the backup that was made last, not with one that was encrypted again",
        .proves("OPR-194"))
    func rekeyed() throws {
        let (key, newKey) = (try key(salt: false), try key("b", salt: false))
        try write(Self.creation, key: key)
        _ = try backUp(key)
        try write(Self.growth, key: key)
        try DatabaseFile(path: path, key: key).rotateKey(to: newKey)
        try repository.backUp(
            DatabaseFile(path: path, key: newKey), authority: .introduced(by: key))
        #expect(try repository.rekey(from: [key], to: newKey).map(\.number) == [3])
        #expect(try repository.lastBackup()?.number == 2)
        // Of the same database, backup 3 is the newest file.
        let last = try Data(contentsOf: URL(fileURLWithPath: path))
        try lose()
        try write(Self.creation, key: newKey)
        expectRefusal(newKey, 2)
        try lose()
        try last.write(to: URL(fileURLWithPath: path))
        // Nothing but what changed is stored, though backup 3 has the key, too.
        try write("INSERT INTO t VALUES (1)", key: newKey)
        let next = try backUp(newKey)
        #expect(next.number == 4 && next.storedPageCount < 5, "\(next.storedPageCount)")
        _ = try repository.forget(["4"], keys: [newKey], newest: true)
        // It is not backup 3 that is to be restored.
        let copy = try Data(contentsOf: URL(fileURLWithPath: path))
        try lose()
        try write(Self.creation, key: newKey)
        expectRefusal(newKey, 2)
        try lose()
        try copy.write(to: URL(fileURLWithPath: path))
        try write("CREATE TABLE u (a)", key: newKey)
        #expect(try backUp(newKey).number == 5)
    }
}
