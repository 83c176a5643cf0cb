extension Database {
    /// Uses the key of an encrypted database from a key store.
    ///
    /// Call it in `Configuration.prepareDatabase`, before anything else touches the file. For a new
    /// database, it creates the store's first key. If a rotation was interrupted, it uses the key
    /// that opens the file, which becomes the current one.
    ///
    ///     let store = KeyStore(folder: "app.keys")
    ///     config.prepareDatabase { db in try db.useKey(from: store) }
    ///
    /// - Throws: ``CipherKeyError``: `.lost` if the database exists and the store has no key for it,
    ///   `.cannotRead`, `.cannotWrite`. `DatabaseError` as ``useKey(_:)``.
    public func useKey(from store: KeyStore) throws {
        // After a rotation, and on connections that open the file as a whole, the key is known.
        if let override = keying.override { return try useKey(override) }
        guard let path = openConnection?.fileName(schema: "main"), !path.isEmpty else {
            // In memory, or in a file that goes with the connection.
            return try useKey(.generated())
        }
        try useKey(store.key(opening: path, configuration))
    }
}

extension KeyStore {
    /// The key that a database has, or is to have.
    package func key(opening path: String, _ configuration: Configuration) throws -> CipherKey {
        let (current, pending) = try inForce()
        let isNew = try isEmpty(path)
        if let pending, !isNew {
            var file = DatabaseFile(path: path, key: pending.key, configuration: configuration)
            file.overridesKey = true
            if file.opens() {
                // Where this user cannot write to the store, the next one who can does it.
                try? settle(pending)
                return pending.key
            }
        }
        if let current { return current.key }
        guard isNew else {
            throw CipherKeyError(
                .lost, "\(self.path) holds no key, and \(path) exists",
                hint: "bring the keys of \(path) back to \(self.path); a new key would not open it")
        }
        return try makeFirstKey()
    }

    private func isEmpty(_ path: String) throws -> Bool {
        try ["", "-wal"].allSatisfy { ending in
            try (fileSystem.statusIfPresent(path + ending)?.byteCount ?? 0) == 0
        }
    }
}
