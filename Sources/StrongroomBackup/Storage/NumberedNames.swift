import StrongroomCore

/// The names in a folder that begin with numbers, in the order of these, as bytes: no string is made of each.
struct NumberedNames: Sendable {
    struct Entry: Sendable {
        let number: UInt32
        /// Where its bytes are.
        fileprivate let start: Int
        fileprivate let count: Int
        let status: FileStatus?
    }

    private(set) var entries: [Entry] = []
    private var bytes: [UInt8] = []

    /// - Parameters:
    ///   - withStatus: Whether to look at what stands under the names.
    ///   - isIncluded: Whether a name with a number counts.
    init(
        _ folder: RepositoryFolder, withStatus: Bool = false,
        where isIncluded: (UInt32, UnsafeRawBufferPointer) -> Bool
    ) throws {
        var entries: [Entry] = []
        var bytes: [UInt8] = []
        try folder.forEachName(withStatus: withStatus) { name, status in
            guard let number = RepositoryLayout.leadingNumber(name), isIncluded(number, name) else {
                return
            }
            entries.append(
                Entry(number: number, start: bytes.count, count: name.count, status: status))
            bytes.append(contentsOf: name)
        }
        self.bytes = bytes
        self.entries = Self.sorted(entries, bytes)
    }

    /// Plain numbers are sorted several times as fast as entries; few have the number of another one.
    private static func sorted(_ entries: [Entry], _ bytes: [UInt8]) -> [Entry] {
        var keys = entries.indices.map { UInt64(entries[$0].number) << 32 | UInt64($0) }
        keys.sort()
        var sorted = keys.map { entries[Int(truncatingIfNeeded: $0 & 0xFFFF_FFFF)] }
        for index in sorted.indices.dropFirst() {
            var place = index
            while place > 0, sorted[place].number == sorted[place - 1].number,
                bytes[sorted[place].range].lexicographicallyPrecedes(
                    bytes[sorted[place - 1].range])
            {
                sorted.swapAt(place, place - 1)
                place -= 1
            }
        }
        return sorted
    }

    func bytes(_ entry: Entry) -> ArraySlice<UInt8> { bytes[entry.range] }

    func text(_ entry: Entry) -> String { PathText.text(of: bytes(entry)) }

    var texts: [String] { entries.map(text) }

    /// Where the entries with at least a number begin.
    func firstIndex(from number: UInt64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if UInt64(entries[middle].number) < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Those of one number.
    subscript(_ number: UInt32) -> ArraySlice<Entry> {
        entries[firstIndex(from: UInt64(number))..<firstIndex(from: UInt64(number) + 1)]
    }
}

extension NumberedNames.Entry {
    fileprivate var range: Range<Int> { start..<(start + count) }
}
