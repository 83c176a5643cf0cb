internal import Synchronization

/// What is derived from a layout for one type, once for all rows of a result.
package final class LayoutDerivation<Value: Sendable>: Sendable {
    private let owner: ObjectIdentifier
    package let value: Value
    fileprivate let next = LayoutDerivations<Value>()

    fileprivate init(owner: ObjectIdentifier, value: Value) {
        self.owner = owner
        self.value = value
    }

    fileprivate func isOf(_ owner: ObjectIdentifier) -> Bool { self.owner == owner }
}

/// What is derived from a layout for each of a few types, in a list that only grows.
///
/// Every row asks for it. `AtomicLazyReference` would count a reference each time, and is not compiled
/// for the type that it refers to.
struct LayoutDerivations<Value: Sendable>: ~Copyable, Sendable {
    // Safety: the one that is stored stays until the list goes.
    private let first = Atomic<Unmanaged<LayoutDerivation<Value>>?>(nil)

    deinit { first.load(ordering: .acquiring)?.release() }

    func derivation(
        of owner: ObjectIdentifier, orMake make: () throws -> Value
    ) rethrows -> LayoutDerivation<Value> {
        guard let found = first.load(ordering: .acquiring) else {
            let made = Unmanaged.passRetained(
                LayoutDerivation(owner: owner, value: try make()))
            let exchange = first.compareExchange(
                expected: nil, desired: made, ordering: .acquiringAndReleasing)
            if exchange.exchanged { return made.takeUnretainedValue() }
            // Another thread was faster, perhaps for another type.
            made.release()
            return try derivation(of: owner, orMake: make)
        }
        return try found._withUnsafeGuaranteedRef { found in
            try found.isOf(owner) ? found : found.next.derivation(of: owner, orMake: make)
        }
    }

    /// Asks what was derived for a type, if it was.
    func known<Answer>(
        of owner: ObjectIdentifier, _ ask: (borrowing Value) -> Answer
    ) -> Answer? {
        first.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { found in
            found.isOf(owner) ? ask(found.value) : found.next.known(of: owner, ask)
        }
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
