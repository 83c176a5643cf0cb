internal import COpenSSL

/// ChaCha20-Poly1305: what is encrypted so can be read, and changed, by holders of the key alone.
/// <https://www.rfc-editor.org/rfc/rfc8439>
///
/// 1. No key seals two values with the same nonce: that would give away both.
// Safety: libcrypto is told how many bytes it may read and write.
package enum SealedBox {
    package static let keyByteCount = 32
    package static let nonceByteCount = 12
    package static let tagByteCount = 16

    /// For a key that seals one value only.
    package static let onlyNonce = [UInt8](repeating: 0, count: nonceByteCount)

    /// Encrypts; the tag follows.
    package static func seal(
        _ bytes: UnsafeRawBufferPointer, key: borrowing SecretBytes, nonce: [UInt8] = onlyNonce
    ) throws(DatabaseError) -> [UInt8] {
        precondition(key.count == keyByteCount && nonce.count == nonceByteCount)
        let context = try Context()
        var sealed = [UInt8](repeating: 0, count: bytes.count + tagByteCount)
        var count: CInt = 0
        var rest: CInt = 0
        let isDone = unsafe sealed.withUnsafeMutableBytes { output in
            unsafe key.withUnsafeBytes { key in
                let target = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                let source = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                let secret = unsafe key.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return unsafe EVP_EncryptInit_ex2(
                    context.pointer, EVP_chacha20_poly1305(), secret, nonce, nil) == 1
                    && EVP_EncryptUpdate(
                        context.pointer, target, &count, source, CInt(bytes.count)) == 1
                    && EVP_EncryptFinal_ex(
                        context.pointer, target?.advanced(by: bytes.count), &rest)
                        == 1
                    && EVP_CIPHER_CTX_ctrl(
                        context.pointer, EVP_CTRL_AEAD_GET_TAG, CInt(tagByteCount),
                        target?.advanced(by: bytes.count)) == 1
            }
        }
        guard isDone, Int(count + rest) == bytes.count else { throw .libcrypto("encrypt") }
        return sealed
    }

    /// Decrypts what ``seal(_:key:nonce:)`` gave.
    ///
    /// - Returns: nil if it was sealed with another key or nonce, or changed.
    package static func open(
        _ sealed: [UInt8], key: borrowing SecretBytes, nonce: [UInt8] = onlyNonce
    ) throws(DatabaseError) -> SecretBytes? {
        precondition(key.count == keyByteCount && nonce.count == nonceByteCount)
        guard sealed.count >= tagByteCount else { return nil }
        let context = try Context()
        let byteCount = sealed.count - tagByteCount
        var tag = Array(sealed[byteCount...])
        var opened = SecretBytes(capacity: byteCount)
        var isGenuine = false
        unsafe opened.append(upTo: byteCount) { output in
            var count: CInt = 0
            var rest: CInt = 0
            isGenuine = unsafe key.withUnsafeBytes { key in
                let target = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                let secret = unsafe key.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return unsafe EVP_DecryptInit_ex2(
                    context.pointer, EVP_chacha20_poly1305(), secret, nonce, nil) == 1
                    && EVP_DecryptUpdate(
                        context.pointer, target, &count, sealed, CInt(byteCount)) == 1
                    && EVP_CIPHER_CTX_ctrl(
                        context.pointer, EVP_CTRL_AEAD_SET_TAG, CInt(tagByteCount), &tag) == 1
                    && EVP_DecryptFinal_ex(
                        context.pointer, target?.advanced(by: Int(count)), &rest) == 1
            }
            return byteCount
        }
        return isGenuine ? consume opened : nil
    }

    // Safety: libcrypto's context is this value's own until `deinit`, which overwrites it.
    @safe private struct Context: ~Copyable {
        let pointer: OpaquePointer

        init() throws(DatabaseError) {
            ProcessEnd.keepLibcrypto()
            guard let pointer = unsafe EVP_CIPHER_CTX_new() else { throw .libcrypto("encrypt") }
            unsafe self.pointer = pointer
        }

        deinit {
            unsafe EVP_CIPHER_CTX_free(pointer)
        }
    }
}
