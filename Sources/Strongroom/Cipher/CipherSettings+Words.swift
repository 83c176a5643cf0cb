extension CipherSettings {
    /// What distinguishes them from those of a version of SQLCipher: `page-size=8192,hmac=sha256`.
    package func words(salt: CipherSalt?) -> String {
        let versions = Version.allCases.reversed()
        let version =
            versions.first { CipherSettings.version($0) == self }
            ?? versions.first { CipherSettings.version($0).kdfAlgorithm == kdfAlgorithm } ?? .v4
        let base = CipherSettings.version(version)
        var words: [String] = []
        if version != .v4 { words.append("compatibility=\(version.rawValue)") }
        if kdfIterations != base.kdfIterations { words.append("kdf-iterations=\(kdfIterations)") }
        if pageSize != base.pageSize { words.append("page-size=\(pageSize)") }
        if authentication != base.authentication {
            switch authentication {
            case .absent: words.append("hmac=none")
            case .hmac(let hash): words.append("hmac=\(hash.rawValue.lowercased())")
            }
        }
        if !hasSaltInFile, let salt { words.append("salt=\(salt.hexadecimal)") }
        return words.joined(separator: ",")
    }
}
