/// Cipher settings that a rotation changes; settings that are nil stay the same.
///
/// ```swift
/// let change = CipherChange(compatibility: 4)
/// try file.rotateKey(to: newKey, changing: change)
/// ```
public struct CipherChange: Sendable, Equatable {
    /// The HMAC that authenticates a page.
    public enum HMAC: String, Sendable, CaseIterable {
        /// No HMAC: a changed page goes undetected.
        case none
        /// HMAC-SHA1, the default of SQLCipher 2 and 3.
        case sha1
        /// HMAC-SHA256.
        case sha256
        /// That of SQLCipher 4.
        case sha512
    }

    /// The hash with which PBKDF2 derives a key from a passphrase.
    public enum KDFAlgorithm: String, Sendable, CaseIterable {
        /// That of SQLCipher 1 to 3.
        case sha1
        /// PBKDF2-HMAC-SHA256.
        case sha256
        /// That of SQLCipher 4.
        case sha512
    }

    /// The version of SQLCipher, 1 to 4, whose settings to start from.
    public var compatibility: Int?
    /// How often a passphrase is hashed.
    public var kdfIterations: Int?
    /// The hash that a passphrase goes through.
    public var kdfAlgorithm: KDFAlgorithm?
    /// The page size in bytes.
    public var pageSize: Int?
    /// The HMAC that authenticates a page.
    public var hmac: HMAC?

    /// A change of one setting or several.
    ///
    ///     let key = try CipherKey(passphrase: "secret")
    ///     try DatabaseFile(path: "old.db", key: key)
    ///         .rotateKey(to: .generated(), changing: CipherChange(compatibility: 4))
    public init(
        compatibility: Int? = nil, kdfIterations: Int? = nil, kdfAlgorithm: KDFAlgorithm? = nil,
        pageSize: Int? = nil, hmac: HMAC? = nil
    ) {
        self.compatibility = compatibility
        self.kdfIterations = kdfIterations
        self.kdfAlgorithm = kdfAlgorithm
        self.pageSize = pageSize
        self.hmac = hmac
    }

    /// The settings after the change of others.
    package func settings(
        after old: CipherSettings
    ) throws(CipherSettingsError) -> CipherSettings {
        var base = old
        if let compatibility {
            guard let version = CipherSettings.Version(rawValue: compatibility) else {
                throw CipherSettingsError(message: "a version of \(compatibility): it is 1 to 4")
            }
            base = .version(version)
        }
        let authentication: CipherSettings.Authentication =
            switch hmac {
            case nil: base.authentication
            case .some(.none): .absent
            case .sha1: .hmac(.sha1)
            case .sha256: .hmac(.sha256)
            case .sha512: .hmac(.sha512)
            }
        let hash: CipherHash? =
            switch kdfAlgorithm {
            case nil: nil
            case .sha1: .sha1
            case .sha256: .sha256
            case .sha512: .sha512
            }
        return try CipherSettings(
            pageSize: pageSize ?? base.pageSize, kdfAlgorithm: hash ?? base.kdfAlgorithm,
            kdfIterations: kdfIterations ?? base.kdfIterations,
            fastKDFIterations: base.fastKDFIterations, authentication: authentication,
            hmacSaltMask: base.hmacSaltMask, pageNumbers: base.pageNumbers,
            plaintextHeaderByteCount: old.plaintextHeaderByteCount)
    }
}
