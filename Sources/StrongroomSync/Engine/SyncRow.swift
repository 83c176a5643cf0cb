public import StrongroomCore

/// What synchronisation knows of a row of a shared table.
///
/// It is a record of the view `strongroom_sync_metadata`, which every program can ask:
///
///     SELECT item.*, ifnull(isShown, 0) AS isMerged
///     FROM item LEFT JOIN strongroom_sync_metadata AS m ON m."table" = 'item' AND m."key" = item.id
///
/// The view has the rows of tables whose key is one column, be they shown or held; a row that was inserted since the last
/// exchange is not in it yet. Keys that contain the character NUL are left out.
public struct SyncRow: Sendable, Hashable, FetchableRecord,
    StrongroomCore.TableRecord
{
    /// The view.
    public static let databaseTableName = "strongroom_sync_metadata"

    /// The first name of the table, with A to Z in lower case.
    public var table: String
    /// The value of the key.
    public var key: DatabaseValue
    /// Whether the hub has everything that was written to the row here.
    public var isSent: Bool
    /// Whether the app's table has the row. Others are held.
    public var isShown: Bool
    /// Why it is held; nil for a row that is shown.
    public var reason: String?

    /// Reads a row of the view.
    public init(row: Row) throws {
        table = row["table"]
        key = row["key"]
        isSent = row["isSent"]
        isShown = row["isShown"]
        reason = row["reason"]
    }

    /// What synchronisation knows of one row; nil if nothing of it is merged.
    ///
    ///     let row = try SyncRow.fetchOne(db, table: "item", key: item.id)
    ///
    /// - Throws: `DatabaseError`, also where the database belongs to no space.
    public static func fetchOne(
        _ db: Database, table: String, key: some DatabaseValueConvertible
    ) throws -> SyncRow? {
        try fetchOne(
            db,
            sql: """
                SELECT * FROM main.strongroom_sync_metadata
                WHERE "table" = ? COLLATE NOCASE AND "key" IS ?
                """, arguments: [table, key])
    }

    /// The rows of a table that are merged but not shown.
    ///
    /// - Throws: `DatabaseError`, also where the database belongs to no space.
    public static func fetchHeld(_ db: Database, table: String) throws -> [SyncRow] {
        try fetchAll(
            db,
            sql: """
                SELECT * FROM main.strongroom_sync_metadata
                WHERE "table" = ? COLLATE NOCASE AND NOT isShown ORDER BY "key"
                """, arguments: [table])
    }
}
