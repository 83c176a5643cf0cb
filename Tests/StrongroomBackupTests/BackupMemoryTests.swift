import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("What a host remembers of repositories")
struct BackupMemoryTests {
    private let fixture: BackupFixture
    private let key: CipherKey
    private let place: String

    init() throws {
        fixture = try BackupFixture(rowCount: 300)
        key = try BackupFixture.databaseKey
        place = fixture.repository.path
    }

    /// The repository as a host sees it that has a memory of its own.
    private func host(_ name: String) throws -> BackupRepository {
        var repository = try BackupRepository(path: place)
        repository.memory = BackupMemory(folder: fixture.path(name))
        return repository
    }

    private func change() throws {
        try fixture.shell("app.db").run("UPDATE t SET n = n + 1 WHERE id % 5 = 0")
    }

    private func copy(to name: String) throws {
        try FileManager.default.copyItem(atPath: place, toPath: fixture.path(name))
    }

    /// What somebody does who can write to the repository, and has an older copy of it.
    private func putBack(_ name: String) throws {
        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.copyItem(atPath: fixture.path(name), toPath: place)
    }

    /// All but the locks, which are there or not.
    private func contents() throws -> [String: Data] {
        try fixture.repositoryFiles().filter { !$0.key.hasPrefix("lock") }
    }

    private func expectRefused(
        _ repository: BackupRepository, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = fixture.file
        let files = try contents()
        let operations: [(String, () throws -> Void)] = [
            ("create", { try repository.backUp(file) }),
            ("full", { try repository.backUp(file, full: true, authority: .newBeginning) }),
            ("list", { _ = try repository.backups() }),
            ("verify", { _ = try repository.verify() }),
            ("restore", { try repository.restore(to: fixture.path("no.db"), key: key) }),
            ("prune", { try repository.prune(keeping: RetentionPolicy(last: 1), key: key) }),
            ("status", { _ = try repository.status() }),
            (
                "rekey",
                {
                    try repository.rekey(
                        from: key, to: BackupFixture.key(BackupFixture.otherKeyText))
                }
            ),
        ]
        for (name, operation) in operations {
            #expect("\(name)", sourceLocation: sourceLocation) {
                try operation()
            } throws: {
                ($0 as? BackupError)?.code == .rolledBack
            }
        }
        #expect(try contents() == files, sourceLocation: sourceLocation)
    }

    @Test("A repository that was put back is refused, until that is accepted", .proves("HST-18"))
    func rollback() throws {
        var repository = try host("state")
        try repository.backUp(fixture.file)
        try copy(to: "older")
        try change()
        try repository.backUp(fixture.file)
        try putBack("older")
        try expectRefused(repository)
        repository.acceptsRollback = true
        #expect(try repository.verify(key: .database(key)).isSound)
        // From here on this is what is remembered.
        repository.acceptsRollback = false
        try repository.backUp(fixture.file)
        try expectRefusedOnlyOlder(repository)
    }

    private func expectRefusedOnlyOlder(_ repository: BackupRepository) throws {
        try putBack("older")
        try expectRefused(repository)
    }

    @Test("A head alone that was put back is found, whatever it was written for", .proves("HST-18"))
    func heads() throws {
        let repository = try host("state")
        for _ in 0..<3 {
            try change()
            try repository.backUp(fixture.file)
        }
        let head = URL(fileURLWithPath: place + "/head")
        let before = try Data(contentsOf: head)
        // It makes no backup: the last manifest stays the same.
        try repository.prune(keeping: RetentionPolicy(last: 2), key: key)
        try before.write(to: head)
        try expectRefused(repository)
    }

    @Test("What has gone another way, or is another repository, is refused", .proves("HST-18"))
    func forks() throws {
        let repository = try host("state")
        try repository.backUp(fixture.file)
        try copy(to: "older")
        try change()
        try repository.backUp(fixture.file)
        // From the older state on, by somebody with the key who does not remember: as far, and further.
        for _ in 0..<2 {
            try putBack("older")
            try change()
            try fixture.repository.backUp(fixture.file)
            try expectRefused(repository)
            try change()
            try fixture.repository.backUp(fixture.file)
            try expectRefused(repository)
        }
        try FileManager.default.removeItem(atPath: place)
        _ = try BackupRepository.create(at: place)
        try fixture.repository.backUp(fixture.file)
        try expectRefused(repository)
    }

    @Test("A manifest that is damaged is damage, and no other state", .proves("HST-18"))
    func damage() throws {
        let repository = try host("state")
        try repository.backUp(fixture.file)
        for _ in 0..<2 {
            try change()
            try fixture.repository.backUp(fixture.file)
        }
        let backups = try fixture.repository.backups()
        let name = "00000002-\(backups[1].hash).backup"
        try FileManager.default.removeItem(atPath: place + "/backups/" + name)
        let report = try repository.verify(key: .database(key))
        #expect(report.damagedBackups == [2] && report.isSignerTrusted == true)
    }

    @Test("Who begins anew is refused where somebody is remembered", .proves("HST-18"))
    func authorities() throws {
        let watching = try host("watching")
        try fixture.repository.backUp(fixture.file)
        #expect(try watching.verify().isSound)
        // An attacker without the key goes on from the newest state.
        try ForgedRepository(fixture).forgeHead { $0["generation"] = 9 }
        try expectRefused(watching)
    }

    @Test("Two hosts that write in turn contradict nobody", .proves("HST-18"))
    func twoHosts() throws {
        let hosts = [try host("one"), try host("two")]
        for round in 0..<6 {
            try change()
            let backup = try hosts[round % 2].backUp(fixture.file)
            #expect(backup.notices.isEmpty, "\(backup.notices)")
            if round == 3 { try hosts[0].prune(keeping: RetentionPolicy(last: 2), key: key) }
            if round == 4 {
                #expect(try hosts[1].verify(key: .database(key)).isSound)
            }
        }
        // A host whose memory is itself older than it was.
        let path = fixture.path("one")
        try FileManager.default.copyItem(atPath: path, toPath: path + ".old")
        try hosts[0].backUp(fixture.file)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
        #expect(try hosts[0].backUp(fixture.file).notices.isEmpty)
    }

    @Test("A copy at another path may be older, and that is told", .proves("HST-18"))
    func copies() throws {
        let repository = try host("state")
        try repository.backUp(fixture.file)
        try copy(to: "mirror")
        try change()
        try repository.backUp(fixture.file)
        var mirror = try BackupRepository(path: fixture.path("mirror"))
        mirror.memory = repository.memory
        let report = try mirror.verify()
        #expect(report.isSound && report.notices.count == 1)
        #expect(report.notices.first?.contains(#/ has 1 backup.*, but its copy /#) == true)
        #expect(try repository.verify().notices.isEmpty)
    }

    @Test("A backup while another run verifies is no rollback", .proves("OPR-34"))
    func verifyingMeanwhile() throws {
        let repository = try host("state")
        try repository.backUp(fixture.file)
        try change()
        let isDone = Locked(false)
        let report = try repository.verify { progress in
            // The head was read by then: the packs are known.
            guard progress.totalByteCount > 0, !isDone.withLock({ $0 }) else { return }
            isDone.withLock { $0 = true }
            try repository.backUp(fixture.file)
        }
        #expect(isDone.withLock { $0 } && report.isSound && report.notices.isEmpty)
        // What was remembered last is the later state, and that it was verified.
        let status = try repository.status()
        #expect(status.state() == .verified && !status.hasGoneOn)
    }

    @Test("Where nothing can be remembered, the work is done, and that is said", .proves("HST-18"))
    func unwritable() throws {
        try fixture.folder.write("a file", to: "file")
        var repository = try host("file/state")
        let backup = try repository.backUp(fixture.file)
        #expect(backup.notices.count == 1 && backup.notices[0].contains("cannot remember"))
        #expect(try repository.verify().notices.count == 1)
        repository.memory = nil
        #expect(try repository.verify().notices.isEmpty)
    }

    @Test("A folder that can only be read still refuses what is older", .proves("HST-18"))
    func readOnly() throws {
        let repository = try host("state")
        try repository.backUp(fixture.file)
        try copy(to: "older")
        try change()
        try repository.backUp(fixture.file)
        try putBack("older")
        let state = fixture.path("state")
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: state)
        defer {
            try? FileManager.default.setAttributes(
                [.posixPermissions: 0o700], ofItemAtPath: state)
        }
        try expectRefused(repository)
    }

    @Test("What is remembered is small, private, and replaced as a whole", .proves("HST-18"))
    func files() throws {
        let repository = try host("state")
        try repository.backUp(fixture.file)
        let state = fixture.path("state")
        let names = try FileManager.default.contentsOfDirectory(atPath: state).sorted()
        #expect(names.count == 3 && names.prefix(2) == ["copies", "lock"])
        let attributes = try FileManager.default.attributesOfItem(atPath: state)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        let path = state + "/" + names[2]
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count < 2000)
        // Bytes that it cannot be are no reason to take whatever is there.
        try Data("{}".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: BackupError.self) { try repository.backUp(fixture.file) }
    }

    @Test(
        "The usual folder is systemd's, or that of XDG, or one at home", .proves("OPR-63", "HST-18")
    )
    func usualFolders() {
        func folder(_ environment: [String: String]) -> String? {
            BackupMemory(environment: environment)?.folder
        }
        let usual = "/h/.local/state/strongroom"
        #expect(folder(["HOME": "/h"]) == usual)
        #expect(folder(["HOME": "/h", "XDG_STATE_HOME": "/x"]) == "/x/strongroom")
        #expect(folder(["HOME": "/h", "XDG_STATE_HOME": "x"]) == usual)
        #expect(folder(["STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "HOME": "/h"]) == "/var/lib/a")
        let state = ["STATE_DIRECTORY": "/var/lib/a", "HOME": "/h"]
        #expect(folder(state.merging(["STRONGROOM_STATE": "/s"]) { $1 }) == "/s")
        #expect(folder(state.merging(["STRONGROOM_STATE": "s"]) { $1 }) == "s", "as the tool")
        #expect(folder(state.merging(["STRONGROOM_STATE": ""]) { $1 }) == "/var/lib/a")
        #expect(folder(state.merging(["STRONGROOM_STATE": "none"]) { $1 }) == nil)
        #expect([folder([:]), folder(["HOME": ""])] == [nil, nil])
    }

    @Test(
        "Status tells the last backup of each database, and when it was verified",
        .proves("BKP-023"))
    func status() throws {
        var repository = try host("state")
        repository.now = { Date(timeIntervalSince1970: 1_800_000_000) }
        #expect(try repository.status().databases.isEmpty)
        try repository.backUp(fixture.file)
        #expect(try repository.verify().isSound)
        repository.now = { Date(timeIntervalSince1970: 1_800_007_200) }
        #expect(try repository.verify(key: .database(key), sample: 0.1).isSound)
        var status = try repository.status()
        #expect(status.databases.map(\.name) == ["app.db"] && status.databases[0].backupCount == 1)
        #expect(abs(status.databases[0].age - 7200) < 1)
        #expect(status.verified == Date(timeIntervalSince1970: 1_800_000_000))
        #expect(status.authenticated == nil && status.signer != nil, "a sample is not the whole")
        #expect(try repository.verify(key: .database(key)).isSound)
        status = try repository.status()
        #expect(status.authenticated == Date(timeIntervalSince1970: 1_800_007_200))
    }
}
