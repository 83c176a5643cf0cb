/// SQLCipher's settings and the salt, as our files have them.
package struct StoredSettings: Codable, Hashable, Sendable {
    package var pageSize: Int
    package var kdfAlgorithm: String
    package var kdfIterations: Int
    package var fastKDFIterations: Int
    /// Nil without one.
    package var hmacAlgorithm: String?
    package var hmacSaltMask: Int
    package var plaintextHeaderByteCount: Int
    /// The salt, which is no secret.
    package var salt: String

    package init(_ settings: CipherSettings, salt: CipherSalt) {
        if case .hmac(let hash) = settings.authentication { hmacAlgorithm = hash.rawValue }
        pageSize = settings.pageSize
        kdfAlgorithm = settings.kdfAlgorithm.rawValue
        kdfIterations = settings.kdfIterations
        fastKDFIterations = settings.fastKDFIterations
        hmacSaltMask = Int(settings.hmacSaltMask)
        plaintextHeaderByteCount = settings.plaintextHeaderByteCount
        self.salt = salt.hexadecimal
    }

    /// Nil for settings that are not known here.
    package var settings: CipherSettings? {
        guard let kdf = CipherHash(rawValue: kdfAlgorithm) else { return nil }
        let hmac = hmacAlgorithm.map(CipherHash.init(rawValue:))
        if case .some(.none) = hmac { return nil }
        return try? CipherSettings(
            .v4, pageSize: pageSize, kdfAlgorithm: kdf, kdfIterations: kdfIterations,
            fastKDFIterations: fastKDFIterations,
            authentication: hmac.flatMap(\.self).map { .hmac($0) } ?? .absent,
            hmacSaltMask: UInt8(truncatingIfNeeded: hmacSaltMask),
            plaintextHeaderByteCount: plaintextHeaderByteCount)
    }

    package var saltValue: CipherSalt? { Hexadecimal.bytes(salt).flatMap { CipherSalt($0) } }
}

extension StoredSettings {
    /// More would take minutes to derive a key: long before anybody could know who asks for it.
    private static let largestIterationCount = 100_000_000
    private static let largestFastIterationCount = 1_000_000

    /// Whether each number may be used.
    package var isPossible: Bool {
        settings != nil && saltValue != nil && (0...255).contains(hmacSaltMask)
            && kdfIterations <= Self.largestIterationCount
            && fastKDFIterations <= Self.largestFastIterationCount
    }
}
