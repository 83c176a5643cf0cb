import Foundation
import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

/// A pool that is open while its keyring changes, and who vouches for it.
@Suite struct OpenPoolTests {
    private let fixture: KeyringFixture

    init() throws {
        fixture = try KeyringFixture()
        try fixture.create()
    }

    @Test(
        "An open pool goes on after its passphrase was changed, and backs up",
        .proves("KSL-020", "KSL-025"))
    func poolOverChange() throws {
        let pool = try fixture.pool(fixture.me)
        try fixture.keyring().change(unlockingWith: fixture.me) { change in
            try change.remove("me")
            try change.addPassphrase("a new one", name: "me", work: KeyringFixture.work)
        }
        // New connections.
        let snapshot = try pool.makeSnapshot()
        #expect(try snapshot.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") } == 1)
        try snapshot.close()
        try DatabaseFile(openIn: pool).transfer(
            to: DatabaseFile(path: fixture.folder.path(of: "copy.db"), key: try .generated()))
        try pool.rotateKey(unlockingWith: .passphrase("a new one"))
        try pool.write { try $0.execute(sql: "INSERT INTO note VALUES ('after')") }
        let second = try pool.makeSnapshot()
        #expect(try second.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") } == 2)
        try second.close()
        try pool.close()
        // Whoever opens it anew needs the new one.
        #expect(StrongroomKeyringsTests.code { _ = try fixture.note(fixture.me) } == .wrongKey)
        #expect(try fixture.note(.passphrase("a new one")) != nil)
    }

    /// As a process leaves it that is killed between the steps of a rotation: the keyring has both keys.
    private func interruptRotation() throws {
        struct Killed: Error {}
        var both: [UInt8] = []
        let file = try fixture.keyring().file
        try file.withLock {
            let open = try fixture.keyring().open(with: fixture.me)
            #expect(throws: Killed.self) {
                try KeyringRotation(open, file).run { _, _, _ in
                    both = try fixture.bytes()
                    throw Killed()
                }
            }
        }
        try fixture.put(both)
        #expect(try fixture.keyring().isChangingKey)
    }

    @Test(
        "An open database goes on where a rotation was interrupted, and its passphrase changed then",
        .proves("OPR-124"))
    func interrupted() throws {
        let pool = try fixture.pool(fixture.me)
        let queue = try fixture.open(fixture.me)
        try interruptRotation()
        try fixture.keyring().change(unlockingWith: fixture.me) { change in
            try change.remove("me")
            try change.addPassphrase("a new one", name: "me", work: KeyringFixture.work)
        }
        #expect(try fixture.keyring().isChangingKey)
        let snapshot = try pool.makeSnapshot()
        #expect(try snapshot.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") } == 1)
        try snapshot.close()
        // Their connections are opened again.
        #expect(throws: DatabaseFileError.self) {
            try queue.rotateKey(unlockingWith: .passphrase("a new one"))
        }
        try queue.write { try $0.execute(sql: "INSERT INTO note VALUES ('queue')") }
        #expect(throws: DatabaseFileError.self) {
            try pool.rotateKey(unlockingWith: .passphrase("a new one"))
        }
        try pool.write { try $0.execute(sql: "INSERT INTO note VALUES ('pool')") }
        #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") } == 3)
        try queue.close()
        try pool.rotateKey(unlockingWith: .passphrase("a new one"))
        #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") } == 3)
        try pool.close()
        #expect(try fixture.note(.passphrase("a new one")) != nil)
        #expect(StrongroomKeyringsTests.code { _ = try fixture.note(fixture.me) } == .wrongKey)
    }

    @Test("An app opens with the new key where a rotation ends meanwhile", .proves("OPR-82"))
    func rotationWhileOpening() throws {
        let files = FileManager.default
        let path = fixture.path
        let names = [path, path + "-keyring"]
        for name in names { try files.copyItem(atPath: name, toPath: name + ".old") }
        try fixture.keyring().rotate(unlockingWith: fixture.me)
        for name in names {
            try files.moveItem(atPath: name, toPath: name + ".new")
            try files.moveItem(atPath: name + ".old", toPath: name)
        }
        // As another process leaves it: the old file spoiled, and without a name.
        var configuration = Configuration()
        configuration.prepareDatabase { [me = fixture.me] db in
            try db.unlock(with: me)
            guard files.fileExists(atPath: path + ".new") else { return }
            let handle = try FileHandle(forWritingTo: URL(filePath: path))
            try handle.write(contentsOf: Data(repeating: 7, count: 512))
            try handle.close()
            for name in names { try #require(rename(name + ".new", name) == 0) }
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") } == 1)
    }

    @Test(
        "The holder of an identity vouches when he says so, and no change does it",
        .proves("KSL-008"))
    func vouching() throws {
        let identity = try AgeIdentity.generated()
        try fixture.keyring().change(unlockingWith: fixture.me) {
            try $0.addRecipient(identity.recipient, name: "ops")
        }
        let text = identity.text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        let ops = try Unlocker.identity("# created by age-keygen\n\n\(text)\r\n")
        #expect(try fixture.keyring().unlocked(with: ops).vouching == .missing)
        try fixture.keyring().change(unlockingWith: ops) { try $0.rename("me", to: "myself") }
        #expect(try fixture.keyring().unlocked(with: ops).vouching == .missing)
        try fixture.keyring().rotate(unlockingWith: ops)
        #expect(try fixture.keyring().unlocked(with: ops).vouching == .missing)
        try fixture.keyring().vouch(unlockingWith: ops)
        let unlocked = try fixture.keyring().unlocked(with: ops, requiring: .init(vouch: true))
        #expect(unlocked.vouching == .present && unlocked.slot?.name == "ops")
    }
}
