/// What the first page of a database, once decrypted, says of the file.
/// <https://www.sqlite.org/fileformat2.html#the_database_header>
package struct DatabaseHeader: Equatable, Sendable {
    /// How every database begins that is not encrypted, and one with a plaintext header.
    package static let magic = Array("SQLite format 3\0".utf8)

    /// How many bytes the header has.
    package static let byteCount = 100

    package let pageSize: Int
    package let reserveByteCount: Int
    /// How many pages the file should have; nil where an old SQLite did not write it down.
    package let pageCount: UInt32?
    /// Whether the database keeps a write-ahead log.
    package let isWAL: Bool

    /// Nil for bytes that are no header: of another file, or decrypted with another key.
    ///
    /// Of random bytes, one in 2^50 passes for a header. The name of the format in front is not
    /// looked at: nobody encrypts it.
    package init?(_ page: UnsafeRawBufferPointer) {
        guard page.count >= Self.byteCount else { return nil }
        let size = Int(page.bigEndian16(at: 16))
        pageSize = size == 1 ? 65536 : size
        reserveByteCount = Int(page[20])
        // The numbers of the format, and fractions that have only ever had these values.
        let formats: ClosedRange<UInt8> = 1...2
        guard pageSize >= 512, pageSize.nonzeroBitCount == 1,
            formats.contains(page[18]), formats.contains(page[19]),
            page[21] == 64, page[22] == 32, page[23] == 32
        else { return nil }
        isWAL = page[19] == 2
        let count = page.bigEndian32(at: 28)
        let isKnown = count > 0 && page.bigEndian32(at: 24) == page.bigEndian32(at: 92)
        pageCount = isKnown ? count : nil
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func bigEndian16(at offset: Int) -> UInt16 {
        UInt16(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    fileprivate func bigEndian32(at offset: Int) -> UInt32 {
        UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
