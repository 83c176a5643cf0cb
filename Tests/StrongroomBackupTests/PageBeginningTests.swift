import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

/// The first bytes of page 1, which no HMAC covers.
@Suite struct PageBeginningTests {
    private static let salt = String(repeating: "0f", count: 16)
    private static let header = [
        "PRAGMA cipher_plaintext_header_size = 32", "PRAGMA cipher_salt = \"x'\(salt)'\"",
    ]

    /// Writes over bytes of the main file.
    private func damage(_ fixture: BackupFixture, at offset: Int, _ bytes: [UInt8]) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: fixture.file.path))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    /// The database with a key that has its salt.
    private func salted(_ fixture: BackupFixture) throws -> DatabaseFile {
        let salt = Hexadecimal.text(try fixture.content("app.db").prefix(16))
        let key = try BackupFixture.key(BackupFixture.keyText.dropLast() + salt + "'")
        return DatabaseFile(path: fixture.file.path, key: key)
    }

    private func configuration(_ file: DatabaseFile) -> Configuration {
        var configuration = Configuration()
        let key = file.key
        configuration.prepareDatabase { if let key { try $0.useKey(key) } }
        return configuration
    }

    private func expectRefusal(_ fixture: BackupFixture, _ body: () throws -> Void) throws {
        let before = try fixture.repositoryFiles()
        let error = try #require(throws: BackupError.self, performing: body)
        #expect(error.code == .damaged, "\(error)")
        #expect(try fixture.repositoryFiles() == before)
    }

    @Test(.proves("OPR-127"), arguments: [true, false])
    func `No backup is made of a database whose salt is damaged`(isAuthenticating: Bool) throws {
        let fixture = try BackupFixture(rowCount: 50)
        let file = try salted(fixture)
        try fixture.repository.backUp(file)
        try damage(fixture, at: 2, [0x58, 0x58])
        // The key opens it, and each HMAC is right.
        try expectRefusal(fixture) {
            try fixture.repository.backUp(file, authenticating: isAuthenticating)
        }
        try expectRefusal(fixture) { try fixture.repository.backUp(file, full: true) }
        let queue = try DatabaseQueue(path: file.path, configuration: configuration(file))
        try expectRefusal(fixture) { try fixture.repository.backUp(queue) }
        let pool = try DatabasePool(path: file.path, configuration: configuration(file))
        try expectRefusal(fixture) { try fixture.repository.backUp(pool) }
    }

    @Test(.proves("OPR-127"))
    func `A salt in the log counts, and not that of the file`() throws {
        let fixture = try BackupFixture(rowCount: 50)
        let file = try salted(fixture)
        let pool = try DatabasePool(path: file.path, configuration: configuration(file))
        try pool.write { try $0.execute(sql: "CREATE TABLE other (a)") }
        try damage(fixture, at: 2, [0x58])
        let backup = try fixture.repository.backUp(pool)
        #expect(try fixture.repository.verify(key: file.key.map { .database($0) }).isSound)
        let path = fixture.path("restored.db")
        try fixture.repository.restore(backup.hash, to: path, key: file.key)
        #expect(try fixture.shell("restored.db").run("SELECT count(*) FROM t;").contains("50"))
    }

    @Test(.proves("OPR-127"), arguments: [(20, [0x77]), (31, [1]), (16, [8]), (21, [65])])
    func `No backup is made of a database whose plaintext header is damaged`(
        offset: Int, bytes: [UInt8]
    ) throws {
        let fixture = try BackupFixture(wal: false, settings: Self.header, rowCount: 50)
        try fixture.repository.backUp(fixture.file)
        try damage(fixture, at: offset, bytes)
        let report = try? fixture.file.check()
        #expect(report?.isSound != true)
        let before = try fixture.repositoryFiles()
        #expect(throws: (any Error).self) { try fixture.repository.backUp(fixture.file) }
        #expect(try fixture.repositoryFiles() == before)
    }

    @Test(.proves("OPR-127"))
    func `What SQLite accepts in a plaintext header is backed up`() throws {
        let fixture = try BackupFixture(wal: false, settings: Self.header, rowCount: 50)
        // The counter of changes, which then does not say that the size is right.
        try damage(fixture, at: 27, [0x77])
        #expect(try fixture.file.check().isSound)
        try fixture.repository.backUp(fixture.file)
        let key = try BackupVerificationKey.database(BackupFixture.databaseKey)
        #expect(try fixture.repository.verify(key: key).isSound)
        try fixture.repository.restore(
            to: fixture.path("restored.db"), key: BackupFixture.databaseKey)
    }

    @Test(.proves("OPR-127"))
    func `A longer plaintext header is examined by SQLite`() throws {
        var settings = Self.header
        settings[0] = "PRAGMA cipher_plaintext_header_size = 64"
        let fixture = try BackupFixture(wal: false, settings: settings, rowCount: 50)
        try fixture.repository.backUp(fixture.file)
        // A list of free pages that there is not.
        try damage(fixture, at: 35, [2, 0, 0, 0, 1])
        #expect(try !fixture.file.check().isSound)
        try expectRefusal(fixture) { try fixture.repository.backUp(fixture.file) }
    }

    @Test(.proves("OPR-127"), arguments: ["salt", "plaintextHeaderByteCount"])
    func `A verification finds page 1 with another beginning`(name: String) throws {
        let fixture = try BackupFixture(rowCount: 50)
        try fixture.repository.backUp(fixture.file)
        let key = try fixture.verificationKey()
        let forged = try ForgedRepository(fixture, sealing: fixture.backupKey())
        #expect(try fixture.repository.verify().isSound)
        try forged.forgeLastManifest { members in
            var cipher = members["cipher"] as? [String: Any] ?? [:]
            cipher[name] = name == "salt" ? Self.salt : 32
            members["cipher"] = cipher
        }
        let bytes = try #require(Hexadecimal.bytes(key))
        for key in [nil, BackupVerificationKey.verification(Data(bytes))] {
            let report = try fixture.repository.verify(key: key)
            #expect(report.damagedBackups == [1])
            // With the key, no HMAC is right where another header is taken for granted.
            guard key == nil || name == "salt" else { continue }
            #expect(report.problems.contains { $0.message.contains("page 1 of backup 1") })
        }
        for words in [[], ["--verification-key", key]] {
            let decoded = try Subprocess.run(
                "python3",
                [PackageFiles.path(of: "Tests/Decoder/verify.py"), fixture.repository.path] + words)
            #expect(decoded.outputText.contains("page 1 begins with other bytes"), "\(decoded)")
        }
    }

    @Test(.proves("OPR-135"), arguments: [100, 4000])
    func `A database that ends within a page is damaged`(missing: UInt64) throws {
        let fixture = try BackupFixture(wal: false, rowCount: 500)
        try fixture.repository.backUp(fixture.file)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: fixture.file.path))
        try file.truncate(atOffset: file.seekToEnd() - missing)
        try file.close()
        try expectRefusal(fixture) { try fixture.repository.backUp(fixture.file) }
    }
}
