/// What a merge changed in a row.
package struct MergeOutcome: Sendable, Equatable {
    package enum Kind: Sendable { case nothing, joined, replaced }

    /// Whether the same life got more, or another life took its place.
    package var kind = Kind.nothing
    /// The fields that changed, where `kind` is `joined`.
    package var fields = FieldSet()
    /// Whether birth or tombstone changed, where `kind` is `joined`.
    package var isFrameChanged = false
}

/// Some fields of a table, by their numbers.
package struct FieldSet: Sendable, Equatable {
    private var low: UInt64 = 0
    private var high: Set<Int> = []

    package init() {}

    package mutating func insert(_ field: Int) {
        if field < 64 { low |= 1 << UInt64(field) } else { high.insert(field) }
    }

    package func contains(_ field: Int) -> Bool {
        field < 64 ? low >> UInt64(field) & 1 == 1 : high.contains(field)
    }

    package var isEmpty: Bool { low == 0 && high.isEmpty }
}

extension RowState {
    /// Merges a change, or another state, into this one: idempotent, commutative and associative for
    /// whatever states there are.
    ///
    /// The greater life wins as a whole. Of equal lives, each field gets the later edit, each counter the later
    /// entry of each run, and the row the older birth.
    package mutating func merge(_ other: RowState) -> MergeOutcome {
        var outcome = MergeOutcome()
        guard other.life >= life else { return outcome }
        if other.life > life {
            self = other
            outcome.kind = .replaced
            return outcome
        }
        if isAlive {
            if let theirs = other.birth, birth.map({ theirs < $0 }) ?? true {
                birth = theirs
                outcome.isFrameChanged = true
            }
            cells.join(other.cells) { outcome.fields.insert($0.field) }
            counters.join(other.counters) { outcome.fields.insert($0.field) }
            extremes.join(other.extremes) { outcome.fields.insert($0.field) }
        } else {
            var isChanged = false
            tombstone.batches.join(other.tombstone.batches) { _ in isChanged = true }
            tombstone.seen.join(other.tombstone.seen) { _ in isChanged = true }
            tombstone.seenCounts.join(other.tombstone.seenCounts) { _ in isChanged = true }
            outcome.isFrameChanged = isChanged
        }
        if outcome.isFrameChanged || !outcome.fields.isEmpty { outcome.kind = .joined }
        return outcome
    }
}

/// An entry of a list that merges entry by entry.
package protocol MergedEntry {
    associatedtype Place: Comparable

    /// What the entry is about.
    var place: Place { get }

    /// Whether this entry takes the place of another one that is about the same.
    func wins(over other: Self) -> Bool
}

extension Array where Element: MergedEntry {
    /// Takes over what wins or is new.
    mutating func join(_ others: [Element], changed: (Element) -> Void) {
        var index = 0
        for other in others {
            let place = other.place
            while index < count, self[index].place < place { index += 1 }
            if index < count, self[index].place == place {
                guard other.wins(over: self[index]) else { continue }
                self[index] = other
            } else {
                insert(other, at: index)
            }
            changed(other)
        }
    }

    /// Puts one entry where it belongs, in place of what is about the same.
    package mutating func put(_ entry: Element) {
        let place = entry.place
        let index = firstIndex { !($0.place < place) } ?? count
        if index < count, self[index].place == place {
            self[index] = entry
        } else {
            insert(entry, at: index)
        }
    }

    package subscript(place place: Element.Place) -> Element? {
        first { $0.place == place }
    }
}

/// A field, and something of it that is told apart further.
package struct FieldPlace<Part: Comparable & Sendable>: Comparable, Sendable {
    var field: Int
    var part: Part

    package static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.field == rhs.field ? lhs.part < rhs.part : lhs.field < rhs.field
    }
}

extension Cell: MergedEntry {
    package var place: Int { field }

    package func wins(over other: Cell) -> Bool {
        author == other.author ? other.content < content : other.author < author
    }
}

extension CounterEntry: MergedEntry {
    package var place: FieldPlace<Run> { FieldPlace(field: field, part: run) }

    package func wins(over other: CounterEntry) -> Bool {
        count == other.count ? other.sum < sum : other.count < count
    }
}

extension Extreme: MergedEntry {
    package var place: FieldPlace<Int> { FieldPlace(field: field, part: isMaximum ? 1 : 0) }

    package func wins(over other: Extreme) -> Bool {
        isMaximum ? other.value < value : value < other.value
    }
}

extension Tombstone.Position: MergedEntry {
    package var place: Run { run }

    package func wins(over other: Self) -> Bool { other.number < number }
}

extension Tombstone.Seen: MergedEntry {
    package var place: Int { field }

    package func wins(over other: Self) -> Bool { other.author < author }
}

extension Tombstone.SeenCount: MergedEntry {
    package var place: FieldPlace<Run> { FieldPlace(field: field, part: run) }

    package func wins(over other: Self) -> Bool { other.count < count }
}
