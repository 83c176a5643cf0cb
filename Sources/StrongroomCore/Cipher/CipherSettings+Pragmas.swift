extension CipherSettings {
    /// The statements that give SQLCipher these settings, in the order that it needs them in: after
    /// the key, and before anything is read.
    ///
    /// All are said, because the process may have other defaults. The mask of the HMAC's salt is
    /// one for the whole process: where it is not the usual one, other databases stop opening.
    ///
    /// - Parameter salt: Needed where the file has a plaintext header, of no effect elsewhere.
    package func pragmas(salt: CipherSalt?) -> [String] {
        // What makes the reserve comes before the page size, which must have room for it.
        var pragmas: [String] = []
        switch authentication {
        case .absent:
            pragmas.append("PRAGMA cipher_use_hmac = OFF")
        case .hmac(let hash):
            pragmas.append("PRAGMA cipher_use_hmac = ON")
            pragmas.append("PRAGMA cipher_hmac_algorithm = \(hash.hmacName)")
        }
        pragmas.append("PRAGMA cipher_page_size = \(pageSize)")
        pragmas.append("PRAGMA cipher_kdf_algorithm = \(kdfAlgorithm.kdfName)")
        pragmas.append("PRAGMA kdf_iter = \(kdfIterations)")
        if fastKDFIterations != Self.usualFastKDFIterations {
            pragmas.append("PRAGMA fast_kdf_iter = \(fastKDFIterations)")
        }
        if hmacSaltMask != Self.usualHMACSaltMask {
            let digits = String(hmacSaltMask, radix: 16)
            let mask = digits.count == 1 ? "0" + digits : digits
            pragmas.append("PRAGMA cipher_hmac_salt_mask = \"x'\(mask)'\"")
        }
        if pageNumbers == .bigEndian { pragmas.append("PRAGMA cipher_hmac_pgno = be") }
        pragmas.append("PRAGMA cipher_plaintext_header_size = \(plaintextHeaderByteCount)")
        if !hasSaltInFile, let salt {
            pragmas.append("PRAGMA cipher_salt = \"x'\(salt.hexadecimal)'\"")
        }
        return pragmas
    }

    /// The same in one statement, where they are those of a version of SQLCipher.
    ///
    /// - Parameter isRaw: Whether the key is raw, so that nothing is derived from it.
    package func shortPragmas(salt: CipherSalt?, isRaw: Bool) -> [String] {
        let version = Version.allCases.reversed().first {
            let version = CipherSettings.version($0)
            return version == self || isRaw && hasSameLayout(as: version)
        }
        return version.map { ["PRAGMA cipher_compatibility = \($0.rawValue)"] }
            ?? pragmas(salt: salt)
    }

    /// The settings that a connection has, as statements that set them: what its `PRAGMA
    /// cipher_settings` lists, and what that leaves out.
    ///
    /// - Throws: If there is anything in it that this library does not know.
    package init(listing: [String]) throws(CipherSettingsError) {
        var values: [String: String] = [:]
        for line in listing {
            guard let (name, value) = Self.nameAndValue(line) else {
                throw CipherSettingsError(message: "no setting: \(line)")
            }
            values[name] = value
        }
        func number(_ name: String) -> Int? { values[name].flatMap { Int($0) } }
        guard let pageSize = number("cipher_page_size"), let iterations = number("kdf_iter"),
            let header = number("cipher_plaintext_header_size"),
            let kdf = values["cipher_kdf_algorithm"].flatMap({ CipherHash(kdfName: $0) }),
            let hmac = values["cipher_hmac_algorithm"].flatMap({ CipherHash(hmacName: $0) }),
            let hasHMAC = number("cipher_use_hmac")
        else {
            throw CipherSettingsError(
                message: "settings that are not known: \(listing.joined(separator: " "))")
        }
        try self.init(
            pageSize: pageSize, kdfAlgorithm: kdf, kdfIterations: iterations,
            authentication: hasHMAC == 0 ? .absent : .hmac(hmac),
            pageNumbers: values["cipher_hmac_pgno"] == "be" ? .bigEndian : .littleEndian,
            plaintextHeaderByteCount: header)
    }

    /// The two sides of `PRAGMA name = value;`.
    private static func nameAndValue(_ line: String) -> (String, String)? {
        let words = line.split { " =;".contains($0) }.map(String.init)
        return words.count == 3 && words[0] == "PRAGMA" ? (words[1], words[2]) : nil
    }
}
