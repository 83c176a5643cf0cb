/// Numbers of pages, kept as ranges in ascending order.
package struct PageRanges: Equatable, Sendable {
    package private(set) var ranges: [ClosedRange<UInt32>] = []
    /// How many pages there are in all.
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { ranges.isEmpty }

    /// Adds a page whose number is greater than all that are there.
    mutating func append(_ page: UInt32) {
        count += 1
        if let last = ranges.last, last.upperBound + 1 == page {
            ranges[ranges.count - 1] = last.lowerBound...page
        } else {
            ranges.append(page...page)
        }
    }

    /// Adds pages that are not there yet.
    mutating func merge(_ other: PageRanges) {
        count += other.count
        let all = (ranges + other.ranges).sorted { $0.lowerBound < $1.lowerBound }
        ranges = all.reduce(into: []) { merged, range in
            if let last = merged.last, last.upperBound + 1 == range.lowerBound {
                merged[merged.count - 1] = last.lowerBound...range.upperBound
            } else {
                merged.append(range)
            }
        }
    }

    /// The pages for which something holds.
    func filter(_ holds: (UInt32) throws -> Bool) rethrows -> PageRanges {
        var kept = PageRanges()
        for range in ranges {
            for page in range where try holds(page) { kept.append(page) }
        }
        return kept
    }
}
