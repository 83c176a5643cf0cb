internal import Synchronization

/// Tells which pages of a database may be zeros: those that SQLite took and never wrote.
///
/// 1. A page in use was written once, with an HMAC. Zeros in its place are damage. In a database
///    with `auto_vacuum` SQLCipher itself reads them without an error: it takes them for what lies
///    beyond the end of the file.
/// 2. Only three things prove that a page is not in use: the list of free pages, if it can be read to
///    its end and has as many pages as the header says; a place behind the last page that the
///    header counts; SQLite's lock bytes.
/// 3. The list is read at the first page of zeros: most files have none.
package final class UnusedPages: Sendable {
    private struct List {
        /// Empty if the list is damaged: it proves nothing then.
        var free: Set<UInt32> = []
        var lastPage = UInt32.max
    }

    private let pages: PageSource
    private let makeKey: @Sendable () throws -> PageKey
    private let list = Mutex<List?>(nil)

    /// - Parameters:
    ///   - pages: The database as its readers see it.
    ///   - key: The key that wrote its pages, made when it is needed.
    package init(of pages: PageSource, key: @escaping @Sendable () throws -> PageKey) {
        self.pages = pages
        makeKey = key
    }

    package convenience init(of pages: PageSource, key: PageKey) {
        self.init(of: pages) { key }
    }

    /// Whether nobody uses a page.
    package func contains(_ page: UInt32) throws -> Bool {
        if page == CipherSettings.lockBytePage(ofPageSize: pages.pageSize) { return true }
        return try list.withLock { list in
            let known = try list ?? readList()
            list = known
            return page > known.lastPage || known.free.contains(page)
        }
    }

    private func readList() throws -> List {
        let database = try DecryptedPages(pages, keys: [makeKey()], log: nil, .system)
        guard let header = try database.page(1) else { return List() }
        let free = try FreePages(of: database, header: header)
        let pageCount = header.withUnsafeBytes { DatabaseHeader($0) }?.pageCount
        return List(free: free.isComplete ? free.pages : [], lastPage: pageCount ?? .max)
    }

    /// Refuses a page of zeros that is in use.
    ///
    /// - Throws: `DatabaseError` SQLITE_CORRUPT.
    package func require(_ page: UInt32) throws {
        guard try contains(page) else {
            throw DatabaseError(
                code: .SQLITE_CORRUPT, message: "page \(page) is in use, and all zeros")
        }
    }
}

extension DatabaseFile {
    /// Refuses pages of zeros that are in use, before SQLite reads the file: it could believe them.
    func requireWrittenPages(
        _ pages: PageSource, settings: CipherSettings, salt: CipherSalt?, _ operation: LongOperation
    ) throws {
        guard let key else { return }
        let unused = UnusedPages(of: pages) {
            try PageKey(key, fileSalt: salt, settings: settings)
        }
        do {
            try pages.requireWritten(
                except: unused, operation.advance(pageSize: settings.pageSize))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            throw damaged(error.message ?? "a page is all zeros", error)
        }
    }
}

extension PageSource {
    /// Refuses pages of zeros that are in use.
    fileprivate func requireWritten(
        except unused: UnusedPages, _ advance: @escaping @Sendable (_ pageCount: Int) throws -> Void
    ) throws {
        try forEachChunk(threads: 1, makeState: {}) { _, chunk in
            for page in chunk.pages where page.bytes.allSatisfy({ $0 == 0 }) {
                try unused.require(page.number)
            }
            try advance(chunk.pageCount)
        }
    }

    func isBlank(_ page: UInt32) throws -> Bool {
        guard page > 0, page <= pageCount else { return false }
        var bytes = [UInt8](repeating: 1, count: pageSize)
        try bytes.withUnsafeMutableBytes { try readPage(page, to: $0) }
        return bytes.allSatisfy { $0 == 0 }
    }
}
