import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

/// Each transition of the states in `Documentation/Backups.md`, "Monitoring".
@Suite("The state of a repository, for a monitor,")
struct RepositoryStateTests {
    private let fixture: BackupFixture
    private let key: CipherKey
    private let host: BackupRepository

    init() throws {
        fixture = try BackupFixture(rowCount: 300)
        key = try BackupFixture.databaseKey
        var host = fixture.repository
        host.memory = BackupMemory(folder: fixture.path("state"))
        self.host = host
    }

    private func other(_ name: String = "other") -> BackupRepository {
        var repository = host
        repository.memory = BackupMemory(folder: fixture.path(name))
        return repository
    }

    private var stranger: BackupRepository {
        var repository = host
        repository.memory = nil
        return repository
    }

    private func state(_ repository: BackupRepository) throws -> RepositoryStatus.State {
        try repository.status().state()
    }

    private func change() throws {
        try fixture.shell("app.db").run("UPDATE t SET n = n + 1 WHERE id % 40 = 7")
    }

    private func packs() throws -> [URL] {
        let folder = URL(fileURLWithPath: host.path + "/packs")
        return try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }
    }

    /// Changes a byte of a page that the first pack holds.
    private func flip() throws {
        let pack = try packs()[0]
        var bytes = try Data(contentsOf: pack)
        bytes[3000] ^= 1
        try bytes.write(to: pack)
    }

    @Test("goes from unknown to never verified, and to verified", .proves("OPR-30"))
    func verification() throws {
        #expect(try state(host) == .noBackup)
        try stranger.backUp(fixture.file)
        #expect(try state(host) == .goneOn)
        try change()
        try host.backUp(fixture.file)
        #expect(try state(host) == .neverVerified)
        #expect(try host.verify(sample: 0.1).isSound)
        #expect(try state(host) == .neverVerified)
        #expect(try host.verify().isSound)
        #expect(try state(host) == .verified)
        #expect(try state(stranger) == .notRemembered && state(other()) == .notRemembered)
    }

    @Test(
        "is damage if a pack is missing, cut, longer or a link, on every host", .proves("OPR-30"),
        arguments: ["removed", "cut", "longer", "link", "all"])
    func packs(what: String) throws {
        try host.backUp(fixture.file)
        #expect(try host.verify().isSound)
        // Nothing is taken from an earlier look.
        #expect(try state(host) == .verified)
        #expect(try state(host) == .verified)
        let pack = try packs()[0]
        let aside = URL(fileURLWithPath: fixture.path("aside.pack"))
        try FileManager.default.moveItem(at: pack, to: aside)
        let bytes = try Data(contentsOf: aside)
        switch what {
        case "cut": try bytes.dropLast().write(to: pack)
        case "longer": try (bytes + [0]).write(to: pack)
        case "link": try FileManager.default.createSymbolicLink(at: pack, withDestinationURL: aside)
        case "all": for pack in try packs() { try FileManager.default.removeItem(at: pack) }
        default: break
        }
        for repository in [host, stranger, other()] {
            let status = try repository.status()
            #expect(status.state() == .packsMissing && status.state(maximumAge: 0) == .packsMissing)
            #expect(status.problems.isEmpty == false && status.databases.count == 1)
        }
        try? FileManager.default.removeItem(at: pack)
        try FileManager.default.moveItem(at: aside, to: pack)
        #expect(try state(host) == .verified && state(stranger) == .notRemembered)
    }

    @Test("is damage if a pack of a pruned backup is missing that others need", .proves("OPR-30"))
    func olderPacks() throws {
        for _ in 0..<2 {
            try host.backUp(fixture.file)
            try change()
        }
        try host.prune(keeping: RetentionPolicy(last: 1), key: key)
        let all = try packs()
        #expect(all.count == 2)
        #expect(try state(host) == .neverVerified)
        try FileManager.default.removeItem(at: all[0])
        #expect(try state(host) == .packsMissing && state(stranger) == .packsMissing)
    }

    @Test("is well if a pack is gone that no kept backup needs", .proves("OPR-30"))
    func unneededPacks() throws {
        try host.backUp(fixture.file)
        #expect(try state(host) == .neverVerified)
        let first = try packs()[0]
        let bytes = try Data(contentsOf: first)
        try host.backUp(fixture.file, full: true)
        try host.prune(keeping: RetentionPolicy(last: 1), key: key)
        #expect(try state(host) == .neverVerified)
        // As a run that was killed leaves it, and the next one clears up.
        try bytes.write(to: first)
        #expect(try state(host) == .neverVerified)
        try FileManager.default.removeItem(at: first)
        #expect(try state(host) == .neverVerified)
    }

    @Test("stays damage from a failed verification to one that succeeds", .proves("OPR-30"))
    func failure() throws {
        try host.backUp(fixture.file)
        #expect(try other().verify().isSound)
        try flip()
        #expect(try state(host) == .neverVerified)
        #expect(try !host.verify().isSound)
        var status = try host.status()
        #expect(status.state() == .verificationFailed)
        #expect(status.damage?.problem.contains("was changed") == true)
        #expect(status.state(maximumAge: 0, verificationInterval: 0) == .verificationFailed)
        #expect(try state(other()) == .verified, "that host has not looked")
        try flip()
        #expect(try state(host) == .verificationFailed)
        #expect(try host.verify(sample: 0.5).isSound)
        #expect(try state(host) == .verificationFailed, "a sample is not the whole")
        #expect(try host.verify().isSound)
        status = try host.status()
        #expect(status.state() == .verified && status.damage == nil)
    }

    @Test("needs the key again where the key has found damage", .proves("OPR-30"))
    func keys() throws {
        let size = try fixture.content("app.db").count
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: fixture.file.path))
        try fixture.shell("app.db").run("PRAGMA wal_checkpoint(TRUNCATE)")
        try file.seek(toOffset: UInt64(size / 4096 - 2) * 4096 + 100)
        try file.write(contentsOf: Data([1, 2, 3, 4]))
        try file.close()
        try host.backUp(fixture.file, authenticating: false)
        #expect(try host.verify().isSound)
        #expect(try state(host) == .verified)
        #expect(try !host.verify(key: .database(key)).isSound)
        #expect(try host.verify().isSound)
        #expect(try state(host) == .verificationFailed, "no hash shows it")
        // When no backup of that key is left, no key is asked for.
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: fixture.file.path + suffix)
        }
        try fixture.shell("app.db", key: BackupFixture.otherKeyText).create("CREATE TABLE u (a)")
        let otherKey = try BackupFixture.key(BackupFixture.otherKeyText)
        var accepting = host
        accepting.takesOtherDatabases = true
        try accepting.backUp(
            DatabaseFile(path: fixture.file.path, key: otherKey), authority: .introduced(by: key))
        try host.prune(keeping: RetentionPolicy(last: 1), key: otherKey)
        #expect(try state(host) == .verificationFailed)
        #expect(try host.verify().isSound)
        #expect(try state(host) == .verified)
    }

    @Test("needs a trusted signer again where none was found", .proves("OPR-30", "OPR-68"))
    func signers() throws {
        try host.backUp(fixture.file)
        let signer = try #require(try host.status().signer)
        let wrong = String(signer.reversed())
        let visitor = other()
        #expect(try !visitor.verify(authority: wrong).isSound)
        #expect(try visitor.verify().isSound)
        #expect(try state(visitor) == .verificationFailed)
        #expect(try visitor.verify(authority: signer).isSound)
        #expect(try state(visitor) == .verified)
        // A host that knows the signer was given a wrong key.
        for repository in [host, visitor] {
            #expect(try repository.verify().isSound)
            #expect(try !repository.verify(authority: wrong).isSound)
            #expect(try state(repository) == .verified)
        }
    }

    @Test("is damage if a backup, a restore or a rekey meets it", .proves("OPR-30"))
    func otherOperations() throws {
        try host.backUp(fixture.file)
        try flip()
        let restoring = other("restoring")
        _ = try restoring.verify(sample: 1e-9)
        #expect(throws: BackupError.self) {
            try restoring.restore(to: fixture.path("out.db"), key: key)
        }
        #expect(try state(restoring) == .verificationFailed)
        let rekeying = other("rekeying")
        _ = try rekeying.verify(sample: 1e-9)
        #expect(throws: BackupError.self) {
            try rekeying.rekey(from: key, to: BackupFixture.key(BackupFixture.otherKeyText))
        }
        #expect(try state(rekeying) == .verificationFailed)
        try change()
        #expect(try state(host) == .neverVerified)
        #expect(try host.backUp(fixture.file).notices.count == 1)
        #expect(try state(host) == .verificationFailed)
        try flip()
        #expect(try host.repair().isSound)
        #expect(try state(host) == .verified)
    }

    @Test("is damage after a verification that could not read the head", .proves("OPR-30"))
    func head() throws {
        try host.backUp(fixture.file)
        let head = URL(fileURLWithPath: host.path + "/head")
        let bytes = try Data(contentsOf: head)
        try bytes.dropFirst().write(to: head)
        #expect(throws: BackupError.self) { try host.verify() }
        #expect(throws: BackupError.self) { try host.status() }
        try bytes.write(to: head)
        #expect(try state(host) == .verificationFailed)
        #expect(try host.verify().isSound)
        #expect(try state(host) == .verified)
    }

    @Test("is well if another host has gone on", .proves("OPR-30"))
    func goneOn() throws {
        try host.backUp(fixture.file)
        #expect(try host.verify().isSound)
        try change()
        try other().backUp(fixture.file)
        let status = try host.status()
        #expect(status.state() == .goneOn && status.hasGoneOn && status.verified != nil)
        #expect(try state(other()) == .neverVerified)
        #expect(try host.verify().isSound)
        #expect(try state(host) == .verified)
        #expect(try state(other()) == .neverVerified)
    }

    @Test("is remembered by a host that does nothing but look", .proves("OPR-215"))
    func onlyLooked() throws {
        try host.backUp(fixture.file)
        let early = try Data(contentsOf: URL(fileURLWithPath: host.path + "/head"))
        let monitor = other()
        #expect(try state(monitor) == .notRemembered && state(monitor) == .neverVerified)
        try change()
        try host.backUp(fixture.file)
        #expect(try state(monitor) == .goneOn && state(monitor) == .neverVerified)
        let late = try Data(contentsOf: URL(fileURLWithPath: host.path + "/head"))
        try early.write(to: URL(fileURLWithPath: host.path + "/head"))
        #expect {
            try monitor.status()
        } throws: {
            ($0 as? BackupError)?.code == .rolledBack
        }
        try late.write(to: URL(fileURLWithPath: host.path + "/head"))
        #expect(try state(monitor) == .neverVerified && state(stranger) == .notRemembered)
    }

    @Test("is overdue by the ages that are asked for", .proves("OPR-30", "OPR-59", "OPR-60"))
    func ages() throws {
        var repository = host
        repository.now = { Date(timeIntervalSince1970: 1_800_000_000) }
        #expect(try repository.status().state(maximumAge: 1e9) == .noBackup)
        #expect(try repository.status().state().isOverdue)
        try repository.backUp(fixture.file)
        #expect(try repository.verify().isSound)
        repository.now = { Date(timeIntervalSince1970: 1_800_000_100) }
        var status = try repository.status()
        #expect(status.state(maximumAge: 101) == .verified)
        #expect(status.state(maximumAge: 99) == .backupOverdue)
        #expect(status.state(verificationInterval: 101) == .verified, "without the key")
        #expect(status.state(authenticationInterval: 1e9) == .verificationOverdue)
        #expect(try repository.verify(key: .database(key)).isSound)
        #expect(try repository.status().state(authenticationInterval: 101) == .verified)
        status = try repository.status()
        #expect(status.state(verificationInterval: 101) == .verified)
        #expect(status.state(maximumAge: 99, verificationInterval: 99) == .backupOverdue)
        repository.now = { Date(timeIntervalSince1970: 1_800_000_300) }
        #expect(try repository.status().state(verificationInterval: 150) == .verificationOverdue)
        repository.now = { Date(timeIntervalSince1970: 1_799_999_000) }
        #expect(try repository.status().state(maximumAge: 99) == .backupOverdue, "it lies ahead")
    }
}
