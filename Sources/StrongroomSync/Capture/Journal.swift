package import StrongroomCore

/// The notes that triggers have taken and that no batch has.
package enum Journal {
    /// The notes of several rows, up to one of them.
    package struct Rows: Sendable {
        /// The rows, in the order of their first notes.
        package var rows: [NotedRow] = []
        /// What was added to the counters of a row since it began, by its place in `rows`; notes of a file that an
        /// earlier version has made are missing.
        package var additions: [Int: [NotedAddition]] = [:]
        /// The number of the last note that counts.
        package var last: Int64
        /// Whether later notes were left for the next call.
        package var hasMore = false
    }

    /// The number of the last note; 0 for none.
    package static func lastID(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT max(id) FROM main.strongroom_sync_journal") ?? 0
    }

    /// How many notes there are at most: one for each number between the first and the last.
    package static func noteCount(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db,
            sql: """
                SELECT (SELECT max(id) FROM main.strongroom_sync_journal)
                    - (SELECT min(id) FROM main.strongroom_sync_journal) + 1
                """) ?? 0
    }

    /// What the notes come to, row by row.
    ///
    /// Notes of tables that are no longer shared, and rows with NULL in their key, are left out.
    /// Whoever makes a batch of the rows calls ``remove(_:through:)`` in the same transaction.
    ///
    /// - Parameters:
    ///   - first: The number behind which notes count.
    ///   - limit: After how many notes no other row is begun. A row with notes elsewhere behind comes again: see
    ///     ``gather(_:)``.
    package static func rows(
        _ db: Database, after first: Int64 = 0, limit: Int = .max
    ) throws -> Rows {
        let widths = try keyWidths(db)
        var found = Rows(last: first)
        var places: [RowName: Int] = [:]
        var count = 0
        let end = try lastID(db)
        try forEachNote(db, widths, after: first, limit: limit) { id, note, additions in
            count += 1
            found.last = id
            guard let note, !note.key.contains(where: \.isNull) else { return }
            let name = RowName(table: note.table, key: note.key.keyBytes)
            let place = places[name] ?? found.rows.count
            if place == found.rows.count {
                places[name] = place
                found.rows.append(NotedRow(table: note.table, key: note.key))
            }
            found.add(note, additions, at: place)
        }
        found.hasMore = count == limit && found.last < end
        // What one statement has noted of a row stays together.
        var isSame = found.hasMore
        while isSame, let last = found.rows.last, found.last < end {
            isSame = false
            try forEachNote(db, widths, after: found.last, limit: 1) { id, note, additions in
                guard let note, note.table == last.table, note.key == last.key else { return }
                found.add(note, additions, at: found.rows.count - 1)
                found.last = id
                isSame = true
            }
        }
        found.hasMore = found.hasMore && found.last < end
        return found
    }

    /// Puts the notes of each row next to each other, so that who reads a part of them has all notes of a row or none.
    ///
    /// - Returns: The number of the last note.
    static func gather(_ db: Database) throws -> Int64 {
        let width = try keyWidths(db).values.max() ?? 1
        let keys = CaptureTables.keyColumns(width)
        let isScattered = try Bool.fetchOne(
            db,
            sql: """
                SELECT 1 FROM main.strongroom_sync_journal
                GROUP BY note / \(Note.code(.insert, table: 1)), \(keys)
                HAVING max(id) - min(id) >= count(*) LIMIT 1
                """)
        if isScattered == true { try mergeNotes(db) }
        return try lastID(db)
    }

    /// Removes the notes that a batch has.
    package static func remove(_ db: Database, through last: Int64) throws {
        try db.execute(
            sql: "DELETE FROM main.strongroom_sync_journal WHERE id <= ?", arguments: [last])
    }

    /// Adds a note, as a trigger does.
    ///
    /// - Parameter isFirst: Whether a counter's note is one of its own, and gets a token.
    static func add(
        _ note: Note, of additions: [NotedAddition] = [], isFirst: Bool = false, _ db: Database
    ) throws {
        let marks = Array(repeating: "?", count: note.key.count).joined(separator: ", ")
        let token = isFirst && note.kind == .counter ? "ifnull(?, \(NoteToken.sql))" : "?"
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO main.strongroom_sync_journal
                    (note, time, mask, token, \(CaptureTables.keyColumns(note.key.count)))
                VALUES (?, ?, ?, \(token), \(marks))
                """)
        let mask = note.kind == .update || note.kind == .counter
        try statement.forEachRow(
            [
                .integer(note.code), .real(NoteTime.julianDay(milliseconds: note.time)),
                mask ? .integer(note.mask) : .null,
                additions.isEmpty ? .null : .blob(NotedAddition.bytes(additions)),
            ] + note.key)
    }

    /// How many columns the keys of shared tables have, by the numbers of the tables.
    static func keyWidths(_ db: Database) throws -> [Int: Int] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT number, json_array_length(\"key\") FROM main.strongroom_sync_table")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }

    /// - Parameter body: Given nil for a note that is to be left out.
    private static func forEachNote(
        _ db: Database, _ widths: [Int: Int], after first: Int64, limit: Int,
        _ body: (Int64, Note?, [NotedAddition]) throws -> Void
    ) throws {
        let width = widths.values.max() ?? 1
        let statement = try db.cachedStatement(
            sql: """
                SELECT id, note, time, mask, token, \(CaptureTables.keyColumns(width))
                FROM main.strongroom_sync_journal WHERE id > ? ORDER BY id LIMIT ?
                """)
        let arguments: [CapturedValue] = [.integer(first), .integer(Int64(limit))]
        try statement.forEachRow(arguments) { row in
            let columns = BorrowedStatement(row)
            let mask = columns.int64(3)
            let time = NoteTime.milliseconds(julianDay: columns.double(2))
            var note = Note(code: columns.int64(1), mask: mask, time: time, key: [])
            let width = note.flatMap { widths[$0.table] }
            note?.key = (0..<(width ?? 0)).map { CapturedValue(row, 5 + $0) }
            let additions =
                columns.isNull(4) ? [] : note.map { $0.additions(CapturedValue(row, 4)) }
            try body(columns.int64(0), width == nil ? nil : note, additions ?? [])
        }
    }
}

/// A row, as notes name it.
struct RowName: Hashable {
    let table: Int
    let key: [UInt8]
}

extension Journal.Rows {
    fileprivate mutating func add(_ note: Note, _ noted: [NotedAddition], at place: Int) {
        rows[place].add(note)
        switch note.kind {
        case .insert, .delete: additions[place] = nil
        case .counter where !noted.isEmpty: additions[place, default: []] += noted
        case .counter, .update, .look: break
        }
    }
}

/// What was added to a counter at once.
package struct NotedAddition: Sendable, Hashable {
    /// In one note that others were merged into. Those before the last ones are forgotten: see ``CounterTokens``.
    private static let limit = 4096

    /// Of the column.
    package var position: Int
    package var amount: Int64
    /// See ``NoteToken``.
    package var token: UInt64

    /// What the note keeps that several were merged into.
    static func bytes(_ additions: [NotedAddition]) -> [UInt8] {
        var bytes: [UInt8] = []
        for addition in additions.suffix(limit) {
            bytes.append(fixed: addition.token)
            bytes.append(fixed: addition.amount)
        }
        return bytes
    }
}

extension Note {
    /// What the column of the token says: the token of one note, or all that several had.
    fileprivate func additions(_ value: CapturedValue) -> [NotedAddition] {
        switch value {
        case .integer(let token):
            return [
                NotedAddition(position: word, amount: mask, token: UInt64(bitPattern: token))
            ]
        case .blob(let bytes):
            var reader = ByteReader(bytes)
            var additions: [NotedAddition] = []
            while let token = try? reader.fixed(UInt64.self),
                let amount = try? reader.fixed(Int64.self)
            {
                additions.append(NotedAddition(position: word, amount: amount, token: token))
            }
            return additions
        default: return []
        }
    }
}
