internal import COpenSSL

/// A key from a passphrase, for which each guess takes time and memory: scrypt.
/// <https://www.rfc-editor.org/rfc/rfc7914>
// Safety: libcrypto is told how many bytes it may read and write.
package struct Scrypt: Equatable, Sendable {
    package let salt: [UInt8]
    /// A power of two; the time and the memory grow with it.
    package let cost: Int
    package let blockSize: Int
    package let parallelism: Int

    /// What libcrypto may take: 1 GiB for the largest parameters that ``isBounded`` lets pass, and
    /// some for its lists.
    private static let memoryLimit: UInt64 = (1 << 30) + (1 << 24)

    package init(salt: [UInt8], cost: Int, blockSize: Int = 8, parallelism: Int = 1) {
        self.salt = salt
        self.cost = cost
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// Whether it takes no more than 1 GiB, and no less than 16 MiB.
    package var isBounded: Bool {
        (1 << 14...1 << 20).contains(cost) && cost.nonzeroBitCount == 1 && blockSize == 8
            && (1...4).contains(parallelism)
    }

    /// 32 bytes.
    ///
    /// - Throws: `SQLITE_NOMEM` if the system does not give the memory.
    package func key(from passphrase: UnsafeRawBufferPointer) throws(DatabaseError) -> SecretBytes {
        precondition(isBounded, "Who reads numbers from a file has looked at them")
        ProcessEnd.keepLibcrypto()
        let byteCount = 32
        var key = SecretBytes(capacity: byteCount)
        unsafe key.append(upTo: byteCount) { output in
            let isDerived = unsafe EVP_PBE_scrypt(
                passphrase.baseAddress?.assumingMemoryBound(to: CChar.self), passphrase.count,
                salt, salt.count, UInt64(cost), UInt64(blockSize), UInt64(parallelism),
                Self.memoryLimit, output.baseAddress?.assumingMemoryBound(to: UInt8.self),
                output.count)
            return isDerived == 1 ? byteCount : 0
        }
        guard key.count == byteCount else {
            throw DatabaseError(
                code: .SQLITE_NOMEM,
                message: "there is no memory to derive a key from a passphrase: it takes "
                    + "\(cost * blockSize * 128 >> 20) MiB")
        }
        return key
    }
}
