/// The pages of a database in plaintext, in whatever order one thread asks for them. Each is authenticated
/// before it is decrypted, every time.
///
/// Where pages are asked for one after the other, up or down, those that follow come with them: side by
/// side they are authenticated in a fraction of the time (`Documentation/SQLCipher.md`, "What a page
/// costs").
final class ClearPages {
    private static let batchPageCount: UInt32 = 32
    private static let nearby: UInt32 = 3

    private let pages: PageSource
    private var codec: PageCodec
    private var batch: ClearBatch
    private var single: ClearBatch
    /// Which pages were asked for by themselves last.
    private var recent: [UInt32] = []

    /// - Parameter pages: What does not change while this is in use.
    init(_ pages: PageSource, key: PageKey) throws {
        try pages.requirePageSize(of: key)
        self.pages = pages
        codec = try PageCodec(key, forManyPages: true)
        batch = ClearBatch(pageCount: Self.batchPageCount, pageSize: pages.pageSize)
        single = ClearBatch(pageCount: 1, pageSize: pages.pageSize)
    }

    /// Copies bytes of one page.
    ///
    /// - Throws: `DatabaseError` SQLITE_CORRUPT for a page that is not authentic; what reading throws.
    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        let pageSize = Int64(pages.pageSize)
        let page = UInt32(truncatingIfNeeded: offset / pageSize) + 1
        let start = Int(offset % pageSize)
        guard start + buffer.count <= pages.pageSize, page <= pages.pageCount else {
            throw DatabaseError(code: .SQLITE_IOERR_READ)
        }
        let bytes = try bytes(of: page)
        buffer.copyMemory(
            from: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + buffer.count)]))
    }

    private func bytes(of page: UInt32) throws -> UnsafeRawBufferPointer {
        if let bytes = batch.bytes(of: page) ?? single.bytes(of: page) { return bytes }
        return switch direction(to: page) {
        case .up:
            try batch.fill(
                page...min(page + Self.batchPageCount - 1, pages.pageCount), from: pages, &codec,
                for: page)
        case .down:
            // `integrity_check` goes down.
            try batch.fill(
                (page - min(page, Self.batchPageCount) + 1)...page, from: pages, &codec, for: page)
        case .none:
            try single.fill(page...page, from: pages, &codec, for: page)
        }
    }

    private enum Direction { case up, down, none }

    /// Between leaves of a tree come the pages that lead to them.
    private func direction(to page: UInt32) -> Direction {
        if batch.held.upperBound == page { return .up }
        if batch.held.lowerBound == page + 1 { return .down }
        for last in recent {
            if page > last, page - last <= Self.nearby { return .up }
            if page < last, last - page <= Self.nearby { return .down }
        }
        if recent.count == 8 { recent.removeFirst() }
        recent.append(page)
        return .none
    }
}

/// Memory for pages one after the other in plaintext, wiped at the end.
private struct ClearBatch: ~Copyable {
    private let memory: UnsafeMutableRawBufferPointer
    private let pageSize: Int
    private var firstPage: UInt32 = 0
    private(set) var held: Range<UInt32> = 0..<0

    init(pageCount: UInt32, pageSize: Int) {
        memory = .allocate(byteCount: Int(pageCount) * pageSize, alignment: 4096)
        self.pageSize = pageSize
    }

    deinit {
        SecretBytes.wipe(memory)
        memory.deallocate()
    }

    func bytes(of page: UInt32) -> UnsafeRawBufferPointer? {
        guard held.contains(page) else { return nil }
        let start = Int(page - firstPage) * pageSize
        return UnsafeRawBufferPointer(rebasing: memory[start..<(start + pageSize)])
    }

    /// Reads pages, one of which was asked for, and keeps it with those around it that are authentic:
    /// free pages that were never written may lie between others.
    mutating func fill(
        _ range: ClosedRange<UInt32>, from source: PageSource, _ codec: inout PageCodec,
        for wanted: UInt32
    ) throws -> UnsafeRawBufferPointer {
        held = 0..<0
        let bytes = UnsafeMutableRawBufferPointer(rebasing: memory[..<(range.count * pageSize)])
        try source.fill(bytes, at: source.offset(of: range.lowerBound))
        let chunk = PageSource.Chunk(
            bytes: bytes, pageSize: pageSize, firstPage: range.lowerBound)
        let pages = chunk.pages
        let isAuthentic = try codec.verdicts(on: pages).map {
            $0 == .authentic || $0 == .unprotected
        }
        let index = Int(wanted - range.lowerBound)
        let start = isAuthentic[..<index].lastIndex(of: false).map { $0 + 1 } ?? 0
        let end = isAuthentic[index...].firstIndex(of: false) ?? pages.count
        guard index < end else {
            throw DatabaseError(code: .SQLITE_CORRUPT, message: "page \(wanted) is not authentic")
        }
        for page in pages[start..<end] { try codec.decrypt(page.bytes, number: page.number) }
        firstPage = range.lowerBound
        held = (firstPage + UInt32(start))..<(firstPage + UInt32(end))
        return UnsafeRawBufferPointer(rebasing: bytes[(index * pageSize)...].prefix(pageSize))
    }
}
