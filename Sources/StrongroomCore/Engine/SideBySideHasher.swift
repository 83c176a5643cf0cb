internal import CMultiBuffer
internal import COpenSSL

/// Computes the hashes of many messages side by side, where the machine has a library for that and
/// a processor whose registers are wide enough; libcrypto takes one message after the other.
///
/// One serves one thread at a time.
// Safety: the hasher is this value's own until `deinit`; it is told how long each message is, and the
// results have room for all.
@safe struct SideBySideHasher: ~Copyable {
    private let hasher: OpaquePointer

    private init(owning hasher: OpaquePointer) {
        unsafe self.hasher = hasher
    }

    deinit {
        unsafe multi_buffer_free(hasher)
    }

    /// The sizes of messages that it takes.
    static let messageByteCounts = 1...65534

    /// For SHA-256; nil where messages can't be hashed side by side.
    static func sha256() -> SideBySideHasher? {
        guard isTrustworthy else { return nil }
        return unsafe multi_buffer_sha256().map { unsafe SideBySideHasher(owning: $0) }
    }

    /// For HMACs; nil where they can't be computed side by side, and for other hashes than SHA-512.
    static func hmac(key: UnsafeRawBufferPointer, _ hash: CipherHash) -> SideBySideHasher? {
        guard hash == .sha512, isTrustworthy else { return nil }
        return unsafe hmacSHA512(key: key)
    }

    private static func hmacSHA512(key: UnsafeRawBufferPointer) -> SideBySideHasher? {
        guard let start = key.baseAddress else { return nil }
        let bytes = unsafe start.assumingMemoryBound(to: UInt8.self)
        return unsafe multi_buffer_hmac_sha512(bytes, key.count).map {
            unsafe SideBySideHasher(owning: $0)
        }
    }

    /// Writes the hash of each message behind the one before.
    ///
    /// - Returns: False if the library refused; then libcrypto is to be asked.
    mutating func hash(
        _ messages: [UnsafeRawBufferPointer], to results: UnsafeMutableRawBufferPointer
    ) -> Bool {
        let messages = unsafe messages.map {
            unsafe multi_buffer_message(
                bytes: $0.baseAddress?.assumingMemoryBound(to: UInt8.self), count: $0.count)
        }
        guard let start = results.baseAddress else { return unsafe messages.isEmpty }
        return unsafe multi_buffer_hash(
            hasher, messages, messages.count, start.assumingMemoryBound(to: UInt8.self))
    }
}

// MARK: - Trust

// Safety: messages and results lie in arrays of this function's for the time of the call.
extension SideBySideHasher {
    /// Whether its hashes are those of libcrypto, which is found out once in a process.
    ///
    /// What authenticates pages is not taken from a library that this machine happens to have
    /// without a look at it.
    static let isTrustworthy: Bool = {
        ProcessEnd.keepLibcrypto()
        // Whoever asks for FIPS wants what a provider of OpenSSL computes, and nothing else.
        guard EVP_default_properties_is_fips_enabled(nil) == 0 else { return false }
        let text = unsafe [UInt8](unsafeUninitializedCapacity: 9000) { buffer, count in
            for index in buffer.indices {
                unsafe buffer[index] = UInt8(truncatingIfNeeded: index &* 167)
            }
            count = buffer.count
        }
        return unsafe text.withUnsafeBytes { text in
            // Around the block of 128 bytes and the size of a page; more of them than there are lanes.
            let messages = unsafe (0..<40).map { number in
                let start = number * 64
                let count = [1, 111, 112, 128, 239, 240, 4032, 4036][number % 8]
                return unsafe UnsafeRawBufferPointer(rebasing: text[start..<(start + count)])
            }
            let key = unsafe UnsafeRawBufferPointer(rebasing: text[..<32])
            return unsafe hashesAlike(messages) && authenticatesAlike(messages, key)
        }
    }()

    private static func hashesAlike(_ messages: [UnsafeRawBufferPointer]) -> Bool {
        guard let pointer = unsafe multi_buffer_sha256(), var expected = try? ContentHasher() else {
            return false
        }
        var hasher = unsafe SideBySideHasher(owning: pointer)
        return unsafe hasher.agrees(on: messages, byteCount: ContentDigest.byteCount) {
            message, result in
            guard let digest = try? unsafe expected.digest(of: message) else { return false }
            unsafe digest.withUnsafeBytes { unsafe result.copyMemory(from: $0) }
            return true
        }
    }

    private static func authenticatesAlike(
        _ messages: [UnsafeRawBufferPointer], _ key: UnsafeRawBufferPointer
    ) -> Bool {
        guard var hasher = unsafe hmacSHA512(key: key) else { return false }
        return unsafe hasher.agrees(on: messages, byteCount: CipherHash.sha512.byteCount) {
            message, result in
            unsafe EVP_Q_mac(
                nil, OSSL_MAC_NAME_HMAC, nil, "SHA512", nil, key.baseAddress, key.count,
                message.baseAddress?.assumingMemoryBound(to: UInt8.self), message.count,
                result.baseAddress?.assumingMemoryBound(to: UInt8.self), result.count, nil) != nil
        }
    }

    private mutating func agrees(
        on messages: [UnsafeRawBufferPointer], byteCount: Int,
        _ expected: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> Bool
    ) -> Bool {
        var found = unsafe [UInt8](repeating: 0, count: messages.count * byteCount)
        guard unsafe found.withUnsafeMutableBytes({ unsafe hash(messages, to: $0) }) else {
            return false
        }
        var result = [UInt8](repeating: 0, count: byteCount)
        return unsafe messages.indices.allSatisfy { index in
            unsafe result.withUnsafeMutableBytes { unsafe expected(messages[index], $0) }
                && found[(index * byteCount)..<((index + 1) * byteCount)].elementsEqual(result)
        }
    }
}
