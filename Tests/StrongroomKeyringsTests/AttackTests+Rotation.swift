import Foundation
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

/// What somebody can do who had the key before a rotation, and has seen the keyring with both keys.
extension AttackTests {
    /// Everything that he has.
    struct Loot {
        /// Of before the rotation, opened: the key and the authority.
        let old: OpenKeyring
        let oldFile: Data
        /// The keyring with both keys, and the one after the rotation.
        let both: KeyringContent
        let bothBytes: [UInt8]
        let last: KeyringContent
        let lastFile: Data

        var authority: SigningKey {
            get throws { try SigningKey(seed: old.authoritySeed()) }
        }
    }

    func rotated() throws -> Loot {
        let old = try fixture.keyring().open(with: fixture.me)
        let oldFile = try Data(contentsOf: URL(filePath: fixture.path))
        var bytes: [UInt8] = []
        _ = try KeyringRotation(old, fixture.keyring().file).run { database, _, new in
            bytes = try fixture.bytes()
            try database.rotateKey(to: new)
        }
        return Loot(
            old: old, oldFile: oldFile, both: try KeyringText(bytes, path: "").content,
            bothBytes: bytes, last: try content(),
            lastFile: try Data(contentsOf: URL(filePath: fixture.path)))
    }

    @Test(
        "His own slot in a keyring of the present key, signed by the earlier authority",
        .proves("KSL-045"))
    func slotByEarlierAuthority() throws {
        let loot = try rotated()
        let own = try AgeIdentity.generated()
        for source in [loot.both, loot.last] {
            guard let generation = source.generations.last else { continue }
            for sealed in Set([loot.both, loot.last].flatMap { $0.generations.map(\.authority) }) {
                var content = source
                content.generations = [generation]
                content.generations[0].authority = sealed
                content.authorities = loot.old.content.authorities
                var slot = try #require(content.slots.first { $0.kind == .recipient })
                let copied = content.generations[0].wraps[slot.id]
                slot.id = "00000000"
                slot.name = "his"
                slot.recipient = own.recipient
                slot.vouch = nil
                slot.authority = nil
                content.slots.insert(slot, at: 0)
                content.generations[0].wraps[slot.id] = copied
                try fixture.put(KeyringText(signing: content, with: loot.authority).bytes)
                let code = unlockCode(fixture.me)
                #expect(code == .damaged || code == .foreign)
            }
        }
    }

    @Test("The keyring with both keys, put back with the old file", .proves("KSL-045"))
    func rolledBackRotation() throws {
        let loot = try rotated()
        try fixture.put(loot.bothBytes)
        try loot.oldFile.write(to: URL(filePath: fixture.path))
        // The genuine owner makes the best of it. What he writes is open to the old key.
        let repaired = try fixture.keyring().repair(unlockingWith: fixture.me)
        #expect(!repaired.isChangingKey)
        #expect(!repaired.keys[0].previous.contains(loot.last.generations[0].key))
        let key = try #require(loot.old.newest)
        let seed = try key.openAuthority(
            repaired.content.generations[0].authority,
            publicKey: try #require(loot.last.authorities.last).public, keyring: loot.old.identity)
        let isClosed = seed == nil
        #expect(isClosed)
        #expect(repaired.authority == Keyring.text(ofAuthority: loot.old.content.authorities.last))
        #expect(try fixture.note(fixture.me) != nil)
        // And the next rotation brings a key that neither was.
        let next = try fixture.keyring().rotate(unlockingWith: fixture.me)
        #expect(next.keys[0].id != loot.last.generations[0].key)
    }

    @Test("The old key opens the keyring with both keys, and cannot sign it", .proves("KSL-045"))
    func oldKeyInBetween() throws {
        let loot = try rotated()
        try fixture.put(loot.bothBytes)
        try loot.oldFile.write(to: URL(filePath: fixture.path))
        let key = Unlocker.key(try #require(loot.old.newest).cipherKey)
        #expect(
            try fixture.keyring().unlock(with: key).isSame(as: #require(loot.old.newest).cipherKey))
        #expect(
            code {
                try fixture.keyring().change(unlockingWith: key) { try $0.rename("me", to: "x") }
            }
                == .wrongKey)
        // A holder of a slot has both, while the rotation is under way.
        #expect(try fixture.keyring().unlocked(with: fixture.me).vouching == .present)
    }
}
