/// What somebody says of the cipher settings that a database has; what is nil is sought.
package struct CipherDescription: Sendable, Equatable {
    /// Version, derivation, page size and HMAC.
    package var layout = CipherChange()
    /// How many bytes at the beginning of the file are in plaintext.
    package var plaintextHeaderByteCount: Int?
    /// The salt of a file that does not hold it itself.
    package var salt: CipherSalt?

    package init() {}

    /// Whether nothing is said.
    package var isEmpty: Bool { self == CipherDescription() }

    /// What holds of the database after a change.
    package func changed(by change: CipherChange) -> CipherDescription {
        var changed = self
        if change.compatibility != nil {
            changed.layout = change
            return changed
        }
        changed.layout.kdfIterations = change.kdfIterations ?? layout.kdfIterations
        changed.layout.kdfAlgorithm = change.kdfAlgorithm ?? layout.kdfAlgorithm
        changed.layout.pageSize = change.pageSize ?? layout.pageSize
        changed.layout.hmac = change.hmac ?? layout.hmac
        return changed
    }

    /// All settings: those of SQLCipher 4 where nothing is said.
    func settings() throws(CipherSettingsError) -> CipherSettings {
        let header =
            plaintextHeaderByteCount ?? (salt == nil ? 0 : CipherSettings.usualPlaintextHeader)
        return try layout.settings(after: CipherSettings(plaintextHeaderByteCount: header))
    }
}
