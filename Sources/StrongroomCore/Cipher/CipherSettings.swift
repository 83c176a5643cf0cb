/// How a database is encrypted, apart from its key: what SQLCipher's pragmas of these names say.
///
/// 1. A value is always one that SQLCipher takes. SQLCipher itself answers `out of memory` to a
///    wrong one, or destroys the file with it (`Documentation/SQLCipher.md`, "Settings").
/// 2. The settings are not in the file: without them, a key opens nothing.
package struct CipherSettings: Hashable, Sendable {
    /// The settings that a version of SQLCipher has of its own, `PRAGMA cipher_compatibility`.
    package enum Version: Int, CaseIterable, Sendable {
        case v1 = 1
        case v2, v3, v4
    }

    /// What protects a page from being changed.
    package enum Authentication: Hashable, Sendable {
        /// Nothing does: `PRAGMA cipher_use_hmac = OFF`.
        case absent
        case hmac(CipherHash)
    }

    /// In which order the HMAC of a page has the bytes of the page's number.
    package enum PageNumbers: Hashable, Sendable {
        case littleEndian
        /// As early versions of SQLCipher 2.0 had them.
        case bigEndian
    }

    package static let usualFastKDFIterations = 2
    package static let usualHMACSaltMask: UInt8 = 0x3a
    /// What SQLCipher's documentation recommends for a plaintext header.
    package static let usualPlaintextHeader = 32

    /// `PRAGMA cipher_page_size`
    package let pageSize: Int
    /// `PRAGMA cipher_kdf_algorithm`
    package let kdfAlgorithm: CipherHash
    /// `PRAGMA kdf_iter`
    package let kdfIterations: Int
    /// `PRAGMA fast_kdf_iter`, for the key of the HMAC.
    package let fastKDFIterations: Int
    /// `PRAGMA cipher_use_hmac` and `PRAGMA cipher_hmac_algorithm`
    package let authentication: Authentication
    /// `PRAGMA cipher_hmac_salt_mask`: what the salt is changed by for the key of the HMAC.
    package let hmacSaltMask: UInt8
    /// `PRAGMA cipher_hmac_pgno`
    package let pageNumbers: PageNumbers
    /// `PRAGMA cipher_plaintext_header_size`: bytes at the beginning of the file that stay clear.
    ///
    /// If there are any, the salt is not in the file.
    package let plaintextHeaderByteCount: Int

    /// The settings of a version, with some of them changed.
    package init(
        _ version: Version = .v4, pageSize: Int? = nil, kdfAlgorithm: CipherHash? = nil,
        kdfIterations: Int? = nil, fastKDFIterations: Int = usualFastKDFIterations,
        authentication: Authentication? = nil, hmacSaltMask: UInt8 = usualHMACSaltMask,
        pageNumbers: PageNumbers = .littleEndian, plaintextHeaderByteCount: Int = 0
    ) throws(CipherSettingsError) {
        self.init(
            unchecked: version, pageSize, kdfAlgorithm, kdfIterations, fastKDFIterations,
            authentication, hmacSaltMask, pageNumbers, plaintextHeaderByteCount)
        if let problem { throw CipherSettingsError(message: problem) }
    }

    private init(
        unchecked version: Version, _ pageSize: Int? = nil, _ kdfAlgorithm: CipherHash? = nil,
        _ kdfIterations: Int? = nil, _ fastKDFIterations: Int = usualFastKDFIterations,
        _ authentication: Authentication? = nil, _ hmacSaltMask: UInt8 = usualHMACSaltMask,
        _ pageNumbers: PageNumbers = .littleEndian, _ plaintextHeaderByteCount: Int = 0
    ) {
        self.pageSize = pageSize ?? version.pageSize
        self.kdfAlgorithm = kdfAlgorithm ?? version.hash
        self.kdfIterations = kdfIterations ?? version.kdfIterations
        self.fastKDFIterations = fastKDFIterations
        self.authentication = authentication ?? version.authentication
        self.hmacSaltMask = hmacSaltMask
        self.pageNumbers = pageNumbers
        self.plaintextHeaderByteCount = plaintextHeaderByteCount
    }

    /// What a version of SQLCipher has when nothing else is said.
    package static func version(_ version: Version) -> CipherSettings {
        CipherSettings(unchecked: version)
    }
}

extension CipherSettings.Version {
    fileprivate var pageSize: Int { self == .v4 ? 4096 : 1024 }

    fileprivate var hash: CipherHash { self == .v4 ? .sha512 : .sha1 }

    fileprivate var kdfIterations: Int {
        switch self {
        case .v1, .v2: 4000
        case .v3: 64000
        case .v4: 256_000
        }
    }

    fileprivate var authentication: CipherSettings.Authentication {
        self == .v1 ? .absent : .hmac(hash)
    }
}

/// Settings that SQLCipher would not take.
package struct CipherSettingsError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, and what would be right.
    package let message: String

    package init(message: String) {
        self.message = message
    }

    package var description: String { message }
}
