internal import LibC
internal import StrongroomEssentials

/// What a file is, as far as its size and its bytes tell without a key.
///
/// 1. Every command, error and search asks this type; nothing else looks at how a file begins.
/// 2. A file beside a hot journal is no state of the database: undo the transaction first.
/// 3. It is a guess wherever bytes look random. Only a page that is authentic under a key proves that
///    a file is an encrypted database.
package struct FileVerdict: Equatable, Sendable {
    /// What the file looks like.
    package enum Kind: Equatable, Sendable {
        /// It has no bytes.
        case empty
        /// It has fewer bytes than SQLite's smallest page, and does not begin like a plain database.
        case tooSmall
        /// A database that is not encrypted.
        case plaintext
        /// It begins like a database that is not encrypted, and does not go on like one.
        case damagedPlaintext
        /// An encrypted database whose first bytes are in plaintext; its salt is kept elsewhere.
        case plaintextHeader
        /// Its bytes look random, as those of an encrypted database do.
        case encrypted
        /// None of these: text, pictures of old, programs.
        case unknown
    }

    /// SQLite's smallest page; the size of every database is a multiple of it.
    package static let smallestPageSize = 512

    package let kind: Kind
    package let byteCount: Int64
    /// How many bytes a page has, where that stands in the file in plaintext.
    package let pageSize: Int?
    /// How many pages the header of a plain database promises.
    package let promisedPageCount: UInt32?
    /// The salt at the beginning of the file, or the bytes in its place.
    package let salt: CipherSalt?
    /// The form of other files that it begins with, as next to no encrypted database does.
    package let knownFormat: KnownFormat?
    /// Whether the first 512 bytes are zeros: SQLCipher writes no page 1 that begins so.
    package let isStartBlank: Bool

    package init(byteCount: Int64, read: PageSource.Read) throws {
        self.byteCount = byteCount
        let start = try Self.bytes(Self.smallestPageSize, at: 0, read)
        salt = CipherSalt(start.prefix(CipherSalt.byteCount))
        isStartBlank = start.count == Self.smallestPageSize && start.allSatisfy { $0 == 0 }
        knownFormat = try KnownFormat(start, byteCount: byteCount) { offset in
            try Self.bytes(1, at: offset, read).first
        }
        let beginsAsPlain = start.starts(with: DatabaseHeader.magic)
        let header = beginsAsPlain ? start.withUnsafeBytes { DatabaseHeader($0) } : nil
        pageSize = header?.pageSize
        let isSmall = byteCount < Self.smallestPageSize
        if isSmall && !beginsAsPlain {
            kind = byteCount == 0 ? .empty : .tooSmall
        } else if beginsAsPlain {
            // SQLite reads what is left of a first page, as if zeros followed.
            kind = isSmall ? .damagedPlaintext : try Self.kind(start, header, read)
        } else {
            kind = try Self.looksRandom(byteCount, read) ? .encrypted : .unknown
        }
        promisedPageCount = kind == .plaintext ? header?.pageCount : nil
    }

    /// Of a file that a connection has open.
    package init(of file: RawFile) throws {
        try self.init(byteCount: file.byteCount, read: file.read)
    }

    /// Whether it begins with the bytes of a plain database.
    package var beginsAsPlain: Bool {
        [.plaintext, .damagedPlaintext, .plaintextHeader].contains(kind)
    }

    /// Whether it may be an encrypted database.
    package var mayBeEncrypted: Bool { kind == .encrypted || kind == .plaintextHeader }

    /// Whether the file ends with a page, whatever their size.
    package var endsWithPage: Bool { byteCount % Int64(Self.smallestPageSize) == 0 }

    /// Whether the end of a plain database is missing.
    package var isCutPlaintext: Bool {
        guard kind == .plaintext, let pageSize, let promisedPageCount else { return false }
        return byteCount < Int64(pageSize) * Int64(promisedPageCount)
    }

    /// Whether the bytes in place of the salt are all the same, as after they were overwritten.
    package var isSaltSuspicious: Bool { salt.map { Set($0.bytes).count == 1 } ?? false }
}

extension FileVerdict {
    private static func bytes(
        _ count: Int, at offset: Int64, _ read: PageSource.Read
    ) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let count = try bytes.withUnsafeMutableBytes { try read($0, offset) }
        return Array(bytes[..<count])
    }

    /// Of a file that begins as a plain database does.
    ///
    /// With 32 bytes in plaintext or more, the header names the reserve of each page, in which
    /// SQLCipher has an IV at least; other programs have no such reserve, or leave it zero.
    private static func kind(
        _ start: [UInt8], _ header: DatabaseHeader?, _ read: PageSource.Read
    ) throws -> Kind {
        guard let header else {
            return isRandom(Array(start[128...])) ? .plaintextHeader : .damagedPlaintext
        }
        if header.reserveByteCount >= CipherSettings.blockByteCount {
            let offset = header.pageSize - header.reserveByteCount
            let reserve = try bytes(header.reserveByteCount, at: Int64(offset), read)
            if reserve.contains(where: { $0 != 0 }) { return .plaintextHeader }
        }
        return goesOnAsPlain(start, header) ? .plaintext : .damagedPlaintext
    }

    /// What follows the numbers of the header: zeros, and a page of a table whose list of cells ends
    /// before its content begins.
    ///
    /// Of random bytes after the zeros, one file in 100,000 passes.
    /// <https://www.sqlite.org/fileformat2.html#b_tree_pages>
    private static func goesOnAsPlain(_ start: [UInt8], _ header: DatabaseHeader) -> Bool {
        func number(at offset: Int) -> Int { Int(start[offset]) << 8 | Int(start[offset + 1]) }
        let node = DatabaseHeader.byteCount
        let (leaf, interior): (UInt8, UInt8) = (13, 5)
        guard start[72..<92].allSatisfy({ $0 == 0 }), [leaf, interior].contains(start[node])
        else { return false }
        let listEnd = node + (start[node] == leaf ? 8 : 12) + 2 * number(at: node + 3)
        // Of 65,536, two bytes hold nothing but zeros.
        let content = number(at: node + 5) == 0 ? 65536 : number(at: node + 5)
        return listEnd <= content && content <= header.pageSize - header.reserveByteCount
    }

    /// A part of a file may have been overwritten: one block that looks random is enough.
    private static func looksRandom(_ byteCount: Int64, _ read: PageSource.Read) throws -> Bool {
        try stride(from: 0, to: byteCount, by: max(4096, Int(byteCount / 8)))
            .contains { try isRandom(bytes(4096, at: $0, read)) }
    }

    private static func isRandom(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 256 else { return false }
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        let total = Double(bytes.count)
        let entropy = counts.filter { $0 > 0 }
            .map { Double($0) / total }
            .reduce(0) { $0 - $1 * log2($1) }
        // Of random bytes, 7.2 bits each are to be expected for 256, 7.6 for 512, 7.95 for 4096.
        return entropy > (bytes.count < 512 ? 6.9 : bytes.count < 1024 ? 7.2 : 7.5)
    }
}
