/// Where the parts of a page are, page by page (`Documentation/SQLCipher.md`, "The page format"):
///
///     clear | ciphertext | IV | HMAC | padding
///           |<-- authenticated -->|
///
/// The IV, the HMAC and the padding are the reserve; only page 1 has a clear part.
extension CipherSettings {
    /// The block of AES, and with it the size of an IV.
    package static let blockByteCount = 16

    /// The smallest part of a page that SQLite can do with, the reserve not counted.
    /// <https://www.sqlite.org/fileformat2.html#reserved_bytes_per_page>
    private static let smallestUsableSize = 480

    /// SQLite locks bytes here, and writes nothing on the page that has them.
    /// <https://www.sqlite.org/fileformat2.html#the_lock_byte_page>
    private static let lockByteOffset = 0x4000_0000

    /// How many bytes the HMAC has; 0 without one.
    package var hmacByteCount: Int {
        switch authentication {
        case .absent: 0
        case .hmac(let hash): hash.byteCount
        }
    }

    /// How many bytes at the end of each page are not SQLite's; a whole number of blocks.
    ///
    /// SQLite itself may leave more (`DatabaseHeader`); what is between is encrypted with the rest.
    package var reserveByteCount: Int {
        let block = Self.blockByteCount
        return (block + hmacByteCount + block - 1) / block * block
    }

    /// How many bytes at the beginning of page 1 are not encrypted: the salt, or what stays clear.
    package var clearByteCount: Int {
        plaintextHeaderByteCount > 0 ? plaintextHeaderByteCount : CipherSalt.byteCount
    }

    /// Whether the file begins with the salt.
    package var hasSaltInFile: Bool { plaintextHeaderByteCount == 0 }

    /// Where the ciphertext of a page is.
    package func encryptedRange(ofPage number: UInt32) -> Range<Int> {
        (number == 1 ? clearByteCount : 0)..<ivRange.lowerBound
    }

    /// What the HMAC of a page is about, besides the page's number.
    package func authenticatedRange(ofPage number: UInt32) -> Range<Int> {
        encryptedRange(ofPage: number).lowerBound..<ivRange.upperBound
    }

    /// Where the IV of each page is.
    package var ivRange: Range<Int> {
        let start = pageSize - reserveByteCount
        return start..<(start + Self.blockByteCount)
    }

    /// Where the HMAC of each page is; empty without one.
    package var hmacRange: Range<Int> {
        ivRange.upperBound..<(ivRange.upperBound + hmacByteCount)
    }

    /// The number of the page that SQLite never writes.
    package var lockBytePage: UInt32 { Self.lockBytePage(ofPageSize: pageSize) }

    static func lockBytePage(ofPageSize pageSize: Int) -> UInt32 {
        UInt32(lockByteOffset / pageSize + 1)
    }

    /// Whether a passphrase gives the same key with both.
    package func hasSameDerivation(as other: CipherSettings) -> Bool {
        kdfAlgorithm == other.kdfAlgorithm && kdfIterations == other.kdfIterations
    }

    /// Whether pages are the same with both, if the key is raw.
    package func hasSameLayout(as other: CipherSettings) -> Bool {
        pageSize == other.pageSize && kdfAlgorithm == other.kdfAlgorithm
            && authentication == other.authentication
            && plaintextHeaderByteCount == other.plaintextHeaderByteCount
            && fastKDFIterations == other.fastKDFIterations
            && hmacSaltMask == other.hmacSaltMask && pageNumbers == other.pageNumbers
    }

    /// Why SQLCipher would not take these settings.
    var problem: String? {
        guard (512...65536).contains(pageSize), pageSize.nonzeroBitCount == 1 else {
            return "a page size of \(pageSize): it is a power of two from 512 to 65536"
        }
        let usable = pageSize - reserveByteCount
        guard usable >= Self.smallestUsableSize else {
            return """
                a page size of \(pageSize) with an HMAC of \(hmacByteCount) bytes leaves \(usable) \
                bytes of a page, and SQLite needs \(Self.smallestUsableSize)
                """
        }
        let iterations = 1...Int(Int32.max)
        guard iterations.contains(kdfIterations), iterations.contains(fastKDFIterations) else {
            return "a number of KDF iterations out of 1...\(iterations.upperBound)"
        }
        guard plaintextHeaderByteCount >= 0,
            plaintextHeaderByteCount.isMultiple(of: Self.blockByteCount),
            plaintextHeaderByteCount < usable
        else {
            return """
                a plaintext header of \(plaintextHeaderByteCount) bytes: it is a multiple of \
                \(Self.blockByteCount) and smaller than \(usable)
                """
        }
        return nil
    }
}
