import StrongroomCore

/// Finds pages of zeros in a backup that the database of that state uses: `UnusedPages` has the rule.
///
/// A page is known by its digest, so that one which a former backup has stored is seen as well: it
/// may have been free then, and in use now.
struct StoredZeros: Sendable {
    /// The digest of a page of zeros.
    let digest: ContentDigest
    private let unused: UnusedPages

    /// - Parameter pages: One whole state.
    init(_ pages: PageSource, key: PageKey) throws {
        let zeros = [UInt8](repeating: 0, count: pages.pageSize)
        digest = try zeros.withUnsafeBytes { try ContentDigest(of: $0) }
        unused = UnusedPages(of: pages, key: key)
    }

    /// The first page of some that is all zeros, and in use.
    func firstInUse(
        _ digests: some Sequence<ContentDigest>, firstPage: UInt32
    ) throws -> UInt32? {
        for (index, digest) in digests.enumerated() where digest == self.digest {
            let page = firstPage + UInt32(index)
            if try !unused.contains(page) { return page }
        }
        return nil
    }
}
