internal import COpenSSL

/// What is known of a page as it lies in the file, before it is decrypted.
package enum PageVerdict: Hashable, Sendable {
    /// Its HMAC is right: whoever wrote it, at this place, had the key.
    case authentic
    /// The settings have no HMAC; nothing tells whether it was changed.
    case unprotected
    /// Every byte is 0: SQLite made the file longer, and never wrote the page.
    case blank
    /// The page with SQLite's lock bytes, which is not used.
    case lockBytes
    /// It was changed, or written with another key or at another place.
    case damaged
}

/// SQLCipher's page format over OpenSSL's libcrypto: verifies, decrypts and encrypts pages where
/// they lie, without allocating (`spec/sqlcipher.md` §9).
///
/// 1. One codec serves one thread at a time: make one for each thread from the same ``PageKey``.
/// 2. Page 1 of a decrypted database begins as SQLite's does, and a decrypted page ends with zeros
///    where the reserve is: pages one after the other are a database that plain SQLite reads.
/// 3. To decrypt is not to verify: that is for the caller to do, before.
package struct PageCodec: ~Copyable, @unchecked Sendable {
    // Safety: it owns its contexts, and what uses them is `mutating`, with exclusive access.
    package let key: PageKey
    private let settings: CipherSettings
    private var mac: PageMAC?
    private var decryption: PageCipher
    private var encryption: PageCipher
    private let expected: UnsafeMutableRawBufferPointer

    package init(_ key: PageKey) throws(DatabaseError) {
        let mac = try Self.mac(key)
        let decryption = try Self.cipher(.decrypt, key)
        let encryption = try Self.cipher(.encrypt, key)
        self.mac = mac
        self.decryption = decryption
        self.encryption = encryption
        self.key = key
        settings = key.settings
        expected = .allocate(byteCount: settings.hmacByteCount, alignment: 16)
    }

    deinit {
        expected.deallocate()
    }

    private static func cipher(
        _ direction: PageCipher.Direction, _ key: PageKey
    ) throws(DatabaseError) -> PageCipher {
        try key.encryption.withUnsafeBytes { bytes throws(DatabaseError) in
            try PageCipher(direction, key: bytes)
        }
    }

    private static func mac(_ key: PageKey) throws(DatabaseError) -> PageMAC? {
        guard case .hmac(let hash) = key.settings.authentication else { return nil }
        return try key.authentication.withUnsafeBytes { bytes throws(DatabaseError) in
            try PageMAC(key: bytes, hash: hash)
        }
    }
}

extension PageCodec {
    /// Tells whether a page is as somebody with the key wrote it.
    package mutating func verdict(
        on page: UnsafeRawBufferPointer, number: UInt32
    ) throws(DatabaseError) -> PageVerdict {
        check(page.count, number)
        if number == settings.lockBytePage { return .lockBytes }
        if try computeMAC(of: page, number: number, to: expected) {
            let hmac = UnsafeRawBufferPointer(rebasing: page[hmacRange])
            // In a time that does not depend on where they differ.
            if CRYPTO_memcmp(hmac.baseAddress, expected.baseAddress, hmac.count) == 0 {
                return .authentic
            }
            return page.allSatisfy { $0 == 0 } ? .blank : .damaged
        }
        return page.allSatisfy { $0 == 0 } ? .blank : .unprotected
    }

    /// Decrypts a page where it is. It should have been found authentic before.
    package mutating func decrypt(
        _ page: UnsafeMutableRawBufferPointer, number: UInt32
    ) throws(DatabaseError) {
        check(page.count, number)
        let iv = UnsafeRawBufferPointer(rebasing: page[ivRange])
        let body = UnsafeMutableRawBufferPointer(rebasing: page[bodyRange(number)])
        guard decryption.apply(to: body, iv: iv) else { throw .libcrypto("decrypt a page") }
        if number == 1, settings.hasSaltInFile { page.copyBytes(from: Self.magic) }
        UnsafeMutableRawBufferPointer(rebasing: page[ivRange.lowerBound...])
            .initializeMemory(as: UInt8.self, repeating: 0)
    }

    /// Encrypts a page where it is, under a new random IV, and authenticates it.
    package mutating func encrypt(
        _ page: UnsafeMutableRawBufferPointer, number: UInt32
    ) throws(DatabaseError) {
        check(page.count, number)
        let reserve = UnsafeMutableRawBufferPointer(rebasing: page[ivRange.lowerBound...])
        let start = reserve.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard RAND_bytes(start, CInt(reserve.count)) == 1 else {
            throw .libcrypto("give random bytes")
        }
        if number == 1, settings.hasSaltInFile { page.copyBytes(from: key.salt.bytes) }
        let iv = UnsafeRawBufferPointer(rebasing: page[ivRange])
        let body = UnsafeMutableRawBufferPointer(rebasing: page[bodyRange(number)])
        guard encryption.apply(to: body, iv: iv) else { throw .libcrypto("encrypt a page") }
        let hmac = UnsafeMutableRawBufferPointer(rebasing: page[hmacRange])
        _ = try computeMAC(of: UnsafeRawBufferPointer(page), number: number, to: hmac)
    }

    /// False if the settings have no HMAC.
    private mutating func computeMAC(
        of page: UnsafeRawBufferPointer, number: UInt32, to result: UnsafeMutableRawBufferPointer
    ) throws(DatabaseError) -> Bool {
        let authenticated = bodyRange(number).lowerBound..<ivRange.upperBound
        let bytes = UnsafeRawBufferPointer(rebasing: page[authenticated])
        guard let isComputed = mac?.compute(bytes, page: number, to: result) else { return false }
        guard isComputed else { throw .libcrypto("compute an HMAC") }
        return true
    }
}

extension PageCodec {
    /// How every database begins that is not encrypted.
    package static let magic = Array("SQLite format 3\0".utf8)

    private func bodyRange(_ number: UInt32) -> Range<Int> {
        (number == 1 ? settings.clearByteCount : 0)..<ivRange.lowerBound
    }

    private var ivRange: Range<Int> {
        let start = settings.pageSize - settings.reserveByteCount
        return start..<(start + CipherSettings.blockByteCount)
    }

    private var hmacRange: Range<Int> {
        ivRange.upperBound..<(ivRange.upperBound + settings.hmacByteCount)
    }

    private func check(_ byteCount: Int, _ number: UInt32) {
        precondition(byteCount == settings.pageSize, "A page has the size that the settings say")
        precondition(number > 0, "Pages are counted from 1")
    }
}
