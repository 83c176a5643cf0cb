import Foundation
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

/// Somebody who may write the file of a keyring, and has no secret of it.
struct Forger {
    let fixture: KeyringFixture
    let own: SigningKey
    private let seed: SharedSecret

    init(_ fixture: KeyringFixture) throws {
        self.fixture = fixture
        seed = SharedSecret(SecretBytes.random(count: 32) ?? SecretBytes())
        own = try SigningKey(seed: seed.bytes)
    }

    /// Writes a content with a signature of his own, which is right.
    ///
    /// - Parameter announcing: Whether the content says that he is the authority.
    func put(_ content: KeyringContent, announcing: Bool = true) throws {
        var content = content
        if announcing { content.authorities = [.init(public: own.publicKey.hexadecimal, by: nil)] }
        try fixture.put(KeyringText(signing: content, with: own).bytes)
    }

    /// A keyring for the same slots over a key that he knows, and his own authority.
    func trap(for content: KeyringContent) throws -> (content: KeyringContent, key: DatabaseKey) {
        var content = content
        let key = try DatabaseKey.generated(.version(.v4), salt: nil)
        let keyring = Hexadecimal.bytes(content.keyring) ?? []
        content.authorities = [.init(public: own.publicKey.hexadecimal, by: nil)]
        var wraps: [String: String] = [:]
        for slot in content.slots { wraps[slot.id] = Base64.text(try slot.wrap(key, with: nil)) }
        content.generations = [
            .init(
                key: key.identifier, cipher: key.stored, created: content.written, origin: .new,
                wraps: wraps,
                authority: Base64.text(
                    try key.sealAuthority(
                        seed.bytes, publicKey: own.publicKey, keyring: keyring)),
                previous: [])
        ]
        return (content, key)
    }

    /// Puts a database of his own in the place of the genuine one.
    func putDatabase(_ key: DatabaseKey) throws {
        try FileManager.default.removeItem(atPath: fixture.path)
        let queue = try DatabaseQueue(path: fixture.path, key: key.cipherKey)
        try queue.write {
            try $0.execute(sql: "CREATE TABLE note AS SELECT 'the forger''s' AS text")
        }
        try queue.close()
    }
}

extension DatabaseQueue {
    convenience init(path: String, key: CipherKey) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in try db.useKey(key) }
        try self.init(path: path, configuration: configuration)
    }
}

/// The code of the error that a body throws; nil if it throws none.
func code(_ body: () throws -> Void) -> KeyringError.Code? {
    do {
        try body()
        return nil
    } catch let error as KeyringError {
        return error.code
    } catch {
        Issue.record("\(error)")
        return nil
    }
}

extension SharedSecret {
    /// The seed of an authority.
    static func randomSeed() -> SharedSecret {
        var bytes = SecretBytes(capacity: 32)
        for _ in 0..<32 { bytes.append(.random(in: .min ... .max)) }
        return SharedSecret(bytes)
    }
}
