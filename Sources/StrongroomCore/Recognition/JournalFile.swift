/// A rollback journal, read without any key: it holds pages as they were before a transaction, with
/// checksums over ciphertext.
///
/// <https://www.sqlite.org/fileformat2.html#the_rollback_journal>
struct JournalFile {
    let path: String
    let pageSize: Int
    /// How many pages the database had before the transaction.
    let pageCount: UInt32
    /// Where the former content of each page begins.
    private(set) var offsets: [UInt32: Int64] = [:]
    /// Records that SQLite passes over: of a page that it has already, or that the database did not have.
    /// It writes none, but the number of a page may have become another.
    private(set) var passedOver: [(number: UInt32, offset: Int64)] = []
    /// What is missing or was changed, so that playing the journal back undoes a part of the transaction;
    /// nil if nothing is.
    ///
    /// SQLite writes into a header how many records follow when they are on the disk, before it changes the
    /// pages in the database. Before that the number is 0, or none at all (``Header/isOpenEnded``).
    private(set) var problem: String?
    private var recordCount = 0

    /// With what each part of a journal begins, and the name at its end ends.
    static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

    private static let headerByteCount = 28
    /// A page's number before its content, a checksum after it.
    private static let numberByteCount = 4

    /// Nil where there is no journal, or none that SQLite would play back.
    init?(_ path: String, databasePageSize: Int? = nil, _ fileSystem: FileSystem) throws {
        guard let status = try fileSystem.statusIfPresent(path), status.kind == .file,
            status.byteCount >= 512, let descriptor = try fileSystem.openIfPresent(path)
        else { return nil }
        defer { fileSystem.close(descriptor) }
        let reader = Reader(descriptor: descriptor, fileSystem: fileSystem)
        guard let header = try reader.header(at: 0),
            let size = header.pageSize == 0 ? databasePageSize : header.pageSize,
            (512...65536).contains(size), size.nonzeroBitCount == 1
        else { return nil }
        self.path = path
        pageSize = size
        pageCount = header.pageCount
        var next: Header? = header
        var start: Int64 = 0
        while let header = next {
            guard let end = try readRecords(header, from: start, reader) else { return }
            // Each part begins at the border of a sector.
            start = (end + header.sectorSize - 1) / header.sectorSize * header.sectorSize
            next = start < status.byteCount ? try reader.header(at: start) : nil
            if next == nil, !header.isOpenEnded, try reader.isCut(between: end, and: start) {
                problem = "it ends within the header of a part"
            }
        }
    }

    /// - Returns: Where the records end; nil after an incomplete one, where SQLite stops too.
    private mutating func readRecords(
        _ header: Header, from start: Int64, _ reader: Reader
    ) throws -> Int64? {
        let recordByteCount = Int64(pageSize + 2 * Self.numberByteCount)
        var offset = start + header.sectorSize
        // Asked for after the header was read: a writer may have made it longer before it wrote the header.
        let fitting = max(0, (try reader.byteCount() - offset) / recordByteCount)
        let count = header.isOpenEnded ? fitting : Int64(header.recordCount)
        for _ in 0..<min(count, fitting) {
            let record = try reader.bytes(Int(recordByteCount), at: offset)
            guard record.count == Int(recordByteCount), header.vouches(for: record) else {
                if !header.isOpenEnded {
                    problem = "its record \(recordCount + 1) is not what was written"
                }
                return nil
            }
            note(record.number32(at: 0), at: offset + Int64(Self.numberByteCount))
            recordCount += 1
            offset += recordByteCount
        }
        guard count > fitting else { return offset }
        let promised = recordCount + Int(count - fitting)
        problem = "it should hold \(promised) pages or more, and holds \(recordCount)"
        return nil
    }

    private mutating func note(_ page: UInt32, at offset: Int64) {
        if page <= pageCount, offsets[page] == nil {
            offsets[page] = offset
        } else {
            passedOver.append((page, offset))
        }
    }

    /// Whether a journal that is too short for a page says all the same that it has some.
    static func isCut(_ start: [UInt8]) -> Bool {
        guard start.count >= 12, start.starts(with: magic) else { return false }
        return ![0, .max].contains(start.number32(at: 8))
    }

    /// The database as it was before the transaction.
    var overlay: PageOverlay {
        PageOverlay(
            path: path, pageSize: pageSize, offsets: offsets,
            databaseByteCount: Int64(pageCount) * Int64(pageSize))
    }

    private struct Header {
        let recordCount: UInt32
        let nonce: UInt32
        let pageCount: UInt32
        let sectorSize: Int64
        let pageSize: Int

        /// Without synchronisation SQLite does not say how many records there are.
        var isOpenEnded: Bool { recordCount == .max }

        /// Every 200th byte of a page, from its end, added to the nonce.
        func vouches(for record: [UInt8]) -> Bool {
            // Where SQLite stops too.
            guard record.number32(at: 0) > 0 else { return false }
            let size = record.count - 2 * JournalFile.numberByteCount
            var sum = nonce
            var index = size - 200
            while index > 0 {
                sum &+= UInt32(record[JournalFile.numberByteCount + index])
                index -= 200
            }
            return sum == record.number32(at: record.count - JournalFile.numberByteCount)
        }
    }

    private struct Reader {
        let descriptor: FileSystem.Descriptor
        let fileSystem: FileSystem

        func byteCount() throws -> Int64 {
            try fileSystem.descriptorStatus(descriptor).byteCount
        }

        func bytes(_ count: Int, at offset: Int64) throws -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            let read = try bytes.withUnsafeMutableBytes {
                try fileSystem.readAll(descriptor, $0, at: offset)
            }
            return Array(bytes[..<read])
        }

        /// Whether the file ends where SQLite never ends it: between the records of a part and the header of
        /// the next, or within a header that counts records. A header comes there by one write.
        func isCut(between end: Int64, and start: Int64) throws -> Bool {
            let byteCount = try byteCount()
            guard byteCount > end, byteCount < start + Int64(JournalFile.headerByteCount) else {
                return false
            }
            let gap = try bytes(Int(start - end), at: end)
            guard gap.allSatisfy({ $0 == 0 }) else { return false }
            let header = try bytes(JournalFile.headerByteCount, at: start)
            return header.isEmpty
                ? end < start
                : JournalFile.magic.starts(with: header.prefix(JournalFile.magic.count))
        }

        func header(at offset: Int64) throws -> Header? {
            let bytes = try bytes(JournalFile.headerByteCount, at: offset)
            guard bytes.count == JournalFile.headerByteCount,
                bytes.starts(with: JournalFile.magic)
            else { return nil }
            let sectorSize = Int64(bytes.number32(at: 20))
            guard (32...65536).contains(sectorSize) else { return nil }
            return Header(
                recordCount: bytes.number32(at: 8), nonce: bytes.number32(at: 12),
                pageCount: bytes.number32(at: 16), sectorSize: sectorSize,
                pageSize: Int(bytes.number32(at: 24)))
        }
    }
}
