/// The first pages that SQLite may come to read: that of a file, and those in its log and its journal.
///
/// SQLite takes the size of pages from the first page, SQLCipher from its settings. Where the page
/// names a smaller size, SQLCipher writes zeros behind the end of SQLite's memory (4.6.1 and 4.19.0;
/// `Documentation/SQLCipher.md`, "Known defects of the engine"). Such a page takes somebody with the
/// key. It is refused here, before SQLite reads it.
struct FirstPages: ~Copyable {
    private let file: DatabaseFile
    private var codec: PageCodec

    private let pageSize: Int
    /// Whether the key vouches for a page, so that the settings are those of the file.
    private var fits = false

    init(of file: DatabaseFile, key: PageKey) throws {
        self.file = file
        codec = try PageCodec(key)
        pageSize = key.settings.pageSize
    }

    /// Refuses a first page that the key vouches for and that names another size than pages have.
    mutating func require(_ page: [UInt8]) throws {
        guard page.count == pageSize else { return }
        var page = page
        let size = try page.withUnsafeMutableBytes { page throws(DatabaseError) -> Int? in
            // SQLCipher refuses what is not authentic, and SQLite what is no header.
            switch try codec.verdict(on: UnsafeRawBufferPointer(page), number: 1) {
            case .authentic, .unprotected: break
            default: return nil
            }
            fits = true
            try codec.decrypt(page, number: 1)
            let size = Int(page[16]) << 8 | Int(page[17]) << 16
            return (512...65536).contains(size) && size.nonzeroBitCount == 1 ? size : nil
        }
        guard let size, size != pageSize else { return }
        throw file.damaged("its first page says that pages have \(size) bytes, not \(pageSize)")
    }

    /// Refuses such pages beside the file.
    mutating func requireBeside() throws {
        let path = try file.fileSystem.resolve(file.path)
        if let log = try open(path + "-wal") { try requireInLog(log) }
        if let journal = try open(path + "-journal") { try requireInJournal(journal) }
    }

    private func open(_ path: String) throws -> PageSource? {
        guard let status = try? file.fileSystem.statusIfPresent(path), status.kind == .file,
            status.byteCount > 0
        else { return nil }
        // A writer may have removed it by now.
        return try FileSystem.ifPresent { () throws(SystemError) in
            try PageSource(path: path, pageSize: pageSize, fileSystem: file.fileSystem)
        }
    }

    /// Every frame, also those that do not count: the checksums of a log are nobody's secret.
    private mutating func requireInLog(_ log: PageSource) throws {
        let frame = Int64(LogFile.frameHeaderByteCount)
        let step = frame + Int64(pageSize)
        for offset in stride(from: Int64(LogFile.headerByteCount), to: log.byteCount, by: Int(step))
        where try Self.bytes(4, of: log, at: offset) == [0, 0, 0, 1] {
            try require(Self.bytes(pageSize, of: log, at: offset + frame))
        }
    }

    /// Every record of a journal, as SQLite goes through its parts when it plays it back.
    /// <https://www.sqlite.org/fileformat2.html#the_rollback_journal>
    private mutating func requireInJournal(_ journal: PageSource) throws {
        var sector: Int64?
        var offset: Int64 = 0
        while let part = try Self.header(of: journal, at: offset) {
            // It would put a first page together from pieces.
            guard part.pageSize == 0 || part.pageSize == pageSize else {
                // The journal may be right, and the settings wrong: they are sought then.
                guard fits else { throw DatabaseError(code: .SQLITE_NOTADB) }
                throw file.damaged(
                    "its journal has pages of \(part.pageSize) bytes, not \(pageSize)")
            }
            let step = sector ?? part.sectorSize
            guard (32...65536).contains(step) else { return }
            sector = step
            offset += step
            let record = Int64(pageSize) + 8
            let count = min(part.recordCount, max(0, (journal.byteCount - offset) / record))
            for start in stride(from: offset, to: offset + count * record, by: Int(record))
            where try Self.bytes(4, of: journal, at: start) == [0, 0, 0, 1] {
                try require(Self.bytes(pageSize, of: journal, at: start + 4))
            }
            offset = (offset + count * record + step - 1) / step * step
        }
    }

    private static func header(
        of journal: PageSource, at offset: Int64
    ) throws -> (recordCount: Int64, sectorSize: Int64, pageSize: Int)? {
        let bytes = try bytes(28, of: journal, at: offset)
        guard bytes.count == 28, bytes.starts(with: JournalFile.magic) else { return nil }
        return (
            Int64(bytes.number32(at: 8)), Int64(bytes.number32(at: 20)),
            Int(bytes.number32(at: 24))
        )
    }

    private static func bytes(
        _ count: Int, of source: PageSource, at offset: Int64
    ) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = try bytes.withUnsafeMutableBytes { try source.read($0, offset) }
        return Array(bytes[..<read])
    }
}
