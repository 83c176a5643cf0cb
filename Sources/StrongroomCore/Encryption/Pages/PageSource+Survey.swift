internal import Synchronization

/// What the pages of a file turned out to be under a key.
package struct PageSurvey: Equatable, Sendable {
    /// How many pages there are of each kind.
    package private(set) var counts: [PageVerdict: Int] = [:]
    private(set) var damagedPages = PageRanges()
    /// The pages that are all zeros.
    private(set) var blankPages = PageRanges()

    /// The numbers of the damaged pages, in order. With a wrong key, that is all of them.
    package var damaged: [ClosedRange<UInt32>] { damagedPages.ranges }

    package init() {}

    /// Whether no page is damaged.
    package var isSound: Bool { damaged.isEmpty }

    package func count(_ verdict: PageVerdict) -> Int {
        counts[verdict, default: 0]
    }

    mutating func add(_ verdict: PageVerdict, page: UInt32) {
        counts[verdict, default: 0] += 1
        if verdict == .damaged { damagedPages.append(page) }
        if verdict == .blank { blankPages.append(page) }
    }

    /// Adds what another thread found.
    mutating func merge(_ other: PageSurvey) {
        counts.merge(other.counts, uniquingKeysWith: +)
        damagedPages.merge(other.damagedPages)
        blankPages.merge(other.blankPages)
    }
}

extension PageSource {
    /// Verifies every page, and decrypts none.
    ///
    /// - Parameter progress: Called with the number of pages of each chunk; what it throws ends the
    ///   work.
    package func survey(
        with key: PageKey, threads: Int = 1,
        progress: @escaping @Sendable (_ pages: Int) throws -> Void = { _ in }
    ) throws -> PageSurvey {
        try requirePageSize(of: key)
        let survey = Mutex(PageSurvey())
        try forEachChunk(
            threads: threads,
            makeState: { try Surveyor(codec: PageCodec(key, forManyPages: true)) },
            finish: { state in survey.withLock { $0.merge(state.survey) } }
        ) { state, chunk in
            let pages = chunk.pages
            for (page, verdict) in try zip(pages, state.codec.verdicts(on: pages)) {
                state.survey.add(verdict, page: page.number)
            }
            try progress(chunk.pageCount)
        }
        return survey.withLock { $0 }
    }

    func requirePageSize(of key: PageKey) throws(DatabaseError) {
        guard key.settings.pageSize == pageSize else {
            throw DatabaseError(
                code: .SQLITE_MISUSE,
                message: "a key for pages of \(key.settings.pageSize) bytes, not of \(pageSize)")
        }
    }
}

private struct Surveyor: ~Copyable {
    var codec: PageCodec
    var survey = PageSurvey()
}
