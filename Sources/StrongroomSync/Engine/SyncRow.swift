public import StrongroomCore

/// What synchronisation knows of a row of a shared table.
///
/// It is a record of the view `strongroom_sync_metadata`, which every program can ask:
///
///     SELECT item.*, ifnull(isShown, 0) AS isMerged
///     FROM item LEFT JOIN strongroom_sync_metadata AS m ON m."table" = 'item' AND m."key" = item.id
///
/// The view has the rows of tables whose key is one column, be they shown or held; what was written since the last
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
    /// Whether the app's table has the row. Others are held.
    public var isShown: Bool
    /// Why it is held; nil for a row that is shown.
    public var reason: String?

    /// Reads a row of the view.
    public init(row: Row) throws {
        table = row["table"]
        key = row["key"]
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

extension SyncRow {
    /// The view, in SQL that every SQLite understands.
    ///
    /// `KeyBytes` says how keys are written down.
    static let viewSQL: String = {
        let start = "substr(r.\"key\", 1, 1)"
        let inner = "substr(r.\"key\", 2, length(r.\"key\") - 3)"
        // Sixteen digits of two's complement, the sign bit inverted.
        let digits = (0..<16).map { place in
            let digit = "instr('0123456789ABCDEF', substr(hex(r.\"key\"), \(place + 3), 1))"
            return "(\(digit) - \(place == 0 ? 9 : 1)) * \(Int64(1) << Int64(60 - 4 * place))"
        }
        let reasons = [RowStatus.Level.incomplete, .orphan, .rival, .waiting, .loop, .stranded]
            .map { "WHEN \($0.rawValue) THEN '\($0.reason.replacing("'", with: "''"))'" }
        return """
            CREATE VIEW IF NOT EXISTS main.strongroom_sync_metadata AS
            SELECT n.name AS "table",
                CASE \(start) WHEN x'03' THEN CAST(\(inner) AS TEXT) WHEN x'04' THEN \(inner)
                    ELSE \(digits.joined(separator: " + ")) END AS "key",
                (r.status & 14) = 14 AS isShown,
                CASE (r.status & 15) / 2 \(reasons.joined(separator: " ")) END AS reason
            FROM strongroom_sync_name AS n JOIN strongroom_sync_row AS r ON r.tbl = n.tbl
            WHERE n.field = -1 AND r.status >= 2 AND (
                (\(start) IN (x'03', x'04') AND substr(r."key", -2) = x'0000'
                    AND instr(\(inner), x'00') = 0)
                OR (\(start) = x'01' AND length(r."key") = 9))
            """
    }()
}
