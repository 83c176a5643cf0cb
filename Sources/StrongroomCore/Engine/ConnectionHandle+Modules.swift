internal import CSQLCipher

// Safety: the connection is open while the handle is there; SQLite keeps nothing of the call.
extension ConnectionHandle {
    /// Takes the modules of virtual tables away from the connection, so that none of them reads what
    /// a file has in its place. Virtual tables stay in the schema, and cannot be opened.
    ///
    /// - Throws: `SQLITE_MISUSE` where SQLite keeps a module: nothing must go on then.
    package func removeModules() throws(DatabaseError) {
        try unsafe check(sqlite3_drop_modules(borrowed.pointer, nil))
        let kept = try texts("PRAGMA module_list")
        guard kept.isEmpty else {
            throw DatabaseError(
                code: .SQLITE_MISUSE,
                message: "SQLite keeps modules of virtual tables: \(kept.joined(separator: ", "))")
        }
        // The functions of full-text search use memory that its module has just freed.
        try removeFunctions { $0.name.asciiLowercased.hasPrefix("fts") }
        // Tables that are open stay so until SQLite reads the schema again.
        try execute("PRAGMA writable_schema = RESET")
    }
}
