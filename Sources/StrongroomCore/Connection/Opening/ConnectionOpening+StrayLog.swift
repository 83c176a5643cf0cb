// A log whose database is not there is refused before SQLite creates an empty one, with a key or without:
// who opens a file without a key does not know whose log lies there, and loses it all the same. A log next
// to a plaintext file that has content stays SQLite's affair.

extension ConnectionOpening {
    /// Refuses a log or a journal whose database is not there, while nothing has been created.
    func requireNoStrayLog() throws(DatabaseError) {
        let name = flags.contains(.uri) ? path.pathInPlainURI : path
        if let name, name != ":memory:" { try requireNoStrayLog(at: name) }
    }

    /// The same, where SQLite alone knows to which file the path leads: behind a link without a target.
    func requireNoStrayLog(beside database: Database) throws(DatabaseError) {
        let file = try database.withHandle { handle in
            handle.rawFileSize() == 0 ? handle.borrowed.fileName(schema: "main") : nil
        }
        if let file { try requireNoStrayLog(at: file) }
    }

    private func requireNoStrayLog(at file: String) throws(DatabaseError) {
        // One that only learns the key reads no page, and SQLite leaves the log alone.
        guard purpose != .learning, !configuration.trustsCompanions else { return }
        try CompanionFiles.requireNoStray(of: file)
    }
}
