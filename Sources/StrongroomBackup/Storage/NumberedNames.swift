import StrongroomCore

/// The names in a folder that begin with numbers, in the order of these, as bytes: no string is made of each.
struct NumberedNames: Sendable {
    /// Small, for there are ten thousands of them.
    struct Entry: Sendable {
        let number: UInt32
        /// Where its bytes are.
        fileprivate let start: UInt32
        fileprivate let count: UInt32
        /// How many names the folder gave before it.
        fileprivate let place: UInt32
    }

    private(set) var entries: [Entry] = []
    private var bytes: [UInt8] = []
    /// What stands under the names, in the order in which the folder gave them; none if that was not asked for.
    private var statuses: [FileStatus?] = []

    /// - Parameters:
    ///   - withStatus: Whether to look at what stands under the names.
    ///   - isIncluded: Whether a name with a number counts.
    init(
        _ folder: RepositoryFolder, withStatus: Bool = false,
        where isIncluded: (UInt32, UnsafeRawBufferPointer) -> Bool
    ) throws {
        var entries: [Entry] = []
        var bytes: [UInt8] = []
        var statuses: [FileStatus?] = []
        try folder.forEachName(withStatus: withStatus) { name, status in
            guard let number = RepositoryLayout.leadingNumber(name), isIncluded(number, name) else {
                return
            }
            // 4 GB of names would not fit into memory either.
            entries.append(
                Entry(
                    number: number, start: UInt32(bytes.count), count: UInt32(name.count),
                    place: UInt32(entries.count)))
            if withStatus { statuses.append(status) }
            bytes.append(contentsOf: name)
        }
        entries.sort { $0.number < $1.number }
        // Few have the number of another one.
        for index in entries.indices.dropFirst() {
            var place = index
            while place > 0, entries[place].number == entries[place - 1].number,
                bytes[entries[place].range].lexicographicallyPrecedes(
                    bytes[entries[place - 1].range])
            {
                entries.swapAt(place, place - 1)
                place -= 1
            }
        }
        self.bytes = bytes
        self.entries = entries
        self.statuses = statuses
    }

    func bytes(_ entry: Entry) -> ArraySlice<UInt8> { bytes[entry.range] }

    func status(_ entry: Entry) -> FileStatus? {
        statuses.isEmpty ? nil : statuses[Int(entry.place)]
    }

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
    fileprivate var range: Range<Int> { Int(start)..<(Int(start) + Int(count)) }
}
