extension DatabaseFile {
    /// The file that a queue or pool has open, with the key that its connections use.
    ///
    /// - Throws: `DatabaseError` SQLITE_MISUSE for a database in memory, or if `prepareDatabase`
    ///   gives no key.
    package init(openIn reader: some DatabaseReader) throws {
        let configuration = reader.configuration
        let (path, inForce) = try reader.unsafeRead { database in
            try database.withHandle { handle in
                (
                    handle.borrowed.fileName(schema: "main") ?? "",
                    configuration.keyInForce?.key(for: handle)
                )
            }
        }
        guard !path.isEmpty else {
            throw DatabaseError(code: .SQLITE_MISUSE, message: "a database in memory has no file")
        }
        let key = try inForce ?? Self.keyOfApp(path, configuration)
        self.init(path: path, key: key, configuration: configuration)
        overridesKey = true
        hasKeyOfKeyring = inForce != nil && configuration.keyInForce?.isOfKeyring == true
    }

    /// The key that the app's functions give to a connection, which then is closed unused.
    static func keyOfApp(
        _ path: String, _ configuration: Configuration
    ) throws -> CipherKey {
        let note = KeyNote()
        var opening = ConnectionOpening(
            path, .readWrite, for: .learning, configuration, label: "KeyNote")
        opening.note = note
        let probe = try opening.begin()
        defer { try? probe.close() }
        try opening.prepare(probe)
        guard let key = note.key else {
            throw DatabaseError(
                code: .SQLITE_MISUSE,
                message: """
                    prepareDatabase gives no key by usePassphrase or useKey: give it by one of them, \
                    so that it can be known
                    """)
        }
        return try key.get()
    }
}
