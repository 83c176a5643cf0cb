import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

/// Whether Python has the library that the decoder needs; where it has not, the tests are skipped by name.
let hasCryptography =
    (try? Subprocess.run("python3", ["-c", "import cryptography"]).isSuccess) ?? false

/// A second implementation, written from `KeyringFormat.md` alone, reads what the library writes.
@Suite("Keyrings without Strongroom", .enabled(if: hasCryptography), .proves("KSL-003"))
struct UnlockScriptTests {
    let fixture: KeyringFixture
    let identity: AgeIdentity
    let code: RecoveryCode

    init() throws {
        fixture = try KeyringFixture()
        identity = try AgeIdentity.generated()
        code = try RecoveryCode.generated()
        let (recipient, code) = (identity.recipient, code)
        try fixture.create { change in
            try change.addKeyFile(CipherKey(rawKey: Data(repeating: 7, count: 32)), name: "file")
            try change.addRecoveryCode(code, name: "paper")
            try change.addRecipient(recipient, name: "ops")
            try change.addCommand(name: "kms") { Data($0.map { $0 ^ 0x55 }) }
            try change.addPassphrase("sealed", name: "sealed", work: 14, isSealed: true)
        }
    }

    private func run(_ arguments: [String]) throws -> Subprocess.Result {
        try Subprocess.run(
            "python3",
            [PackageFiles.path(of: "Tests/Decoder/unlock.py"), fixture.keyringPath] + arguments)
    }

    /// A secret for each kind of slot, as the script takes it.
    private func secrets() throws -> [[String]] {
        let text = identity.text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        let blob = try #require(try fixture.keyring().content.slots.first { $0.blob != nil }?.blob)
        let seed = try #require(Data(base64Encoded: blob)).map { $0 ^ 0x55 }
        let raw = String(repeating: "07", count: 32)
        return [
            [
                "--passphrase-file",
                try fixture.folder.write(fixture.passphrase + "\n", to: "p.txt"),
            ],
            ["--key-file", try fixture.folder.write("x'\(raw)'\n", to: "k.txt")],
            ["--code", code.text.lowercased()],
            ["--identity", try fixture.folder.write("# ops\n\(text)\n", to: "i.txt")],
            ["--seed-hex", seed.map { String(format: "%02x", $0) }.joined()],
            ["--passphrase-file", try fixture.folder.write("sealed", to: "s.txt")],
        ]
    }

    private func requireKey(_ arguments: [String]) throws {
        let key = try fixture.keyring().unlock(with: fixture.me).text
        let result = try run(arguments + ["--database", fixture.path])
        #expect(result.isSuccess, "\(arguments): \(result.errorText)")
        #expect(result.outputText == key + "\n", "\(arguments)")
        let shell = SQLCipherShell(
            path: fixture.path,
            key: .content(String(result.outputText.dropLast())))
        #expect(try shell.cell("SELECT text FROM note") == .text("a secret that only keys show"))
    }

    @Test("open by every kind of slot, also after rotations")
    func kinds() throws {
        for secret in try secrets() { try requireKey(secret) }
        try fixture.keyring().rotate(unlockingWith: fixture.me, droppingSealed: true)
        try fixture.keyring().rotate(unlockingWith: .recoveryCode(code))
        for secret in try secrets().dropLast() { try requireKey(secret) }
        let list = try run(["--list"])
        #expect(list.isSuccess && list.outputText.contains("passphrase"), "\(list.errorText)")
    }

    @Test("and stock age unwraps what is in a slot", .proves("KSL-002"))
    func stockAge() throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/age") else { return }
        let key = try fixture.keyring().unlock(with: fixture.me).text
        for (name, secret) in zip(["me", "file", "paper", "ops", "kms"], try secrets()) {
            let wrap = try fixture.folder.write(run(["--wrap", name]).output, to: "wrap.age")
            let identity = try run(secret + ["--identity-of"])
            let path = try fixture.folder.write(identity.output, to: "identity.txt")
            let result = try Subprocess.run("age", ["-d", "-i", path, wrap])
            #expect(result.outputText == key + "\n", "\(name): \(result.errorText)")
        }
    }

    @Test("are refused by both alike: wrong, damaged, forged, older")
    func refused() throws {
        let secrets = try secrets()
        #expect(try run(["--code", RecoveryCode.generated().text]).status == .exited(12))
        let genuine = try fixture.bytes()
        var changed = genuine
        changed[200] ^= 1
        try fixture.put(changed)
        #expect(try run(secrets[0]).status == .exited(13))
        let forger = try Forger(fixture)
        try fixture.put(genuine)
        try fixture.keyring().change(unlockingWith: fixture.me) { try $0.remove("sealed") }
        let present = try fixture.bytes()
        try forger.put(forger.trap(for: fixture.keyring().content).content)
        for secret in secrets[...4] where secret[0] != "--identity" {
            #expect(try run(secret).status == .exited(20), "\(secret)")
        }
        let vouched = secrets[3] + ["--require-vouch"]
        #expect(try run(vouched).status == .exited(20))
        try fixture.put(present)
        let old = try Data(contentsOf: URL(filePath: fixture.path))
        try fixture.keyring().rotate(unlockingWith: fixture.me)
        try old.write(to: URL(filePath: fixture.path))
        #expect(
            try run(secrets[0] + ["--database", fixture.path]).status == .exited(21))
    }
}
