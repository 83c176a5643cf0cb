// A file may come from anybody, and its schema is program text: of definitions, of expressions in them.
//
// 1. Nothing that a file says is run but the creation of its tables and indexes in a new file.
// 2. Of that, each text is checked by `ConnectionHooks.define`, and `StatementLimits` refuses the rest.
// 3. Expressions in a schema call only functions without effects: the others are not there, and
//    TRUSTED_SCHEMA is off.
// 4. SQLite's own tables are written (DEFENSIVE is off) only around statements of this layer.
// 5. No module of a virtual table runs, unless it is asked for: what a module has in a file, in tables
//    that look like others, is written by whoever made the file, and read by C code.
// 6. The schema's table is called `sqlite_master`: a file may have another one called `sqlite_schema`.

extension Database {
    func setDefensive(_ isDefensive: Bool) throws(DatabaseError) {
        try withHandle { handle throws(DatabaseError) in try handle.setDefensive(isDefensive) }
    }

    /// Leaves virtual tables that cannot be opened any more.
    func removeModules() throws(DatabaseError) {
        try hooks.beyondLimits { () throws(DatabaseError) in
            try withHandle { handle throws(DatabaseError) in try handle.removeModules() }
        }
    }

    /// The names of virtual tables; no other table lacks a page.
    func virtualTables() throws -> [String] {
        try texts(
            """
            SELECT name FROM main.sqlite_master WHERE type = 'table' AND ifnull(rootpage, 0) = 0
            ORDER BY rowid
            """)
    }

    /// Tables that SQLite creates itself, and a copy by their definition.
    private static let statisticsTables: Set = [
        "sqlite_stat1", "sqlite_stat2", "sqlite_stat3", "sqlite_stat4",
    ]

    /// Creates a table or an index as another file defines it.
    func define(_ definition: DefinedName, by sql: String) throws {
        let connection = try connection()
        guard definition.kind == .table, Self.statisticsTables.contains(definition.name) else {
            return try hooks.define(definition, by: sql, connection)
        }
        try withWritableSchema { try hooks.define(definition, by: sql, connection) }
    }

    /// Lets statements of this layer write what SQLite keeps to itself.
    func withWritableSchema(_ body: () throws -> Void) throws {
        try setDefensive(false)
        try hooks.beyondLimits { () throws(DatabaseError) in
            try run("PRAGMA writable_schema = ON")
        }
        let result = Result(catching: body)
        // After a failure the file is thrown away.
        try hooks.beyondLimits { () throws(DatabaseError) in
            try run("PRAGMA writable_schema = OFF")
        }
        try setDefensive(true)
        try result.get()
    }
}
