import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("What was sealed is what is used")
struct ManifestSealTests {
    private let fixture: BackupFixture
    private let forged: ForgedRepository
    private let key: CipherKey
    private let otherKey: CipherKey
    /// What it was after the first backup.
    private let olderHead: Data

    /// Two backups: the second one has what the first one does not have.
    init() throws {
        fixture = try BackupFixture(rowCount: 400)
        forged = ForgedRepository(fixture)
        key = try #require(fixture.file.key)
        otherKey = try BackupFixture.key(BackupFixture.otherKeyText)
        try fixture.repository.backUp(fixture.file)
        olderHead = try forged.content("head")
        try fixture.shell("app.db").run("UPDATE t SET n = 1 WHERE id = 7")
        try fixture.repository.backUp(fixture.file)
    }

    private var repository: BackupRepository { fixture.repository }

    private func expectDamaged(_ what: String, _ body: () throws -> Void) throws {
        let files = try fixture.repositoryFiles()
        #expect {
            try body()
        } throws: { error in
            let error = error as? BackupError
            return error?.code == .damaged && error?.message.contains("with the key") == true
        }
        #expect(try fixture.repositoryFiles() == files, "\(what) has changed something")
    }

    private func useOldTree() throws {
        let first = try #require(try forged.names("backups").first)
        let root = try forged.members("backups/" + first)["root"]
        try forged.forgeLastManifest { $0["root"] = root }
    }

    private static func switchAuthenticationOff(_ members: inout [String: Any]) {
        var cipher = members["cipher"] as? [String: Any]
        cipher?["hmacAlgorithm"] = nil
        members["cipher"] = cipher
    }

    @Test("rekey takes neither a tree nor settings that the key has not sealed", .proves("HST-11"))
    func rekey() throws {
        let genuine = try fixture.repositoryFiles()
        try useOldTree()
        try expectDamaged("an old tree") { try repository.rekey(from: key, to: otherKey) }
        // It is not the key that is wrong.
        try expectDamaged("prune") { try repository.prune(keeping: .init(last: 1), key: key) }
        for name in try fixture.repositoryFiles().keys {
            try FileManager.default.removeItem(at: forged.url(name))
        }
        for (name, content) in genuine { try content.write(to: forged.url(name)) }
        try forged.forgeLastManifest(Self.switchAuthenticationOff)
        try expectDamaged("no HMAC") { try repository.rekey(from: key, to: otherKey) }
    }

    @Test("Settings that do not lead to the key that is named are not passed over in silence")
    func rekeyWithOtherSalt() throws {
        try forged.forgeLastManifest { members in
            var cipher = members["cipher"] as? [String: Any]
            cipher?["salt"] = String(repeating: "0", count: 32)
            members["cipher"] = cipher
        }
        #expect { try repository.rekey(from: key, to: otherKey) } throws: {
            ($0 as? BackupError)?.code == .damaged
        }
    }

    @Test("create builds on nothing that the key has not sealed", .proves("HST-13"))
    func create() throws {
        try useOldTree()
        #expect { try repository.backUp(fixture.file) } throws: {
            ($0 as? BackupError)?.code == .notIntroduced
        }
        try expectDamaged("create") {
            try repository.backUp(fixture.file, authority: .newBeginning)
        }
        let full = try repository.backUp(fixture.file, full: true, authority: .newBeginning)
        #expect(full.base == nil && full.storedPageCount == full.pageCount)
        try repository.restore(to: fixture.path("out.db"), key: key)
        #expect(try fixture.shell("out.db").cell("SELECT n FROM t WHERE id = 7") == .integer(1))
        let report = try repository.verify(key: .database(key))
        #expect(report.damagedBackups == [2])
    }

    @Test(
        "A manifest that is exchanged while it is read is refused: its seal is checked on what was read",
        .proves("HST-12"))
    func exchanged() throws {
        let genuineHead = try forged.content("head")
        let genuineName = try #require(try forged.names("backups").last)
        let genuine = try forged.content("backups/" + genuineName)
        try forged.forgeLastManifest(Self.switchAuthenticationOff)
        let forgedName = try #require(try forged.names("backups").last)
        let forgery = try forged.content("backups/" + forgedName)
        let forgedHead = try forged.content("head")

        var fileSystem = FileSystem.system
        let system = FolderCalls.system
        fileSystem.inFolder.openForReading = { [forged] folder, name throws(SystemError) in
            let descriptor = try system.openForReading(folder, name)
            guard name == forgedName else { return descriptor }
            // As soon as the forgery is open, all is as it should be.
            try? FileManager.default.removeItem(at: forged.url("backups/" + forgedName))
            try? genuine.write(to: forged.url("backups/" + genuineName))
            try? genuineHead.write(to: forged.url("head"))
            return descriptor
        }
        let watched = try BackupRepository(path: repository.path, fileSystem: fileSystem)
        #expect { try watched.restore(to: fixture.path("out.db"), key: key) } throws: {
            ($0 as? BackupError)?.code == .damaged
        }
        #expect(!FileManager.default.fileExists(atPath: fixture.path("out.db")))

        try FileManager.default.removeItem(at: forged.url("backups/" + genuineName))
        try forgery.write(to: forged.url("backups/" + forgedName))
        try forgedHead.write(to: forged.url("head"))
        let report = try watched.verify(key: .database(key))
        #expect(report.damagedBackups == [2])
        #expect(try repository.verify(key: .database(key)).isSound)
    }

    @Test(
        "A hash is expected of the chain that was verified, not of the name of a file",
        .proves("HST-10"))
    func expectedHash() throws {
        let last = try #require(try repository.backups().last)
        #expect(try repository.verify().chainContains(hash: last.hash))
        let name = "00000002-\(last.hash).backup"
        // Put back to the first backup, with a file that has the name of what was noted.
        let first = try #require(try repository.backups().first)
        try FileManager.default.removeItem(at: forged.url("backups/" + name))
        try putBack()
        try Data().write(to: forged.url("backups/" + name))
        let report = try repository.verify(key: .database(key))
        #expect(report.isSound, "\(report.problems)")
        #expect(report.chainContains(hash: first.hash))
        #expect(!report.chainContains(hash: last.hash))
        #expect(try !repository.hasBackup(hash: last.hash))
        #expect(try repository.hasBackup(hash: first.hash))
    }

    @Test("A manifest that was changed under its name is not used", .proves("HST-12"))
    func changedInPlace() throws {
        let name = try #require(try forged.names("backups").last)
        let text = String(decoding: try forged.content("backups/" + name), as: UTF8.self)
        let changed = text.replacing("\"userVersion\":7", with: "\"userVersion\":8")
        #expect(changed != text)
        try Data(changed.utf8).write(to: forged.url("backups/" + name))
        #expect(try repository.verify().damagedBackups == [2])
        #expect { try repository.restore(to: fixture.path("out.db")) } throws: {
            ($0 as? BackupError)?.code == .damaged
        }
    }

    @Test("Before a manifest that is missing, nothing is vouched for", .proves("HST-10"))
    func brokenChain() throws {
        let backups = try repository.backups()
        try fixture.shell("app.db").run("UPDATE t SET n = 2 WHERE id = 7")
        let last = try repository.backUp(fixture.file)
        try FileManager.default.removeItem(
            at: forged.url("backups/00000002-\(backups[1].hash).backup"))
        let report = try repository.verify()
        #expect(report.chainContains(hash: last.hash))
        #expect(try repository.hasBackup(hash: last.hash))
        for backup in backups {
            #expect(!report.chainContains(hash: backup.hash))
            #expect(try !repository.hasBackup(hash: backup.hash))
        }
    }

    @Test(
        "What is newer than a head that was put back is moved aside, and reported, never removed",
        .proves("HST-13"), arguments: [true, false])
    func rollback(byPruning: Bool) throws {
        let newer = try fixture.repositoryFiles()
        try putBack()
        let notices: [String]
        if byPruning {
            notices = try repository.prune(
                keeping: RetentionPolicy(last: 1), key: BackupFixture.databaseKey
            ).notices
        } else {
            notices = try repository.backUp(fixture.file).notices
        }
        #expect(notices.count == 1 && notices[0].contains("/aside"))
        let files = try fixture.repositoryFiles()
        for (name, content) in newer where name.contains("00000002-") {
            let aside = "aside/" + (name as NSString).lastPathComponent
            #expect(files[aside] == content, "\(name) is gone")
        }
        #expect(try repository.verify(key: .database(key)).isSound)
        try repository.restore(to: fixture.path("out.db"), key: key)
        #expect(try repository.backUp(fixture.file).notices.isEmpty)
    }

    /// Has the head say what it said after the first backup.
    private func putBack() throws {
        try olderHead.write(to: forged.url("head"))
    }

    @Test(
        "What is moved aside is all there, wherever moving it was interrupted",
        .proves("HST-13"), arguments: [1, 2, 3])
    func interruptedMoving(failing: Int) throws {
        let newer = try fixture.repositoryFiles().filter { $0.key.contains("00000002-") }
        #expect(newer.count == 2)
        try putBack()
        var fileSystem = FileSystem.system
        let count = Locked(0)
        fileSystem.inFolder.rename = { (from, name, to, newName) throws(SystemError) in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number < failing else {
                throw SystemError("renameat", newName, number: ENOSPC)
            }
            try FolderCalls.system.rename(from, name, to, newName)
        }
        let interrupted = try BackupRepository(path: repository.path, fileSystem: fileSystem)
        #expect(throws: BackupError.self) { try interrupted.backUp(fixture.file) }
        try repository.backUp(fixture.file)
        let files = try fixture.repositoryFiles()
        for (name, content) in newer {
            #expect(files["aside/" + (name as NSString).lastPathComponent] == content, "\(name)")
        }
    }

    @Test("What is moved aside replaces nothing", .proves("HST-13"))
    func movedTwice() throws {
        let name = try #require(try forged.names("backups").last)
        let content = try forged.content("backups/" + name)
        try putBack()
        try repository.backUp(fixture.file)
        // The same once more, with what somebody has made of it.
        try Data("empty".utf8).write(to: forged.url("backups/" + name))
        let own = try #require(try forged.names("backups").last { $0 != name })
        try FileManager.default.removeItem(at: forged.url("backups/" + own))
        try putBack()
        try repository.backUp(fixture.file)
        #expect(try forged.content("aside/" + name) == content)
    }
}
