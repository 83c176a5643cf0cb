package import StrongroomCore

// Without a hub, notes would pile up: those of one row and column become one.

extension Journal {
    /// The number of notes at which they are merged.
    package static let mergeThreshold: Int64 = 100_000

    /// Merges notes if there are many, and twice as many as the last merge left.
    ///
    /// It reads all notes, and writes what remains of them: call it where a transaction that holds
    /// the write lock for some hundred milliseconds is right.
    ///
    /// - Returns: Whether notes were merged.
    /// - Throws: `DatabaseError`; nothing is changed then.
    @discardableResult
    package static func mergeNotesIfNeeded(
        _ db: Database, threshold: Int64 = mergeThreshold
    ) throws -> Bool {
        let last = try CaptureSetting.notesAfterMerge.value(db) ?? 0
        guard try noteCount(db) > max(threshold, 2 * last) else { return false }
        try mergeNotes(db)
        return true
    }

    /// Merges the notes of each row: the last time of a column counts, and differences add up; their tokens stay.
    package static func mergeNotes(_ db: Database) throws {
        try db.inSavepoint {
            let found = try rows(db)
            try remove(db, through: found.last)
            for (place, row) in found.rows.enumerated() {
                var additions = found.additions[place] ?? []
                for note in row.notes {
                    let own =
                        note.kind == .counter
                        ? additions.filter { $0.position == note.word } : []
                    // A difference that no note can hold has several.
                    additions.removeAll { $0.position == note.word && note.kind == .counter }
                    try add(note, of: own, db)
                }
            }
            try CaptureSetting.notesAfterMerge.set(db, try noteCount(db))
            return .commit
        }
    }
}
