extension Statement {
    /// The region that the statement reads; empty for a write that returns nothing.
    ///
    /// It is found on first use, by compiling the statement once more, and again after SQLite has
    /// recompiled it for a changed schema. It contains the tables that views read, not the views.
    /// It is empty for a statement that is neither query nor write, such as `PRAGMA`, and the full
    /// database for a statement that no longer compiles.
    public var databaseRegion: DatabaseRegion {
        guard columnCount > 0, kind == .query else { return DatabaseRegion() }
        if let region = knownRegion { return region }
        knownRegion = try? database.regionRead(by: sql)
        return knownRegion ?? .fullDatabase
    }

    /// What the statement reads, be it to write something else, such as a temporary table.
    var regionReadWhileFetching: DatabaseRegion {
        switch kind {
        case .query where columnCount > 0: databaseRegion
        case .query, .schemaChange: (try? database.regionRead(by: sql)) ?? .fullDatabase
        default: DatabaseRegion()
        }
    }
}

extension Database {
    /// What a statement reads. It must be one that may be compiled without harm.
    func regionRead(by sql: String) throws -> DatabaseRegion {
        let connection = try connection()
        let reads = try hooks.recording(connection) {
            _ = try prepareSingleStatement(sql, isPersistent: false)
        }.reads
        var region = DatabaseRegion()
        for (table, reads) in Dictionary(grouping: reads, by: \.table).sorted(by: {
            $0.key < $1.key
        }) {
            // What is no table is a view, whose tables are reported too, or a name in the query.
            let tableReads = reads.filter {
                connection.isTable(schema: $0.schema, name: table)
            }
            guard !tableReads.isEmpty else { continue }
            // Without a column it is the rows that count, as for COUNT(*).
            let columns = Set(tableReads.map(\.column)).subtracting([""])
            region.formUnion(
                DatabaseRegion(table: table, columns: columns.isEmpty ? nil : columns))
        }
        return region
    }
}
