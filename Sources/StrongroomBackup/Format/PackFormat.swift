import StrongroomCore

/// How a pack lies on the disk: `Documentation/BackupFormat.md`.
enum PackFormat {
    static let magic = Array("strongroom pack\n".utf8)
    static let endMagic = Array("strongroom end.\n".utf8)
    static let rowByteCount = 48
    static let footerByteCount = 32
    /// A pack is closed when it has that many bytes, or rows.
    static let fullByteCount: Int64 = 16 << 20
    static let fullRowCount = 8192
    /// No pack has more rows: the last pages to come into one are a chunk of 1 MiB at most, which are
    /// 2,048 of the smallest.
    static let largestRowCount = UInt32(1 << 16)
    /// No page and no node is longer.
    static let largestEntryByteCount = UInt32(1 << 17)

    /// `00000012-….pack`
    static func name(_ number: UInt32, _ digest: ContentDigest) -> String {
        RepositoryLayout.name(number, digest, suffix: suffix)
    }

    /// The number and the digest in a name; nil if it is the name of something else.
    static func parse(_ name: String) -> (number: UInt32, digest: ContentDigest)? {
        RepositoryLayout.parse(name, suffix: suffix)
    }

    static func isName(_ name: UnsafeRawBufferPointer, of number: UInt32) -> Bool {
        RepositoryLayout.isName(name, of: number, suffix: suffix)
    }

    private static let suffix = ".pack"
}

/// What a pack's table says of one entry.
struct PackRow: Equatable, Sendable {
    let digest: ContentDigest
    let offset: UInt64
    /// 0 for an entry that was dropped.
    let length: UInt32
    /// The number of the page; 0 for a node of a tree.
    let page: UInt32

    var isDropped: Bool { length == 0 }

    init(digest: ContentDigest, offset: UInt64, length: UInt32, page: UInt32) {
        self.digest = digest
        self.offset = offset
        self.length = length
        self.page = page
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == PackFormat.rowByteCount,
            let digest = ContentDigest(UnsafeRawBufferPointer(rebasing: bytes[..<32]))
        else { return nil }
        self.init(
            digest: digest, offset: bytes.littleEndian64(at: 32),
            length: bytes.littleEndian32(at: 40), page: bytes.littleEndian32(at: 44))
    }

    func append(to bytes: inout [UInt8]) {
        digest.withUnsafeBytes { bytes.append(contentsOf: $0) }
        bytes.append(littleEndian: offset)
        bytes.append(littleEndian: length)
        bytes.append(littleEndian: page)
    }
}

/// The table and the end of a pack, over which its name is hashed.
enum PackTable {
    static func encode(_ rows: [PackRow], number: UInt32, offset: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.count * PackFormat.rowByteCount + PackFormat.footerByteCount)
        for row in rows { row.append(to: &bytes) }
        bytes.append(littleEndian: number)
        bytes.append(littleEndian: UInt32(rows.count))
        bytes.append(littleEndian: offset)
        bytes += PackFormat.endMagic
        return bytes
    }
}
