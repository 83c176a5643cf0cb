/// Seeks the settings with which a key opens a file: those of SQLCipher 1 to 4, all page sizes and
/// HMACs, and plaintext headers.
///
/// 1. Settings count only if page 1 is authentic under them: whoever wrote it had the key.
/// 2. "No HMAC" is never among what is found. A file whose HMACs somebody destroyed looks just like
///    one that never had any, and would be believed whatever it says; so whoever has such a file
///    says so.
/// 3. The mask of the HMAC's salt, which early versions of SQLCipher 2.0 did not have, holds for the
///    whole process: to set it would close all other files. Doctor names it.
/// 4. Of a passphrase each derivation is tried, which takes about half a second in all; of a raw key
///    nothing is derived.
package struct SettingsSearch {
    package enum Outcome {
        case found(CipherSettings, CipherSalt)
        /// The key decrypts page 1, and nothing proves that nobody changed it.
        case unauthenticated(CipherSettings)
        case nothing
    }

    package let byteCount: Int64
    package let read: PageSource.Read
    package let key: CipherKey
    /// The salt of a file that does not have it itself, if it is known.
    package let knownSalt: CipherSalt?
    /// The settings that were tried, and do not open the file. Their number of iterations is tried
    /// with all others; if they have no HMAC, one is not asked for.
    package let tried: CipherSettings

    package init(
        byteCount: Int64, read: @escaping PageSource.Read, key: CipherKey, knownSalt: CipherSalt?,
        tried: CipherSettings
    ) {
        self.byteCount = byteCount
        self.read = read
        self.key = key
        self.knownSalt = knownSalt
        self.tried = tried
    }

    /// - Parameter check: Called before each derivation; what it throws ends the search.
    package func run(_ check: () throws -> Void = {}) throws -> Outcome {
        let verdict = try FileVerdict(byteCount: byteCount, read: read)
        // What is not encrypted has no key, and needs no search.
        guard verdict.mayBeEncrypted else { return .nothing }
        let trial = KeyTrial(
            byteCount: byteCount, read: read, keys: [key], salts: salts(verdict),
            beginsAsPlain: verdict.beginsAsPlain, pageSize: verdict.pageSize,
            iterations: tried.kdfIterations,
            proof: .firstPage)
        guard let found = try trial.findAnySettings(check) else { return .nothing }
        let settings = found.key.settings
        if settings.authentication == .absent, tried.authentication != .absent {
            // Without its salt, HMACs cannot be told from none.
            let isSaltKnown = settings.hasSaltInFile || knownSalt != nil || key.salt != nil
            return isSaltKnown ? .unauthenticated(settings) : .nothing
        }
        guard settings.hmacSaltMask == CipherSettings.usualHMACSaltMask else { return .nothing }
        return .found(settings, found.key.salt)
    }

    /// A salt that happens to be the beginning of a plain database is worth no derivation.
    private func salts(_ verdict: FileVerdict) -> [CipherSalt] {
        guard verdict.kind == .plaintextHeader else { return [verdict.salt].compactMap { $0 } }
        let inPlace = key.form == .passphrase ? nil : verdict.salt
        return [knownSalt, inPlace].compactMap { $0 }
    }
}
