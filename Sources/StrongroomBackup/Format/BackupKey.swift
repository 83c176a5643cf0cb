import StrongroomCore

/// What can vouch for backups of one key, and decrypt nothing: the key of SQLCipher's HMACs.
final class BackupKey: Sendable {
    let bytes: SecretBytes
    /// Tells keys apart, and tells nothing of them: an HMAC of a fixed text.
    let identifier: String
    /// What signs heads; nil for a key that can only vouch.
    let authority: SigningKey?
    private let sealing: SecretBytes
    private let headSealing: SecretBytes

    init(_ bytes: consuming SecretBytes, authority: SigningKey? = nil) throws {
        self.authority = authority
        identifier = try KeyIdentifier.text(ofVerificationKey: bytes)
        sealing = try Self.derive(bytes, "strongroom-backup-1 manifest").secretBytes
        headSealing = try Self.derive(bytes, "strongroom-backup-2 head").secretBytes
        self.bytes = bytes
    }

    convenience init(_ key: PageKey) throws {
        let seed = try key.secret(for: "strongroom-backup-2 authority")
        try self.init(try key.verificationKey(), authority: try SigningKey(seed: seed))
    }

    private static func derive(
        _ key: borrowing SecretBytes, _ purpose: String
    ) throws -> ContentDigest {
        let purpose = Array(purpose.utf8)
        return try key.withUnsafeBytes { key in
            try purpose.withUnsafeBytes { try ContentDigest.authentication(of: $0, key: key) }
        }
    }

    /// What vouches for a manifest.
    func seal(of content: [UInt8]) throws -> ContentDigest {
        try sealing.withUnsafeBytes { key in
            try content.withUnsafeBytes { try ContentDigest.authentication(of: $0, key: key) }
        }
    }

    /// What vouches for a head.
    func headSeal(of content: [UInt8]) throws -> ContentDigest {
        try headSealing.withUnsafeBytes { key in
            try content.withUnsafeBytes { try ContentDigest.authentication(of: $0, key: key) }
        }
    }
}
