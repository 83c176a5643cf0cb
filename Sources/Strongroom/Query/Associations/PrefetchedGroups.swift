/// What a row and those that are fetched for it have in common: the values of some columns.
///
/// It is mostly one value. An array for it would be one more allocation for each row.
struct PrefetchKey: Hashable {
    private let first: DatabaseValue
    private let others: [DatabaseValue]

    /// Reads some of the columns that the statement gave, whatever adapters make of them.
    init(_ row: Row, _ columns: Range<Int>) {
        let storage = row.storage
        first = storage.value(at: columns.lowerBound)
        others = columns.count == 1 ? [] : columns.dropFirst().map { storage.value(at: $0) }
    }

    var values: [DatabaseValue] { [first] + others }

    /// NULL is nobody's key.
    var hasNull: Bool { first.isNull || others.contains(where: \.isNull) }
}

/// Rows that were fetched for others, by what they have in common with these.
struct PrefetchedGroups {
    private var indexes: [PrefetchKey: Int] = [:]
    private var groups: [[Row]] = []
    private var last: (key: PrefetchKey, index: Int)?

    /// Adds a row, whose key is in its last columns.
    mutating func add(_ row: Row, keyCount: Int) {
        let storage = row.storage
        // It will be kept, and kept cells give a key without a copy.
        storage.keep()
        let key = PrefetchKey(row, (storage.count - keyCount)..<storage.count)
        // With an index on the columns of the key, rows of one key mostly come in succession.
        if let last, last.key == key {
            groups[last.index].append(row)
            return
        }
        let index = indexes[key] ?? groups.count
        if index == groups.count {
            indexes[key] = index
            groups.append([row])
        } else {
            groups[index].append(row)
        }
        last = (key, index)
    }

    /// The rows of a key, in the order in which they were added.
    subscript(key: PrefetchKey) -> [Row] {
        indexes[key].map { groups[$0] } ?? []
    }
}
