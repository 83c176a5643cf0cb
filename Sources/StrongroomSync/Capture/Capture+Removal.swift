package import StrongroomCore

extension Capture {
    /// Takes triggers, tables and notes away: the file is as before, but for freed pages.
    ///
    /// Call it in a transaction. Nothing happens if there is no capture.
    package static func remove(_ db: Database) throws {
        guard try CaptureTables.exist(db) else { return }
        try db.inSavepoint {
            let madeOrigin = try CaptureSetting.madeOrigin.value(db) == 1
            let objects = try Row.fetchAll(
                db,
                sql: """
                    SELECT type, name FROM main.sqlite_master
                    WHERE name LIKE 'strongroom\\_sync\\_%' ESCAPE '\\'
                        AND type IN ('trigger', 'view', 'table')
                    ORDER BY type = 'table', type = 'view', name
                    """)
            for object in objects {
                let (type, name): (String, String) = (object[0], object[1])
                guard ReservedNames.isOwn(name, type: type) else { continue }
                try db.execute(
                    sql: "DROP \(type.uppercased()) main.\(name.quotedDatabaseIdentifier)")
            }
            if madeOrigin, try !isOriginRead(db) {
                try db.execute(sql: "DROP TABLE main.strongroom_origin")
            }
            return .commit
        }
    }

    /// Whether a trigger or view of the app reads the table of the origin.
    private static func isOriginRead(_ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT 1 FROM main.sqlite_master
                WHERE type IN ('trigger', 'view') AND sql LIKE '%strongroom\\_origin%' ESCAPE '\\'
                """) ?? false
    }
}
