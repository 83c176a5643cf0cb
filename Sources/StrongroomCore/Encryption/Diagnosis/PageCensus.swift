internal import Synchronization

/// Which of several keys the pages of a file were written with.
struct PageCensus: Equatable, Sendable {
    /// How many pages each key vouches for, or could have written where there is no HMAC.
    private(set) var pageCounts: [Int]
    /// The first page of each key, and the last.
    private(set) var spans: [ClosedRange<UInt32>?]
    /// Pages of no key.
    private(set) var damaged = PageRanges()
    /// Pages that are zeros.
    private(set) var blank = PageRanges()

    init(keyCount: Int) {
        pageCounts = Array(repeating: 0, count: keyCount)
        spans = Array(repeating: nil, count: keyCount)
    }

    /// The keys that have pages, by their numbers from 0.
    var usedKeys: [Int] { pageCounts.indices.filter { pageCounts[$0] > 0 } }

    fileprivate mutating func add(_ page: UInt32, of key: Int) {
        pageCounts[key] += 1
        spans[key] =
            spans[key].map { min($0.lowerBound, page)...max($0.upperBound, page) }
            ?? page...page
    }

    fileprivate mutating func add(damaged page: UInt32) { damaged.append(page) }

    fileprivate mutating func add(blank page: UInt32) { blank.append(page) }

    fileprivate mutating func merge(_ other: PageCensus) {
        for key in pageCounts.indices {
            pageCounts[key] += other.pageCounts[key]
            guard let span = other.spans[key] else { continue }
            spans[key] =
                spans[key].map {
                    min($0.lowerBound, span.lowerBound)...max($0.upperBound, span.upperBound)
                } ?? span
        }
        damaged.merge(other.damaged)
        blank.merge(other.blank)
    }

    /// Keeps of the damaged pages those that are so still: a page may have been seen while somebody
    /// wrote it.
    mutating func reconsider(_ isDamaged: (UInt32) throws -> Bool) rethrows {
        damaged = try damaged.filter(isDamaged)
    }
}

extension PageSource {
    /// Verifies every page with every key that may have written it, and decrypts none.
    func census(
        with keys: [PageKey], threads: Int,
        progress: @escaping @Sendable (_ pageCount: Int) throws -> Void
    ) throws -> PageCensus {
        let census = Mutex(PageCensus(keyCount: keys.count))
        try forEachChunk(
            threads: threads,
            makeState: {
                CensusState(
                    codecs: try PageCodecs(keys, forManyPages: true), keyCount: keys.count)
            },
            finish: { state in census.withLock { $0.merge(state.census) } }
        ) { state, chunk in
            let pages = chunk.pages
            for (page, verdict) in try zip(pages, state.codecs.verdicts(on: pages)) {
                switch verdict {
                case .written(let key): state.census.add(page.number, of: key)
                case .blank: state.census.add(blank: page.number)
                case .unused: break
                case .damaged: state.census.add(damaged: page.number)
                }
            }
            try progress(chunk.pageCount)
        }
        return census.withLock { $0 }
    }
}

private struct CensusState: ~Copyable {
    var codecs: PageCodecs
    var census: PageCensus

    init(codecs: consuming PageCodecs, keyCount: Int) {
        self.codecs = codecs
        census = PageCensus(keyCount: keyCount)
    }
}
