internal import COpenSSL

/// The private half of an X25519 key, with which two find a common secret.
/// <https://www.rfc-editor.org/rfc/rfc7748>
// Safety: libcrypto's key is this object's own until `deinit`, and is not changed.
@safe package final class AgreementKey: @unchecked Sendable {
    package static let byteCount = 32

    /// What others need to know.
    package let publicKey: [UInt8]
    private let key: OpaquePointer

    /// - Parameter secret: 32 bytes, which are all there is of the key.
    package init(secret: borrowing SecretBytes) throws(DatabaseError) {
        ProcessEnd.keepLibcrypto()
        let key = unsafe secret.withUnsafeBytes { secret in
            unsafe EVP_PKEY_new_raw_private_key_ex(
                nil, "X25519", nil, secret.baseAddress?.assumingMemoryBound(to: UInt8.self),
                secret.count)
        }
        guard let key = unsafe key else { throw .libcrypto("make a key to agree with") }
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        var count = bytes.count
        guard unsafe EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1,
            count == bytes.count
        else {
            unsafe EVP_PKEY_free(key)
            throw .libcrypto("make a key to agree with")
        }
        unsafe self.key = key
        publicKey = bytes
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// 32 bytes that only the holders of the two private halves can compute.
    ///
    /// - Returns: nil for bytes that are nobody's public key: a point of small order, with which the
    ///   secret would be known to everybody.
    package func secret(with publicKey: [UInt8]) throws(DatabaseError) -> SecretBytes? {
        guard publicKey.count == Self.byteCount,
            let other = unsafe EVP_PKEY_new_raw_public_key_ex(
                nil, "X25519", nil, publicKey, publicKey.count)
        else { return nil }
        defer { unsafe EVP_PKEY_free(other) }
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
            throw .libcrypto("agree on a secret")
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_derive_init(context) == 1,
            unsafe EVP_PKEY_derive_set_peer(context, other) == 1
        else { return nil }
        var secret = SecretBytes(capacity: Self.byteCount)
        unsafe secret.append(upTo: Self.byteCount) { output in
            var count = output.count
            let isDerived = unsafe EVP_PKEY_derive(
                context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &count)
            return isDerived == 1 ? count : 0
        }
        return secret.count == Self.byteCount ? consume secret : nil
    }
}
