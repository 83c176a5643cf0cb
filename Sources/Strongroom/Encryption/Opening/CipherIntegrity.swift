/// What SQLCipher finds when it authenticates every page of the main file, the log left out.
///
/// It reads without locks. While others write, a page may be seen half-written, so what was found
/// is believed only if it is found again.
struct CipherIntegrity {
    /// The messages, one for each bad page.
    let messages: [String]
    /// How many pages the file has.
    let pageCount: Int
    /// How many bytes a page has.
    let pageSize: Int

    init(of database: Database, fileByteCount: Int64) throws {
        pageSize = Int(max(1, try database.number("PRAGMA cipher_page_size")))
        pageCount = (Int(fileByteCount) + pageSize - 1) / pageSize
        let sql = "PRAGMA cipher_integrity_check"
        let first = try database.texts(sql)
        messages = first.isEmpty ? [] : try database.texts(sql).filter(Set(first).contains)
    }

    /// No page is authentic. (A file of one page leaves open whether the page is damaged.)
    var isKeyWrong: Bool { messages.count >= pageCount }

    /// The number in "HMAC verification failed for page 101".
    static func page(in message: String) -> Int? {
        guard let range = message.firstRange(of: "page ") else { return nil }
        return Int(message[range.upperBound...].prefix(while: \.isNumber))
    }
}
