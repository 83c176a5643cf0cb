extension CipherSettings {
    /// Words such as `page-size=8192,hmac=sha256` as options: `--page-size 8192 --hmac sha256`.
    package static func options(_ words: String) -> String {
        words.split(separator: ",")
            .map { "--" + $0.replacing("=", with: " ", maxReplacements: 1) }
            .joined(separator: " ")
    }

    /// What distinguishes them from those of a version of SQLCipher: `page-size=8192,hmac=sha256`.
    package func words(salt: CipherSalt?) -> String {
        let versions = Version.allCases.reversed()
        let version =
            versions.first { CipherSettings.version($0) == self }
            ?? versions.first { CipherSettings.version($0).kdfAlgorithm == kdfAlgorithm } ?? .v4
        let base = CipherSettings.version(version)
        var words: [String] = []
        if version != .v4 { words.append("compatibility=\(version.rawValue)") }
        if kdfAlgorithm != base.kdfAlgorithm {
            words.append("kdf-algorithm=\(kdfAlgorithm.rawValue.lowercased())")
        }
        if kdfIterations != base.kdfIterations { words.append("kdf-iterations=\(kdfIterations)") }
        if pageSize != base.pageSize { words.append("page-size=\(pageSize)") }
        if authentication != base.authentication {
            switch authentication {
            case .absent: words.append("hmac=none")
            case .hmac(let hash): words.append("hmac=\(hash.rawValue.lowercased())")
            }
        }
        if !hasSaltInFile, plaintextHeaderByteCount != Self.usualPlaintextHeader || salt == nil {
            words.append("plaintext-header=\(plaintextHeaderByteCount)")
        }
        if !hasSaltInFile, let salt { words.append("salt=\(salt.hexadecimal)") }
        return words.joined(separator: ",")
    }
}
