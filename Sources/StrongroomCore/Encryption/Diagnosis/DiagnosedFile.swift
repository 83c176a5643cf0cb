/// A file that a key opens, with all that was found out about it: what can be read of it, and how.
struct DiagnosedFile {
    let pages: PageSource
    /// The keys of its pages, the first of all in front.
    let keys: [PageKey]
    /// The log, if it belongs to the file.
    let log: LogFile?
    /// The salt is lost: nothing can be verified, and what the key decrypts is believed.
    var believesAll = false
    /// Whether every page is there, and what was written.
    let isWhole: Bool
    let fileSystem: FileSystem

    func decryptedPages() throws -> DecryptedPages {
        try DecryptedPages(
            pages, keys: keys, log: log, believesAll: believesAll, fileSystem)
    }

    /// How many pages the database has.
    var pageCount: UInt32 { log?.pageCount ?? pages.pageCount }
}
