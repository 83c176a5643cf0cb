internal import COpenSSL

/// Tells whether pages are as somebody with the key wrote them, with the key of the HMACs alone,
/// which can decrypt nothing.
///
/// One serves one thread at a time.
package struct PageAuthenticator: ~Copyable, @unchecked Sendable {
    // Safety: it owns its context, and what uses it is `mutating`, with exclusive access.
    private let settings: CipherSettings
    private var mac: PageMAC?

    /// - Parameter key: What ``PageKey/verificationKey()`` gives.
    package init(
        key: borrowing SecretBytes, settings: CipherSettings
    ) throws(DatabaseError) {
        self.settings = settings
        mac = try Self.mac(key, settings)
    }

    private static func mac(
        _ key: borrowing SecretBytes, _ settings: CipherSettings
    ) throws(DatabaseError) -> PageMAC? {
        guard case .hmac(let hash) = settings.authentication else { return nil }
        return try key.withUnsafeBytes { bytes throws(DatabaseError) in
            try PageMAC(key: bytes, hash: hash)
        }
    }

    /// The same as ``PageCodec/verdict(on:number:)``.
    package mutating func verdict(
        on page: UnsafeRawBufferPointer, number: UInt32
    ) throws(DatabaseError) -> PageVerdict {
        if number == settings.lockBytePage { return .lockBytes }
        let start = number == 1 ? settings.clearByteCount : 0
        let end =
            settings.pageSize - settings.reserveByteCount + CipherSettings.blockByteCount
        let expected = UnsafeMutableRawBufferPointer.allocate(
            byteCount: settings.hmacByteCount, alignment: 16)
        defer { expected.deallocate() }
        let body = UnsafeRawBufferPointer(rebasing: page[start..<end])
        guard let isComputed = mac?.compute(body, page: number, to: expected) else {
            return page.allSatisfy { $0 == 0 } ? .blank : .unprotected
        }
        guard isComputed else { throw .libcrypto("compute an HMAC") }
        let hmac = UnsafeRawBufferPointer(rebasing: page[end..<(end + expected.count)])
        if CRYPTO_memcmp(hmac.baseAddress, expected.baseAddress, expected.count) == 0 {
            return .authentic
        }
        return page.allSatisfy { $0 == 0 } ? .blank : .damaged
    }
}

extension PageKey {
    /// The key of the HMACs: it follows from the key of the pages, and not the other way round.
    package func verificationKey() throws(DatabaseError) -> SecretBytes {
        let parameters = KeyDerivation.Parameters(
            salt: salt.bytes.map { $0 ^ settings.hmacSaltMask },
            iterations: settings.fastKDFIterations, algorithm: settings.kdfAlgorithm.kdfName)
        guard let key = encryption.withUnsafeBytes({ KeyDerivation.key(from: $0, parameters) })
        else { throw .libcrypto("derive a key") }
        return key
    }
}
