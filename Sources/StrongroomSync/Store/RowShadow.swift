internal import StrongroomCore
internal import StrongroomSchema

/// Merged values that are not in the app's tables: those of held rows, and of rows that show something else.
///
/// They are in temporary tables of the engine's connection, with the types and collations of the app's tables: SQLite
/// decides about them as it does about the app's rows. They live in memory, and are made anew from merged states.
struct RowShadow: Sendable {
    /// The rows of which the app's table does not say the merged values.
    private(set) var masked: Set<RowID> = []

    static func name(_ table: Int) -> String { "temp.strongroom_sync_shadow_\(table)" }
    static func probeName(_ table: Int) -> String { "temp.strongroom_sync_probe_\(table)" }
    static func fitName(_ table: Int) -> String { "temp.strongroom_sync_fit_\(table)" }
    static let key = "strongroom_sync_key"

    /// Whether the projection ever asks for rows of a table by their values.
    static func isNeeded(_ table: SpaceTable) -> Bool {
        !table.references.isEmpty || !table.uniques.isEmpty
    }

    // MARK: - Tables

    /// Whether the connection has the tables: one that was opened anew has not.
    static func exists(_ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT 1 FROM temp.sqlite_master WHERE name = 'strongroom_sync_shadow'"))
            ?? false
    }

    /// Makes the tables if the connection has none.
    ///
    /// - Returns: Whether it did, so that rows are to be put into them.
    mutating func prepare(_ db: Database, _ space: SpaceSchema) throws -> Bool {
        guard try !Self.exists(db) else { return false }
        masked = []
        for table in space.tables.values { try Self.create(db, table) }
        try db.execute(sql: "CREATE TABLE temp.strongroom_sync_shadow (version)")
        return true
    }

    /// Removes the tables, so that the next transaction makes them for another schema.
    static func drop(_ db: Database) throws {
        let names = try String.fetchAll(
            db,
            sql: """
                SELECT name FROM temp.sqlite_master
                WHERE type = 'table' AND name LIKE 'strongroom\\_sync\\_%' ESCAPE '\\'
                """)
        for name in names {
            try db.execute(sql: "DROP TABLE temp.\(name.quotedDatabaseIdentifier)")
        }
    }

    private static func create(_ db: Database, _ table: SpaceTable) throws {
        let number = table.number
        let columns = table.columns.enumerated().map { index, name in
            let column = table.stored.columns.first {
                $0.name.asciiLowercased == name.asciiLowercased
            }
            let affinity = table.affinities[index]
            let type = affinity == .none ? "" : " " + affinity.rawValue
            let collation = column?.collation ?? "BINARY"
            return "\(name.quotedDatabaseIdentifier)\(type)"
                + " COLLATE \(collation.quotedDatabaseIdentifier)"
        }
        let list = columns.joined(separator: ", ")
        try db.execute(sql: "CREATE TABLE \(probeName(number)) (\(list))")
        if isNeeded(table) {
            try db.execute(
                sql: "CREATE TABLE \(name(number)) (\(key) BLOB PRIMARY KEY, \(list)) WITHOUT ROWID"
            )
            let sets = table.references.map(\.columns) + table.uniques.compactMap(\.columns)
            for (index, set) in Set(sets).enumerated() where !set.isEmpty {
                let names = set.map { table.columns[$0].quotedDatabaseIdentifier }
                try db.execute(
                    sql: """
                        CREATE INDEX temp.strongroom_sync_shadow_\(number)_\(index)
                        ON strongroom_sync_shadow_\(number) (\(names.joined(separator: ", ")))
                        """)
            }
        }
        let text = try String.fetchOne(
            db, sql: "SELECT sql FROM main.sqlite_master WHERE type = 'table' AND name = ?",
            arguments: [table.stored.name])
        guard let rest = text?.columnList else {
            throw SyncError.damagedStore("the text of the table \(table.stored.name)")
        }
        try db.execute(sql: "CREATE TABLE \(fitName(number)) \(rest)")
    }

    // MARK: - Rows

    /// Keeps the merged values of a row; nil for one that has none.
    mutating func set(
        _ row: RowID, _ values: [CellValue]?, in table: SpaceTable, _ db: Database
    ) throws {
        guard Self.isNeeded(table) else { return }
        let wasMasked = !masked.insert(row).inserted
        if wasMasked { try delete(row, db) }
        guard let values else { return }
        let marks = (0...values.count).map { "?\($0 + 1)" }.joined(separator: ", ")
        try db.run(
            "INSERT INTO \(Self.name(row.table)) VALUES (\(marks))",
            [.blob(row.key.bytes)] + values.map(\.captured))
    }

    /// The app's table says the merged values of the row, or there are none.
    mutating func clear(_ row: RowID, in table: SpaceTable, _ db: Database) throws {
        guard !masked.isEmpty, masked.remove(row) != nil else { return }
        try delete(row, db)
    }

    private func delete(_ row: RowID, _ db: Database) throws {
        try db.run(
            "DELETE FROM \(Self.name(row.table)) WHERE \(Self.key) = ?", [.blob(row.key.bytes)])
    }
}

extension String {
    /// What follows the name in the text of a CREATE TABLE.
    fileprivate var columnList: String? {
        let start = withSQLLexer { lexer -> Int? in
            while let token = lexer.nextMeaningful() {
                guard token.kind == .mark, lexer.bytes[token.range.lowerBound] == UInt8(ascii: "(")
                else { continue }
                return token.range.lowerBound
            }
            return nil
        }
        return start.map { String(decoding: Array(utf8)[$0...], as: UTF8.self) }
    }
}
