internal import StrongroomCore

/// The view `strongroom_sync_metadata`, in SQL that every SQLite understands.
///
/// `KeyBytes` says how keys are written down.
enum MetadataView {
    /// Creates the view, in place of one that an earlier version made.
    static func create(_ db: Database) throws {
        let names = try String.fetchAll(
            db, sql: "SELECT name FROM pragma_table_info('strongroom_sync_metadata', 'main')")
        if names.contains("isSent") { return }
        try db.execute(sql: "DROP VIEW IF EXISTS main.strongroom_sync_metadata")
        try db.execute(sql: sql)
    }

    private static let sql: String = {
        let start = "substr(r.\"key\", 1, 1)"
        let inner = "substr(r.\"key\", 2, length(r.\"key\") - 3)"
        // Sixteen digits of two's complement, the sign bit inverted.
        let digits = (0..<16).map { place in
            let digit = "instr('0123456789ABCDEF', substr(hex(r.\"key\"), \(place + 3), 1))"
            return "(\(digit) - \(place == 0 ? 9 : 1)) * \(Int64(1) << Int64(60 - 4 * place))"
        }
        let reasons = [RowStatus.Level.incomplete, .orphan, .rival, .waiting, .loop, .stranded]
            .map { "WHEN \($0.rawValue) THEN '\($0.reason.replacing("'", with: "''"))'" }
        let key = """
            CASE \(start) WHEN x'03' THEN CAST(\(inner) AS TEXT) WHEN x'04' THEN \(inner)
            ELSE \(digits.joined(separator: " + ")) END
            """
        // What waits to become a batch, and what batches that wait have.
        let noted = """
            (SELECT number FROM strongroom_sync_table WHERE wire = n.name), \(key)) IN (
                SELECT note / \(Note.code(.insert, table: 1)), "key" FROM strongroom_sync_journal
            """
        let unsent = """
            SELECT 1 FROM strongroom_sync_unsent AS u JOIN strongroom_sync_outbox AS o ON o.id = u.batch
            WHERE u.tbl = r.tbl AND u."key" = r."key" AND o.sent IS NULL
            """
        return """
            CREATE VIEW main.strongroom_sync_metadata AS
            SELECT n.name AS "table", \(key) AS "key",
                ifnull((\(noted)), 0) = 0 AND NOT EXISTS (\(unsent)) AS isSent,
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
