/// Which pages of the main file are not authentic, the log left out.
///
/// It reads without locks. While others write, a page may be seen half-written, so what was found
/// is believed only if it is found again.
struct CipherIntegrity {
    /// Up to this size SQLCipher does it, which asks nobody whether to go on: some tenths of a second.
    static let uninterruptedByteCount: Int64 = 64 << 20
    /// As much of a larger file as SQLCipher authenticates where our own page codec does all.
    static let sampleByteCount: Int64 = 16 << 20

    /// The messages, one for each bad page. Pages of zeros are among them.
    let messages: [String]
    /// How many pages the file has.
    let pageCount: Int
    /// The page size in bytes.
    let pageSize: Int
    /// What the pages were authenticated with, where our own page codec did it.
    let pageKey: PageKey?

    /// By SQLCipher, or in a large file, where that can be stopped, by our own page codec.
    init(
        of database: Database, _ file: DatabaseFile, byteCount: Int64, _ operation: LongOperation
    ) throws {
        if byteCount > Self.uninterruptedByteCount,
            let own = try CipherIntegrity(surveying: database, file, operation)
        {
            self = own
        } else {
            self = try CipherIntegrity(of: database, fileByteCount: byteCount)
        }
    }

    /// By SQLCipher.
    init(of database: Database, fileByteCount: Int64) throws {
        pageSize = Int(max(1, try database.number("PRAGMA cipher_page_size")))
        pageCount = (Int(fileByteCount) + pageSize - 1) / pageSize
        pageKey = nil
        // SQLCipher answers with a message where there is nothing to authenticate.
        guard try database.authenticatesPages() else {
            messages = []
            return
        }
        let sql = "PRAGMA cipher_integrity_check"
        let first = try database.texts(sql)
        messages = first.isEmpty ? [] : try database.texts(sql).filter(Set(first).contains)
    }

    /// Nil where the page codec does not know the settings.
    private init?(
        surveying database: Database, _ file: DatabaseFile, _ operation: LongOperation
    ) throws {
        // The connection learns the salt with the first page, whether or not that can be read.
        try? database.readFirstPage()
        guard let key = file.key,
            let settings = try? database.cipherSettings(),
            settings.authentication != .absent,
            let rawFile = try database.withHandle({ $0.rawFile() })
        else { return nil }
        let pages = PageSource(
            byteCount: rawFile.byteCount, pageSize: settings.pageSize, read: rawFile.read)
        let pageKey = try PageKey(
            key, fileSalt: CommittedPages.salt(of: database), settings: settings)
        let survey = try pages.survey(
            with: pageKey, threads: ThreadCount.usual,
            progress: operation.advance(pageSize: settings.pageSize))
        var bad = survey.damagedPages
        bad.merge(survey.blankPages)
        var codec = try PageCodec(pageKey)
        var bytes = [UInt8](repeating: 0, count: settings.pageSize)
        messages = try bad.ranges.joined().filter { page in
            try operation.check()
            return try bytes.withUnsafeMutableBytes { buffer in
                try pages.readPage(page, to: buffer)
                return try codec.verdict(on: UnsafeRawBufferPointer(buffer), number: page)
                    != .authentic
            }
        }
        .map { "HMAC verification failed for page \($0)" }
        pageSize = settings.pageSize
        pageCount = (Int(rawFile.byteCount) + pageSize - 1) / pageSize
        self.pageKey = pageKey
    }

    /// No page is authentic. (A file of one page leaves open whether the page is damaged.)
    var isKeyWrong: Bool { messages.count >= pageCount }

    /// The number in "HMAC verification failed for page 101".
    static func page(in message: String) -> Int? {
        guard let range = message.firstRange(of: "page ") else { return nil }
        return Int(message[range.upperBound...].prefix(while: \.isNumber))
    }
}

extension Database {
    /// Whether the settings of the connection give pages an HMAC; true where they are not known.
    func authenticatesPages() throws -> Bool {
        guard let settings = try? cipherSettings() else { return true }
        return settings.authentication != .absent
    }
}
