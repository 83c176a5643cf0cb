extension ConnectionOpening {
    /// The same, with somebody who wants to know the key that is given.
    func noting(in note: KeyNote?) -> ConnectionOpening {
        guard let note else { return self }
        var opening = self
        opening.note = note
        return opening
    }

    /// Seeks the cipher settings with which a key opens the file of a connection that could not read
    /// it, for all connections of the configuration.
    ///
    /// - Parameter note: The key that the app's preparation gave.
    /// - Returns: Whether it is worth another try.
    func findSettings(of database: Database, _ note: KeyNote?) throws -> Bool {
        guard let found = configuration.foundSettings else { return false }
        let (file, parameters, listing, inForce) = try database.withHandle {
            handle throws(DatabaseError) in
            (
                handle.rawFile(), try handle.keyParameters(),
                try handle.cipherListing(),
                configuration.keyInForce?.key(for: handle)
            )
        }
        guard let file, let tried = try? CipherSettings(listing: listing),
            let key = override ?? inForce ?? (try? note?.key?.get())
        else { return false }
        let search = SettingsSearch(
            byteCount: file.byteCount, read: file.read, key: key,
            knownSalt: parameters.flatMap { CipherSalt($0.salt) }, tried: tried)
        guard case .found(let settings, let salt) = try search.run() else { return false }
        let pragmas = settings.pragmas(salt: salt)
        guard pragmas != found.pragmas else { return false }
        found.pragmas = pragmas
        // It was derived with the settings that are wrong.
        sharedKey?.forget()
        return true
    }

    /// The key that the app's preparation gives, to a connection that is closed unused.
    func learnedKey() throws -> CipherKey? {
        let note = KeyNote()
        // The file may have been moved away since.
        var opening = ConnectionOpening(
            path, flags.subtracting(.create), for: .learning, configuration, label: label)
        opening.note = note
        let probe = try opening.begin()
        defer { try? probe.close() }
        try opening.prepare(probe)
        return try note.key?.get()
    }
}
