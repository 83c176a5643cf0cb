internal import COpenSSL

/// Keys that follow from a secret, each for one purpose: HKDF-SHA256.
/// <https://www.rfc-editor.org/rfc/rfc5869>
// Safety: libcrypto is told how many bytes it may read and write; its context lives in one function.
package enum ExpandedKey {
    private static let byteCount = 32

    /// 32 bytes that only a holder of the secret can compute.
    ///
    /// - Parameters:
    ///   - secret: At least one byte.
    ///   - salt: May be empty.
    ///   - purpose: What they are for; each has bytes of its own.
    package static func key(
        from secret: UnsafeRawBufferPointer, salt: [UInt8], purpose: String
    ) throws(DatabaseError) -> SecretBytes {
        ProcessEnd.keepLibcrypto()
        guard let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil) else {
            throw .libcrypto("derive a key")
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        let info = Array(purpose.utf8)
        let bytes = unsafe secret.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard unsafe EVP_PKEY_derive_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1,
            unsafe EVP_PKEY_CTX_set1_hkdf_key(context, bytes, CInt(secret.count)) == 1,
            unsafe salt.isEmpty
                || EVP_PKEY_CTX_set1_hkdf_salt(context, salt, CInt(salt.count)) == 1,
            unsafe info.isEmpty
                || EVP_PKEY_CTX_add1_hkdf_info(context, info, CInt(info.count)) == 1
        else { throw .libcrypto("derive a key") }
        var key = SecretBytes(capacity: byteCount)
        unsafe key.append(upTo: byteCount) { output in
            var count = output.count
            let isDerived = unsafe EVP_PKEY_derive(
                context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &count)
            return isDerived == 1 ? count : 0
        }
        guard key.count == byteCount else { throw .libcrypto("derive a key") }
        return key
    }
}
