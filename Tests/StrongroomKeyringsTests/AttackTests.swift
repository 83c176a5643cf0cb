import Foundation
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

/// What somebody can do who may write the files, and has no secret.
@Suite("Forged keyrings", .proves("KSL-015"))
struct AttackTests {
    let fixture: KeyringFixture
    let forger: Forger
    let identity: AgeIdentity

    init() throws {
        fixture = try KeyringFixture()
        identity = try AgeIdentity.generated()
        let recipient = identity.recipient
        let raw = try CipherKey(rawKey: Data(repeating: 7, count: 32))
        let code = try #require(RecoveryCode("HWD9-28YD-SASH-LA2V-MUUY-7ASV-XQ4L-5SND"))
        try fixture.create { change in
            try change.addKeyFile(raw, name: "file")
            try change.addRecoveryCode(code)
            try change.addRecipient(recipient, name: "ops")
            try change.addCommand(name: "kms") { Data($0.map { $0 ^ 0x55 }) }
        }
        forger = try Forger(fixture)
    }

    /// A secret for a slot of each kind.
    private var unlockers: [Unlocker] {
        get throws {
            let code = try #require(RecoveryCode("HWD9-28YD-SASH-LA2V-MUUY-7ASV-XQ4L-5SND"))
            let text = identity.text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            return [
                fixture.me, .key(try CipherKey(rawKey: Data(repeating: 7, count: 32))),
                .recoveryCode(code), .command { Data($0.map { $0 ^ 0x55 }) },
                try .identity(text),
            ]
        }
    }

    func content() throws -> KeyringContent { try fixture.keyring().content }

    func unlockCode(_ unlocker: Unlocker) -> KeyringError.Code? {
        code { _ = try fixture.keyring().unlock(with: unlocker) }
    }

    @Test("Each kind of secret opens the genuine one", .proves("KSL-010"))
    func genuine() throws {
        for unlocker in try unlockers {
            #expect(try fixture.note(unlocker) == "a secret that only keys show")
        }
    }

    @Test("A byte flipped is refused before a secret is asked for", .proves("KSL-004"))
    func flipped() throws {
        let bytes = try fixture.bytes()
        // The signature covers all of them alike: some of each member are enough.
        for index in stride(from: 0, to: bytes.count, by: 13) {
            var changed = bytes
            changed[index] ^= index.isMultiple(of: 2) ? 1 : 0x20
            try fixture.put(changed)
            let code = code { _ = try fixture.keyring() }
            #expect(
                code == .damaged || code == .unsupportedFormat,
                "\(index): \(String(describing: code))")
        }
    }

    @Test("Cut off, longer, empty, and random bytes are refused", .proves("KSL-001"))
    func otherBytes() throws {
        let bytes = try fixture.bytes()
        var random = SeededGenerator(seed: 3)
        let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let large = [UInt8](repeating: UInt8(ascii: "a"), count: 2 << 20)
        for other in [[], [0], Array(bytes.dropLast()), bytes + [10], noise, large] {
            try fixture.put(other)
            #expect(code { _ = try fixture.keyring() } == .damaged)
        }
    }

    @Test("A slot removed, or any member changed, without a new signature")
    func slotRemoved() throws {
        var content = try content()
        let line = try fixture.bytes()
        let signature = try #require(line.split(separator: 10).last)
        content.slots.removeLast()
        content.generations[0].wraps = content.generations[0].wraps.filter { wrap in
            content.slots.contains { $0.id == wrap.key }
        }
        let json = try JSONEncoder.sorted.encode(content)
        try fixture.put([UInt8](json) + [10] + signature + [10])
        #expect(code { _ = try fixture.keyring() } == .damaged)
    }

    @Test("Signed by somebody else: damaged if he is not announced, foreign if he is")
    func signedAgain() throws {
        let genuine = try content()
        try forger.put(genuine, announcing: false)
        #expect(code { _ = try fixture.keyring() } == .damaged)
        try forger.put(genuine)
        // He has not the key, under which the seed of the authority is sealed.
        for unlocker in try unlockers {
            #expect([.foreign, .damaged].contains(unlockCode(unlocker)))
        }
    }

    @Test(
        "The trap: his keyring and his database, for the same slots",
        .proves("KSL-006", "KSL-007", "KSL-008"))
    func trap() throws {
        let genuine = try content()
        let (trap, key) = try forger.trap(for: genuine)
        try forger.put(trap)
        try forger.putDatabase(key)
        for unlocker in try unlockers.dropLast() {
            #expect(unlockCode(unlocker) == .foreign)
            #expect(code { _ = try fixture.note(unlocker) } == .foreign)
        }
        // Without vouches no reader takes it for a keyring.
        var bare = trap
        for index in bare.slots.indices {
            bare.slots[index].vouch = nil
            bare.slots[index].authority = nil
        }
        #expect(throws: KeyringError.self) { try forger.put(bare) }
        // As recipients, which need none: those kinds are not tried.
        for index in bare.slots.indices {
            bare.slots[index].kind = .recipient
            bare.slots[index].kdf = nil
            bare.slots[index].blob = nil
        }
        try forger.put(bare)
        for unlocker in try unlockers.dropLast() { #expect(unlockCode(unlocker) == .wrongKey) }
        // The holder of an identity who has never opened it before is the only one whom it deceives,
        // and he is told so.
        let identity = try #require(try unlockers.last)
        let unlocked = try fixture.keyring().unlocked(with: identity)
        #expect(unlocked.vouching == .missing)
        let requirements = [
            Keyring.Requirements(vouch: true),
            Keyring.Requirements(authority: Keyring.text(ofAuthority: genuine.authorities[0])),
        ]
        for requirement in requirements {
            let code = code {
                _ = try fixture.keyring().unlock(with: identity, requiring: requirement)
            }
            #expect(code == .foreign)
        }
    }

    @Test(
        "Whoever can wrap for a command chooses its secret: such a slot vouches for nothing",
        .proves("KSL-006"))
    func commandOfHisOwn() throws {
        let folder = try KeyringFixture()
        try Keyring.create(forNew: folder.path) { change in
            try change.addCommand(name: "kms") { Data($0.map { $0 ^ 0x55 }) }
        }
        let (keyring, command) = (
            try folder.keyring(), Unlocker.command { Data($0.map { $0 ^ 0x55 }) }
        )
        #expect(try keyring.unlocked(with: command).vouching == .missing)
        #expect(
            code { _ = try keyring.unlock(with: command, requiring: .init(vouch: true)) }
                == .foreign)
        _ = try keyring.unlock(
            with: command, requiring: .init(authority: keyring.authority, vouch: true))
    }

    @Test(
        "A holder who was removed has the earlier authority, and neither the next key nor the present one",
        .proves("KSL-045", "KSL-046"))
    func removedHolder() throws {
        let old = try fixture.keyring().open(with: fixture.me)
        let oldSeed = SharedSecret(try old.authoritySeed())
        try fixture.keyring().rotate(unlockingWith: fixture.me)
        let present = try fixture.keyring()
        #expect(present.authority != Keyring.text(ofAuthority: old.content.authorities.last))
        // He cannot sign what stands there now, with a slot of his own in it.
        let identity = try AgeIdentity.generated()
        var content = present.content
        content.slots[0].recipient = identity.recipient
        let line = [UInt8](try JSONEncoder.sorted.encode(content))
        let signature = Hexadecimal.text(
            try SigningKey(seed: oldSeed.bytes).signature(of: line))
        try fixture.put(line + Array("\ned25519 \(signature)\n".utf8))
        #expect(code { _ = try fixture.keyring() } == .damaged)
        // He can go on from the earlier authority: to whoever has noted the present one, in vain.
        var (trap, key) = try forger.trap(for: old.content)
        trap.authorities = old.content.authorities
        trap.generations[0].authority = Base64.text(
            try key.sealAuthority(
                oldSeed.bytes, publicKey: SigningKey(seed: oldSeed.bytes).publicKey,
                keyring: old.identity))
        try fixture.put(KeyringText(signing: trap, with: SigningKey(seed: oldSeed.bytes)).bytes)
        try forger.putDatabase(key)
        #expect(try fixture.keyring().unlocked(with: fixture.me).vouching == .present)
        let noted = Keyring.Requirements(authority: present.authority)
        #expect(
            code { _ = try fixture.keyring().unlock(with: fixture.me, requiring: noted) }
                == .foreign)
    }

    @Test("His authority, introduced to the genuine one by a signature of his own")
    func forgedChain() throws {
        var content = try content()
        let text = KeyringText.authorityText(forger.own.publicKey, keyring: content.keyring)
        let by = Hexadecimal.text(try forger.own.signature(of: text))
        content.authorities.append(.init(public: forger.own.publicKey.hexadecimal, by: by))
        try forger.put(content, announcing: false)
        #expect(code { _ = try fixture.keyring() } == .damaged)
        // In front of the genuine one: the last one has to sign.
        content.authorities = [
            .init(public: forger.own.publicKey.hexadecimal, by: nil),
            .init(public: content.authorities[0].public, by: by),
        ]
        try forger.put(content, announcing: false)
        #expect(code { _ = try fixture.keyring() } == .damaged)
    }

    @Test("An older revision put back opens, and its revision tells")
    func older() throws {
        let old = try fixture.bytes()
        try fixture.keyring().change(unlockingWith: fixture.me) { try $0.remove("kms") }
        let revision = try fixture.keyring().revision
        try fixture.put(old)
        #expect(try fixture.note(fixture.me) != nil)
        #expect(try fixture.keyring().revision == revision - 1)
    }

    @Test("The keyring of another database with the same passphrase", .proves("KSL-005"))
    func otherDatabase() throws {
        let other = try KeyringFixture()
        try other.create()
        try fixture.put(other.bytes())
        #expect(unlockCode(fixture.me) == .foreign)
        let error = #expect(throws: DatabaseError.self) { try fixture.note(fixture.me) }
        #expect(error?.resultCode == .SQLITE_NOTADB)
        #expect(
            error?.message?.contains("another database's") == true, "\(String(describing: error))")
    }

    @Test("A file from before a rotation, with the keyring from after it", .proves("KSL-014"))
    func olderFile() throws {
        let old = try Data(contentsOf: URL(filePath: fixture.path))
        try fixture.keyring().rotate(unlockingWith: fixture.me)
        try old.write(to: URL(filePath: fixture.path))
        #expect(unlockCode(fixture.me) == .outdated)
        let error = #expect(throws: DatabaseError.self) { try fixture.note(fixture.me) }
        #expect(error?.message?.contains("is older than") == true, "\(String(describing: error))")
    }

    @Test("Two generations, one of them made up", .proves("KSL-013"))
    func madeUpGeneration() throws {
        var content = try content()
        let (trap, _) = try forger.trap(for: content)
        content.generations.append(trap.generations[0])
        #expect(throws: KeyringError.self) { try forger.put(content) }
        content.generations[1].previous = [
            .init(
                key: content.generations[0].key, cipher: content.generations[0].cipher,
                created: content.written, retired: content.written,
                wrapped: Base64.text([UInt8](repeating: 0, count: 64)))
        ]
        // Each of two keys has its own authority.
        #expect(throws: KeyringError.self) { try forger.put(content) }
        let other = try SigningKey(seed: SharedSecret.randomSeed().bytes)
        content.authorities = [
            .init(public: other.publicKey.hexadecimal, by: nil),
            .init(
                public: forger.own.publicKey.hexadecimal,
                by: Hexadecimal.text(
                    try other.signature(
                        of: KeyringText.authorityText(
                            forger.own.publicKey, keyring: content.keyring)))),
        ]
        try forger.put(content, announcing: false)
        for unlocker in try unlockers.dropLast() { #expect(unlockCode(unlocker) == .foreign) }
    }

    @Test("The wrap of one slot at another one, signed by the genuine authority")
    func exchangedWraps() throws {
        let open = try fixture.keyring().open(with: fixture.me)
        var content = open.content
        let (one, other) = (content.slots[0].id, content.slots[1].id)
        let wraps = content.generations[0].wraps
        content.generations[0].wraps[one] = wraps[other]
        content.generations[0].wraps[other] = wraps[one]
        let authority = try SigningKey(seed: open.authoritySeed())
        try fixture.put(KeyringText(signing: content, with: authority).bytes)
        let kinds = [content.slots[0].kind, content.slots[1].kind]
        for (kind, unlocker) in zip(
            [.passphrase, .keyFile, .recovery, .command, .recipient] as [SlotKind], try unlockers)
        {
            #expect(unlockCode(unlocker) == (kinds.contains(kind) ? .damaged : nil), "\(kind)")
        }
    }
}
