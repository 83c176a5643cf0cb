internal import StrongroomCore
internal import StrongroomEssentials

/// The tables in which the engine keeps what it knows, in the app's own file.
///
/// | table | one row for |
/// |---|---|
/// | `strongroom_sync_row` | a row that is merged: its state (see ``StoredState``), what the projection made of it, and the hash of what it shows |
/// | `strongroom_sync_name` | a table, or a field of one: the number that states have for it, which it keeps for good |
/// | `strongroom_sync_run` | a run: its number in states, and how far it is merged |
/// | `strongroom_sync_seen` | a run of another device: what its author had merged when it wrote the last batch that is merged here |
/// | `strongroom_sync_living` | a row that came to its end in the middle of what is being merged, as it lived |
/// | `strongroom_sync_ended` | a row that others have deleted and may bring back, with what this device had written to it |
/// | `strongroom_sync_outbox` | a batch of this device; the hub has it once `sent` says when |
/// | `strongroom_sync_inexact` | a counter that may lack what a copy of a file has added: see ``ForkedCounters`` |
/// | `strongroom_sync_token` | what this file has moved to its run from another one; without an amount, what another file has: see ``CounterTokens`` |
/// | `strongroom_sync_unsent` | a row of this device's batches, with the last batch that has it; emptied once the hub has all |
/// | `strongroom_sync_roster` | an entry of the roster |
/// | `strongroom_sync_identity` | this device's keys |
///
/// `strongroom_sync_metadata` is a view for apps: see ``MetadataView``.
///
/// Single values are in `strongroom_sync_setting`, next to those of capture.
enum StoreTables {
    /// Creates what is missing.
    static func create(_ db: Database) throws {
        for sql in creations { try db.execute(sql: sql) }
        try MetadataView.create(db)
    }

    private static let creations = [
        """
        CREATE TABLE IF NOT EXISTS main.strongroom_sync_row (
            tbl INTEGER NOT NULL, "key" BLOB NOT NULL, status INTEGER NOT NULL, hash INTEGER,
            state BLOB NOT NULL, PRIMARY KEY (tbl, "key")) WITHOUT ROWID
        """,
        """
        CREATE INDEX IF NOT EXISTS main.strongroom_sync_row_held
            ON strongroom_sync_row (tbl) WHERE status BETWEEN 2 AND 13 OR status > 15
        """,
        """
        CREATE TABLE IF NOT EXISTS main.strongroom_sync_name (
            tbl INTEGER NOT NULL, field INTEGER NOT NULL, name TEXT NOT NULL,
            PRIMARY KEY (tbl, field)) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS main.strongroom_sync_run (
            number INTEGER PRIMARY KEY, run BLOB NOT NULL UNIQUE, isOwn INTEGER NOT NULL,
            merged INTEGER NOT NULL, hash BLOB, roster INTEGER)
        """,
        """
        CREATE TABLE IF NOT EXISTS main.strongroom_sync_seen (
            run BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS main.strongroom_sync_living (
            tbl INTEGER NOT NULL, "key" BLOB NOT NULL, state BLOB NOT NULL,
            PRIMARY KEY (tbl, "key")) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS main.strongroom_sync_ended (
            tbl INTEGER NOT NULL, "key" BLOB NOT NULL, state BLOB NOT NULL,
            PRIMARY KEY (tbl, "key")) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS main.strongroom_sync_outbox (
            id INTEGER PRIMARY KEY, run BLOB NOT NULL, number INTEGER NOT NULL,
            body BLOB NOT NULL, changes INTEGER NOT NULL, bases BLOB, sent INTEGER,
            UNIQUE (run, number))
        """,
        """
        CREATE TABLE IF NOT EXISTS main.strongroom_sync_inexact (
            tbl INTEGER NOT NULL, "key" BLOB NOT NULL, field INTEGER NOT NULL,
            PRIMARY KEY (tbl, "key", field)) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS main.strongroom_sync_token (
            token INTEGER NOT NULL, run BLOB NOT NULL, amount INTEGER, tbl INTEGER, "key" BLOB,
            life INTEGER, field INTEGER, PRIMARY KEY (token, run)) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS main.strongroom_sync_unsent (
            tbl INTEGER NOT NULL, "key" BLOB NOT NULL, batch INTEGER NOT NULL,
            PRIMARY KEY (tbl, "key")) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS main.strongroom_sync_roster (
            position INTEGER PRIMARY KEY, entry BLOB NOT NULL)
        """,
        """
        CREATE TABLE IF NOT EXISTS main.strongroom_sync_identity (
            id INTEGER PRIMARY KEY CHECK (id = 1), seed BLOB NOT NULL)
        """,
    ]

    /// Whether the file belongs to a space.
    static func exist(_ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT 1 FROM main.sqlite_master
                WHERE type = 'table' AND name = 'strongroom_sync_identity'
                """) ?? false
    }
}

/// A value that the engine remembers.
enum StoreSetting: String {
    /// The version of these tables.
    case storeFormat
    /// 32 bytes.
    case space
    /// Where the hub is, as tickets name it.
    case hub
    /// The run in which this device writes: 16 bytes.
    case run
    /// The last stamp that was given.
    case lastStamp
    /// The hub's clock minus the device's, in milliseconds.
    case clockOffset
    /// When that was measured, and when the last exchange ended, in milliseconds since 1970.
    case lastExchange
    /// The fingerprint of the schema with which rows were last shown.
    case schema
    /// The fingerprints of its tables.
    case tableSchemas
    /// The last floor that was applied: its number, and what all devices have passed.
    case floor
    /// The app's triggers that were turned off because they changed what was merged: a JSON array.
    case overruledTriggers
    /// See ``LogAccount``.
    case logAccount
    /// The digest of the merged state.
    case digest
    /// There while something is merged piece by piece: the state is ahead of the vector.
    case isBetween
    /// The id of a snapshot that this device is writing: what of it is in the hub without a manifest is nobody's.
    case unfinishedSnapshot
    /// What the last exchange found in the hub, and since when it is so: see ``HubFindings``.
    case findings
    /// There if this device may have merged what nobody else can fetch: see ``SyncEngine/repairIfNeeded(_:)``.
    case needsRepair
    /// See ``MergedRepairs``.
    case mergedRepairs
    /// The version of the app, as it said last.
    case appVersion
    /// When this device last sent a batch, in milliseconds since 1970 by the hub's clock.
    case lastBatch
    /// There if this device has merged changes since, so that others wait to hear of it.
    case owesAnswer
    /// What this device had merged on some days: see ``VectorMarks``.
    case vectorMarks
    /// See ``GoneContents``.
    case goneContents
    /// The columns and tables that the app has dropped, one in each line.
    case dropped
    /// See ``LostRows``.
    case lostRows
    /// The tables that are not synchronised here: see ``WithheldTables``.
    case withheldTables

    func integer(_ db: Database) throws -> Int64? {
        try Int64.fetchOne(db, sql: Self.query, arguments: [rawValue])
    }

    func bytes(_ db: Database) throws -> [UInt8]? {
        try Data.fetchOne(db, sql: Self.query, arguments: [rawValue]).map { Array($0) }
    }

    func text(_ db: Database) throws -> String? {
        try String.fetchOne(db, sql: Self.query, arguments: [rawValue])
    }

    func set(_ db: Database, _ value: some DatabaseValueConvertible) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO main.strongroom_sync_setting (name, value) VALUES (?1, ?2)
                ON CONFLICT (name) DO UPDATE SET value = ?2
                """)
        try statement.execute(arguments: [rawValue, value])
    }

    func set(_ db: Database, bytes: [UInt8]) throws { try set(db, Data(bytes)) }

    func remove(_ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM main.strongroom_sync_setting WHERE name = ?", arguments: [rawValue])
    }

    private static let query = "SELECT value FROM main.strongroom_sync_setting WHERE name = ?"
}
