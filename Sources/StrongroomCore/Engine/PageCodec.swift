internal import COpenSSL

/// What is known of a page as it lies in the file, before it is decrypted.
package enum PageVerdict: Hashable, Sendable {
    /// Its HMAC is right: whoever wrote it, at this place, had the key.
    case authentic
    /// The settings have no HMAC; nothing tells whether it was changed.
    case unprotected
    /// Every byte is 0: SQLite made the file longer, and never wrote the page, or somebody has
    /// overwritten it. ``UnusedPages`` tells which.
    case blank
    /// The page with SQLite's lock bytes, which is not used.
    case lockBytes
    /// It was changed, or written with another key or at another place.
    case damaged
}

/// SQLCipher's page format over OpenSSL's libcrypto: verifies, decrypts and encrypts pages where
/// they lie (`Documentation/SQLCipher.md`, "The page format").
///
/// 1. One codec serves one thread at a time: make one for each thread from the same ``PageKey``.
/// 2. Page 1 of a decrypted database begins as SQLite's does, and a decrypted page ends with zeros
///    where the reserve is: pages one after the other are a database that plain SQLite reads.
/// 3. To decrypt is not to verify: that is for the caller to do, before.
package struct PageCodec: ~Copyable, @unchecked Sendable {
    // Safety: it owns its contexts, and what uses them is `mutating`, with exclusive access.
    package let key: PageKey
    private let settings: CipherSettings
    private var authenticator: PageAuthenticator
    private var decryption: PageCipher
    private var encryption: PageCipher

    /// - Parameter forManyPages: as ``PageAuthenticator/init(key:settings:forManyPages:)`` has it.
    package init(_ key: PageKey, forManyPages: Bool = false) throws(DatabaseError) {
        let authenticator = try PageAuthenticator(
            key: key.authentication, settings: key.settings, forManyPages: forManyPages)
        let decryption = try Self.cipher(.decrypt, key)
        let encryption = try Self.cipher(.encrypt, key)
        self.authenticator = authenticator
        self.decryption = decryption
        self.encryption = encryption
        self.key = key
        settings = key.settings
    }

    private static func cipher(
        _ direction: PageCipher.Direction, _ key: PageKey
    ) throws(DatabaseError) -> PageCipher {
        try unsafe key.encryption.withUnsafeBytes { bytes throws(DatabaseError) in
            try unsafe PageCipher(direction, key: bytes)
        }
    }
}

// Safety: all ranges are inside of a page of the settings' size, which is checked first.
extension PageCodec {
    /// Tells whether a page is as somebody with the key wrote it.
    package mutating func verdict(
        on page: UnsafeRawBufferPointer, number: UInt32
    ) throws(DatabaseError) -> PageVerdict {
        try unsafe authenticator.verdict(on: page, number: number)
    }

    /// Says for each page whether it is as written with the key.
    package mutating func verdicts(
        on pages: [NumberedPage]
    ) throws(DatabaseError) -> [PageVerdict] {
        try authenticator.verdicts(on: pages)
    }

    /// Decrypts a page where it is. It should have been found authentic before.
    package mutating func decrypt(
        _ page: UnsafeMutableRawBufferPointer, number: UInt32
    ) throws(DatabaseError) {
        check(page.count, number)
        let iv = unsafe UnsafeRawBufferPointer(rebasing: page[settings.ivRange])
        let body = unsafe UnsafeMutableRawBufferPointer(
            rebasing: page[settings.encryptedRange(ofPage: number)])
        guard unsafe decryption.apply(to: body, iv: iv) else { throw .libcrypto("decrypt a page") }
        if number == 1, settings.hasSaltInFile { unsafe page.copyBytes(from: DatabaseHeader.magic) }
        unsafe UnsafeMutableRawBufferPointer(rebasing: page[settings.ivRange.lowerBound...])
            .initializeMemory(as: UInt8.self, repeating: 0)
    }

    /// Encrypts a page where it is, under a new random IV, and authenticates it.
    package mutating func encrypt(
        _ page: UnsafeMutableRawBufferPointer, number: UInt32
    ) throws(DatabaseError) {
        try unsafe encrypt([NumberedPage(page, number: number)])
    }

    /// Encrypts pages where they are, each under a new random IV, and authenticates them.
    package mutating func encrypt(_ pages: [NumberedPage]) throws(DatabaseError) {
        for page in pages { try unsafe encryptOnly(page.bytes, page.number) }
        try authenticator.authenticate(pages)
    }

    private mutating func encryptOnly(
        _ page: UnsafeMutableRawBufferPointer, _ number: UInt32
    ) throws(DatabaseError) {
        check(page.count, number)
        let reserve = unsafe UnsafeMutableRawBufferPointer(
            rebasing: page[settings.ivRange.lowerBound...])
        let start = unsafe reserve.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard unsafe RAND_bytes(start, CInt(reserve.count)) == 1 else {
            throw .libcrypto("give random bytes")
        }
        if number == 1, settings.hasSaltInFile { unsafe page.copyBytes(from: key.salt.bytes) }
        let iv = unsafe UnsafeRawBufferPointer(rebasing: page[settings.ivRange])
        let body = unsafe UnsafeMutableRawBufferPointer(
            rebasing: page[settings.encryptedRange(ofPage: number)])
        guard unsafe encryption.apply(to: body, iv: iv) else { throw .libcrypto("encrypt a page") }
    }

    private func check(_ byteCount: Int, _ number: UInt32) {
        precondition(byteCount == settings.pageSize, "A page has the size that the settings say")
        precondition(number > 0, "Pages are counted from 1")
    }
}
