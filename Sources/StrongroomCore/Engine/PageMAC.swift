internal import COpenSSL

/// A context of libcrypto that computes HMACs under one key.
///
/// Kept from page to page: to make it is a quarter of what an HMAC costs
/// (`Documentation/SQLCipher.md`, "What a page costs").
// Safety: libcrypto's contexts are this value's own until `deinit`; it is told how many bytes it
// may read and write.
@safe struct PageMAC: ~Copyable {
    /// The part of a page that is authenticated, and the page's number.
    @safe struct Message {
        let bytes: UnsafeRawBufferPointer
        let page: UInt32

        /// The number as it lies in memory.
        fileprivate func number(_ order: CipherSettings.PageNumbers) -> UInt32 {
            order == .bigEndian ? page.bigEndian : page.littleEndian
        }
    }

    private let context: OpaquePointer
    private let resultByteCount: Int
    private let numbers: CipherSettings.PageNumbers
    /// Nil if one HMAC is computed after the other.
    private var sideBySide: SideBySideHasher?

    init(
        key: UnsafeRawBufferPointer, hash: CipherHash, numbers: CipherSettings.PageNumbers,
        forManyPages: Bool = false
    ) throws(DatabaseError) {
        unsafe context = try unsafe Self.makeContext(key, hash)
        resultByteCount = hash.byteCount
        self.numbers = numbers
        sideBySide = unsafe forManyPages ? SideBySideHasher.hmac(key: key, hash) : nil
    }

    deinit {
        unsafe EVP_MAC_CTX_free(context)
    }

    private static func makeContext(
        _ key: UnsafeRawBufferPointer, _ hash: CipherHash
    ) throws(DatabaseError) -> OpaquePointer {
        ProcessEnd.keepLibcrypto()
        let algorithm = unsafe EVP_MAC_fetch(nil, OSSL_MAC_NAME_HMAC, nil)
        // The context has a reference of its own.
        defer { unsafe EVP_MAC_free(algorithm) }
        guard let algorithm = unsafe algorithm, let context = unsafe EVP_MAC_CTX_new(algorithm)
        else {
            throw .libcrypto("make an HMAC")
        }
        guard unsafe initialize(context, key, digest: hash.rawValue) else {
            unsafe EVP_MAC_CTX_free(context)
            throw .libcrypto("use HMAC with \(hash.rawValue)")
        }
        return unsafe context
    }

    private static func initialize(
        _ context: OpaquePointer, _ key: UnsafeRawBufferPointer, digest: String
    ) -> Bool {
        var digest = Array(digest.utf8CString)
        // The list keeps the pointer to the parameter's name: it must live as long.
        return unsafe OSSL_MAC_PARAM_DIGEST.withCString { name in
            unsafe digest.withUnsafeMutableBufferPointer { digest in
                let parameters = unsafe [
                    OSSL_PARAM_construct_utf8_string(name, digest.baseAddress, 0),
                    OSSL_PARAM_construct_end(),
                ]
                let start = unsafe key.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return unsafe EVP_MAC_init(context, start, key.count, parameters) == 1
            }
        }
    }

    /// Writes the HMAC of each message, and of its page's number, behind the one before.
    ///
    /// - Returns: False if libcrypto refused.
    mutating func compute(
        _ messages: [Message], to results: UnsafeMutableRawBufferPointer
    ) -> Bool {
        if messages.count > 1, unsafe computeSideBySide(messages, to: results) { return true }
        for (index, message) in messages.enumerated() {
            let result = unsafe results[(index * resultByteCount)..<((index + 1) * resultByteCount)]
            guard unsafe compute(message, to: UnsafeMutableRawBufferPointer(rebasing: result))
            else {
                return false
            }
        }
        return true
    }

    private mutating func compute(
        _ message: Message, to result: UnsafeMutableRawBufferPointer
    ) -> Bool {
        // No key: the same one again.
        guard unsafe EVP_MAC_init(context, nil, 0, nil) == 1 else { return false }
        let start = unsafe message.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard unsafe EVP_MAC_update(context, start, message.bytes.count) == 1 else { return false }
        let isNumbered = unsafe withUnsafeBytes(of: message.number(numbers)) { number in
            let start = unsafe number.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return unsafe EVP_MAC_update(context, start, number.count) == 1
        }
        guard isNumbered else { return false }
        var count = 0
        let output = unsafe result.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return unsafe EVP_MAC_final(context, output, &count, result.count) == 1
            && count == result.count
    }
}

// MARK: - Side by side

// Safety: all copies lie in memory that is allocated and freed in the same function.
extension PageMAC {
    /// So many that all lanes are busy nearly all the time, and few enough that what is copied stays
    /// in the processor's cache.
    private static let groupCount = 32

    private mutating func computeSideBySide(
        _ messages: [Message], to results: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard sideBySide != nil, let longest = messages.map(unsafe \.bytes.count).max() else {
            return false
        }
        // The number of a page does not lie behind its bytes: they are copied together.
        let room = longest + MemoryLayout<UInt32>.size
        let copies = UnsafeMutableRawBufferPointer.allocate(
            byteCount: min(messages.count, Self.groupCount) * room, alignment: 64)
        defer { unsafe copies.deallocate() }
        for start in stride(from: 0, to: messages.count, by: Self.groupCount) {
            let group = messages[start..<min(messages.count, start + Self.groupCount)]
            let whole = unsafe group.enumerated().map { index, message in
                unsafe Self.copy(message, numbers, to: copies, at: index * room)
            }
            let output = unsafe UnsafeMutableRawBufferPointer(
                rebasing: results[(start * resultByteCount)...])
            guard unsafe sideBySide?.hash(whole, to: output) == true else {
                // It may be in any state.
                sideBySide = nil
                return false
            }
        }
        return true
    }

    private static func copy(
        _ message: Message, _ numbers: CipherSettings.PageNumbers,
        to memory: UnsafeMutableRawBufferPointer, at offset: Int
    ) -> UnsafeRawBufferPointer {
        let end = unsafe offset + message.bytes.count
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[offset..<end])
        unsafe target.copyMemory(from: message.bytes)
        unsafe memory.storeBytes(
            of: message.number(numbers), toByteOffset: end, as: UInt32.self)
        let whole = unsafe memory[offset..<(end + MemoryLayout<UInt32>.size)]
        return unsafe UnsafeRawBufferPointer(rebasing: whole)
    }
}
