package import StrongroomCore

extension Keyring {
    /// Whether a key is one that its database may have now.
    package func hasAsPresentKey(_ key: CipherKey) throws -> Bool {
        try content.generations.contains { generation in
            guard let settings = generation.cipher.settings else { return false }
            let pageKey = try PageKey(
                key, fileSalt: generation.cipher.saltValue, settings: settings)
            return try KeyIdentifier.text(ofVerificationKey: pageKey.verificationKey())
                == generation.key
        }
    }
}
