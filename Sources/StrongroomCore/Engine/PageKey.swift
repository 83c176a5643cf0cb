/// The keys of a database's pages: one that encrypts, and one, derived from it, that authenticates.
///
/// A ``PageCodec`` is made from it for each thread. Both keys lie in locked memory that is wiped;
/// libcrypto and ``SideBySideHasher`` keep what they need of them with a codec, and wipe it with it.
// Safety: the bytes of keys are looked at inside of closures only.
package final class PageKey: Sendable {
    package let settings: CipherSettings
    /// What the keys were derived with. It goes to the beginning of page 1, unless that is clear.
    package let salt: CipherSalt
    let encryption: SecretBytes
    /// Nothing if the settings have no HMAC.
    let authentication: SecretBytes

    /// Derives the keys, which takes about 100 ms for a passphrase.
    ///
    /// - parameter fileSalt: The salt at the beginning of the file, or of the plaintext header. A
    ///   key with a salt of its own does without it.
    package convenience init(
        _ key: CipherKey, fileSalt: CipherSalt?, settings: CipherSettings
    ) throws(DatabaseError) {
        guard let salt = key.salt ?? fileSalt else {
            throw DatabaseError(
                code: .SQLITE_MISUSE,
                message: "a key without a salt, for a file that does not have it either")
        }
        if let raw = key.rawKey() {
            try self.init(rawKey: raw, salt: salt, settings: settings)
        } else {
            let raw = try Self.derive(key, salt, settings)
            try self.init(rawKey: raw, salt: salt, settings: settings)
        }
    }

    /// The same key and salt for other settings; nothing is derived from the passphrase again.
    ///
    /// Of use where the derivation is the same in both, or the key is raw.
    package convenience init(
        _ other: PageKey, settings: CipherSettings
    ) throws(DatabaseError) {
        let raw = unsafe other.encryption.withUnsafeBytes { unsafe SecretBytes(copying: $0) }
        try self.init(rawKey: raw, salt: other.salt, settings: settings)
    }

    private init(
        rawKey: consuming SecretBytes, salt: CipherSalt, settings: CipherSettings
    ) throws(DatabaseError) {
        let parameters = KeyDerivation.Parameters(
            salt: salt.bytes.map { $0 ^ settings.hmacSaltMask },
            iterations: settings.fastKDFIterations, algorithm: settings.kdfAlgorithm.kdfName)
        switch settings.authentication {
        case .absent:
            authentication = SecretBytes()
        case .hmac:
            guard
                let key = try unsafe rawKey.withUnsafeBytes({ key throws(DatabaseError) in
                    try unsafe KeyDerivation.key(from: key, parameters)
                })
            else { throw .libcrypto("derive a key") }
            authentication = key
        }
        encryption = rawKey
        self.salt = salt
        self.settings = settings
    }

    private static func derive(
        _ key: CipherKey, _ salt: CipherSalt, _ settings: CipherSettings
    ) throws(DatabaseError) -> SecretBytes {
        let parameters = KeyDerivation.Parameters(
            salt: salt.bytes, iterations: settings.kdfIterations,
            algorithm: settings.kdfAlgorithm.kdfName)
        let derived = try unsafe key.withSQLCipherBytes { passphrase throws(DatabaseError) in
            try unsafe KeyDerivation.key(from: passphrase, parameters)
        }
        guard let derived = consume derived else { throw .libcrypto("derive a key") }
        return derived
    }

    /// What gives SQLCipher the same key and salt, without a derivation.
    package func cipherKey() throws(CipherKeyError) -> CipherKey {
        try unsafe encryption.withUnsafeBytes { bytes throws(CipherKeyError) in
            try unsafe CipherKey(rawKey: bytes, salt: salt)
        }
    }
}

extension DatabaseError {
    /// Libcrypto refused: there is no memory, or it is configured to do without the algorithm.
    static func libcrypto(_ what: String) -> DatabaseError {
        DatabaseError(code: .SQLITE_ERROR, message: "libcrypto could not \(what)")
    }
}
