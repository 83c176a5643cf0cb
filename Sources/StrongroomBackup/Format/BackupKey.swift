import Strongroom

/// What can vouch for backups of one key, and decrypt nothing: the key of SQLCipher's HMACs.
final class BackupKey: Sendable {
    let bytes: SecretBytes
    /// Tells keys apart, and tells nothing of them: an HMAC of a fixed text.
    let identifier: String
    private let sealing: SecretBytes

    init(_ bytes: consuming SecretBytes) throws {
        identifier = String(
            try Self.derive(bytes, "strongroom-backup-1 key identifier").hexadecimal.prefix(32))
        let seal = try Self.derive(bytes, "strongroom-backup-1 manifest")
        var sealing = SecretBytes(capacity: ContentDigest.byteCount)
        seal.withUnsafeBytes { sealing.append($0) }
        self.sealing = sealing
        self.bytes = bytes
    }

    convenience init(_ key: PageKey) throws {
        try self.init(try key.verificationKey())
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
}
