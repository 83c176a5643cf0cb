import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

/// Two who write to a repository whose locks do not reach from one to the other, as those of two hosts.
@Suite struct TwoHostsTests {
    private let fixture: BackupFixture
    private let key: CipherKey
    /// Its locks keep nobody out.
    private let unlocked: BackupRepository

    init() throws {
        fixture = try BackupFixture(rowCount: 400)
        key = try BackupFixture.databaseKey
        try fixture.repository.backUp(fixture.file)
        try fixture.shell("app.db").run("UPDATE t SET n = 1 WHERE id % 40 = 7")
        var fileSystem = FileSystem.system
        fileSystem.lock = { (_) throws(SystemError) in true }
        fileSystem.lockShared = { (_) throws(SystemError) in true }
        unlocked = try BackupRepository(path: fixture.repository.path, fileSystem: fileSystem)
    }

    private func restored(_ number: Int) throws -> SQLCipherShell.Cell {
        let name = "restored-\(number).db"
        try fixture.repository.restore("\(number)", to: fixture.path(name), key: key)
        return try fixture.shell(name).cell("SELECT sum(n) FROM t")
    }

    @Test(.proves("BKP-008"), arguments: [OperationProgress.Phase.storing, .finishing])
    func `Of two who create at once, one has a backup, and the other is told`(
        phase: OperationProgress.Phase
    ) throws {
        let other = Locked<Backup?>(nil)
        let result = Result {
            try unlocked.backUp(fixture.file) { progress in
                guard progress.phase == phase, other.withLock({ $0 }) == nil else { return }
                let backup = try unlocked.backUp(fixture.file, tag: "other")
                other.withLock { $0 = backup }
            }
        }
        #expect(other.withLock { $0 }?.number == 2)
        // What it was writing was cleared away as that of an interrupted run, or the head is another.
        #expect {
            try result.get()
        } throws: {
            [.inUse, .damaged].contains(($0 as? BackupError)?.code)
        }
        let report = try fixture.repository.verify(key: .database(key))
        #expect(report.isSound && report.backupCount == 2, "\(report.problems)")
        #expect(try fixture.repository.backups().last?.tag == "other")
        #expect(try restored(2) == .integer(10))
        // And on it goes.
        #expect(try fixture.repository.backUp(fixture.file).number == 3)
        #expect(try fixture.repository.verify(key: .database(key)).isSound)
    }

    @Test(.proves("BKP-008"))
    func `Who prunes while another creates changes nothing of what that one has made`() throws {
        try fixture.repository.backUp(fixture.file)
        try fixture.shell("app.db").run("UPDATE t SET n = 2 WHERE id % 40 = 7")
        let isDone = Locked(false)
        let result = Result {
            try unlocked.prune(keeping: RetentionPolicy(last: 1), key: key) { progress in
                // The work waits meanwhile: its head is written, and nothing is removed yet.
                guard progress.phase == .pruning, !isDone.withLock({ $0 }) else { return }
                isDone.withLock { $0 = true }
                try fixture.repository.backUp(fixture.file)
            }
        }
        _ = try? result.get()
        #expect(isDone.withLock { $0 })
        let report = try fixture.repository.verify(key: .database(key))
        #expect(report.isSound, "\(report.problems)")
        #expect(try restored(3) == .integer(20))
    }

    @Test(.proves("BKP-016"))
    func `A lock that the system refuses is an error that names it`() throws {
        var fileSystem = FileSystem.system
        fileSystem.lock = { (_) throws(SystemError) in throw SystemError("flock", "", number: 37) }
        let repository = try BackupRepository(path: unlocked.path, fileSystem: fileSystem)
        #expect { try repository.backUp(fixture.file) } throws: { error in
            "\(error)".contains("repository/lock")
        }
        #expect(try unlocked.verify().backupCount == 1)
    }
}
