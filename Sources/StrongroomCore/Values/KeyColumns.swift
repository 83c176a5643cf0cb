internal import Synchronization

/// The columns of a layout by keys that are others than their names.
package final class KeyColumns: Sendable {
    private let owner: ObjectIdentifier
    /// The leftmost column of each key.
    package let indexes: [String: Int]
    fileprivate let next = AtomicLazyReference<KeyColumns>()

    fileprivate init(owner: ObjectIdentifier, indexes: [String: Int]) {
        self.owner = owner
        self.indexes = indexes
    }

    fileprivate func isOf(_ owner: ObjectIdentifier) -> Bool { self.owner == owner }
}

/// What is derived from a layout for each of a few types, in a list that only grows.
struct KeyColumnsList: ~Copyable, Sendable {
    private let first = AtomicLazyReference<KeyColumns>()

    func columns(of owner: ObjectIdentifier, orMake make: () -> [String: Int]) -> KeyColumns {
        guard var columns = first.load() else {
            let made = first.storeIfNil(KeyColumns(owner: owner, indexes: make()))
            // Another thread may have been faster, for another type.
            return made.isOf(owner) ? made : self.columns(of: owner, orMake: make)
        }
        while !columns.isOf(owner) {
            if let next = columns.next.load() {
                columns = next
            } else {
                columns = columns.next.storeIfNil(KeyColumns(owner: owner, indexes: make()))
            }
        }
        return columns
    }
}

extension RowLayout {
    /// The columns by the keys that a type gives to their names, which are asked for once.
    package func keyColumns(
        of owner: ObjectIdentifier, by key: (String) -> String
    ) -> KeyColumns {
        keyColumnsList.columns(of: owner) {
            Dictionary(
                zip(names.map(key), 0...), uniquingKeysWith: { leftmost, _ in leftmost })
        }
    }
}
