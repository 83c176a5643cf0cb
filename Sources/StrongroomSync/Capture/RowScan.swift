package import StrongroomCore
internal import StrongroomSchema

/// What the engine knows of the rows that it has merged: what a scan compares a table with.
package protocol KnownRows {
    /// The hash of the row as it was last shown or taken; nil if no living row has the key.
    ///
    /// - Parameter key: The bytes of the key.
    func hash(of key: [UInt8], in table: Int) throws -> UInt64?

    /// What the counters of a row showed, by the positions of their columns; none where that is not known.
    func shownCounters(of key: [UInt8], in table: Int) throws -> [Int: Int64]

    /// Calls a closure with the key of each living row that is shown in the table.
    func forEachShownKey(
        in table: Int, _ body: ([CapturedValue]) throws -> Void
    ) throws
}

extension KnownRows {
    package func shownCounters(of key: [UInt8], in table: Int) throws -> [Int: Int64] { [:] }
}

/// Finds what was written without a note, and notes it.
package enum RowScan {
    /// How many rows were found.
    package struct Counts: Sendable, Hashable {
        /// Rows that were compared.
        package var rows = 0
        /// Rows that the engine does not know.
        package var inserted = 0
        /// Rows that hold something else.
        package var changed = 0
        /// Rows that the engine knows, and that are gone.
        package var deleted = 0

        package var found: Int { inserted + changed + deleted }
    }

    /// Compares all rows of a table with what is known. Call it in a transaction.
    ///
    /// What differs gets a note, as if it were written now: a row that is not known, all columns of
    /// one that holds something else, and a deletion.
    ///
    /// Rows with NULL in their key are left out. Counters are noted by how much they differ from what is known, as triggers
    /// note them: a copy of the file has the same tokens.
    ///
    /// - Parameter time: Milliseconds since 1970 by the clock of the device.
    /// - Throws: `DatabaseError`, and what `known` throws.
    package static func run(
        _ db: Database, _ table: CapturedTable, against known: some KnownRows, time: Int64
    ) throws -> Counts {
        var counts = Counts()
        var found: [Note] = []
        try forEachRow(db, table) { key, hash in
            counts.rows += 1
            guard let old = try known.hash(of: key.keyBytes, in: table.number) else {
                counts.inserted += 1
                found.append(table.note(.insert, key, time))
                return found += try counterNotes(db, table, key, time, since: table.zeros)
            }
            guard old != hash else { return }
            counts.changed += 1
            found += table.notesOfAllColumns(key, time)
            let shown = try known.shownCounters(of: key.keyBytes, in: table.number)
            found += try counterNotes(db, table, key, time, since: shown)
        }
        let isThere = try db.cachedStatement(sql: "SELECT 1\(source(table)) WHERE \(match(table))")
        try known.forEachShownKey(in: table.number) { key in
            var exists = false
            try isThere.forEachRow(key) { _ in exists = true }
            guard !exists else { return }
            counts.deleted += 1
            found.append(table.note(.delete, key, time))
        }
        for note in found { try Journal.add(note, isFirst: true, db) }
        return counts
    }

    private static func counterNotes(
        _ db: Database, _ table: CapturedTable, _ key: [CapturedValue], _ time: Int64,
        since shown: [Int: Int64]
    ) throws -> [Note] {
        guard !shown.isEmpty else { return [] }
        let statement = try db.cachedStatement(
            sql: "SELECT \(list(table))\(source(table)) WHERE \(match(table))")
        var notes: [Note] = []
        try statement.forEachRow(key) { row in
            for (index, position) in table.positions.enumerated() {
                guard let old = shown[position],
                    case .integer(let new) = CapturedValue(
                        row, table.table.stored.key.count + index)
                else { continue }
                let difference = new.subtractingReportingOverflow(old)
                guard !difference.overflow, difference.partialValue != 0 else { continue }
                var note = table.note(.counter, key, time)
                note.word = position
                note.mask = difference.partialValue
                notes.append(note)
            }
        }
        return notes
    }

    /// The hash of one row; nil if there is none.
    package static func hash(
        _ db: Database, _ table: CapturedTable, key: [CapturedValue]
    ) throws -> UInt64? {
        let statement = try db.cachedStatement(
            sql: "SELECT \(list(table))\(source(table)) WHERE \(match(table))")
        var hash: UInt64?
        try statement.forEachRow(key) { hash = self.hash($0, table) }
        return hash
    }

    /// Calls a closure with the key and the hash of each row.
    package static func forEachRow(
        _ db: Database, _ table: CapturedTable,
        _ body: ([CapturedValue], UInt64) throws -> Void
    ) throws {
        let width = table.table.stored.key.count
        let statement = try db.makeStatement(sql: "SELECT \(list(table))\(source(table))")
        try statement.forEachRow { row in
            let key = (0..<width).map { CapturedValue(row, $0) }
            guard !key.contains(where: \.isNull) else { return }
            try body(key, hash(row, table))
        }
    }

    private static func hash(_ row: SQLiteStatement, _ table: CapturedTable) -> UInt64 {
        let width = table.table.stored.key.count
        return table.positions.enumerated().reduce(0) { sum, column in
            sum
                &+ RowHash.value(
                    CapturedValue(row, width + column.offset), at: column.element)
        }
    }

    private static func list(_ table: CapturedTable) -> String {
        (table.table.stored.key + table.table.columns.map(\.name))
            .map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    }

    private static func source(_ table: CapturedTable) -> String {
        " FROM main.\(table.table.stored.name.quotedDatabaseIdentifier)"
    }

    /// Equal byte by byte: the collation of a key may take others for equal.
    private static func match(_ table: CapturedTable) -> String {
        table.table.stored.key.enumerated().map { index, name in
            let column = name.quotedDatabaseIdentifier
            let mark = "?\(index + 1)"
            return "\(column) = \(mark) AND \(column) IS \(mark) COLLATE BINARY"
                + " AND typeof(\(column)) = typeof(\(mark))"
        }.joined(separator: " AND ")
    }
}

extension CapturedTable {
    fileprivate func note(_ kind: Note.Kind, _ key: [CapturedValue], _ time: Int64) -> Note {
        Note(table: number, key: key, kind: kind, time: time)
    }

    /// What counters of a row show that has just begun.
    fileprivate var zeros: [Int: Int64] {
        let counters = zip(table.columns, positions).filter { $0.0.isCounter }
        return Dictionary(uniqueKeysWithValues: counters.map { ($0.1, 0) })
    }

    fileprivate func notesOfAllColumns(_ key: [CapturedValue], _ time: Int64) -> [Note] {
        var row = NotedRow(table: number, key: key)
        for (column, position) in zip(table.columns, positions) where !column.isCounter {
            var note = note(.update, key, time)
            note.word = position / Note.columnsPerMask
            note.mask = 1 << Int64(position % Note.columnsPerMask)
            row.add(note)
        }
        return row.notes
    }
}
