// What an app wrote becomes changes: from the notes of the triggers, the merged state before, and the row as it
// is now. All of it belongs to one row; the stamps of the notes were given in the order of the journal.

/// A note of a trigger about one row.
package struct LocalNote: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case inserted
        /// The columns that an update may have changed, as numbers in ``MergeTable/columns``.
        case updated([Int])
        /// Deleted, or looked at because REPLACE may have deleted it.
        case deleted
    }

    package var kind: Kind
    package var stamp: Stamp
    /// What the statement added to counters, by field.
    package var differences: [Int: Int64] = [:]

    package init(_ kind: Kind, _ stamp: Stamp, differences: [Int: Int64] = [:]) {
        self.kind = kind
        self.stamp = stamp
        self.differences = differences
    }
}

/// A row that was written to since the last batch.
package struct LocalRow: Sendable {
    package let table: MergeTable
    /// In the order of the journal, at least one.
    package let notes: [LocalNote]
    /// The merged state before; nil if there is none.
    package let merged: RowState?
    /// Whether the row was visible before the app wrote.
    package let wasVisible: Bool
    /// The visible row's values, one for each of ``MergeTable/columns``; nil if there is no row.
    package let values: [CellValue]?

    package init(
        in table: MergeTable, notes: [LocalNote], merged: RowState?, wasVisible: Bool,
        values: [CellValue]?
    ) {
        self.table = table
        self.notes = notes
        self.merged = merged
        self.wasVisible = wasVisible
        self.values = values
    }

    /// What travels, as the batch `batch` of its run.
    ///
    /// | before | now | |
    /// |---|---|---|
    /// | visible | no row | the life ends |
    /// | visible | row, inserted again | a new life |
    /// | visible | row | its life goes on: what the notes name |
    /// | not visible | row | a new life, also where a row is held |
    /// | not visible | no row | nothing |
    ///
    /// - Throws: ``LocalChangeError``.
    package func change(in batch: Tombstone.Position) throws(LocalChangeError) -> RowState? {
        let life = merged?.life ?? 0
        guard let values else {
            guard wasVisible, let merged else { return nil }
            return merged.ended(in: batch, isSeenKept: table.editWins)
        }
        let isInserted = notes.contains { $0.kind == .inserted }
        guard wasVisible, !isInserted, let merged else {
            return try insertion(life: RowState.insertion(after: life), values, batch.run)
        }
        return try edit(of: merged, values, batch.run)
    }

    private func insertion(
        life: UInt64, _ values: [CellValue], _ run: Run
    ) throws(LocalChangeError) -> RowState {
        guard life <= RowState.lifeLimit else { throw .livesExhausted }
        let author = Author(notes.last?.stamp ?? Stamp(bits: 0), run)
        var state = RowState(life: life, birth: author)
        for (number, field) in table.fields.enumerated() {
            guard let content = table.content(of: number, in: values) else { continue }
            switch (field.kind, content) {
            case (.counter, .value(.integer(let value))):
                state.counters.append(CounterEntry(number, run, count: 1, sum: Int128(value)))
            case (.maximum, .value(let value)), (.minimum, .value(let value)):
                guard !value.isNull else { continue }
                state.extremes.append(Extreme(number, isMaximum: field.kind == .maximum, value))
            case (.counter, _): continue
            default: state.cells.append(Cell(number, author, content))
            }
        }
        return state
    }

    private func edit(
        of merged: RowState, _ values: [CellValue], _ run: Run
    ) throws(LocalChangeError) -> RowState? {
        var state = RowState(life: merged.life)
        for (number, stamp) in edits {
            guard let content = table.content(of: number, in: values) else { continue }
            let kind = table.fields[number].kind
            guard kind == .latest else {
                let extreme = Extreme(number, isMaximum: kind == .maximum, content.firstValue)
                if kind != .counter, !extreme.value.isNull,
                    merged.extremes[place: extreme.place].map(extreme.wins) ?? true
                {
                    state.extremes.put(extreme)
                }
                continue
            }
            let old = merged.cells[place: number]
            let stamp = old.map { max(stamp, $0.author.stamp.next) } ?? stamp
            // Beyond the limit of stamps only a new life can win.
            guard stamp < .limit else {
                return try insertion(
                    life: RowState.insertion(after: merged.life), values, run)
            }
            state.cells.put(Cell(number, Author(stamp, run), content.keeping(old?.content)))
        }
        for (field, difference) in differences {
            state.counters.put(try counter(field, difference, merged, run))
        }
        return state.cells.isEmpty && state.counters.isEmpty && state.extremes.isEmpty ? nil : state
    }

    private func counter(
        _ field: Int, _ difference: Int128, _ merged: RowState, _ run: Run
    ) throws(LocalChangeError) -> CounterEntry {
        let old = merged.counters[place: FieldPlace(field: field, part: run)]
        var sum = (old?.sum ?? 0) + difference
        // Where no insertion gave a value, the first difference also carries what the row showed instead.
        if !merged.counters.contains(where: { $0.field == field }),
            case .integer(let shown) = table.fields[field].columns[0].absent
        {
            sum += Int128(shown)
        }
        guard abs(sum) < CounterEntry.sumLimit else { throw .counterOverflow(field: field) }
        return CounterEntry(field, run, count: (old?.count ?? 0) + 1, sum: sum)
    }

    /// The fields that updates named, each with the stamp of the last one.
    private var edits: [Int: Stamp] {
        var edits: [Int: Stamp] = [:]
        for note in notes {
            guard case .updated(let columns) = note.kind else { continue }
            for column in columns {
                guard case .field(let field, _) = table.columns[column] else { continue }
                edits[field] = max(note.stamp, edits[field] ?? note.stamp)
            }
        }
        return edits
    }

    private var differences: [Int: Int128] {
        var sums: [Int: Int128] = [:]
        for note in notes {
            for (field, difference) in note.differences {
                sums[field, default: 0] += Int128(difference)
            }
        }
        return sums.filter { $0.value != 0 }
    }
}

/// Why what an app wrote cannot travel.
package enum LocalChangeError: Error, Hashable {
    /// The row was deleted and inserted 2^38 times.
    case livesExhausted
    /// A device has added more to a counter than others accept.
    case counterOverflow(field: Int)
}

extension RowState {
    /// The end of this life.
    package func ended(in batch: Tombstone.Position, isSeenKept: Bool) -> RowState {
        var state = RowState(life: life + 1)
        state.tombstone.batches = [batch]
        if isSeenKept {
            state.tombstone.seen = cells.map { .init($0.field, $0.author) }
            state.tombstone.seenCounts = counters.map { .init($0.field, $0.run, $0.count) }
        }
        return state
    }
}

extension MergeTable {
    /// What a known field of a row holds; nil for a field that only others know.
    fileprivate func content(of field: Int, in values: [CellValue]) -> CellContent? {
        let columns = fields[field].columns
        guard let first = firstColumn(of: field) else { return nil }
        guard fields[field].isGroup else { return .value(values[first]) }
        return .group(
            columns.enumerated().map { .init($1.name, values[first + $0]) })
    }
}

extension CellContent {
    fileprivate var firstValue: CellValue {
        switch self {
        case .value(let value): value
        case .group(let values): values.first?.value ?? .null
        }
    }

    /// With the values of a group's columns that only others know, as they were.
    fileprivate func keeping(_ old: CellContent?) -> CellContent {
        guard case .group(let values) = self, case .group(let oldValues)? = old else { return self }
        let kept = oldValues.filter { old in
            !values.contains { $0.column.hasSameBytes(as: old.column) }
        }
        return kept.isEmpty ? self : CellContent(group: values + kept)
    }
}
