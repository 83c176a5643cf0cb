public import StrongroomCore

extension Database {
    /// Uses the key of a database that has a keyring.
    ///
    /// Call it in `Configuration.prepareDatabase`, before anything else touches the file. It applies the
    /// cipher settings, too, which the keyring knows. A pool derives a passphrase once for all of its
    /// connections, and goes on opening connections after that passphrase has been changed.
    ///
    ///     config.prepareDatabase { db in try db.unlock(with: .passphrase(passphrase)) }
    ///
    /// A database in memory gets a random key.
    ///
    /// Where there is no database yet, or an empty file, the keyring notes that one is created: if it had one, that was
    /// lost, and a backup of the new one is refused.
    ///
    /// - Parameters:
    ///   - unlocker: A secret that opens a slot.
    ///   - requirements: What the keyring has to show before it is used.
    /// - Throws: ``KeyringError``, as ``Keyring/unlock(with:requiring:)``; `.notFound` if there is no
    ///   keyring. If the keyring is another database's, opening throws `SQLITE_NOTADB`, with the reason.
    public func unlock(
        with unlocker: Unlocker, requiring requirements: Keyring.Requirements = .init()
    ) throws {
        let (memory, isReadOnly) = (configuration.keyringMemory, configuration.readonly)
        var settings: [String]?
        try useKey(
            keptElsewhere: { path in
                var keyring = try Keyring(of: path)
                if let known = memory?.unlocked, known.path == keyring.path,
                    keyring.keys.contains(where: { $0.id == known.identifier }),
                    !keyring.isChangingKey || known.opens(path, memory?.settings ?? [])
                {
                    return known.key
                }
                var open = try keyring.open(with: unlocker, requiring: requirements, memory)
                // A passphrase takes its time, in which a rotation may end.
                while true {
                    let newer = try Keyring(of: path)
                    if newer.text.bytes == keyring.text.bytes { break }
                    keyring = newer
                    open = try keyring.open(with: unlocker, requiring: requirements, memory)
                }
                // One key is tried by SQLite itself; of two, the first page tells which.
                let index =
                    open.keys.count == 1 ? 0 : try open.generationInForce(of: keyring.file)
                if !isReadOnly { keyring.noteCreation(open, unlockingWith: unlocker, memory) }
                guard let key = open.keys[index] else {
                    throw KeyringError(
                        .wrongKey, keyring.path,
                        "the key that was given is not the one that \(path) has",
                        hint: "give a secret that opens a slot")
                }
                settings = key.pragmas
                memory?.unlocked = KeyringMemory.Unlocked(
                    path: keyring.path, identifier: key.identifier, key: key.cipherKey)
                return key.cipherKey
            },
            reason: { path in
                guard let keyring = try? Keyring(of: path),
                    let open = try? keyring.open(with: unlocker, requiring: requirements, memory),
                    let error = try? open.strangeFile(keyring.file)
                else { return nil }
                return error.message
            })
        // Where the key is known without the keyring, after a rotation, the settings are the same.
        memory?.settings = settings ?? memory?.settings
        for pragma in settings ?? memory?.settings ?? [] { try execute(sql: pragma) }
    }
}

extension KeyringMemory.Unlocked {
    /// Whether the file has this key: of a rotation that was interrupted, the keyring has two.
    fileprivate func opens(_ path: String, _ settings: [String]) -> Bool {
        var file = DatabaseFile(path: path, key: key)
        file.configuration.prepareDatabase { database in
            for pragma in settings { try database.execute(sql: pragma) }
        }
        return file.opens()
    }
}
