/// How page 1 begins in the file: with the salt, or with a header in plaintext.
///
/// No HMAC covers these bytes. With a salt that comes with the key, SQLCipher does not read that of the
/// file, and SQLite passes over some damage of a header.
package enum PageBeginning {
    /// Where the numbers of the header are that never change.
    /// <https://www.sqlite.org/fileformat2.html#the_database_header>
    private enum Offset {
        static let pageSize = 16
        static let reserve = 20
        static let fractions = 21
    }

    private static let fractions: [UInt8] = [64, 32, 32]

    /// The problem with the first bytes of page 1 as it lies in the file; nil if there is none.
    package static func problem(
        of page: [UInt8], _ settings: CipherSettings, salt: CipherSalt
    ) -> String? {
        guard settings.hasSaltInFile else { return problem(ofHeader: page, settings) }
        return page.starts(with: salt.bytes)
            ? nil : "the salt at the beginning is not that of the key"
    }

    private static func problem(ofHeader page: [UInt8], _ settings: CipherSettings) -> String? {
        let header = page.prefix(settings.plaintextHeaderByteCount)
        let size = settings.pageSize == 65536 ? 1 : settings.pageSize
        let sizeBytes = [UInt8(size >> 8), UInt8(size & 0xff)]
        func has(_ bytes: [UInt8], at offset: Int) -> Bool {
            offset + bytes.count > header.count || header[offset...].starts(with: bytes)
        }
        let isIntact =
            header.starts(with: DatabaseHeader.magic) && has(sizeBytes, at: Offset.pageSize)
            && has([UInt8(settings.reserveByteCount)], at: Offset.reserve)
            && has(fractions, at: Offset.fractions)
        return isIntact ? nil : "its plaintext header is damaged"
    }
}
