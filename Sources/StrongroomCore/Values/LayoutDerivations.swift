internal import Synchronization

/// What is derived from a layout for one type, once for all rows of a result.
package final class LayoutDerivation<Value: Sendable>: Sendable {
    private let owner: ObjectIdentifier
    package let value: Value
    fileprivate let next = AtomicLazyReference<LayoutDerivation>()

    fileprivate init(owner: ObjectIdentifier, value: Value) {
        self.owner = owner
        self.value = value
    }

    fileprivate func isOf(_ owner: ObjectIdentifier) -> Bool { self.owner == owner }
}

/// What is derived from a layout for each of a few types, in a list that only grows.
struct LayoutDerivations<Value: Sendable>: ~Copyable, Sendable {
    private let first = AtomicLazyReference<LayoutDerivation<Value>>()

    func derivation(
        of owner: ObjectIdentifier, orMake make: () throws -> Value
    ) rethrows -> LayoutDerivation<Value> {
        guard var found = first.load() else {
            let made = first.storeIfNil(LayoutDerivation(owner: owner, value: try make()))
            // Another thread may have been faster, for another type.
            return made.isOf(owner) ? made : try derivation(of: owner, orMake: make)
        }
        while !found.isOf(owner) {
            if let next = found.next.load() {
                found = next
            } else {
                found = found.next.storeIfNil(LayoutDerivation(owner: owner, value: try make()))
            }
        }
        return found
    }
}

extension RowLayout {
    /// The columns by the keys that a type gives to their names, which are asked for once. Of columns
    /// with the same key it is the leftmost.
    package func keyColumns(
        of owner: ObjectIdentifier, by key: (String) -> String
    ) -> [String: Int] {
        keyColumns.derivation(of: owner) {
            Dictionary(
                zip(names.map(key), 0...), uniquingKeysWith: { leftmost, _ in leftmost })
        }.value
    }
}
