import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

/// Repositories of the first format, in which nobody signs anything.
@Suite struct UnsignedRepositoryTests {
    private let fixture: BackupFixture
    private let key: CipherKey
    private let repository: BackupRepository
    private let forged: ForgedRepository

    init() throws {
        fixture = try BackupFixture(rowCount: 200)
        key = try BackupFixture.databaseKey
        var repository = fixture.repository
        repository.keepsFormat = true
        var head = try OpenRepository(repository).readHead()
        head.format = .unsigned
        head.generation = nil
        head.authorities = nil
        try OpenRepository(repository).writeHead(&head, nil)
        self.repository = repository
        forged = ForgedRepository(fixture)
        for round in 1...2 {
            try fixture.shell("app.db").run("UPDATE t SET n = \(round) WHERE id % 40 = 7")
            try repository.backUp(fixture.file)
        }
    }

    @Test(.proves("HST-14"))
    func `verify with the key names backups that no trusted signature covers`() throws {
        // Before one that the key has sealed, its manifest covers others by their hashes.
        let otherKey = try BackupFixture.key(BackupFixture.otherKeyText)
        let other = DatabaseFile(path: fixture.path("other.db"), key: otherKey)
        try fixture.shell("other.db", key: BackupFixture.otherKeyText).create("CREATE TABLE t (a)")
        var mixed = repository
        mixed.takesOtherDatabases = true
        try mixed.backUp(other)
        try mixed.backUp(fixture.file)
        var report = try repository.verify(key: .database(key))
        #expect(report.isSound && report.otherKeyBackups == [3] && report.notices == [])
        // Whoever has no key can make one that seems to have another key.
        try forged.forgeLastManifest { $0["key"] = String(repeating: "0", count: 32) }
        report = try repository.verify(key: .database(key))
        #expect(report.otherKeyBackups == [3, 4] && report.notices.count == 1)
        #expect(report.notices.first?.contains("backup 3, 4:") == true, "\(report.notices)")
        let verificationKey = try repository.verificationKey(of: key, for: "1")
        #expect(try repository.verify(key: .verification(verificationKey)).notices.count == 1)
        #expect(try repository.verify().notices == [])
    }

    @Test(.proves("HST-18"))
    func `What is remembered of one is not overcome by a stranger's signature`() throws {
        var watching = repository
        watching.memory = BackupMemory(folder: fixture.path("state"))
        #expect(try watching.verify().isSound)
        var head = try OpenRepository(repository).readHead()
        head.become(.signed)
        let stranger = try ForgedRepository.takeOver(&head)
        head.sequence += 1
        // There is no such manifest, so that nothing leads back to what is remembered.
        head.manifest = String(repeating: "ab", count: 32)
        try OpenRepository(repository).writeHead(&head, stranger)
        for operation in [
            { _ = try watching.verify() }, { _ = try watching.backups() },
            { try watching.backUp(fixture.file, full: true, authority: .newBeginning) },
        ] as [() throws -> Void] {
            #expect { try operation() } throws: { ($0 as? BackupError)?.code == .rolledBack }
        }
    }
}
