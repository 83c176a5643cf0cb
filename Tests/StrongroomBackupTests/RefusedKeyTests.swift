import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

/// The table in `Documentation/Backups.md`, "Which key is refused".
@Suite("A key that may not sign is refused before anything is written,")
struct RefusedKeyTests {
    private let fixture: BackupFixture
    /// k0: the database's, which `rekey` retired; k1 took its place, k2 was introduced by k1.
    private let keys: [CipherKey]
    private let repository: BackupRepository

    init() throws {
        fixture = try BackupFixture(rowCount: 100)
        keys =
            try [BackupFixture.keyText, BackupFixture.otherKeyText].map(BackupFixture.key)
            + (1...3).map {
                try BackupFixture.key("x'" + String(repeating: "\($0)d", count: 32) + "'")
            }
        var repository = fixture.repository
        repository.memory = BackupMemory(folder: fixture.path("state"))
        self.repository = repository
        try repository.backUp(fixture.file)
        try repository.rekey(from: keys[0], to: keys[1])
    }

    /// All but the locks, which are there or not.
    private func contents() throws -> [String: Data] {
        try fixture.repositoryFiles().filter { !$0.key.hasPrefix("lock") }
    }

    private func refused(
        _ code: BackupError.Code = .notIntroduced, as step: BackupStep?,
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) throws {
        let files = try contents()
        #expect(sourceLocation: sourceLocation) {
            try body()
        } throws: { error in
            guard let error = error as? BackupError else { return false }
            return error.code == code && error.step as? BackupStep == step
                && !error.message.contains("damaged")
        }
        #expect(try contents() == files, sourceLocation: sourceLocation)
        #expect(try repository.verify().isSound, sourceLocation: sourceLocation)
        #expect(try repository.status().state() == .verified, sourceLocation: sourceLocation)
    }

    @Test("which the database has, and rekey retired, whoever introduces it", .proves("OPR-53"))
    func retiredDatabaseKey() throws {
        let authorities: [BackupAuthority] = [
            .known, .introduced(by: keys[1]), .introduced(by: keys[0]), .newBeginning,
        ]
        for authority in authorities {
            try refused(as: .rotateDatabase) {
                try repository.backUp(fixture.file, authority: authority)
            }
            try refused(as: .rotateDatabase) {
                try repository.backUp(fixture.file, full: true, authority: authority)
            }
        }
        // The way out, to the key that took its place, or to another one.
        try fixture.file.rotateKey(to: keys[1])
        var file = fixture.file
        file.key = keys[1]
        #expect(try repository.backUp(file).notices.isEmpty)
        try file.rotateKey(to: keys[2])
        file.key = keys[2]
        #expect(try repository.backUp(file, authority: .introduced(by: keys[1])).notices.isEmpty)
        #expect(try repository.verify(key: .database(keys[2])).isSound)
    }

    @Test("also under another salt", .proves("OPR-53"))
    func otherSalt() throws {
        var other = repository
        other.takesOtherDatabases = true
        let file = DatabaseFile(path: fixture.path("second.db"), key: keys[0])
        try fixture.shell("second.db").create("CREATE TABLE u (a)")
        for authority: BackupAuthority in [.known, .introduced(by: keys[1]), .newBeginning] {
            try refused(as: .rotateDatabase) { try other.backUp(file, authority: authority) }
        }
    }

    @Test("which is to introduce another", .proves("OPR-53", "OPR-39"))
    func introducers() throws {
        try fixture.file.rotateKey(to: keys[2])
        var file = fixture.file
        file.key = keys[2]
        try refused(as: .introduceKey) { try repository.backUp(file) }
        try refused(as: .giveSuccessorAsIntroducer) {
            try repository.backUp(file, authority: .introduced(by: keys[0]))
        }
        try refused(as: .giveOtherIntroducer) {
            try repository.backUp(file, authority: .introduced(by: keys[3]))
        }
        // The key of backups that does not sign any more.
        try repository.backUp(file, authority: .newBeginning)
        try file.rotateKey(to: keys[3])
        file.key = keys[3]
        _ = try repository.verify()
        try refused(as: .giveOtherIntroducer) {
            try repository.backUp(file, authority: .introduced(by: keys[1]))
        }
        try repository.backUp(file, authority: .introduced(by: keys[2]))
    }

    @Test("which is to prune", .proves("OPR-53"))
    func pruning() throws {
        let policy = RetentionPolicy(last: 1)
        try refused(as: .giveSuccessor) { try repository.prune(keeping: policy, key: keys[0]) }
        try refused(.wrongKey, as: .listBackups) {
            try repository.prune(keeping: policy, key: keys[3])
        }
        try refused(.keyNeeded, as: .pruneDry) { try repository.prune(keeping: policy) }
        try fixture.file.rotateKey(to: keys[2])
        var file = fixture.file
        file.key = keys[2]
        try repository.backUp(file, authority: .newBeginning)
        _ = try repository.verify()
        try refused(as: .introduceFirst) { try repository.prune(keeping: policy, key: keys[1]) }
        try repository.prune(keeping: policy, key: keys[2])
    }

    @Test("which is to take the place of another", .proves("OPR-53"))
    func rekeying() throws {
        try refused(as: .giveNewKey) { try repository.rekey(from: keys[1], to: keys[0]) }
        try refused(.wrongKey, as: .listBackups) {
            try repository.rekey(from: keys[3], to: keys[2])
        }
        try fixture.file.rotateKey(to: keys[2])
        var file = fixture.file
        file.key = keys[2]
        try repository.backUp(file, authority: .newBeginning)
        _ = try repository.verify()
        try refused(as: .introduceFirst) { try repository.rekey(from: keys[1], to: keys[3]) }
        try repository.rekey(from: keys[2], to: keys[3])
    }

    @Test("but a new salt or page size of the same file is no other database", .proves("OPR-50"))
    func sameDatabase() throws {
        try fixture.file.rotateKey(to: keys[1])
        var file = fixture.file
        file.key = keys[1]
        try repository.backUp(file)
        // Back to an earlier key, by way of another.
        try file.rotateKey(to: keys[2])
        file.key = keys[2]
        try repository.backUp(file, authority: .introduced(by: keys[1]))
        try file.rotateKey(to: keys[1])
        file.key = keys[1]
        let backup = try repository.backUp(file)
        #expect(backup.base == nil && backup.notices.count == 1)
        #expect(backup.notices.first?.contains("re-encrypted since its last backup") == true)
        #expect(try repository.backUp(file).notices.isEmpty)
        // Other settings under the same key.
        var change = CipherChange()
        change.pageSize = 8192
        try file.rotateKey(to: keys[1], changing: change)
        #expect(try repository.backUp(file).notices.count == 1)
        #expect(try repository.verify(key: .database(keys[1])).isSound)
        // Another file of that name and key is another database, and so is this one for another host.
        let folder = fixture.path("folder")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        let stranger = DatabaseFile(path: folder + "/app.db", key: keys[1])
        try SQLCipherShell(path: stranger.path, key: .content(BackupFixture.otherKeyText))
            .create("CREATE TABLE u (a)")
        #expect { try repository.backUp(stranger) } throws: {
            ($0 as? BackupError)?.code == .otherDatabase
        }
        change.pageSize = 4096
        try file.rotateKey(to: keys[1], changing: change)
        #expect { try fixture.repository.backUp(file) } throws: {
            ($0 as? BackupError)?.code == .otherDatabase
        }
    }
}
