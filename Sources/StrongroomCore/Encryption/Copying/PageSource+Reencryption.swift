extension PageSource {
    /// Writes bytes of the new file at an offset; called from several threads at once, in no order.
    package typealias Write = @Sendable (UnsafeRawBufferPointer, _ offset: Int64) throws -> Void

    /// Writes every page again under another key, after it was verified with the present one.
    ///
    /// The settings of the two keys may differ in everything but the page size, if SQLite leaves
    /// room at the end of its pages for the new reserve.
    ///
    /// - Parameters:
    ///   - unused: The pages that may be zeros, if this is a part of a file only.
    ///   - progress: Called with the number of pages of each chunk; what it throws ends the work.
    /// - Throws: `DatabaseError` SQLITE_CORRUPT at a damaged page, at one that is in use and all
    ///   zeros, or where the file ends within a page. What was written until then is of no use.
    package func reencrypt(
        from key: PageKey, to newKey: PageKey, threads: Int = 1, unused: UnusedPages? = nil,
        progress: @escaping @Sendable (_ pages: Int) throws -> Void = { _ in },
        write: Write
    ) throws {
        try requirePageSize(of: newKey)
        try rewrite(
            with: key, newKey, threads: threads,
            unused: unused ?? UnusedPages(of: self, key: key), progress: progress, write: write)
    }

    /// Writes every page **in plaintext**, after it was verified: a file that plain SQLite reads.
    package func decryptToPlaintext(
        with key: PageKey, threads: Int = 1,
        progress: @escaping @Sendable (_ pages: Int) throws -> Void = { _ in },
        write: Write
    ) throws {
        try rewrite(
            with: key, nil, threads: threads, unused: UnusedPages(of: self, key: key),
            progress: progress, write: write)
    }

    private func rewrite(
        with key: PageKey, _ newKey: PageKey?, threads: Int, unused: UnusedPages,
        progress: @escaping @Sendable (_ pages: Int) throws -> Void, write: Write
    ) throws {
        try requireWholePages(of: key)
        try forEachChunk(threads: threads, makeState: { try Rewriting(from: key, to: newKey) }) {
            rewriting, chunk in
            try rewriting.rewrite(chunk.pages, unused)
            try write(UnsafeRawBufferPointer(chunk.bytes), offset(of: chunk.firstPage))
            try progress(chunk.pageCount)
        }
    }

    private func requireWholePages(of key: PageKey) throws(DatabaseError) {
        try requirePageSize(of: key)
        guard trailingByteCount == 0 else {
            throw DatabaseError(
                code: .SQLITE_CORRUPT,
                message: "\(trailingByteCount) bytes follow the last whole page, \(pageCount)")
        }
    }
}

/// What one thread rewrites pages with.
private struct Rewriting: ~Copyable {
    private var old: PageCodec
    private var new: PageCodec?
    private let newSettings: CipherSettings?

    init(from key: PageKey, to newKey: PageKey?) throws(DatabaseError) {
        let old = try PageCodec(key, forManyPages: true)
        let new = try Self.codec(newKey)
        self.old = old
        self.new = new
        newSettings = newKey?.settings
    }

    private static func codec(_ key: PageKey?) throws(DatabaseError) -> PageCodec? {
        guard let key else { return nil }
        return try PageCodec(key, forManyPages: true)
    }

    mutating func rewrite(_ pages: [NumberedPage], _ unused: UnusedPages) throws {
        let verdicts = try old.verdicts(on: pages)
        var written: [NumberedPage] = []
        written.reserveCapacity(pages.count)
        for (page, verdict) in zip(pages, verdicts) {
            switch verdict {
            case .authentic, .unprotected:
                try old.decrypt(page.bytes, number: page.number)
                if page.number == 1 { try requireHeader(page.bytes) }
                written.append(page)
            case .blank, .lockBytes:
                // No key has ever written them, and none vouches for them now.
                try unused.require(page.number)
                page.bytes.initializeMemory(as: UInt8.self, repeating: 0)
            case .damaged:
                throw DatabaseError(
                    code: .SQLITE_CORRUPT,
                    message: "page \(page.number) was not written with this key")
            }
        }
        try new?.encrypt(written)
    }

    /// Without an HMAC, only what is decrypted shows that a key is wrong.
    ///
    /// The reserve that SQLite keeps may be larger than the settings need: SQLCipher enlarges it
    /// when settings are made in a new database, and never makes it smaller.
    private func requireHeader(_ page: UnsafeMutableRawBufferPointer) throws(DatabaseError) {
        guard let header = DatabaseHeader(UnsafeRawBufferPointer(page)),
            header.pageSize == page.count,
            header.reserveByteCount >= old.key.settings.reserveByteCount
        else {
            throw DatabaseError(
                code: .SQLITE_NOTADB, message: "page 1 was not written with this key")
        }
        if let needed = newSettings?.reserveByteCount, needed > header.reserveByteCount {
            throw DatabaseError(
                code: .SQLITE_MISUSE,
                message: """
                    the new settings need \(needed) bytes of each page, and SQLite leaves \
                    \(header.reserveByteCount): copy the database through SQL
                    """)
        }
    }
}
