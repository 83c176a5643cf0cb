extension Statement {
    /// What the statement reads; empty for a write that returns nothing.
    ///
    /// It is found when it is first asked for, by compiling the statement once more, and again when
    /// a changed schema has made SQLite compile it anew. Views are told as the tables that they
    /// read. Of a statement that is neither query nor write, such as `PRAGMA`, it is empty; of one
    /// that does not compile any more, it is the full database.
    public var databaseRegion: DatabaseRegion {
        guard columnCount > 0, kind == .query else { return DatabaseRegion() }
        if let region = knownRegion { return region }
        let region = (try? database.regionRead(by: sql)) ?? .fullDatabase
        knownRegion = region
        return region
    }
}

extension Database {
    /// What a statement reads. It must be one that may be compiled without harm.
    func regionRead(by sql: String) throws(DatabaseError) -> DatabaseRegion {
        let connection = try connection()
        let reads = try hooks.recordingReads(connection) { () throws(DatabaseError) in
            _ = try prepareSingleStatement(sql, isPersistent: false)
        }
        var region = DatabaseRegion()
        for (table, reads) in Dictionary(grouping: reads, by: { [$0.schema, $0.table] }) {
            guard ConnectionState.isTable(connection, schema: table[0], name: table[1]) else {
                continue
            }
            let names = Set(reads.map(\.column))
            // COUNT(*) reads no column, nor do joins for the sake of the rows alone.
            region.formUnion(
                DatabaseRegion(table: table[1], columns: names.contains("") ? nil : names))
        }
        return region
    }
}
