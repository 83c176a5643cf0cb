import StrongroomCore

/// An X25519 key as age has it: the private half is an identity, the public half a recipient.
/// <https://github.com/C2SP/C2SP/blob/main/age.md>
final class AgeIdentity: Sendable {
    static let recipientPrefix = "age"
    private static let identityPrefix = "age-secret-key-"

    /// The 32 bytes of the private half.
    let secret: SecretBytes
    let key: AgreementKey

    init(secret: consuming SecretBytes) throws {
        key = try AgreementKey(secret: secret)
        self.secret = secret
    }

    static func generated() throws -> AgeIdentity {
        guard let secret = SecretBytes.random(count: AgreementKey.byteCount) else {
            throw KeyringError.noRandomness
        }
        return try AgeIdentity(secret: secret)
    }

    /// Nil for a text that is no identity.
    convenience init?(_ text: UnsafeRawBufferPointer) throws {
        guard let secret = Bech32.bytes(of: text, prefix: Self.identityPrefix),
            secret.count == AgreementKey.byteCount
        else { return nil }
        try self.init(secret: secret)
    }

    /// `AGE-SECRET-KEY-1…`
    var text: SecretBytes {
        let text = secret.withUnsafeBytes { Bech32.text($0, prefix: Self.identityPrefix) }
        var upper = SecretBytes(capacity: text.count)
        text.withUnsafeBytes { text in
            for byte in text {
                let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                upper.append(isLower ? byte & 0xdf : byte)
            }
        }
        return upper
    }

    /// `age1…`
    var recipient: String { Self.recipient(of: key.publicKey) }

    static func recipient(of publicKey: [UInt8]) -> String {
        publicKey.withUnsafeBytes { bytes in
            Bech32.text(bytes, prefix: recipientPrefix)
                .withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The public key of `age1…`; nil for anything else.
    static func publicKey(ofRecipient text: String) -> [UInt8]? {
        SecretBytes(text).withUnsafeBytes { text in
            guard let bytes = Bech32.bytes(of: text, prefix: recipientPrefix),
                bytes.count == AgreementKey.byteCount
            else { return nil }
            return bytes.withUnsafeBytes { Array($0) }
        }
    }
}
