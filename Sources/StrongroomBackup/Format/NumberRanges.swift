/// Numbers of backups as ranges, which take no more room than they take in the head.
struct NumberRanges: Equatable, Sendable {
    /// Ascending; between two of them at least one number is missing.
    private var ranges: [ClosedRange<UInt32>] = []

    init() {}

    /// Nil for pairs that are not ascending ranges.
    init?(_ pairs: [[UInt32]]) {
        for pair in pairs {
            guard pair.count == 2, pair[0] <= pair[1], pair[0] > ranges.last?.upperBound ?? 0
            else { return nil }
            ranges.append(pair[0]...pair[1])
        }
    }

    var pairs: [[UInt32]] { ranges.map { [$0.lowerBound, $0.upperBound] } }
    var count: Int { ranges.reduce(0) { $0 + $1.count } }
    var largest: UInt32 { ranges.last?.upperBound ?? 0 }

    func contains(_ number: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(number)
    }

    mutating func formUnion(_ numbers: some Sequence<UInt32>) {
        let all = (ranges + numbers.map { $0...$0 }).sorted { $0.lowerBound < $1.lowerBound }
        ranges = all.reduce(into: []) { merged, range in
            if let last = merged.last, UInt64(last.upperBound) + 1 >= UInt64(range.lowerBound) {
                merged[merged.count - 1] =
                    last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
    }
}
