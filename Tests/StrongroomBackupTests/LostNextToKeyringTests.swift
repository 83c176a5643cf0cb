import Foundation
import Strongroom
import StrongroomBackup
import StrongroomKeyrings
import StrongroomTestSupport
import Testing

/// The keyring of a database stays where the database is lost, and gives the key to the one that is created anew.
@Suite("A database that was lost next to its keyring, and created anew")
struct LostNextToKeyringTests {
    let folder: TemporaryDirectory
    let repository: BackupRepository
    private let secret = Unlocker.passphrase("correct horse")

    private var path: String { folder.path(of: "app.db") }

    init() throws {
        folder = try TemporaryDirectory()
        repository = try BackupRepository.create(at: folder.path(of: "repository"))
        try Keyring.create(forNew: path) {
            try $0.addPassphrase("correct horse", name: "me", work: 14)
        }
    }

    private func open() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { [secret] in try $0.unlock(with: secret) }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// One launch of the app.
    private func launch(rows: Int = 1) throws {
        let queue = try open()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (a)")
            for _ in 0..<rows { try db.execute(sql: "INSERT INTO t VALUES (randomblob(9000))") }
        }
        try queue.close()
    }

    private func backUp(_ repository: BackupRepository? = nil) throws -> Int {
        try (repository ?? self.repository)
            .backUp(DatabaseFile(path: path), unlockingWith: secret).number
    }

    private func rotate() throws { try Keyring(of: path).rotate(unlockingWith: secret) }

    private func lose() throws {
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + ending)
        }
    }

    private func expectRefusal(_ repository: BackupRepository? = nil, _ number: Int) {
        let error = #expect(throws: BackupError.self) { _ = try backUp(repository) }
        #expect(error?.code == .otherDatabase, "\(String(describing: error))")
        #expect(error?.message.contains("lost and created anew") == true)
        #expect(error?.message.contains("backup \(number) of") == true)
    }

    @Test(
        "is refused, however large it is, under its key and under later ones, on every host",
        .proves("OPR-214"), arguments: StoredKeyrings.allCases.filter { $0 != .none })
    func refused(stored: StoredKeyrings) throws {
        try Keyring(of: path).change(unlockingWith: secret) { try $0.addRecoveryCode(.generated()) }
        var repository = repository
        repository.storedKeyrings = stored
        try launch(rows: 3)
        for number in 1...2 { #expect(try backUp(repository) == number) }
        try lose()
        try launch(rows: 10)
        expectRefusal(repository, 2)
        for _ in 1...2 {
            try rotate()
            try launch(rows: 10)
            expectRefusal(repository, 2)
        }
        var other = repository
        other.memory = BackupMemory(folder: folder.path(of: "other-host"))
        expectRefusal(other, 2)
    }

    @Test("is taken when that is asked for once, and from then on", .proves("OPR-214"))
    func accepted() throws {
        try launch()
        _ = try backUp()
        try lose()
        try launch()
        try rotate()
        var accepting = repository
        accepting.takesOtherDatabases = true
        #expect(try backUp(accepting) == 2)
        for number in 3...4 {
            try launch()
            #expect(try backUp() == number)
            try rotate()
        }
    }

    @Test("counts as the old one once a backup was restored in its place", .proves("OPR-214"))
    func restored() throws {
        var host = repository
        host.memory = BackupMemory(folder: folder.path(of: "host"))
        try launch()
        _ = try backUp(host)
        try lose()
        try launch(rows: 5)
        try rotate()
        expectRefusal(host, 1)
        try host.restore(to: path, unlockingWith: secret, overwrite: true)
        try launch()
        #expect(try backUp(host) == 2)
        try rotate()
        #expect(try backUp() == 3)
        // Without a memory of the host, the pages of the restored file tell.
        try lose()
        try launch()
        try repository.restore(to: path, unlockingWith: secret, overwrite: true)
        #expect(try backUp() == 4)
    }

    @Test(
        "An older file that is put back is taken, and a file that was opened empty",
        .proves("OPR-214"))
    func olderFile() throws {
        for _ in 1...3 { try open().close() }
        #expect(try Keyring(of: path).events.map(\.what) == ["init", "add", "create"])
        try launch()
        _ = try backUp()
        let copy = try Data(contentsOf: URL(fileURLWithPath: path))
        for _ in 1...3 { try launch() }
        _ = try backUp()
        try lose()
        try open().close()
        try copy.write(to: URL(fileURLWithPath: path))
        try launch()
        #expect(try backUp() == 3)
        try rotate()
        #expect(try backUp() == 4)
    }

    @Test(
        "An app that cannot write the keyring opens its database all the same", .proves("OPR-214"))
    func keyringInUse() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: path + "-keyring"))
        try FileManager.default.removeItem(atPath: path + "-keyring.lock")
        try FileManager.default.createDirectory(
            atPath: path + "-keyring.lock", withIntermediateDirectories: false)
        try launch()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-keyring")) == before)
        #expect(try open().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 1)
    }
}
