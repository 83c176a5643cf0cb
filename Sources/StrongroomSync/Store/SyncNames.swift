internal import StrongroomCore

/// The numbers of tables and fields in states, by their names on the wire.
///
/// 1. A number is never given to another name, whatever becomes of the app's schema.
struct SyncNames: Sendable {
    private(set) var tables: [String] = []
    private(set) var fields: [[String]] = []

    init() {}

    init(_ db: Database) throws {
        let rows = try Row.fetchAll(
            db, sql: "SELECT tbl, field, name FROM main.strongroom_sync_name ORDER BY tbl, field")
        for row in rows {
            let (table, field, name): (Int, Int, String) = (row[0], row[1], row[2])
            if field < 0 {
                tables.append(name)
                fields.append([])
            } else if table < fields.count {
                fields[table].append(name)
            }
        }
    }

    mutating func table(_ name: String) -> Int {
        if let number = tables.firstIndex(where: { $0.hasSameBytes(as: name) }) { return number }
        tables.append(name)
        fields.append([])
        return tables.count - 1
    }

    mutating func note(_ field: String, in table: Int) {
        guard !fields[table].contains(where: { $0.hasSameBytes(as: field) }) else { return }
        fields[table].append(field)
    }

    /// Takes over the names of a schema, which has at least those that are known.
    mutating func take(_ schema: MergeSchema) {
        for (number, table) in schema.tables.enumerated() {
            if number == tables.count {
                tables.append(table.name)
                fields.append([])
            }
            for field in table.fields.dropFirst(fields[number].count) {
                fields[number].append(field.name)
            }
        }
    }

    /// Writes what another value does not have.
    func save(_ db: Database, since old: SyncNames) throws {
        for (number, name) in tables.enumerated() {
            if number >= old.tables.count { try write(db, number, -1, name) }
            let known = number < old.fields.count ? old.fields[number].count : 0
            for field in fields[number].indices.dropFirst(known) {
                try write(db, number, field, fields[number][field])
            }
        }
    }

    private func write(_ db: Database, _ table: Int, _ field: Int, _ name: String) throws {
        try db.run(
            "INSERT INTO main.strongroom_sync_name (tbl, field, name) VALUES (?, ?, ?)",
            [.integer(Int64(table)), .integer(Int64(field)), .text(Array(name.utf8))])
    }
}
