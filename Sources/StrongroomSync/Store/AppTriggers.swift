internal import StrongroomCore
internal import StrongroomEssentials
internal import StrongroomSchema

/// The app's own triggers on shared tables: those of the file, and those of the engine's connection.
struct AppTriggers {
    private struct Trigger {
        let name: String
        /// The table whose writes fire it, with A to Z in lower case.
        let table: String
        /// The words of its text, with A to Z in lower case.
        let words: Set<String>
    }

    private var triggers: [Trigger] = []

    init(_ db: Database, _ space: SpaceSchema) throws {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT name, tbl_name, sql FROM main.sqlite_master WHERE type = 'trigger'
                        AND name NOT LIKE 'strongroom\\_sync\\_%' ESCAPE '\\'
                    UNION ALL
                    SELECT name, tbl_name, sql FROM temp.sqlite_master WHERE type = 'trigger'
                    """))
        guard !rows.isEmpty else { return }
        let shared = Set(space.tables.values.map(\.stored.name.asciiLowercased))
        triggers = rows.compactMap { row in
            let (name, table, sql): (String, String, String) = (row[0], row[1], row[2])
            guard shared.contains(table.asciiLowercased) else { return nil }
            return Trigger(name: name, table: table.asciiLowercased, words: sql.sqlWords)
        }
    }

    var isEmpty: Bool { triggers.isEmpty }

    func exist(on table: SpaceTable) -> Bool {
        triggers.contains { $0.table == table.stored.name.asciiLowercased }
    }

    /// The triggers that fire when rows of some tables are written.
    func names(on tables: [SpaceTable]) -> [String] {
        let names = Set(tables.map(\.stored.name.asciiLowercased))
        return triggers.filter { names.contains($0.table) }.map(\.name)
    }

    /// Those of them that can undo whatever the engine's transaction has done.
    func namesOfRollbacks(on tables: [SpaceTable]) -> [String] {
        let names = Set(tables.map(\.stored.name.asciiLowercased))
        return triggers.filter { names.contains($0.table) && $0.words.contains("rollback") }
            .map(\.name)
    }

    /// The triggers of some tables that name others; all of the former if none does.
    func names(on tables: [SpaceTable], changing others: [SpaceTable]) -> [String] {
        let written = Set(tables.map(\.stored.name.asciiLowercased))
        let changed = Set(others.map(\.stored.name.asciiLowercased))
        // Each text names its own table once at least, behind ON.
        let found = triggers.filter {
            written.contains($0.table) && !$0.words.isDisjoint(with: changed)
        }
        return found.isEmpty ? names(on: tables) : found.map(\.name)
    }
}

// MARK: - Triggers that were turned off

extension AppTriggers {
    /// Remembers triggers that were turned off.
    static func note(_ names: Set<String>, _ db: Database) throws {
        let known = Set(try overruled(db))
        if !names.isSubset(of: known) { try set(known.union(names), db) }
    }

    /// Forgets those that are no longer there.
    static func forgetMissing(_ db: Database) throws {
        let known = try overruled(db)
        guard !known.isEmpty else { return }
        let present = Set(
            try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM main.sqlite_master WHERE type = 'trigger'
                    UNION ALL SELECT name FROM temp.sqlite_master WHERE type = 'trigger'
                    """))
        try set(present.intersection(known), db)
    }

    /// The triggers that were turned off.
    static func overruled(_ db: Database) throws -> [String] {
        guard let text = try StoreSetting.overruledTriggers.text(db) else { return [] }
        return try JSONDecoder().decode([String].self, from: Data(text.utf8))
    }

    private static func set(_ names: Set<String>, _ db: Database) throws {
        let text = String(decoding: try JSONEncoder().encode(names.sorted()), as: UTF8.self)
        try StoreSetting.overruledTriggers.set(db, text)
    }
}

extension Database {
    /// Runs a closure whose writes fire no trigger.
    func withoutTriggers<T>(_ body: () throws -> T) throws -> T {
        try withHandle { handle throws(DatabaseError) in try handle.setFiresTriggers(false) }
        let result = Result { try body() }
        try withHandle { handle throws(DatabaseError) in try handle.setFiresTriggers(true) }
        return try result.get()
    }
}
