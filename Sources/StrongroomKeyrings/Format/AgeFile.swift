import StrongroomCore
internal import StrongroomEssentials

/// A small file in age's binary format with one X25519 recipient, which stock `age` decrypts.
/// <https://github.com/C2SP/C2SP/blob/main/age.md>
enum AgeFile {
    private static let start = "age-encryption.org/v1\n-> X25519 "
    private static let macStart = "\n---"
    private static let purpose = "age-encryption.org/v1/X25519"
    private static let fileKeyByteCount = 16
    private static let payloadNonceByteCount = 16
    /// 32 bytes in base64 without padding.
    private static let fieldCount = 43
    /// Of the first part of the payload, which is the last one, too: 64 KiB.
    private static let largestByteCount = 1 << 16
    private static let partNonce = [UInt8](repeating: 0, count: 11) + [1]

    /// Encrypts for the holder of a public key.
    static func wrap(_ content: borrowing SecretBytes, for publicKey: [UInt8]) throws -> [UInt8] {
        precondition(content.count <= largestByteCount)
        guard let fileKey = SecretBytes.random(count: fileKeyByteCount),
            let secret = SecretBytes.random(count: AgreementKey.byteCount),
            let nonce = SecretBytes.random(count: payloadNonceByteCount)
        else { throw KeyringError.noRandomness }
        let ephemeral = try AgreementKey(secret: secret)
        guard let shared = try ephemeral.secret(with: publicKey) else {
            throw KeyringError(
                .invalid, "", "a recipient is no public key",
                hint: "give the line that age-keygen prints after “public key”")
        }
        let wrapKey = try wrapKey(shared, share: ephemeral.publicKey, publicKey)
        let body = try fileKey.withUnsafeBytes { try SealedBox.seal($0, key: wrapKey) }
        let header =
            start + base64(ephemeral.publicKey) + "\n" + base64(body) + macStart
        let mac = try mac(of: header, fileKey)
        let nonceBytes = nonce.withUnsafeBytes { Array($0) }
        let payloadKey = try payloadKey(fileKey, nonceBytes)
        let payload = try content.withUnsafeBytes {
            try SealedBox.seal($0, key: payloadKey, nonce: partNonce)
        }
        let macText = base64(mac.withUnsafeBytes { Array($0) })
        return Array((header + " " + macText + "\n").utf8) + nonceBytes + payload
    }

    /// Decrypts with a private key.
    ///
    /// - Returns: nil if the file is for somebody else, was changed, or is written differently.
    static func unwrap(_ file: [UInt8], with identity: AgeIdentity) throws -> SecretBytes? {
        guard let parts = Parts(file),
            let shared = try identity.key.secret(with: parts.share)
        else { return nil }
        let wrapKey = try wrapKey(shared, share: parts.share, identity.key.publicKey)
        guard let fileKey = try SealedBox.open(parts.body, key: wrapKey),
            fileKey.count == fileKeyByteCount,
            try mac(of: parts.header, fileKey).isSame(as: parts.mac)
        else { return nil }
        let payloadKey = try payloadKey(fileKey, parts.nonce)
        return try SealedBox.open(parts.payload, key: payloadKey, nonce: partNonce)
    }

    /// Whether a file has the form that ``wrap(_:for:)`` gives a content of that size.
    static func isPossible(_ file: [UInt8], contentByteCount: Int) -> Bool {
        Parts(file)?.payload.count == contentByteCount + SealedBox.tagByteCount
    }

    private struct Parts {
        let header: String
        let share: [UInt8]
        let body: [UInt8]
        let mac: ContentDigest
        let nonce: [UInt8]
        let payload: [UInt8]

        init?(_ file: [UInt8]) {
            var rest = file[...]
            func take(_ text: String) -> Bool {
                guard rest.starts(with: text.utf8) else { return false }
                rest = rest.dropFirst(text.utf8.count)
                return true
            }
            func takeField() -> [UInt8]? {
                let text = String(decoding: rest.prefix(fieldCount), as: UTF8.self)
                rest = rest.dropFirst(fieldCount)
                guard let bytes = Data(base64Encoded: text + "="), base64([UInt8](bytes)) == text
                else { return nil }
                return [UInt8](bytes)
            }
            guard take(start), let share = takeField(), take("\n"), let body = takeField(),
                take(macStart)
            else { return nil }
            header = String(decoding: file[..<rest.startIndex], as: UTF8.self)
            guard take(" "), let mac = takeField(), take("\n"),
                let digest = mac.withUnsafeBytes({ ContentDigest($0) }),
                rest.count >= payloadNonceByteCount + SealedBox.tagByteCount,
                rest.count - payloadNonceByteCount - SealedBox.tagByteCount <= largestByteCount
            else { return nil }
            self.share = share
            self.body = body
            self.mac = digest
            nonce = Array(rest.prefix(payloadNonceByteCount))
            payload = Array(rest.dropFirst(payloadNonceByteCount))
        }
    }

    private static func wrapKey(
        _ shared: borrowing SecretBytes, share: [UInt8], _ publicKey: [UInt8]
    ) throws -> SecretBytes {
        try shared.withUnsafeBytes {
            try ExpandedKey.key(from: $0, salt: share + publicKey, purpose: purpose)
        }
    }

    private static func payloadKey(
        _ fileKey: borrowing SecretBytes, _ nonce: [UInt8]
    ) throws -> SecretBytes {
        try fileKey.withUnsafeBytes {
            try ExpandedKey.key(from: $0, salt: nonce, purpose: "payload")
        }
    }

    private static func mac(
        of header: String, _ fileKey: borrowing SecretBytes
    ) throws -> ContentDigest {
        let key = try fileKey.withUnsafeBytes {
            try ExpandedKey.key(from: $0, salt: [], purpose: "header")
        }
        return try key.withUnsafeBytes { key in
            try Array(header.utf8)
                .withUnsafeBytes { try ContentDigest.authentication(of: $0, key: key) }
        }
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let text = Data(bytes).base64EncodedString()
        return String(text.prefix { $0 != "=" })
    }
}
