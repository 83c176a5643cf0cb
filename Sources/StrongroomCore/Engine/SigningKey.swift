internal import COpenSSL

/// The private half of an Ed25519 key, by which others recognise who has written something.
/// <https://www.rfc-editor.org/rfc/rfc8032>
// Safety: libcrypto's key is this object's own until `deinit`, and is not changed.
@safe package final class SigningKey: @unchecked Sendable {
    package let publicKey: PublicKey
    private let key: OpaquePointer

    /// - Parameter seed: 32 bytes, which are all there is of the key.
    package init(seed: borrowing SecretBytes) throws(DatabaseError) {
        ProcessEnd.keepLibcrypto()
        let key = unsafe seed.withUnsafeBytes { seed in
            unsafe EVP_PKEY_new_raw_private_key_ex(
                nil, "ED25519", nil, seed.baseAddress?.assumingMemoryBound(to: UInt8.self),
                seed.count)
        }
        guard let key = unsafe key else { throw .libcrypto("make a key for signatures") }
        var bytes = [UInt8](repeating: 0, count: PublicKey.byteCount)
        var count = bytes.count
        guard unsafe EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1,
            let publicKey = PublicKey(bytes)
        else {
            unsafe EVP_PKEY_free(key)
            throw .libcrypto("make a key for signatures")
        }
        unsafe self.key = key
        self.publicKey = publicKey
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// 64 bytes that only this key makes of a text.
    package func signature(of text: [UInt8]) throws(DatabaseError) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: PublicKey.signatureByteCount)
        var count = signature.count
        guard let context = unsafe EVP_MD_CTX_new() else { throw .libcrypto("sign") }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestSignInit_ex(context, nil, nil, nil, nil, key, nil) == 1,
            unsafe EVP_DigestSign(context, &signature, &count, text, text.count) == 1,
            count == signature.count
        else { throw .libcrypto("sign") }
        return signature
    }
}

/// The public half of an Ed25519 key.
package struct PublicKey: Hashable, Sendable {
    package static let byteCount = 32
    package static let signatureByteCount = 64

    private let bytes: [UInt8]

    /// Nil for another number of bytes than 32.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Nil for anything but 64 hexadecimal digits in lower case.
    package init?(hexadecimal text: some StringProtocol) {
        guard text.utf8.allSatisfy(Hexadecimal.isLowercaseDigit),
            let bytes = Hexadecimal.bytes(text)
        else { return nil }
        self.init(bytes)
    }

    package var hexadecimal: String { unsafe bytes.withUnsafeBytes { unsafe Hexadecimal.text($0) } }

    /// Whether the private half has made the signature of that text.
    package func hasSigned(_ text: [UInt8], _ signature: [UInt8]) throws(DatabaseError) -> Bool {
        guard signature.count == Self.signatureByteCount else { return false }
        ProcessEnd.keepLibcrypto()
        // Bytes that are no point of the curve are the key of nobody.
        guard
            let key = unsafe EVP_PKEY_new_raw_public_key_ex(
                nil, "ED25519", nil, bytes, bytes.count)
        else { return false }
        defer { unsafe EVP_PKEY_free(key) }
        guard let context = unsafe EVP_MD_CTX_new() else {
            throw .libcrypto("verify a signature")
        }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestVerifyInit_ex(context, nil, nil, nil, nil, key, nil) == 1 else {
            throw .libcrypto("verify a signature")
        }
        return unsafe EVP_DigestVerify(context, signature, signature.count, text, text.count) == 1
    }
}

extension PageKey {
    /// Another secret that follows from the key of the pages, which does not follow from it.
    ///
    /// - Parameter purpose: What it is for; each purpose has a secret of its own.
    package func secret(for purpose: String) throws(DatabaseError) -> SecretBytes {
        let purpose = Array(purpose.utf8)
        let digest = unsafe encryption.withUnsafeBytes { key in
            unsafe purpose.withUnsafeBytes { purpose in
                Result { () throws(DatabaseError) in
                    try unsafe ContentDigest.authentication(of: purpose, key: key)
                }
            }
        }
        return try digest.get().secretBytes
    }
}

extension ContentDigest {
    /// A copy that is overwritten when it goes.
    package var secretBytes: SecretBytes {
        var secret = SecretBytes(capacity: Self.byteCount)
        unsafe withUnsafeBytes { unsafe secret.append($0) }
        return secret
    }
}
