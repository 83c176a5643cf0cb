import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomCore
@testable import StrongroomKeyrings

/// A look through all memory of a process that has used a keyring.
@Suite("Secrets of keyrings in memory")
struct KeyringMemoryTests {
    @Test(
        "After its use, no secret of any kind is left, neither what was given nor what follows from it",
        .proves("KSL-011", "KSL-073"),
        .enabled(
            if: FileManager.default.fileExists(atPath: "/proc/self/mem"), "needs Linux's /proc"))
    func scan() async throws {
        let directory = try TemporaryDirectory()
        await scan(directory.path(of: "app.db"))
    }

    private func scan(_ path: String) async {
        await #expect(processExitsWith: .success) { [path] in
            let passphrase = MaskedBytes(count: 32, in: 97...122)
            let raw = MaskedBytes(count: 32, in: 1...255)
            let code = MaskedBytes(count: 16, in: 1...255)
            let identity = MaskedBytes(count: 32, in: 1...255)
            let command = MaskedBytes(count: 32, in: 1...255)
            var derived: [MaskedBytes] = []
            try KeyringMemoryTests.use(
                path, [passphrase, raw, code, identity, command], &derived)
            precondition(derived.count == 12, "\(derived.count)")
            for secret in [passphrase, raw, code, identity] + derived {
                precondition(MemoryScan().findings(of: secret).count == 0, "A secret is left")
            }
        }
    }

    private static func secret(_ masked: MaskedBytes) -> SharedSecret {
        masked.withClearBytes { SharedSecret(SecretBytes(copying: $0)) }
    }

    private static func use(
        _ path: String, _ secrets: [MaskedBytes], _ derived: inout [MaskedBytes]
    ) throws {
        let passphrase = try secrets[0].withClearBytes { try CipherKey(parsing: $0) }
        let salt = try CipherSalt.random()
        let raw = try secrets[1].withClearBytes { try CipherKey(rawKey: $0, salt: salt) }
        let rawOnly = try withRawText(raw) { try CipherKey(parsing: $0) }
        let code = withCode(secrets[2]) { RecoveryCode(bytes: $0) }
        let identity = try AgeIdentity(
            secret: { shared in shared.bytes.withUnsafeBytes { SecretBytes(copying: $0) } }(
                secret(secrets[3])))
        guard let code else { throw CancellationError() }
        try Keyring.create(forNew: path) { change in
            try change.addPassphrase(passphrase, name: "passphrase", work: 14)
            try change.addKeyFile(rawOnly, name: "file")
            try change.addRecoveryCode(code, name: "code")
            try change.addRecipient(identity.recipient, name: "ops")
            try change.addPassphrase(passphrase, name: "sealed", work: 14, isSealed: true)
        }
        precondition(MemoryScan().findings(of: secrets[0]).count > 0, "The scan is blind")
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.unlock(with: .parsing(passphrase)) }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
        let keyring = try Keyring(of: path)
        let unlockers: [Unlocker] = [
            .parsing(passphrase), .key(rawOnly), .recoveryCode(code),
            Unlocker(.identities([identity])),
        ]
        for unlocker in unlockers {
            let open = try keyring.open(with: unlocker)
            guard let key = open.newest, let slot = open.slot, let secret = open.secret else {
                throw CancellationError()
            }
            derived.append(try masked(secret.identity().secret))
            derived.append(try masked(open.authoritySeed()))
            if derived.count < 4 {
                derived.append(masked(key.fileText))
                derived.append(rawKey(key.cipherKey))
            }
            if slot.kind == .passphrase, let parameters = slot.kdf?.parameters {
                derived.append(
                    try secrets[0].withClearBytes { try masked(parameters.key(from: $0)) })
            }
        }
        // With the live rotation, and the change of what opens it.
        try pool.rotateKey(unlockingWith: .parsing(passphrase), droppingSealed: true)
        try Keyring(of: path).change(unlockingWith: .recoveryCode(code)) { try $0.remove("file") }
        let key = try Keyring(of: path).unlock(with: .recoveryCode(code))
        derived.append(rawKey(key))
        try pool.close()
    }

    private static func rawKey(_ key: CipherKey) -> MaskedBytes {
        key.withSQLCipherBytes { _ in masked(key.rawKey() ?? SecretBytes()) }
    }

    private static func masked(_ secret: borrowing SecretBytes) -> MaskedBytes {
        secret.withUnsafeBytes { MaskedBytes($0) }
    }

    private static func withRawText<R>(
        _ key: CipherKey, _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R {
        guard let raw = key.rawKey() else { throw CancellationError() }
        var text = SecretBytes()
        raw.withUnsafeBytes { RawKeyText.write(key: $0, salt: nil, to: &text) }
        return try text.withUnsafeBytes(body)
    }

    private static func withCode<R>(
        _ seed: MaskedBytes, _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        try seed.withClearBytes { seed in
            try Bech32.letters(seed, prefix: "srr", .modified).withUnsafeBytes(body)
        }
    }
}
