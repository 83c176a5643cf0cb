import Foundation
import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

@Suite("A keyring opens a database")
struct UnlockingTests {
    let fixture: KeyringFixture

    init() throws {
        fixture = try KeyringFixture()
    }

    @Test("by a passphrase, in the app and in the sqlcipher shell")
    func passphrase() throws {
        try fixture.create()
        #expect(try fixture.note(fixture.me) == "a secret that only keys show")
        let key = try fixture.keyring().unlock(with: fixture.me)
        #expect(key.form == .rawKeyAndSalt)
        #expect(try fixture.noteInShell(key) == .text("a secret that only keys show"))
        #expect(throws: KeyringError.self) {
            try fixture.keyring().unlock(with: .passphrase("another"))
        }
    }

    @Test("rotates")
    func rotation() throws {
        try fixture.create { try $0.addRecoveryCode(.generated()) }
        let old = try fixture.keyring().unlock(with: fixture.me)
        let keyring = try fixture.keyring().rotate(unlockingWith: fixture.me)
        #expect(!keyring.isChangingKey)
        let new = try keyring.unlock(with: fixture.me)
        #expect(new.text != old.text)
        #expect(try fixture.noteInShell(new) == .text("a secret that only keys show"))
        #expect(try fixture.note(fixture.me) == "a secret that only keys show")
        #expect(keyring.keys[0].previous.count == 1)
        let pool = try fixture.pool(fixture.me)
        let after = try pool.rotateKey(unlockingWith: fixture.me)
        #expect(!after.isChangingKey)
        #expect(try pool.read { try String.fetchOne($0, sql: "SELECT text FROM note") } != nil)
        #expect(throws: DatabaseFileError.self) {
            try pool.rotateKey(to: .generated())
        }
        try pool.close()
        #expect(try fixture.note(fixture.me) == "a secret that only keys show")
    }
}
