/// A hash function that SQLCipher derives keys and authenticates pages with.
package enum CipherHash: String, CaseIterable, Sendable {
    case sha1 = "SHA1"
    case sha256 = "SHA256"
    case sha512 = "SHA512"

    /// How many bytes its HMAC has.
    package var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }

    /// The name in `PRAGMA cipher_kdf_algorithm`.
    package var kdfName: String { "PBKDF2_HMAC_\(rawValue)" }

    /// The name in `PRAGMA cipher_hmac_algorithm`.
    package var hmacName: String { "HMAC_\(rawValue)" }

    package init?(kdfName: String) {
        self.init { $0.kdfName == kdfName }
    }

    package init?(hmacName: String) {
        self.init { $0.hmacName == hmacName }
    }

    private init?(where isNamed: (Self) -> Bool) {
        guard let hash = Self.allCases.first(where: isNamed) else { return nil }
        self = hash
    }
}
