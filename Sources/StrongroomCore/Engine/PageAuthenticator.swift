internal import COpenSSL

/// A page as it lies in the file, and its number.
// Safety: the bytes are the caller's, who keeps them while the page is looked at.
@safe package struct NumberedPage {
    package let bytes: UnsafeMutableRawBufferPointer
    package let number: UInt32

    package init(_ bytes: UnsafeMutableRawBufferPointer, number: UInt32) {
        unsafe self.bytes = bytes
        self.number = number
    }
}

/// Tells whether pages are as somebody with the key wrote them, with the key of the HMACs alone,
/// which can decrypt nothing.
///
/// One serves one thread at a time.
package struct PageAuthenticator: ~Copyable, @unchecked Sendable {
    // Safety: it owns its contexts, and what uses them is `mutating`, with exclusive access.
    private let settings: CipherSettings
    private var mac: PageMAC?

    /// - Parameters:
    ///   - key: What ``PageKey/verificationKey()`` gives.
    ///   - forManyPages: Whether HMACs shall be computed side by side, where that is possible: to
    ///     prepare that takes as long as a hundred HMACs.
    package init(
        key: borrowing SecretBytes, settings: CipherSettings, forManyPages: Bool = false
    ) throws(DatabaseError) {
        self.settings = settings
        mac = try Self.mac(key, settings, forManyPages)
    }

    private static func mac(
        _ key: borrowing SecretBytes, _ settings: CipherSettings, _ isForMany: Bool
    ) throws(DatabaseError) -> PageMAC? {
        guard case .hmac(let hash) = settings.authentication else { return nil }
        return try unsafe key.withUnsafeBytes { bytes throws(DatabaseError) in
            try unsafe PageMAC(
                key: bytes, hash: hash, numbers: settings.pageNumbers, forManyPages: isForMany)
        }
    }
}

// Safety: all ranges are inside of a page of the settings' size, which is checked first.
extension PageAuthenticator {
    /// The size that pages must have.
    package var pageSize: Int { settings.pageSize }

    /// Tells whether a page is as somebody with the key wrote it.
    package mutating func verdict(
        on page: UnsafeRawBufferPointer, number: UInt32
    ) throws(DatabaseError) -> PageVerdict {
        let page = unsafe NumberedPage(
            UnsafeMutableRawBufferPointer(mutating: page), number: number)
        return try verdicts(on: [page])[0]
    }

    /// Says for each page whether it is as written with the key.
    package mutating func verdicts(
        on pages: [NumberedPage]
    ) throws(DatabaseError) -> [PageVerdict] {
        let settings = settings
        var verdicts: [PageVerdict] = []
        verdicts.reserveCapacity(pages.count)
        try unsafe withHMACs(of: pages) { page, expected in
            unsafe verdicts.append(Self.verdict(on: page, expected, settings))
        }
        return verdicts
    }

    private static func verdict(
        on page: NumberedPage, _ expected: UnsafeRawBufferPointer?, _ settings: CipherSettings
    ) -> PageVerdict {
        if page.number == settings.lockBytePage { return .lockBytes }
        if let expected = unsafe expected {
            let hmac = unsafe UnsafeRawBufferPointer(rebasing: page.bytes[settings.hmacRange])
            // In a time that does not depend on where they differ.
            if unsafe CRYPTO_memcmp(hmac.baseAddress, expected.baseAddress, hmac.count) == 0 {
                return .authentic
            }
        }
        if unsafe page.bytes.allSatisfy({ $0 == 0 }) { return .blank }
        return unsafe expected == nil ? .unprotected : .damaged
    }

    /// Writes the HMAC of each page to its place; nothing if the settings have none.
    mutating func authenticate(_ pages: [NumberedPage]) throws(DatabaseError) {
        let range = settings.hmacRange
        try unsafe withHMACs(of: pages) { page, hmac in
            guard let hmac = unsafe hmac else { return }
            unsafe UnsafeMutableRawBufferPointer(rebasing: page.bytes[range]).copyMemory(from: hmac)
        }
    }

    /// - Parameter body: Called with each page, and with its HMAC if the settings have one.
    private mutating func withHMACs(
        of pages: [NumberedPage], _ body: (NumberedPage, UnsafeRawBufferPointer?) -> Void
    ) throws(DatabaseError) {
        for page in pages {
            unsafe precondition(
                page.bytes.count == settings.pageSize, "Pages have the settings' size")
            precondition(page.number > 0, "Pages are counted from 1")
        }
        let messages = pages.map { page in
            unsafe PageMAC.Message(
                bytes: UnsafeRawBufferPointer(
                    rebasing: page.bytes[settings.authenticatedRange(ofPage: page.number)]),
                page: page.number)
        }
        let size = settings.hmacByteCount
        let isDone = unsafe withUnsafeTemporaryAllocation(
            byteCount: pages.count * size, alignment: 16
        ) { results in
            guard let isComputed = unsafe mac?.compute(messages, to: results) else {
                for page in pages { body(page, nil) }
                return true
            }
            guard isComputed else { return false }
            for (index, page) in pages.enumerated() {
                let hmac = unsafe results[(index * size)..<((index + 1) * size)]
                unsafe body(page, UnsafeRawBufferPointer(rebasing: hmac))
            }
            return true
        }
        guard isDone else { throw .libcrypto("compute an HMAC") }
    }
}

extension PageKey {
    /// The key of the HMACs: it follows from the key of the pages, and not the other way round.
    package func verificationKey() throws(DatabaseError) -> SecretBytes {
        let parameters = KeyDerivation.Parameters(
            salt: salt.bytes.map { $0 ^ settings.hmacSaltMask },
            iterations: settings.fastKDFIterations, algorithm: settings.kdfAlgorithm.kdfName)
        guard
            let key = try unsafe encryption.withUnsafeBytes({ key throws(DatabaseError) in
                try unsafe KeyDerivation.key(from: key, parameters)
            })
        else { throw .libcrypto("derive a key") }
        return key
    }
}
