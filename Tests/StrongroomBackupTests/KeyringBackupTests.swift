import Foundation
import Strongroom
import StrongroomKeyrings
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("Backups of a database with a keyring")
struct KeyringBackupTests {
    let folder: TemporaryDirectory
    let repository: BackupRepository

    init() throws {
        folder = try TemporaryDirectory()
        repository = try BackupRepository.create(at: folder.path(of: "repository"))
        try Keyring.create(forNew: path) { change in
            try change.addPassphrase("first", name: "me", work: 14)
            try change.addPassphrase("bob's", name: "bob", work: 14)
        }
        try insert("first")
    }

    private var path: String { folder.path(of: "app.db") }

    private func queue(_ path: String, _ passphrase: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.unlock(with: .passphrase(passphrase)) }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private func insert(_ passphrase: String) throws {
        let queue = try queue(path, passphrase)
        try queue.write { db in
            try db.execute(
                sql: "CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (randomblob(9000))")
        }
        try queue.close()
    }

    private func count(_ path: String, _ passphrase: String) throws -> Int? {
        let queue = try queue(path, passphrase)
        defer { try? queue.close() }
        return try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
    }

    private func backUp(_ passphrase: String) throws -> Backup {
        let queue = try queue(path, passphrase)
        defer { try? queue.close() }
        return try repository.backUp(queue, unlockingWith: .passphrase(passphrase))
    }

    private func changePassphrase(_ old: String, _ new: String) throws {
        try Keyring(of: path).change(unlockingWith: .passphrase(old)) { change in
            try change.remove("me")
            try change.addPassphrase(new, name: "me", work: 14)
        }
    }

    private func keyringFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: repository.path + "/keyrings").sorted()
    }

    @Test(
        "Today's passphrase restores every backup, across three rotations and three passphrases",
        .proves("KSL-060", "KSL-061", "KSL-062"))
    func threeRotations() throws {
        var passphrase = "first"
        _ = try backUp(passphrase)
        for number in 1...3 {
            try Keyring(of: path).rotate(unlockingWith: .passphrase(passphrase))
            try changePassphrase(passphrase, "passphrase \(number)")
            passphrase = "passphrase \(number)"
            try insert(passphrase)
            _ = try backUp(passphrase)
        }
        #expect(try keyringFiles().count == 4)
        let identifier = try Keyring(of: path).identifier
        for number in 1...4 {
            let restored = folder.path(of: "restored-\(number).db")
            let backup = try repository.restore(
                "\(number)", to: restored, unlockingWith: .passphrase(passphrase))
            let keyring = try Keyring(of: restored)
            #expect(keyring.identifier == identifier)
            #expect(keyring.keys.map(\.id) == [backup.keyIdentifier])
            #expect(keyring.keys[0].previous.count == number - 1)
            // A slot of somebody else goes on working, though only its public half was there.
            #expect(try count(restored, passphrase) == number)
            #expect(try count(restored, "bob's") == number)
            #expect(throws: KeyringError.self) { try count(restored, "first") }
            let key = try keyring.unlock(with: .passphrase(passphrase))
            let shell = SQLCipherShell(path: restored, key: .content(key.text))
            #expect(try shell.cell("SELECT count(*) FROM t") == .integer(Int64(number)))
        }
        let keys = try Keyring(of: path).unlock(with: .passphrase(passphrase))
        #expect(try repository.verify(key: .database(keys)).isSound)
    }

    @Test("After rotations, the key itself introduces what follows it", .proves("KSL-060"))
    func withoutSecret() throws {
        let pool = try queue(path, "first")
        try repository.backUp(pool)
        for _ in 0..<2 { try pool.rotateKey(unlockingWith: .passphrase("bob's")) }
        let backup = try repository.backUp(pool)
        #expect(backup.number == 2 && backup.notices.isEmpty, "\(backup.notices)")
        try pool.close()
        let key = try Keyring(of: path).unlock(with: .passphrase("first"))
        #expect(try repository.verify(key: .database(key)).isSignerTrusted == true)
    }

    @Test("An unchanged database with a changed keyring stores the keyring", .proves("KSL-060"))
    func changedKeyring() throws {
        _ = try backUp("first")
        #expect(try backUp("first").storedPageCount == 0)
        #expect(try keyringFiles().count == 1)
        try changePassphrase("first", "second")
        #expect(try backUp("second").storedPageCount == 0)
        #expect(try keyringFiles().count == 2)
        let restored = folder.path(of: "restored.db")
        #expect(throws: KeyringError.self) {
            try repository.restore(to: restored, unlockingWith: .passphrase("first"))
        }
        #expect(!FileManager.default.fileExists(atPath: restored))
        try repository.restore("1", to: restored, unlockingWith: .passphrase("second"))
        #expect(try count(restored, "second") == 1)
    }

    @Test("A keyring of somebody else is not backed up over the genuine one", .proves("KSL-060"))
    func otherKeyring() throws {
        let first = try backUp("first")
        let key = try Keyring(of: path).unlock(with: .passphrase("first"))
        let genuine = try Data(contentsOf: URL(filePath: path + "-keyring"))
        try FileManager.default.removeItem(atPath: path + "-keyring")
        let file = DatabaseFile(path: path, key: key)
        try Keyring.create(for: file, keepingKey: true) {
            try $0.addPassphrase("another", name: "me", work: 14)
        }
        let error = #expect(throws: BackupError.self) { try repository.backUp(file) }
        #expect(error?.code == .otherDatabase)
        #expect(try repository.backups().map(\.hash) == [first.hash])
        // The keyring of another database, and a damaged one, are no reason to have no backup.
        let other = folder.path(of: "other.db")
        try Keyring.create(forNew: other) { try $0.addPassphrase("x", name: "me", work: 14) }
        for bytes in [try Data(contentsOf: URL(filePath: other + "-keyring")), Data("no\n".utf8)] {
            try bytes.write(to: URL(filePath: path + "-keyring"))
            let backup = try repository.backUp(file)
            #expect(backup.notices.contains { $0.contains("was not stored") }, "\(backup.notices)")
        }
        try genuine.write(to: URL(filePath: path + "-keyring"))
        #expect(try backUp("first").notices.isEmpty)
        // Whoever began anew on purpose says so.
        try FileManager.default.removeItem(atPath: path + "-keyring")
        try Keyring.create(for: file, keepingKey: true) {
            try $0.addPassphrase("another", name: "me", work: 14)
        }
        try repository.backUp(file, authority: .newBeginning)
        let restored = folder.path(of: "restored.db")
        try repository.restore(to: restored, unlockingWith: .passphrase("another"))
        #expect(try count(restored, "another") == 1)
    }

    @Test("Pruning leaves of each key the newest keyring alone", .proves("KSL-063"))
    func pruning() throws {
        _ = try backUp("first")
        try changePassphrase("first", "second")
        _ = try backUp("second")
        try Keyring(of: path).rotate(unlockingWith: .passphrase("second"))
        _ = try backUp("second")
        try Keyring(of: path).change(unlockingWith: .passphrase("second")) { try $0.remove("bob") }
        _ = try backUp("second")
        #expect(try keyringFiles().count == 4)
        let key = try Keyring(of: path).unlock(with: .passphrase("second"))
        try repository.prune(keeping: RetentionPolicy(last: 4), key: key)
        // It knows the earlier key, too.
        #expect(try keyringFiles().count == 1)
        #expect(try repository.verify(key: .database(key)).isSound)
        for number in 1...4 {
            let restored = folder.path(of: "restored-\(number).db")
            try repository.restore("\(number)", to: restored, unlockingWith: .passphrase("second"))
            #expect(throws: KeyringError.self) { try count(restored, "bob's") }
        }
    }

    @Test(
        "A keyring that is missing, changed or foreign in the repository is found",
        .proves("KSL-060"))
    func damaged() throws {
        _ = try backUp("first")
        let name = try #require(try keyringFiles().first)
        let file = URL(filePath: repository.path + "/keyrings/" + name)
        let bytes = try Data(contentsOf: file)
        let restored = folder.path(of: "restored.db")
        for change in [
            { try? FileManager.default.removeItem(at: file) },
            {
                var changed = bytes
                changed[100] ^= 1
                try? changed.write(to: file)
            },
        ] as [() -> Void] {
            change()
            let report = try repository.verify()
            #expect(!report.isSound && report.damagedBackups == [1])
            let error = #expect(throws: BackupError.self) {
                try repository.restore(to: restored, unlockingWith: .passphrase("first"))
            }
            #expect(error?.code == .damaged)
            try bytes.write(to: file)
        }
        // Files that no manifest names count for nothing.
        let other = folder.path(of: "other.db")
        try Keyring.create(forNew: other) { try $0.addPassphrase("x", name: "me", work: 14) }
        let strange = try Data(contentsOf: URL(filePath: other + "-keyring"))
        try strange.write(
            to: URL(
                filePath: repository.path
                    + "/keyrings/99999999-\(String(repeating: "0", count: 64)).keyring"))
        #expect(try repository.verify().isSound)
        try repository.restore(to: restored, unlockingWith: .passphrase("first"))
        #expect(try count(restored, "first") == 1)
        #expect(throws: (any Error).self) {
            try repository.restore(to: restored, unlockingWith: .passphrase("first"))
        }
        try repository.restore(
            to: restored, unlockingWith: .passphrase("first"), overwrite: true)
    }

    @Test("Without a keyring, a repository is as it was", .proves("KSL-060"))
    func withoutKeyring() throws {
        let plain = folder.path(of: "plain.db")
        let key = try CipherKey(passphrase: "plain")
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.useKey(key) }
        let queue = try DatabaseQueue(path: plain, configuration: configuration)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
        try repository.backUp(queue)
        try queue.close()
        #expect(!FileManager.default.fileExists(atPath: repository.path + "/keyrings"))
        let error = #expect(throws: BackupError.self) {
            try repository.restore(
                to: folder.path(of: "r.db"), unlockingWith: .passphrase("plain"))
        }
        #expect(error?.code == .keyNeeded)
    }

    @Test(
        "refuse an open database that has a new key, and has lost the keyring for it",
        .proves("OPR-145"))
    func lostKeyring() throws {
        let database = try queue(path, "first")
        let keyring = path + "-keyring"
        let old = try Data(contentsOf: URL(fileURLWithPath: keyring))
        try database.rotateKey(unlockingWith: .passphrase("first"))
        let new = try Data(contentsOf: URL(fileURLWithPath: keyring))
        try FileManager.default.removeItem(atPath: keyring)
        for stale in [nil, old] {
            try stale?.write(to: URL(fileURLWithPath: keyring))
            for authority in [BackupAuthority.known, .newBeginning] {
                let error = #expect(throws: BackupError.self) {
                    try repository.backUp(database, authority: authority)
                }
                #expect(error?.code == .keyNeeded, "\(String(describing: error))")
                #expect(error?.message.contains("no secret would restore the backup") == true)
            }
        }
        #expect(try repository.backups().isEmpty)
        try new.write(to: URL(fileURLWithPath: keyring))
        try repository.backUp(database)
        try database.close()
        let out = folder.path(of: "out.db")
        try repository.restore(to: out, unlockingWith: .passphrase("first"))
        #expect(try count(out, "first") == 1)
    }
}

extension CipherKey {
    fileprivate var text: String {
        withSQLCipherBytes { String(decoding: $0, as: UTF8.self) }
    }
}
