internal import COpenSSL

/// The SHA-256 of some bytes: 32 bytes that stand for the content.
// Safety: 32 bytes are 4 words; libcrypto is told how many it may read and write.
package struct ContentDigest: Hashable, Sendable {
    package static let byteCount = 32

    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    private init() {}

    /// Nil for another number of bytes than 32.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        unsafe withUnsafeMutableBytes(of: &words) { unsafe $0.copyMemory(from: bytes) }
    }

    /// Nil for anything but 64 hexadecimal digits in lower case.
    package init?(hexadecimal text: some StringProtocol) {
        guard text.utf8.allSatisfy(Hexadecimal.isLowercaseDigit),
            let bytes = Hexadecimal.bytes(text),
            let digest = unsafe bytes.withUnsafeBytes({ unsafe ContentDigest($0) })
        else { return nil }
        self = digest
    }

    /// The digest of bytes that are hashed only once; a ``ContentHasher`` serves for many.
    package init(of bytes: UnsafeRawBufferPointer) throws(DatabaseError) {
        var hasher = try ContentHasher()
        self = try unsafe hasher.digest(of: bytes)
    }

    package func withUnsafeBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try unsafe Swift.withUnsafeBytes(of: words, body)
    }

    package var hexadecimal: String {
        unsafe withUnsafeBytes { unsafe Hexadecimal.text($0) }
    }

    package static func == (one: ContentDigest, other: ContentDigest) -> Bool {
        one.words == other.words
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
    }

    /// The HMAC-SHA256 of bytes under a key.
    package static func authentication(
        of bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer
    ) throws(DatabaseError) -> ContentDigest {
        ProcessEnd.keepLibcrypto()
        var result = ContentDigest()
        var count = 0
        let isComputed = unsafe withUnsafeMutableBytes(of: &result.words) { output in
            unsafe EVP_Q_mac(
                nil, "HMAC", nil, "SHA256", nil, key.baseAddress, key.count,
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count,
                output.baseAddress?.assumingMemoryBound(to: UInt8.self), output.count, &count)
                != nil
        }
        guard isComputed, count == byteCount else { throw .libcrypto("compute an HMAC") }
        return result
    }

    /// Compares in a time that does not depend on where they differ.
    package func isSame(as other: ContentDigest) -> Bool {
        unsafe withUnsafeBytes { one in
            unsafe other.withUnsafeBytes {
                unsafe CRYPTO_memcmp(one.baseAddress, $0.baseAddress, one.count) == 0
            }
        }
    }
}

/// A context of libcrypto that computes one SHA-256 after the other.
// Safety: libcrypto's context is this value's own until `deinit`.
@safe package struct ContentHasher: ~Copyable {
    private let context: OpaquePointer
    private let algorithm: OpaquePointer

    package init() throws(DatabaseError) {
        ProcessEnd.keepLibcrypto()
        guard let algorithm = unsafe EVP_MD_fetch(nil, "SHA256", nil) else {
            throw .libcrypto("find SHA-256")
        }
        guard let context = unsafe EVP_MD_CTX_new() else {
            unsafe EVP_MD_free(algorithm)
            throw .libcrypto("make a hash")
        }
        unsafe self.context = context
        unsafe self.algorithm = algorithm
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
        unsafe EVP_MD_free(algorithm)
    }

    package mutating func digest(
        of bytes: UnsafeRawBufferPointer
    ) throws(DatabaseError) -> ContentDigest {
        let result = unsafe withUnsafeTemporaryAllocation(
            byteCount: ContentDigest.byteCount, alignment: 8
        ) { output -> ContentDigest? in
            var count: UInt32 = 0
            guard unsafe EVP_DigestInit_ex2(context, algorithm, nil) == 1,
                unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1,
                unsafe EVP_DigestFinal_ex(
                    context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &count) == 1
            else { return nil }
            return unsafe ContentDigest(UnsafeRawBufferPointer(output))
        }
        guard let result else { throw .libcrypto("compute a hash") }
        return result
    }
}
