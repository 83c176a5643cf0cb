internal import StrongroomCore
internal import StrongroomEssentials

/// A shared table with the numbers that notes have for it and its columns.
package struct CapturedTable: Sendable, Hashable {
    /// Why the rows of a table have to be compared with what was merged.
    package enum ScanReason: String, Sendable, Hashable {
        /// The table was not shared before.
        case new
        /// Triggers were missing, or were not what they should be: writes may be without notes.
        case triggers
        /// Nobody declares the table any more: it has no triggers.
        case retired
        /// The table is declared, but cannot be shared now: it has no triggers.
        case withheld

        /// Whether the table has no triggers, so that nothing is to be compared yet.
        var isResting: Bool { self == .retired || self == .withheld }
    }

    /// The number of the table in notes, which it keeps.
    package let number: Int
    package let table: SharedTable
    /// The positions in masks of `table.columns`.
    package let positions: [Int]
    /// Why its rows have to be compared; nil if they do not.
    package let scan: ScanReason?

    /// The place in `table.columns` of a position; nil for a column that was dropped.
    package func columnIndex(at position: Int) -> Int? { positions.firstIndex(of: position) }
}

/// What the file remembers of a shared table.
struct TableRecord {
    var number: Int
    var name: String
    var keyWireNames: [String]
    var declaration: SyncedTable
    var scan: CapturedTable.ScanReason?

    /// All shared tables, by their first names.
    static func all(_ db: Database) throws -> [String: TableRecord] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT number, name, "key", declaration, scan, wire FROM main.strongroom_sync_table
                """)
        var records: [String: TableRecord] = [:]
        for row in rows {
            let (key, declaration): (String, String) = (row[2], row[3])
            records[row[5]] = TableRecord(
                number: row[0], name: row[1],
                keyWireNames: try JSONDecoder().decode([String].self, from: Data(key.utf8)),
                declaration: try JSONDecoder().decode(
                    SyncedTable.self, from: Data(declaration.utf8)),
                scan: (row[4] as String?).flatMap(CapturedTable.ScanReason.init))
        }
        return records
    }

    func write(_ db: Database, wireName: String) throws {
        try db.execute(
            sql: """
                INSERT INTO main.strongroom_sync_table (number, wire, name, "key", declaration, scan)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                ON CONFLICT (number) DO UPDATE
                    SET wire = ?2, name = ?3, "key" = ?4, declaration = ?5, scan = ?6
                """,
            arguments: [
                number, wireName, name, try Self.json(keyWireNames), try Self.json(declaration),
                scan?.rawValue,
            ])
    }

    /// Takes the table out of capture: its notes go, its number and its positions stay, so that it is known again when
    /// it is shared again.
    mutating func rest(_ db: Database, wireName: String, as reason: CapturedTable.ScanReason) throws
    {
        try Capture.removeTriggers(db, of: name)
        try Self.removeNotes(db, number: number)
        try ScanProgress.remove(db, number: number)
        scan = reason
        try write(db, wireName: wireName)
    }

    static func removeNotes(_ db: Database, number: Int) throws {
        let shift = Note.code(.insert, table: 1)
        try db.execute(
            sql: "DELETE FROM main.strongroom_sync_journal WHERE note >= ?1 AND note < ?2",
            arguments: [Int64(number) * shift, Int64(number + 1) * shift])
    }

    /// Forgets the table with its notes.
    static func remove(_ db: Database, number: Int) throws {
        try removeNotes(db, number: number)
        try ScanProgress.remove(db, number: number)
        try db.execute(
            sql: "DELETE FROM main.strongroom_sync_column WHERE number = ?", arguments: [number])
        try db.execute(
            sql: "DELETE FROM main.strongroom_sync_table WHERE number = ?", arguments: [number])
    }

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// Gives columns their positions in masks. A position is never given to another column.
enum ColumnPositions {
    static func assign(
        _ db: Database, number: Int, _ columns: [SharedTable.Column]
    ) throws -> [Int] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT wire, position FROM main.strongroom_sync_column WHERE number = ?",
            arguments: [number])
        var known: [String: Int] = [:]
        for row in rows { known[row[0]] = row[1] }
        var next = (known.values.max() ?? -1) + 1
        return try columns.map { column in
            if let position = known[column.wireName] { return position }
            try db.execute(
                sql: """
                    INSERT INTO main.strongroom_sync_column (number, position, wire)
                    VALUES (?, ?, ?)
                    """, arguments: [number, next, column.wireName])
            defer { next += 1 }
            return next
        }
    }
}
