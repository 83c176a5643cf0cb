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
    ///   `.cannotRead`, `.cannotWrite`. `DatabaseError` as ``useKey(_:)``: error 26 says which retired key
    ///   of the store the file has, or that none of the store's keys opens it.
    public func useKey(from store: KeyStore) throws {
        try useKey(
            keptElsewhere: { [configuration, weak self] path in
                try store.key(opening: path, configuration, salt: self?.fileSalt)
            },
            reason: { [configuration] path in
                store.reason(forUnreadableFile: path, configuration)
            })
        standing.keyStore = store.path
        standing.requireKept = { [mainFileName] in
            try store.requireKept($0, asKeyOf: mainFileName ?? "")
        }
    }

    /// The path of the main database; nil in memory, and for a file that goes with the connection.
    package var mainFileName: String? {
        openConnection?.fileName(schema: "main").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The first bytes of the main database's file, in hexadecimal digits: with a plaintext header, they are no salt.
    package var fileSalt: String? {
        let bytes = try? withHandle { $0.rawBytes(count: CipherSalt.byteCount) }
        return bytes.flatMap { $0.count == CipherSalt.byteCount ? Hexadecimal.text($0) : nil }
    }

    /// Uses a key that lies outside of the app, in a place that may say more of it.
    ///
    /// - Parameters:
    ///   - key: Gives the key of the file at a path. It is not asked after a rotation, nor on
    ///     connections that open the file as a whole: the key is known then. It is asked again when
    ///     its key does not open the file, because a rotation may have ended meanwhile.
    ///   - reason: Says more about a file that the key does not open, if it can.
    package func useKey(
        keptElsewhere key: @escaping (_ path: String) throws -> CipherKey,
        reason: @escaping (_ path: String) -> String?
    ) throws {
        if let override = keying.override { return try useKey(override) }
        guard let path = mainFileName else {
            // In memory, or in a file that goes with the connection.
            return try useKey(.generated())
        }
        let given = try key(path)
        try useKey(given)
        standing.wrongKeyReason = { reason(path) }
        standing.hasOtherKey = { (try? key(path)).map { !$0.isSame(as: given) } ?? false }
    }
}

extension KeyStore {
    /// The key that a database has, or is to have.
    ///
    /// - Parameter salt: That of the file, as an open connection has read it.
    package func key(
        opening path: String, _ configuration: Configuration, salt: String? = nil
    ) throws -> CipherKey {
        let (current, pending) = try inForce()
        let isNew = try isEmpty(path)
        func opens(_ stored: StoredKey) -> Bool {
            var file = DatabaseFile(path: path, key: stored.key, configuration: configuration)
            file.overridesKey = true
            return file.opens()
        }
        if let pending, !isNew, opens(pending) {
            // Where this user cannot write to the store, the next one who can does it.
            try? settle(pending)
            note(database: path, has: pending, salt: salt) { true }
            return pending.key
        }
        if let current {
            note(database: path, has: current, salt: salt, isNew: isNew) { isNew || opens(current) }
            return current.key
        }
        guard isNew else {
            throw CipherKeyError(
                .lost, "\(self.path) holds no key, and \(path) exists",
                hint: "restore the keys of \(path) to \(self.path); a new key would not open it")
        }
        let key = try makeFirstKey()
        if let first = try inForce().current {
            note(database: path, has: first, salt: nil, isNew: isNew) { true }
        }
        return key
    }

    /// Refuses a key that the store would not give to the app at its next launch.
    fileprivate func requireKept(_ newKey: CipherKey, asKeyOf path: String) throws {
        let (current, pending) = try inForce()
        guard ![current, pending].contains(where: { $0?.key.isSame(as: newKey) == true }) else {
            return
        }
        throw CipherKeyError(
            .notInStore,
            "the new key of \(path) is not in \(self.path), from which the app opens it",
            hint:
                "rotateKey(in:) creates a new key in the store; to stop using the store, rotate the "
                + "closed file with DatabaseFile; nothing was changed")
    }

    /// Why the key in force does not open a file, as far as the other keys show it.
    fileprivate func reason(
        forUnreadableFile path: String, _ configuration: Configuration
    ) -> String? {
        guard let keys = try? keys(), !keys.isEmpty else { return nil }
        let found = keys.first { stored in
            var file = DatabaseFile(path: path, key: stored.key, configuration: configuration)
            file.overridesKey = true
            return stored.state == .retired && file.opens()
        }
        guard let found else {
            let none =
                keys.count == 1
                ? "the key in \(self.path) does not open it"
                : """
                none of the \(keys.count) keys in \(self.path) opens it
                """
            return """
                \(none): the keys are another database's, the file was encrypted with other settings, \
                or its first page is damaged
                """
        }
        return """
            the file has the retired key \(found.id) of \(self.path): it is an old copy of the database, or \
            a rotation of several databases left it out; put the newer one back, or rotate this one to \
            the current key
            """
    }

    private func isEmpty(_ path: String) throws -> Bool {
        try ["", "-wal"].allSatisfy { ending in
            try (fileSystem.statusIfPresent(path + ending)?.byteCount ?? 0) == 0
        }
    }
}
