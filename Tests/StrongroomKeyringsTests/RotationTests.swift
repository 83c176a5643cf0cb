import Foundation
import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

@Suite("Rotating a database with a keyring")
struct RotationTests {
    let fixture: KeyringFixture

    init() throws {
        fixture = try KeyringFixture()
    }

    @Test("One secret rotates, and seven others go on opening it", .proves("KSL-040", "KSL-045"))
    func eightSlots() throws {
        let identities = try (0..<4).map { _ in try AgeIdentity.generated() }
        let code = try RecoveryCode.generated()
        let raw = try CipherKey.generated()
        try fixture.create { change in
            for (index, identity) in identities.enumerated() {
                try change.addRecipient(identity.recipient, name: "ops \(index)")
            }
            try change.addRecoveryCode(code)
            try change.addKeyFile(raw, name: "file")
            try change.addPassphrase("anna's", name: "anna", work: KeyringFixture.work)
        }
        let old = try fixture.keyring().open(with: fixture.me)
        let before = try fixture.bytes()
        try fixture.keyring().rotate(unlockingWith: .key(raw))
        let texts = identities.map { identity in
            identity.text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
        let unlockers =
            try texts.map { try Unlocker.identity($0) } + [
                .recoveryCode(code), .key(raw), .passphrase("anna's"), fixture.me,
            ]
        #expect(unlockers.count == 8)
        for unlocker in unlockers { #expect(try fixture.note(unlocker) != nil) }
        // The old key, and the old keyring with any secret, give nothing of the new key.
        let new = try fixture.keyring().content.generations[0]
        let oldKey = try #require(old.newest)
        let asKey = KeyringOpening(text: try fixture.keyring().text, path: "")
        #expect(throws: KeyringError.self) { try asKey.open(with: .key(oldKey.cipherKey)) }
        for retired in new.previous {
            let isNil = try oldKey.opened(retired, keyring: old.identity) == nil
            #expect(isNil)
        }
        let authority = try oldKey.openAuthority(
            new.authority, publicKey: old.content.authorities[0].public, keyring: old.identity)
        let isNil = authority == nil
        #expect(isNil)
        let oldFile = try KeyringText(before, path: "")
        let opened = try KeyringOpening(text: oldFile, path: "").open(with: fixture.me)
        #expect(opened.newest?.identifier == oldKey.identifier)
        #expect(throws: (any Error).self) { try fixture.noteInShell(oldKey.cipherKey) }
    }

    @Test(
        "Whoever was removed before a rotation opens nothing after it",
        .proves("KSL-026", "KSL-027"))
    func removedBefore() throws {
        try fixture.create {
            try $0.addPassphrase("bob's", name: "bob", work: KeyringFixture.work)
        }
        let kept = try fixture.bytes()
        let copy = try Data(contentsOf: URL(filePath: fixture.path))
        try fixture.keyring().change(unlockingWith: fixture.me) { try $0.remove("bob") }
        // Until then, he still opens it with the keyring that he has kept.
        let old = try KeyringOpening(text: KeyringText(kept, path: ""), path: "")
            .open(with: .passphrase("bob's"))
        let oldKey = try #require(old.newest?.cipherKey)
        #expect(try fixture.noteInShell(oldKey) == .text("a secret that only keys show"))
        var written: [KeyringContent] = []
        let file = try fixture.keyring().file
        try file.withLock {
            let open = try fixture.keyring().open(with: fixture.me)
            _ = try KeyringRotation(open, file).run { database, _, new in
                // Both keys are there now: neither is wrapped for him.
                written.append(try fixture.keyring().content)
                try database.rotateKey(to: new)
            }
        }
        let bob = try #require(old.slot?.id)
        #expect(written.count == 1)
        for content in written + [try fixture.keyring().content] {
            #expect(!content.generations.contains { $0.wraps[bob] != nil })
        }
        #expect(code { _ = try fixture.note(.passphrase("bob's")) } == .wrongKey)
        #expect(throws: (any Error).self) { try fixture.noteInShell(oldKey) }
        // What he copied before stays his.
        try copy.write(to: URL(filePath: fixture.path))
        #expect(try fixture.noteInShell(oldKey) == .text("a secret that only keys show"))
    }

    @Test("A plain rotation of a database with a keyring is refused", .proves("KSL-042", "OPR-151"))
    func refusedWithoutKeyring() throws {
        try fixture.create()
        let key = try fixture.keyring().unlock(with: fixture.me)
        let file = DatabaseFile(path: fixture.path, key: key)
        let error = #expect(throws: DatabaseFileError.self) { try file.rotateKey(to: .generated()) }
        #expect(error?.code == .hasKeyring)
        #expect(throws: DatabaseFileError.self) { try file.planRotation(to: .generated()) }
        let queue = try fixture.open(fixture.me)
        #expect(throws: DatabaseFileError.self) { try queue.rotateKey(to: .generated()) }
        #expect(throws: DatabaseError.self) {
            try queue.writeWithoutTransaction { try $0.changePassphrase("another") }
        }
        // Nor while the keyring is away for a moment.
        let aside = fixture.path + "-aside"
        try FileManager.default.moveItem(atPath: fixture.path + "-keyring", toPath: aside)
        #expect(throws: (any Error).self) { try queue.rotateKey(to: .generated()) }
        #expect(throws: DatabaseError.self) {
            try queue.writeWithoutTransaction { try $0.changePassphrase("another") }
        }
        try FileManager.default.moveItem(atPath: aside, toPath: fixture.path + "-keyring")
        try queue.close()
        #expect(try fixture.note(fixture.me) != nil)
    }

    @Test(
        "A pool rotates live; connections to come and launches unlock as before", .proves("KSL-043")
    )
    func live() throws {
        try fixture.create()
        let pool = try fixture.pool(fixture.me)
        let snapshotless = try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") }
        for count in 1...3 {
            let keyring = try pool.rotateKey(unlockingWith: fixture.me)
            #expect(!keyring.isChangingKey && keyring.keys[0].previous.count == count)
            try pool.write { try $0.execute(sql: "INSERT INTO note VALUES ('more')") }
        }
        #expect(snapshotless == 1)
        #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") } == 4)
        try pool.close()
        #expect(try fixture.note(fixture.me) == "a secret that only keys show")
        let key = try fixture.keyring().unlock(with: fixture.me)
        #expect(try fixture.noteInShell(key) == .text("a secret that only keys show"))
    }

    @Test(
        "What fails in the middle leaves the old key, and the next rotation cleans up",
        .proves("KSL-041"))
    func failing() throws {
        try fixture.create()
        struct Failure: Error {}
        let keyring = try fixture.keyring()
        #expect(throws: Failure.self) {
            try keyring.rotate(unlockingWith: fixture.me) { _ in throw Failure() }
        }
        #expect(try !fixture.keyring().isChangingKey)
        #expect(try fixture.note(fixture.me) != nil)
        // Killed between the steps: the keyring has both keys.
        for isRotated in [false, true] {
            let file = keyring.file
            var both: [UInt8] = []
            let old = try Data(contentsOf: URL(filePath: fixture.path))
            try file.withLock {
                let open = try fixture.keyring().open(with: fixture.me)
                _ = try KeyringRotation(open, file).run { database, _, new in
                    both = try fixture.bytes()
                    try database.rotateKey(to: new)
                }
            }
            try fixture.put(both)
            if !isRotated { try old.write(to: URL(filePath: fixture.path)) }
            #expect(try fixture.keyring().isChangingKey)
            #expect(try fixture.note(fixture.me) != nil)
            try fixture.keyring().change(unlockingWith: fixture.me) {
                try $0.addPassphrase(
                    "\(isRotated)", name: "\(isRotated)", work: KeyringFixture.work)
            }
            #expect(try fixture.note(.passphrase("\(isRotated)")) != nil)
            let repaired = try fixture.keyring().repair(unlockingWith: fixture.me)
            #expect(!repaired.isChangingKey)
            #expect(try fixture.note(fixture.me) != nil)
            #expect(try fixture.note(.passphrase("\(isRotated)")) != nil)
        }
    }

    @Test("A sealed slot is kept only by its own secret, and not lost unasked", .proves("KSL-016"))
    func sealed() throws {
        try fixture.create {
            try $0.addPassphrase(
                "sealed", name: "sealed", work: KeyringFixture.work, isSealed: true)
        }
        let slot = try #require(try fixture.keyring().slots.first { $0.name == "sealed" })
        #expect(slot.recipient == nil)
        let sealed = Unlocker.passphrase("sealed")
        #expect(try fixture.note(sealed) != nil)
        let bytes = try fixture.bytes()
        #expect(code { try fixture.keyring().rotate(unlockingWith: fixture.me) } == .wrongKey)
        #expect(try fixture.bytes() == bytes)
        try fixture.keyring().rotate(unlockingWith: sealed)
        #expect(try fixture.note(sealed) != nil)
        #expect(try fixture.note(fixture.me) != nil)
        try fixture.keyring().rotate(unlockingWith: fixture.me, droppingSealed: true)
        #expect(try fixture.keyring().slots.map(\.name) == ["me"])
        #expect(code { _ = try fixture.note(sealed) } == .wrongKey)
    }

    @Test(
        "Each rotation brings another authority, to which the one before leads", .proves("KSL-046"))
    func newAuthority() throws {
        try fixture.create {
            try $0.addPassphrase("anna's", name: "anna", work: KeyringFixture.work)
        }
        let anna = Unlocker.passphrase("anna's")
        let noted = try fixture.keyring().authority
        #expect(try fixture.keyring().unlocked(with: anna).vouching == .present)
        for _ in 0..<3 { try fixture.keyring().rotate(unlockingWith: fixture.me) }
        let keyring = try fixture.keyring()
        #expect(keyring.authority != noted && keyring.content.authorities.count == 4)
        for unlocker in [fixture.me, anna] {
            _ = try keyring.unlock(with: unlocker, requiring: .init(authority: noted))
            _ = try keyring.unlock(with: unlocker, requiring: .init(authority: keyring.authority))
        }
        let other = "ed25519:" + String(repeating: "0", count: 64)
        #expect(
            code { _ = try keyring.unlock(with: fixture.me, requiring: .init(authority: other)) }
                == .foreign)
        // Who has rotated has vouched; the others have not since.
        #expect(try keyring.unlocked(with: fixture.me).vouching == .present)
        #expect(try keyring.unlocked(with: anna).vouching == .earlier)
        let vouch = Keyring.Requirements(vouch: true)
        #expect(code { _ = try keyring.unlock(with: anna, requiring: vouch) } == .foreign)
        try keyring.vouch(unlockingWith: anna)
        _ = try fixture.keyring().unlock(with: anna, requiring: vouch)
    }

    @Test("Earlier keys stay, in order, until they are forgotten", .proves("KSL-044"))
    func previousKeys() throws {
        try fixture.create()
        var ids = [try fixture.keyring().keys[0].id]
        for _ in 0..<3 {
            ids.insert(try fixture.keyring().rotate(unlockingWith: fixture.me).keys[0].id, at: 0)
        }
        #expect(try fixture.keyring().keys[0].previous == Array(ids.dropFirst()))
        let forgotten = try fixture.keyring().forgetKeys(unlockingWith: fixture.me) { id, _ in
            id == ids[2]
        }
        #expect(forgotten == [ids[2]])
        #expect(try fixture.keyring().keys[0].previous == [ids[1], ids[3]])
        try fixture.keyring().rotate(unlockingWith: fixture.me)
        #expect(try fixture.keyring().keys[0].previous == [ids[0], ids[1], ids[3]])
    }
}
