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

    /// What the journal has of a row; nil for nothing.
    func noted(_ key: [UInt8], in table: Int) -> NotedRow?

    /// Calls a closure with the key of each living row that is shown in the table, in the order of the bytes of keys.
    ///
    /// - Parameters:
    ///   - last: The bytes of the key behind which it begins; nil for the first one.
    ///   - limit: How many keys it gives at most.
    func forEachShownKey(
        in table: Int, after last: [UInt8]?, limit: Int, _ body: ([CapturedValue]) throws -> Void
    ) throws
}

extension KnownRows {
    package func shownCounters(of key: [UInt8], in table: Int) throws -> [Int: Int64] { [:] }
    package func noted(_ key: [UInt8], in table: Int) -> NotedRow? { nil }
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
        var progress: ScanProgress? = ScanProgress(.comparing)
        while let reached = progress {
            var left = Int.max
            progress = try advance(
                db, table, reached, against: known, time: time, &left, &counts)
        }
        return counts
    }

    /// Compares the next rows of a table, and notes what differs.
    ///
    /// - Parameter left: How many rows it may read.
    /// - Returns: How far it has come; nil at the end.
    static func advance(
        _ db: Database, _ table: CapturedTable, _ progress: ScanProgress,
        against known: some KnownRows, time: Int64, _ left: inout Int, _ counts: inout Counts
    ) throws -> ScanProgress? {
        let limit = left
        var found: [Note] = []
        var next = progress
        var count = 0
        if progress.phase == .missing {
            let isThere = try db.cachedStatement(
                sql: "SELECT 1\(source(table)) WHERE \(match(table))")
            try known.forEachShownKey(
                in: table.number, after: progress.last, limit: limit
            ) { key in
                count += 1
                next.last = key.keyBytes
                var exists = false
                try isThere.forEachRow(key) { _ in exists = true }
                guard !exists else { return }
                counts.deleted += 1
                found.append(table.note(.delete, key, time))
            }
        } else {
            try forEachRow(db, table, after: progress.last, limit: limit) { row in
                count += 1
                next.last = row.key.keyBytes
                found += try notes(row, table, known, time, &counts)
            }
            counts.rows += count
            next.rowCount += UInt64(count)
        }
        for note in found { try Journal.add(note, isFirst: true, db) }
        left -= count
        if left <= 0 { return next }
        guard progress.phase != .missing else { return nil }
        next.phase = .missing
        next.last = nil
        return next
    }

    /// What differs of a row.
    private static func notes(
        _ row: ScannedRow, _ table: CapturedTable, _ known: some KnownRows, _ time: Int64,
        _ counts: inout Counts
    ) throws -> [Note] {
        let name = row.key.keyBytes
        let noted = known.noted(name, in: table.number)
        guard let old = try known.hash(of: name, in: table.number) else {
            counts.inserted += 1
            // What was noted of a row that has begun is counted already.
            guard let noted, noted.inserted != nil else {
                return [table.note(.insert, row.key, time)]
                    + counterNotes(row, table, time) { _ in 0 }
            }
            return counterNotes(row, table, time) { noted.differences[$0]?.amount ?? 0 }
        }
        guard old != row.hash else { return [] }
        counts.changed += 1
        let shown = try known.shownCounters(of: name, in: table.number)
        return table.notesOfAllColumns(row.key, time)
            + counterNotes(row, table, time) { shown[$0].map { Int128($0) } }
    }

    private static func counterNotes(
        _ row: ScannedRow, _ table: CapturedTable, _ time: Int64, since shown: (Int) -> Int128?
    ) -> [Note] {
        row.counters.compactMap { position, new in
            guard let old = shown(position), let difference = Int64(exactly: Int128(new) - old),
                difference != 0
            else { return nil }
            var note = table.note(.counter, row.key, time)
            note.word = position
            note.mask = difference
            return note
        }
    }

    /// The hash of one row; nil if there is none.
    package static func hash(
        _ db: Database, _ table: CapturedTable, key: [CapturedValue]
    ) throws -> UInt64? {
        let statement = try db.cachedStatement(
            sql: "SELECT \(list(table))\(source(table)) WHERE \(match(table))")
        var hash: UInt64?
        try statement.forEachRow(key) { hash = ScannedRow($0, table).hash }
        return hash
    }

    /// Calls a closure with the key and the hash of each row.
    package static func forEachRow(
        _ db: Database, _ table: CapturedTable,
        _ body: ([CapturedValue], UInt64) throws -> Void
    ) throws {
        try forEachRow(db, table, after: nil, limit: .max) { try body($0.key, $0.hash) }
    }

    /// Calls a closure with rows in the order of their keys.
    ///
    /// - Parameters:
    ///   - last: The bytes of the key behind which it begins; nil for the first row.
    ///   - limit: How many rows it gives at most.
    static func forEachRow(
        _ db: Database, _ table: CapturedTable, after last: [UInt8]?, limit: Int,
        _ body: (ScannedRow) throws -> Void
    ) throws {
        let key = table.table.stored.key.map(\.quotedDatabaseIdentifier)
        let names = key.joined(separator: ", ")
        let marks = key.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
        var conditions = key.map { "\($0) IS NOT NULL" }
        var arguments: [CapturedValue] = [.integer(Int64(limit))]
        if let last {
            conditions.append("(\(names)) > (\(marks))")
            arguments += RowKey(bytes: last).values.map(\.captured)
        }
        // Without a limit, the order would only cost.
        let order = limit == .max ? "" : " ORDER BY \(names)"
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(list(table))\(source(table))
                WHERE \(conditions.joined(separator: " AND "))\(order) LIMIT ?1
                """)
        try statement.forEachRow(arguments) { try body(ScannedRow($0, table)) }
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

/// A row of the app as a scan reads it.
struct ScannedRow {
    let key: [CapturedValue]
    let hash: UInt64
    /// The integers in counters, by the positions of their columns.
    let counters: [(position: Int, value: Int64)]

    /// - Parameter row: A statement that stands at the columns of the key, followed by the others.
    fileprivate init(_ row: SQLiteStatement, _ table: CapturedTable) {
        let width = table.table.stored.key.count
        key = (0..<width).map { CapturedValue(row, $0) }
        var hash: UInt64 = 0
        var counters: [(position: Int, value: Int64)] = []
        for (index, position) in table.positions.enumerated() {
            let value = CapturedValue(row, width + index)
            hash &+= RowHash.value(value, at: position)
            guard table.table.columns[index].isCounter, case .integer(let integer) = value else {
                continue
            }
            counters.append((position, integer))
        }
        self.hash = hash
        self.counters = counters
    }
}

extension CapturedTable {
    fileprivate func note(_ kind: Note.Kind, _ key: [CapturedValue], _ time: Int64) -> Note {
        Note(table: number, key: key, kind: kind, time: time)
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
