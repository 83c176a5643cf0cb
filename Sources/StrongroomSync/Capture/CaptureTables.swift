internal import StrongroomCore

/// The tables that capture keeps in the file, next to the rows.
///
/// | table | one row for |
/// |---|---|
/// | `strongroom_sync_journal` | a note: what `Note.code` packs, a Julian day, a mask or a difference, of a counter a token, and the values of the key |
/// | `strongroom_sync_table` | a shared table: its number in notes, its first and its present name, its key, its declaration, and why its rows have to be compared |
/// | `strongroom_sync_column` | a column: its position in masks, which it keeps for good |
/// | `strongroom_sync_setting` | a value by its name; also how far the scan of a table is (see ``ScanProgress``) |
/// | `strongroom_sync_state` | a view: the origin of current writes as a number |
enum CaptureTables {
    static let journal = "strongroom_sync_journal"

    /// The column of the journal for a part of a key.
    static func keyColumn(_ part: Int) -> String { part == 0 ? "key" : "key\(part)" }

    static func keyColumns(_ count: Int) -> String {
        (0..<count).map(keyColumn).joined(separator: ", ")
    }

    /// Creates what is missing, and gives the journal as many columns as the longest key has.
    static func create(_ db: Database, keyColumnCount: Int) throws {
        let hadOrigin = try has(db, "strongroom_origin")
        try db.createOriginTable()
        for sql in creations { try db.execute(sql: sql) }
        let names = Set(
            try String.fetchAll(
                db, sql: "SELECT name FROM pragma_table_info(?, 'main')", arguments: [journal]))
        let columns = ["token"] + (0..<keyColumnCount).map(keyColumn)
        for column in columns where !names.contains(column) {
            try db.execute(sql: "ALTER TABLE main.\(journal) ADD COLUMN \(column)")
        }
        if try CaptureSetting.format.value(db) == nil {
            try CaptureSetting.format.set(db, 1)
            try CaptureSetting.madeOrigin.set(db, hadOrigin ? 0 : 1)
        }
    }

    /// Whether capture is there.
    static func exist(_ db: Database) throws -> Bool { try has(db, "strongroom_sync_table") }

    private static func has(_ db: Database, _ name: String) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ?",
            arguments: [name]) ?? false
    }

    // Notes have no constraint that could fail: the statement that fires a trigger decides what
    // happens then.
    private static let creations = [
        """
        CREATE TABLE IF NOT EXISTS main.strongroom_sync_journal (
            id INTEGER PRIMARY KEY, note INTEGER, time REAL, mask INTEGER, token INTEGER, key)
        """,
        """
        CREATE TABLE IF NOT EXISTS main.strongroom_sync_table (
            number INTEGER PRIMARY KEY, wire TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
            "key" TEXT NOT NULL, declaration TEXT NOT NULL, scan TEXT)
        """,
        """
        CREATE TABLE IF NOT EXISTS main.strongroom_sync_column (
            number INTEGER NOT NULL, position INTEGER NOT NULL, wire TEXT NOT NULL,
            PRIMARY KEY (number, position), UNIQUE (number, wire)) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS main.strongroom_sync_setting (
            name TEXT PRIMARY KEY NOT NULL, value) WITHOUT ROWID
        """,
        "CREATE VIEW IF NOT EXISTS main.strongroom_sync_state AS \(SyncOrigin.stateSQL)",
    ]
}

/// A value that capture remembers.
enum CaptureSetting: String {
    /// The version of these tables.
    case format
    /// Whether capture created the table of the origin, which goes with it then.
    case madeOrigin
    /// How many notes there were after notes were last merged.
    case notesAfterMerge

    func value(_ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db, sql: "SELECT value FROM main.strongroom_sync_setting WHERE name = ?",
            arguments: [rawValue])
    }

    func set(_ db: Database, _ value: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO main.strongroom_sync_setting (name, value) VALUES (?1, ?2)
                ON CONFLICT (name) DO UPDATE SET value = ?2
                """, arguments: [rawValue, value])
    }
}
