/// Tries keys, salts and settings on a file until some of its pages turn out to be written with them.
struct KeyTrial {
    /// What proves that a key and settings are those of the file.
    enum Proof {
        /// Page 1 is authentic: SQLCipher then opens the file with them.
        case firstPage
        /// Some page is; others may be damaged.
        case somePage
    }

    /// What opens the file.
    struct Finding {
        let key: PageKey
        let salt: CipherSalt
        /// The number of the key that did, from 0.
        let keyNumber: Int
        /// The salt is not right, but the raw key decrypts without it.
        var isSaltLost = false
    }

    let byteCount: Int64
    let read: PageSource.Read
    let keys: [CipherKey]
    /// The salts that may be the right one, the likeliest first.
    let salts: [CipherSalt]
    /// Whether the file begins as a plain database does.
    let beginsAsPlain: Bool
    /// How many bytes a page has, where a plaintext header says so.
    let pageSize: Int?
    /// How often a passphrase may be hashed, besides the numbers in use.
    let iterations: Int
    var proof = Proof.somePage
    /// Whether numbers of iterations are tried that somebody may have chosen.
    var triesRareIterations = false

    private static let hashes = [CipherHash.sha512, .sha1, .sha256]
    private static let authentications: [CipherSettings.Authentication] =
        hashes.map { .hmac($0) } + [.absent]
    private static let pageSizes = [4096, 1024, 8192, 16384, 2048, 32768, 65536, 512]

    /// Plaintext headers in use, the likeliest first.
    private static let usualHeaders = [32, 16, 48, 64, 80, 96]
    /// Of page 1 alone, more can be tried.
    private static let longHeaders = Array(stride(from: 112, through: 512, by: 16))

    /// Derivations in use, the likeliest first: those of versions 4, 3 and 2, then mixtures.
    private static let derivations: [(CipherHash, Int)] = [
        (.sha512, 256_000), (.sha1, 64000), (.sha1, 4000), (.sha256, 256_000), (.sha1, 256_000),
        (.sha512, 64000), (.sha512, 4000), (.sha256, 64000), (.sha256, 4000),
    ]

    /// Round numbers, and those that others recommend: two million iterations in all.
    private static let rareIterations = [
        1, 1000, 2000, 5000, 10_000, 16_000, 20_000, 32_000, 50_000, 100_000, 128_000, 200_000,
        310_000, 500_000, 600_000,
    ]

    /// Whether every command tries this number of iterations.
    static func isUsual(_ iterations: Int) -> Bool { derivations.contains { $0.1 == iterations } }

    /// Those of early versions of SQLCipher 2.0, besides those of the later ones.
    private static let earlyVersions: [CipherSettings] = {
        [
            try? CipherSettings(.v2, pageNumbers: .bigEndian),
            try? CipherSettings(.v2, fastKDFIterations: 4000, hmacSaltMask: 0),
            try? CipherSettings(
                .v2, fastKDFIterations: 4000, hmacSaltMask: 0, pageNumbers: .bigEndian),
        ].compactMap { $0 }
    }()

    /// The settings that are said to be those of the file, with every key and salt.
    func find(_ settings: CipherSettings) throws -> Finding? {
        for (number, key) in keys.enumerated() {
            for salt in salts(for: key) {
                let pageKey = try PageKey(key, fileSalt: salt, settings: settings)
                guard try opens(pageKey) else { continue }
                // Another header than was named shows on page 1 alone.
                let isCertain =
                    settings.hasSaltInFile || settings.authentication == .absent
                let right = isCertain ? pageKey : try withRightHeader(pageKey)
                return Finding(key: right, salt: salt, keyNumber: number)
            }
        }
        return nil
    }

    /// All settings that are known, with every key and salt. Each passphrase and salt takes a second.
    func findAnySettings(_ check: () throws -> Void) throws -> Finding? {
        for (number, key) in keys.enumerated() {
            for salt in salts(for: key) {
                for (hash, iterations) in derivations(for: key) {
                    try check()
                    guard
                        let found = try findLayout(
                            key, salt, hash, iterations: iterations, opens)
                    else { continue }
                    return Finding(key: found, salt: salt, keyNumber: number)
                }
            }
        }
        return nil
    }

    /// A raw key whose salt is lost: page 1 can be decrypted, and nothing verified.
    func findWithoutSalt() throws -> Finding? {
        for (number, key) in keys.enumerated() where key.form == .rawKey {
            guard let salt = salts.first else { continue }
            let found = try findLayout(key, salt, .sha512, iterations: 1, hasHeader)
            guard let found else { continue }
            return Finding(key: found, salt: salt, keyNumber: number, isSaltLost: true)
        }
        return nil
    }

    private func derivations(for key: CipherKey) -> [(CipherHash, Int)] {
        guard key.form != .passphrase else {
            let isKnown = Self.derivations.contains { $0.1 == iterations }
            let rare = (triesRareIterations ? Self.rareIterations : [])
                .map { (CipherHash.sha512, $0) }
            let named = isKnown ? [] : Self.hashes.map { ($0, iterations) }
            return named + Self.derivations + rare
        }
        // From a raw key, only that of the HMAC is derived.
        return Self.hashes.map { ($0, 256_000) }
    }

    func salts(for key: CipherKey) -> [CipherSalt] {
        key.salt.map { [$0] } ?? salts
    }

    /// Sizes of plaintext headers and of pages. Where the header is too short to name the size of
    /// pages, it has 16 bytes; or a salt happens to be the beginning of a plain database.
    private var layouts: [(header: Int, pageSize: Int)] {
        if let pageSize {
            let headers = Self.usualHeaders + (proof == .firstPage ? Self.longHeaders : [])
            return headers.map { ($0, pageSize) }
        }
        let headers =
            switch (beginsAsPlain, proof) {
            case (false, _): [0]
            case (true, .firstPage): [16, 0]
            case (true, .somePage): Self.usualHeaders + [0]
            }
        return headers.flatMap { header in Self.pageSizes.map { (header, $0) } }
    }

    /// All page sizes and HMACs with one derivation, which is done once.
    private func findLayout(
        _ key: CipherKey, _ salt: CipherSalt, _ hash: CipherHash, iterations: Int,
        _ isRight: (PageKey) throws -> Bool
    ) throws -> PageKey? {
        let base = try PageKey(
            key, fileSalt: salt,
            settings: CipherSettings(kdfAlgorithm: hash, kdfIterations: iterations))
        // From a raw key, only that of the HMAC is derived.
        if key.form != .passphrase || iterations == CipherSettings.version(.v2).kdfIterations,
            let early = try findEarlyVersion(base, isRight)
        {
            return early
        }
        // Pages without an HMAC last: their proof is the weaker one.
        for authentication in Self.authentications {
            for (header, pageSize) in layouts {
                let settings = try? CipherSettings(
                    pageSize: pageSize, kdfAlgorithm: hash, kdfIterations: iterations,
                    authentication: authentication, plaintextHeaderByteCount: header)
                guard let settings else { continue }
                let candidate = try PageKey(base, settings: settings)
                guard try isRight(candidate) else { continue }
                return header == 0 || authentication == .absent
                    ? candidate : try withRightHeader(candidate)
            }
        }
        return nil
    }

    private func findEarlyVersion(
        _ base: PageKey, _ isRight: (PageKey) throws -> Bool
    ) throws -> PageKey? {
        guard !beginsAsPlain, base.settings.kdfAlgorithm == .sha1 else { return nil }
        for early in Self.earlyVersions {
            for pageSize in Self.pageSizes {
                let settings = try? CipherSettings(
                    .v2, pageSize: pageSize, kdfIterations: base.settings.kdfIterations,
                    fastKDFIterations: early.fastKDFIterations,
                    hmacSaltMask: early.hmacSaltMask, pageNumbers: early.pageNumbers)
                guard let settings else { continue }
                let candidate = try PageKey(base, settings: settings)
                if try isRight(candidate) { return candidate }
            }
        }
        return nil
    }

    /// How much of page 1 is clear makes no difference to the other pages.
    private func withRightHeader(_ key: PageKey) throws -> PageKey {
        let settings = key.settings
        let pages = PageSource(byteCount: byteCount, pageSize: settings.pageSize, read: read)
        let page = try page(1, of: pages)
        for header in Self.usualHeaders + Self.longHeaders {
            let changed = try? CipherSettings(
                pageSize: settings.pageSize, kdfAlgorithm: settings.kdfAlgorithm,
                kdfIterations: settings.kdfIterations,
                authentication: settings.authentication, plaintextHeaderByteCount: header)
            guard let changed else { continue }
            let other = try PageKey(key, settings: changed)
            var codec = try PageCodec(other)
            let verdict = try page.withUnsafeBytes { try codec.verdict(on: $0, number: 1) }
            if verdict == .authentic { return other }
        }
        return key
    }

    // MARK: - One key with one set of settings

    private func opens(_ key: PageKey) throws -> Bool {
        guard key.settings.authentication != .absent else { return try hasHeader(key) }
        let pages = PageSource(byteCount: byteCount, pageSize: key.settings.pageSize, read: read)
        var codec = try PageCodec(key)
        // Page 1 would tell how many bytes are clear; where it is damaged, others test the key.
        return try sample(pages.pageCount).contains { number in
            let page = try page(number, of: pages)
            return try page.withUnsafeBytes { try codec.verdict(on: $0, number: number) }
                == .authentic
        }
    }

    /// Whether page 1 decrypts to a header of SQLite's that fits the settings.
    private func hasHeader(_ key: PageKey) throws -> Bool {
        let settings = key.settings
        let pages = PageSource(byteCount: byteCount, pageSize: settings.pageSize, read: read)
        guard pages.pageCount > 0 else { return false }
        var page = try page(1, of: pages)
        var codec = try PageCodec(key)
        return try page.withUnsafeMutableBytes { bytes in
            try codec.decrypt(bytes, number: 1)
            guard let header = DatabaseHeader(UnsafeRawBufferPointer(bytes)) else { return false }
            // SQLite writes zeros there, which no other key gives; what is in plaintext proves nothing.
            let zeros = min(92, max(72, settings.clearByteCount))..<92
            return header.pageSize == settings.pageSize
                && header.reserveByteCount >= settings.reserveByteCount
                && zeros.count >= 8 && bytes[zeros].allSatisfy { $0 == 0 }
                && Self.isSmall(bytes[44..<48]) && Self.isSmall(bytes[56..<60])
        }
    }

    /// The numbers of the schema's format and of the encoding. After a plaintext header of another
    /// size, one of them is not decrypted.
    private static func isSmall(_ number: Slice<UnsafeMutableRawBufferPointer>) -> Bool {
        number.dropLast().allSatisfy { $0 == 0 } && number.last.map { $0 <= 4 } ?? false
    }

    /// Pages at the beginning, and some from all over the file.
    private func sample(_ pageCount: UInt32) -> [UInt32] {
        if proof == .firstPage { return pageCount > 0 ? [1] : [] }
        guard pageCount > 24 else { return Array(1..<(pageCount + 1)) }
        let step = pageCount / 16
        return Array(1...8) + (1...15).map { 8 + $0 * step }.filter { $0 <= pageCount }
    }

    private func page(_ number: UInt32, of pages: PageSource) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: pages.pageSize)
        try bytes.withUnsafeMutableBytes { try pages.readPage(number, to: $0) }
        return bytes
    }
}
