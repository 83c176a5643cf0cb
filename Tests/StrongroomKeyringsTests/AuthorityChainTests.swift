import Foundation
import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

/// Keyrings that were rotated often.
@Suite struct AuthorityChainTests {
    private let fixture: KeyringFixture

    init() throws {
        fixture = try KeyringFixture()
    }

    /// A keyring that was rotated so often, as far as its authorities go.
    private func putAuthorities(_ count: Int) throws {
        let open = try fixture.keyring().open(with: fixture.me)
        var content = open.content
        var last = SharedSecret(try open.authoritySeed())
        while content.authorities.count < count {
            let next = SharedSecret.randomSeed()
            let key = try SigningKey(seed: next.bytes).publicKey
            let text = KeyringText.authorityText(key, keyring: content.keyring)
            let by = try SigningKey(seed: last.bytes).signature(of: text)
            content.authorities.append(.init(public: key.hexadecimal, by: Hexadecimal.text(by)))
            last = next
        }
        let authority = try SigningKey(seed: last.bytes)
        content.generations[0].authority = Base64.text(
            try #require(open.newest).sealAuthority(
                last.bytes, publicKey: authority.publicKey, keyring: open.identity))
        try fixture.put(KeyringText(signing: content, with: authority).bytes)
    }

    @Test(
        "No number of rotations locks out a code that lies in a drawer",
        .proves("KSL-046", "RCV-004"))
    func manyAuthorities() throws {
        let code = try #require(RecoveryCode("HWD9-28YD-SASH-LA2V-MUUY-7ASV-XQ4L-5SND"))
        try fixture.create { try $0.addRecoveryCode(code) }
        try putAuthorities(1023)
        try fixture.keyring().vouch(unlockingWith: fixture.me)
        let last = try fixture.keyring().rotate(unlockingWith: fixture.me)
        #expect(last.content.authorities.count == 1024)
        #expect(try last.unlocked(with: .recoveryCode(code)).vouching == .earlier)
        // Nobody is left behind unasked.
        let before = try fixture.bytes()
        let error = #expect(throws: KeyringError.self) {
            try fixture.keyring().rotate(unlockingWith: fixture.me)
        }
        #expect(error?.message.contains("recovery") == true)
        #expect(try fixture.bytes() == before)
        try fixture.keyring().vouch(unlockingWith: .recoveryCode(code))
        let next = try fixture.keyring().rotate(unlockingWith: fixture.me)
        // What no vouch needs goes, but for those that readers may have noted.
        #expect(next.content.authorities.count == 64)
        #expect(try next.unlocked(with: .recoveryCode(code)).vouching == .earlier)
        #expect(try fixture.note(.recoveryCode(code)) != nil)
    }

    @Test("Real rotations, more than there were authorities once", .proves("KSL-046"))
    func seventyRotations() throws {
        let code = try #require(RecoveryCode("HWD9-28YD-SASH-LA2V-MUUY-7ASV-XQ4L-5SND"))
        let key = try CipherKey.generated()
        try fixture.create { change in
            try change.addRecoveryCode(code)
            try change.addKeyFile(key, name: "file")
        }
        for _ in 0..<70 { try fixture.keyring().rotate(unlockingWith: .key(key)) }
        #expect(try fixture.keyring().keys[0].previous.count == 70)
        for unlocker in [.recoveryCode(code), fixture.me] {
            #expect(try fixture.note(unlocker) != nil)
        }
    }
}
