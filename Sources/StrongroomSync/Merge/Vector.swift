/// The last batch merged of each run.
package struct Vector: Sendable, Hashable {
    package private(set) var numbers: [Run: UInt64] = [:]

    package init() {}

    /// 0 for a run of which nothing was merged.
    package subscript(run: Run) -> UInt64 {
        get { numbers[run] ?? 0 }
        set { numbers[run] = newValue == 0 ? nil : newValue }
    }

    /// Whether this is at least as far in every run.
    package func covers(_ other: Vector) -> Bool {
        other.numbers.allSatisfy { self[$0.key] >= $0.value }
    }

    package func covers(_ batch: Tombstone.Position) -> Bool {
        self[batch.run] >= batch.number
    }

    /// Goes as far as either in every run.
    /// The greater number of both for each run.
    package func joined(_ other: Vector) -> Vector {
        var joined = self
        joined.join(other)
        return joined
    }

    package mutating func join(_ other: Vector) {
        numbers.merge(other.numbers) { max($0, $1) }
    }
}

/// The changes of one device up to one commit.
package struct BatchContent: Sendable, Hashable {
    package var run: Run
    /// Counts from 1 in each run, without gaps.
    package var number: UInt64
    /// What the author had merged. Of its own run, the batch before.
    package var seen: Vector
    /// The last floor that the author had applied.
    package var floor: UInt64
    /// One for each row.
    package var changes: [RowChange]

    package init(
        run: Run, number: UInt64, seen: Vector, floor: UInt64 = 0, changes: [RowChange]
    ) {
        self.run = run
        self.number = number
        self.seen = seen
        self.floor = floor
        self.changes = changes
    }

    package var position: Tombstone.Position { .init(run, number) }

    /// Whether the content is one that a device can have written: every reader decides alike.
    package var isValid: Bool {
        number > 0 && seen[run] == number - 1
            && Set(changes.map(\.row)).count == changes.count
            && changes.allSatisfy(\.state.isValid)
    }
}

/// A merged state at a vector.
package struct SnapshotContent: Sendable, Hashable {
    package var vector: Vector
    package var floor: Floor
    package var rows: [RowChange]

    package init(vector: Vector, floor: Floor, rows: [RowChange]) {
        self.vector = vector
        self.floor = floor
        self.rows = rows
    }

    package var isValid: Bool {
        vector.covers(floor.known) && Set(rows.map(\.row)).count == rows.count
            && rows.allSatisfy(\.state.isValid)
    }
}

extension RowState {
    /// Whether the invariants hold and no stamp or life is beyond its limit.
    package var isValid: Bool {
        guard life > 0, life <= Self.lifeLimit else { return false }
        guard isAlive else {
            return birth == nil && cells.isEmpty && counters.isEmpty && extremes.isEmpty
                && !tombstone.batches.isEmpty && tombstone.isAscending
        }
        return tombstone == Tombstone() && (birth.map { $0.stamp < .limit } ?? true)
            && cells.allSatisfy { $0.author.stamp < .limit && $0.content.isValid }
            && cells.isAscending && counters.isAscending && extremes.isAscending
            && counters.allSatisfy { $0.count > 0 && abs($0.sum) < CounterEntry.sumLimit }
    }
}

extension CounterEntry {
    /// No entry has a sum as great as this, so that those of all runs can be added up.
    package static let sumLimit: Int128 = 1 << 96
}

extension Tombstone {
    fileprivate var isAscending: Bool {
        batches.isAscending && seen.isAscending && seenCounts.isAscending
    }
}

extension CellContent {
    fileprivate var isValid: Bool {
        switch self {
        case .value(let value): value.isValid
        case .group(let values):
            values.allSatisfy(\.value.isValid)
                && zip(values, values.dropFirst()).allSatisfy {
                    $0.column.precedesByBytes($1.column)
                }
        }
    }
}

extension CellValue {
    fileprivate var isValid: Bool {
        if case .real(let bits) = self { !Double(bitPattern: bits).isNaN } else { true }
    }
}

extension Array where Element: MergedEntry {
    fileprivate var isAscending: Bool {
        zip(self, dropFirst()).allSatisfy { $0.place < $1.place }
    }
}
