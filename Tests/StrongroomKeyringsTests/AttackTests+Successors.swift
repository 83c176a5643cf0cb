import Foundation
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

/// What holders of an earlier key could make of interrupted rotations and restored copies.
extension AttackTests {
    @Test(
        "A keyring with both keys, over a file with the first, is refused by whoever noted the second",
        .proves("KSL-047"))
    func interruptedReplay() throws {
        let loot = try rotated()
        let noted = Keyring.Requirements(authority: try fixture.keyring().authority)
        _ = try fixture.keyring().unlocked(with: fixture.me, requiring: noted)
        let lastFile = try Data(contentsOf: URL(filePath: fixture.path))
        try fixture.put(loot.bothBytes)
        // Of the file with the new key, it is genuine. The vouch is for the one before.
        let genuine = try fixture.keyring().unlocked(with: fixture.me, requiring: noted)
        #expect(genuine.vouching == .earlier)
        #expect(try fixture.keyring().repair(unlockingWith: fixture.me).isChangingKey == false)
        #expect(try fixture.keyring().unlocked(with: fixture.me).vouching == .earlier)
        try fixture.keyring().vouch(unlockingWith: fixture.me, requiring: noted)
        #expect(try fixture.keyring().unlocked(with: fixture.me).vouching == .present)

        try fixture.put(loot.bothBytes)
        try loot.oldFile.write(to: URL(filePath: fixture.path))
        for work in [
            { _ = try fixture.keyring().unlocked(with: fixture.me, requiring: noted) },
            { try fixture.keyring().repair(unlockingWith: fixture.me, requiring: noted) },
            { try fixture.keyring().rotate(unlockingWith: fixture.me, requiring: noted) },
            {
                try fixture.keyring().change(unlockingWith: fixture.me, requiring: noted) {
                    try $0.rename("me", to: "myself")
                }
            },
            { try fixture.keyring().vouch(unlockingWith: fixture.me, requiring: noted) },
            {
                var configuration = Configuration()
                configuration.prepareDatabase { [me = fixture.me] in
                    try $0.unlock(with: me, requiring: noted)
                }
                _ = try DatabaseQueue(path: fixture.path, configuration: configuration)
            },
        ] as [() throws -> Void] {
            #expect(code(work) == .foreign)
            #expect(try fixture.bytes() == loot.bothBytes)
        }
        try lastFile.write(to: URL(filePath: fixture.path))
        #expect(try fixture.note(fixture.me) != nil)
    }

    @Test(
        "A restored copy with an older key does not give the present authority", .proves("KSL-047"))
    func restoredCopy() throws {
        let loot = try rotated()
        let key = try #require(loot.old.newest)
        let today = try fixture.keyring()
        let noted = Keyring.Requirements(authority: today.authority)
        let path = fixture.folder.path(of: "restored.db")
        try loot.oldFile.write(to: URL(filePath: path))
        try Keyring(stored: fixture.bytes(), at: "stored", for: path)
            .put(key: key.identifier, unlockingWith: fixture.me, overwrite: false)
        let restored = try Keyring(of: path)
        _ = try restored.unlock(with: fixture.me)
        #expect(try restored.unlocked(with: fixture.me).vouching == .earlier)
        // By the old key, the authority of the copy, and no other.
        let generation = try #require(restored.content.generations.last)
        for entry in restored.content.authorities.dropLast() {
            let seed = try key.openAuthority(
                generation.authority, publicKey: entry.public, keyring: loot.old.identity)
            let isClosed = seed == nil
            #expect(isClosed)
        }
        #expect(today.succeeds(today) && !restored.succeeds(today))
        // Put in the place of today's, it does not count for whoever noted that one's authority.
        try fixture.put(restored.text.bytes)
        try loot.oldFile.write(to: URL(filePath: fixture.path))
        #expect(
            code { _ = try fixture.keyring().unlock(with: fixture.me, requiring: noted) }
                == .foreign)
        // The mark is signed: without it, the chain is broken.
        var content = restored.content
        content.authorities[content.authorities.count - 1].restored = nil
        let own = try SigningKey(
            seed: restored.open(with: fixture.me).authoritySeed())
        #expect(
            code {
                try fixture.put(KeyringText(signing: content, with: own).bytes);
                _ = try fixture.keyring()
            } == .damaged)
    }

    @Test(
        "A key file that was the database's key is a way in only if nobody else can read it",
        .proves("KSL-047"))
    func keyOfDatabase() throws {
        let folder = fixture.folder
        let key = try CipherKey.generated()
        let path = folder.path(of: "other.db")
        try DatabaseQueue(path: path, key: key).write { try $0.execute(sql: "CREATE TABLE t (a)") }
        func create(keepingKey keepsKey: Bool, alone: Bool = true) throws {
            try Keyring.create(for: DatabaseFile(path: path, key: key), keepingKey: keepsKey) {
                try $0.addKeyFile(key, name: "file")
                if !alone { try $0.addPassphrase("x", name: "x", work: KeyringFixture.work) }
            }
        }
        for keepsKey in [true, false] {
            #expect(code { try create(keepingKey: keepsKey, alone: false) } == .invalid)
        }
        #expect(try !Keyring.exists(for: path))
        // As long as it is the database's, nobody else is let in.
        try create(keepingKey: true)
        #expect(
            code {
                try Keyring(of: path).change(unlockingWith: .key(key)) {
                    try $0.addPassphrase("x", name: "x", work: KeyringFixture.work)
                }
            } == .invalid)
        try FileManager.default.removeItem(atPath: path + "-keyring")
        try create(keepingKey: false)
        // The keyring has forgotten it: another who opens it does not learn it.
        #expect(try Keyring(of: path).keys[0].previous.isEmpty)
        try Keyring(of: path).change(unlockingWith: .key(key)) {
            try $0.addPassphrase("first", name: "me", work: KeyringFixture.work)
        }
        let me = Unlocker.passphrase("first")
        let all = try Keyring(of: path).allKeys(unlockingWith: me)
        #expect(all.count == 1 && !all[0].text.contains(key.text.dropFirst(2).dropLast()))
        // A retired one is none, now or later.
        let present = try Keyring(of: path).unlock(with: me).text
        let digits = String(present.dropFirst(2).prefix(64))
        let raw = try CipherKey(rawKey: Data(#require(Hexadecimal.bytes(digits))))
        for _ in 1...2 {
            for isSealed in [false, true] {
                #expect(
                    code {
                        try Keyring(of: path).change(unlockingWith: me) {
                            try $0.addKeyFile(raw, name: "other", isSealed: isSealed)
                        }
                    } == .invalid)
            }
            try Keyring(of: path).rotate(unlockingWith: me)
        }
        _ = try Keyring(of: path).unlock(with: .key(key))
    }

    @Test(
        "Whoever is let in by an earlier vouch gives no better one to a new slot",
        .proves("KSL-047"))
    func newSlotOfEarlier() throws {
        let code = try RecoveryCode.generated()
        try fixture.keyring().change(unlockingWith: fixture.me) {
            try $0.addRecoveryCode(code, name: "paper")
        }
        try fixture.keyring().rotate(unlockingWith: .recoveryCode(code))
        #expect(try fixture.keyring().unlocked(with: fixture.me).vouching == .earlier)
        try fixture.keyring().change(unlockingWith: fixture.me) { change in
            try change.remove("me")
            try change.addPassphrase("new", name: "me", work: KeyringFixture.work)
        }
        #expect(try fixture.keyring().unlocked(with: .passphrase("new")).vouching == .earlier)
        #expect(try fixture.keyring().unlocked(with: .recoveryCode(code)).vouching == .present)
        try fixture.keyring().rotate(unlockingWith: .passphrase("new"))
        #expect(try fixture.note(.passphrase("new")) != nil)
    }

    @Test("A slot that wraps for somebody else is found by its holder", .proves("KSL-047"))
    func alteredSlot() throws {
        let open = try fixture.keyring().open(with: fixture.me)
        let thief = try AgeIdentity.generated()
        var content = open.content
        let index = try #require(content.slots.firstIndex { $0.name == "me" })
        content.slots[index].recipient = thief.recipient
        let wrap = try content.slots[index].wrap(try #require(open.newest), with: nil)
        content.generations[0].wraps[content.slots[index].id] = Base64.text(wrap)
        let authority = try SigningKey(seed: open.authoritySeed())
        try fixture.put(KeyringText(signing: content, with: authority).bytes)
        #expect(unlockCode(fixture.me) == .foreign)
        // Two slots for one recipient are no keyring.
        var doubled = open.content
        let other = try #require(doubled.slots.firstIndex { $0.kind == .recipient })
        doubled.slots[index].recipient = doubled.slots[other].recipient
        #expect(!doubled.isPossible)
    }

    @Test(
        "What was put back between a removal and the rotation stops the rotation",
        .proves("KSL-047"))
    func putBackBeforeRotation() throws {
        try fixture.keyring().change(unlockingWith: fixture.me) {
            try $0.addPassphrase("his", name: "ben", work: KeyringFixture.work)
        }
        let before = try fixture.bytes()
        let removed = try fixture.keyring().change(unlockingWith: fixture.me) {
            try $0.remove("ben")
        }
        try fixture.put(before)
        #expect(code { _ = try removed.rotateUnchanged(unlockingWith: fixture.me) } == .foreign)
        #expect(try fixture.bytes() == before)
        try fixture.put(removed.text.bytes)
        _ = try removed.rotateUnchanged(unlockingWith: fixture.me)
        #expect(unlockCode(.passphrase("his")) == .wrongKey)
    }

    @Test(
        "A keyring from before the rotation is not changed as if it were today's", .proves("OPR-87")
    )
    func olderKeyringIsNotChanged() throws {
        let before = try fixture.bytes()
        try fixture.keyring().rotate(unlockingWith: fixture.me)
        try fixture.put(before)
        for work in [
            {
                try fixture.keyring().change(unlockingWith: fixture.me) {
                    try $0.addPassphrase("x", name: "x", work: KeyringFixture.work)
                }
            },
            { try fixture.keyring().change(unlockingWith: fixture.me) { try $0.remove("file") } },
            { try fixture.keyring().vouch(unlockingWith: fixture.me) },
            { try fixture.keyring().repair(unlockingWith: fixture.me) },
            {
                try fixture.keyring().forgetKeys(unlockingWith: fixture.me) { _, _ in true }
            },
        ] as [() throws -> Void] {
            #expect(code(work) == .foreign)
            #expect(try fixture.bytes() == before)
        }
    }

    @Test("No retired key is dropped for want of room", .proves("OPR-87"))
    func fullOfRetiredKeys() throws {
        let open = try fixture.keyring().open(with: fixture.me)
        let newest = try #require(open.newest)
        var content = open.content
        content.generations[0].previous = try (0..<512).map { _ in
            let key = try DatabaseKey.generated(.version(.v4), salt: nil)
            return KeyringContent.RetiredKey(
                key: key.identifier, cipher: key.stored, created: content.written,
                retired: content.written,
                wrapped: Base64.text(try key.sealed(under: newest, keyring: open.identity)))
        }
        let authority = try SigningKey(seed: open.authoritySeed())
        func put(_ count: Int) throws {
            var content = content
            content.generations[0].previous.removeLast(512 - count)
            try fixture.put(KeyringText(signing: content, with: authority).bytes)
        }
        try put(511)
        #expect(
            try fixture.keyring().rotate(unlockingWith: fixture.me).keys[0].previous.count == 512)
        let full = try fixture.bytes()
        #expect(code { try fixture.keyring().rotate(unlockingWith: fixture.me) } == .failed)
        #expect(try fixture.bytes() == full)
        #expect(try fixture.note(fixture.me) != nil)
        try fixture.keyring().forgetKeys(unlockingWith: fixture.me) { _, _ in true }
        try fixture.keyring().rotate(unlockingWith: fixture.me)
    }
}
