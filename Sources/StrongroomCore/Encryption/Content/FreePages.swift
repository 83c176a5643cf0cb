/// The pages of a database that are not in use, as its list of them says.
/// <https://www.sqlite.org/fileformat2.html#the_freelist>
struct FreePages {
    private(set) var pages: Set<UInt32> = []
    /// Whether the list could be read to its end, with as many pages as the header says.
    private(set) var isComplete = false

    /// - Parameter header: Page 1 in plaintext.
    init(of database: DecryptedPages, header: [UInt8]) throws {
        let count = Int(header.number32(at: 36))
        // A list of more pages than there are would take memory without end.
        let limit = min(count, Int(database.pageCount))
        var trunk = header.number32(at: 32)
        while trunk != 0, pages.count < limit, pages.insert(trunk).inserted,
            let page = try database.page(trunk)
        {
            let leafCount = Int(page.number32(at: 4))
            guard leafCount <= database.pageSize / 4 - 2, pages.count + leafCount <= limit
            else { return }
            for index in 0..<leafCount { pages.insert(page.number32(at: 8 + 4 * index)) }
            trunk = page.number32(at: 0)
        }
        isComplete = trunk == 0 && pages.count == count
    }
}
