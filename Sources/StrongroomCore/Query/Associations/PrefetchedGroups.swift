/// What a row and those that are fetched for it have in common: the values of some columns.
///
/// It is mostly one value. An array for it would be one more allocation for each row.
struct PrefetchKey: Hashable {
    let first: DatabaseValue
    private let others: [DatabaseValue]

    static let null = PrefetchKey()

    private init() {
        first = .null
        others = []
    }

    /// Reads some of the columns that the statement gave, whatever adapters make of them.
    init(_ row: Row, _ columns: Range<Int>) {
        let storage = row.storage
        first = storage.value(at: columns.lowerBound)
        others = columns.count == 1 ? [] : columns.dropFirst().map { storage.value(at: $0) }
    }

    /// Reads some of the columns that the statement gave, in any order.
    init(_ row: Row, columns: [Int]) {
        let storage = row.storage
        first = storage.value(at: columns[0])
        others = columns.count == 1 ? [] : columns.dropFirst().map { storage.value(at: $0) }
    }

    /// Whether a row has this key in these columns: no key is made to find out.
    func isKey(of row: Row, _ columns: Range<Int>) -> Bool {
        let storage = row.storage
        guard storage.value(at: columns.lowerBound) == first else { return false }
        return others.isEmpty
            || zip(columns.dropFirst(), others).allSatisfy { storage.value(at: $0) == $1 }
    }

    var values: [DatabaseValue] { [first] + others }

    /// NULL is nobody's key.
    var hasNull: Bool { first.isNull || others.contains(where: \.isNull) }
}

/// Rows that were fetched for others, by what they have in common with these.
struct PrefetchedGroups {
    private var indexes: [PrefetchKey: Int] = [:]
    private var groups: [[Row]] = []
    private var lastKey = PrefetchKey.null
    private var lastIndex: Int?

    /// No groups yet, with room for so many.
    init(minimumCapacity: Int) {
        indexes.reserveCapacity(minimumCapacity)
        groups.reserveCapacity(minimumCapacity)
    }

    /// Adds a row, whose key is in its last columns.
    mutating func add(_ row: Row, keyCount: Int) {
        let end = row.storage.count
        let columns = (end - keyCount)..<end
        // With an index on the columns of the key, rows of one key mostly come in succession.
        if let lastIndex, lastKey.isKey(of: row, columns) {
            groups[lastIndex].append(row)
            return
        }
        let key = PrefetchKey(row, columns)
        let index = indexes[key] ?? groups.count
        if index == groups.count {
            indexes[key] = index
            var group: [Row] = []
            // Groups are mostly about as large as the one before; where not, little is reserved.
            group.reserveCapacity(min(lastIndex.map { groups[$0].count } ?? 1, 32))
            group.append(row)
            groups.append(group)
        } else {
            groups[index].append(row)
        }
        (lastKey, lastIndex) = (key, index)
    }

    /// The rows of a key, in the order in which they were added.
    subscript(key: PrefetchKey) -> [Row] {
        indexes[key].map { groups[$0] } ?? []
    }
}
