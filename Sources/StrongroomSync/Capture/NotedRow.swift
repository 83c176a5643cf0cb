/// What the notes of one row come to, in the order in which they were taken.
///
/// 1. An insertion or a deletion ends what was noted of the row before.
/// 2. Of a column, the time of its last note counts.
/// 3. Both `deleted` and `inserted`: the row was deleted and then inserted again.
/// 4. Folding what `notes` gives comes to the same row.
package struct NotedRow: Sendable, Hashable {
    /// How much a counter changed since the row was inserted, or since the last notes were taken.
    package struct Difference: Sendable, Hashable {
        package var amount: Int128
        package var time: Int64
    }

    package let table: Int
    package let key: [CapturedValue]
    /// When the row was last deleted, unless nothing but an insertion was seen.
    package private(set) var deleted: Int64?
    /// When the row was last inserted, if it was not deleted since: all its columns are new.
    package private(set) var inserted: Int64?
    /// When REPLACE last may have deleted the row.
    package private(set) var looked: Int64?
    /// The columns that changed, by their positions, with the times of the last changes.
    package private(set) var columns: [Int: Int64] = [:]
    /// The counters that changed, by the positions of their columns.
    package private(set) var differences: [Int: Difference] = [:]

    package init(table: Int, key: [CapturedValue]) {
        self.table = table
        self.key = key
    }

    package mutating func add(_ note: Note) {
        switch note.kind {
        case .insert:
            begin()
            inserted = note.time
        case .delete:
            begin()
            inserted = nil
            deleted = note.time
        case .look:
            looked = note.time
        case .update:
            for position in note.positions { columns[position] = note.time }
        case .counter:
            let amount = differences[note.word]?.amount ?? 0
            differences[note.word] = Difference(
                amount: amount + Int128(note.mask), time: note.time)
        }
    }

    private mutating func begin() {
        columns = [:]
        differences = [:]
    }

    /// The fewest notes that come to this row.
    package var notes: [Note] {
        func note(_ kind: Note.Kind, _ word: Int, _ mask: Int64, _ time: Int64) -> Note {
            var note = Note(table: table, key: key, kind: kind, time: time)
            note.word = word
            note.mask = mask
            return note
        }
        var notes: [Note] = []
        if let deleted { notes.append(note(.delete, 0, 0, deleted)) }
        if let inserted { notes.append(note(.insert, 0, 0, inserted)) }
        if let looked { notes.append(note(.look, 0, 0, looked)) }
        var masks: [UpdateGroup: Int64] = [:]
        for (position, time) in columns {
            let group = UpdateGroup(word: position / Note.columnsPerMask, time: time)
            masks[group, default: 0] |= 1 << Int64(position % Note.columnsPerMask)
        }
        notes += masks.sorted { ($0.key.time, $0.key.word) < ($1.key.time, $1.key.word) }
            .map { note(.update, $0.key.word, $0.value, $0.key.time) }
        for (position, difference) in differences.sorted(by: { $0.key < $1.key }) {
            notes += difference.parts.map { note(.counter, position, $0, difference.time) }
        }
        return notes
    }

    private struct UpdateGroup: Hashable {
        let word: Int
        let time: Int64
    }
}

extension NotedRow.Difference {
    /// Numbers that a file can hold, whose sum is the amount; one for an amount that fits.
    fileprivate var parts: [Int64] {
        var rest = amount
        var parts: [Int64] = []
        repeat {
            let part = Int64(clamping: rest)
            parts.append(part)
            rest -= Int128(part)
        } while rest != 0
        return parts
    }
}
