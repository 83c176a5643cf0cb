/// The pages of a database in plaintext, one by one, as a reader of the database would see them: those
/// in the log before those in the file. Only what a key vouches for is given.
final class DecryptedPages {
    /// What stands at the place of a page.
    enum Content {
        /// The page in plaintext, and the number of the key that wrote it.
        case clear([UInt8], key: Int)
        /// Nobody has ever written it, or it was overwritten with zeros.
        case blank
        /// It is not what was written, or it is not there.
        case lost
    }

    let pages: PageSource
    let pageSize: Int
    private let codecs: PageCodecs
    private let log: LogFile?
    private let readLog: PageSource.Read?
    /// For a file whose salt is lost: what the key decrypts is believed without an HMAC.
    private let believesAll: Bool

    /// - Parameter log: Only one that belongs to the file.
    init(
        _ pages: PageSource, keys: [PageKey], log: LogFile?, believesAll: Bool = false,
        _ fileSystem: FileSystem
    ) throws {
        self.pages = pages
        pageSize = pages.pageSize
        codecs = try PageCodecs(keys)
        self.log = log?.pageSize == pages.pageSize ? log : nil
        self.believesAll = believesAll
        readLog = try self.log.map {
            try PageSource(path: $0.path, pageSize: $0.pageSize, fileSystem: fileSystem).read
        }
    }

    func has(_ page: UInt32) -> Bool {
        page > 0 && (page <= pages.pageCount || log?.offsets[page] != nil)
    }

    /// How many pages the database may have, with those that only the log has.
    var pageCount: UInt32 { max(pages.pageCount, log?.pageCount ?? 0) }

    /// The pages behind the end of the file that the log has, in ascending order.
    var pagesBehindFile: [UInt32] {
        log?.offsets.keys.filter { $0 > pages.pageCount }.sorted() ?? []
    }

    func isInLog(_ page: UInt32) -> Bool { log?.offsets[page] != nil }

    /// What stands there, after all was verified.
    func content(of page: UInt32) throws -> Content {
        guard has(page) else { return .lost }
        var bytes = [UInt8](repeating: 0, count: pageSize)
        return try bytes.withUnsafeMutableBytes { buffer in
            if let offset = log?.offsets[page], let readLog {
                guard try readLog(buffer, offset) == buffer.count else { return .lost }
            } else {
                try pages.readPage(page, to: buffer)
            }
            return try decrypt(buffer, page)
        }
    }

    private func decrypt(
        _ buffer: UnsafeMutableRawBufferPointer, _ page: UInt32
    ) throws(DatabaseError) -> Content {
        var key = 0
        switch try codecs.verdict(on: UnsafeRawBufferPointer(buffer), number: page) {
        case .written(let number): key = number
        case .blank: return .blank
        case .damaged where believesAll: break
        case .damaged, .unused: return .lost
        }
        try codecs.decrypt(buffer, number: page, key: key)
        return .clear(Array(buffer), key: key)
    }

    /// The page in plaintext, if it is to be had.
    func page(_ page: UInt32) throws -> [UInt8]? {
        guard case .clear(let bytes, _) = try content(of: page) else { return nil }
        return bytes
    }
}
