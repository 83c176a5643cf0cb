public import StrongroomCore
internal import StrongroomEssentials

extension Keyring {
    /// Makes the keyring of a database that is to be created, with a new random key.
    ///
    ///     try Keyring.create(forNew: "app.db") { slots in
    ///         try slots.addPassphrase(passphrase, name: "me")
    ///     }
    ///     configuration.prepareDatabase { db in try db.unlock(with: .passphrase(passphrase)) }
    ///     let dbQueue = try DatabaseQueue(path: "app.db", configuration: configuration)
    ///
    /// - Parameters:
    ///   - path: The path of the database, which does not exist.
    ///   - body: Adds at least one slot.
    /// - Throws: ``KeyringError``: `.exists` if there is a database or a keyring; `.lastSlot` if no slot
    ///   was added.
    @discardableResult
    public static func create(
        forNew path: String, _ body: (inout KeyringChange) throws -> Void
    ) throws -> Keyring {
        let file = try KeyringFile(ofDatabase: path)
        guard try !file.hasDatabase() else {
            throw KeyringError(
                .exists, path, "\(path) exists already",
                hint: "for an existing database, create the keyring with strongroom key init")
        }
        let key = try DatabaseKey.generated(.version(.v4), salt: nil)
        return try make(file, key, .new, body).keyring
    }

    /// Makes the keyring of a database that has a key, and gives the database a new random key.
    ///
    /// Afterwards, the old key opens nothing but backups; add a slot for it if it is still to open the database.
    /// The file is locked while its key is changed: see
    /// `DatabaseFile.rotateKey(to:)`. If the process is killed,
    /// the database opens by a slot of the keyring or by its old key.
    ///
    /// - Parameters:
    ///   - database: The file and its key; its cipher settings are found.
    ///   - keepsKey: Whether to leave the key of the database as it is. That takes no time, and the key
    ///     or its passphrase still opens the file without the keyring, until the next rotation.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    ///   - body: Adds at least one slot.
    /// - Throws: ``KeyringError``: `.exists` if there is a keyring; `DatabaseFileError`, as the rotation.
    @discardableResult
    public static func create(
        for database: DatabaseFile, keepingKey keepsKey: Bool = false,
        progress: OperationProgress.Handler? = nil,
        _ body: (inout KeyringChange) throws -> Void
    ) throws -> Keyring {
        let file = try KeyringFile(ofDatabase: database.path, fileSystem: database.fileSystem)
        guard try file.readIfPresent() == nil else { throw KeyringError.exists(file) }
        let found = try database.withFoundSettings()
        if !keepsKey { try found.requireIntactLog() }
        let pages = try CommittedPages(of: found)
        let key = try DatabaseKey(
            pages.key.cipherKey(), StoredSettings(pages.settings, salt: pages.key.salt))
        try pages.close()
        let (keyring, secrets) = try make(file, key, .imported, body)
        guard !keepsKey else { return keyring }
        return try file.withLock {
            let open = try Keyring(file.read(), in: file)
                .open(with: Unlocker(.rawKey(key.cipherKey)))
            do {
                return try KeyringRotation(open, file, secrets).run { database, _, new in
                    try database.rotateKey(to: new, progress: progress)
                }.keyring
            } catch {
                // Nothing was changed: nobody is to find a keyring that was not to be.
                if (try? key.file(in: file).isOpened()) == true { try? file.remove() }
                throw error
            }
        }
    }

    /// Makes the keyring of a database that will be written as a copy, with a new random key.
    ///
    /// - Parameters:
    ///   - path: The path of the copy. A file may be there, which is to be replaced; no keyring may.
    ///   - source: The file whose cipher settings the copy gets; nil for the usual ones.
    /// - Returns: The keyring, and the copy to be written, with its key and settings.
    /// - Throws: ``KeyringError``; `DatabaseFileError`.
    package static func create(
        forCopy path: String, like source: DatabaseFile?,
        _ body: (inout KeyringChange) throws -> Void
    ) throws -> (keyring: Keyring, copy: DatabaseFile) {
        let file = try KeyringFile(ofDatabase: path)
        var settings = CipherSettings.version(.v4)
        if let source {
            let pages = try CommittedPages(of: source.withFoundSettings())
            settings = pages.settings
            try pages.close()
        }
        let key = try DatabaseKey.generated(settings, salt: nil)
        let keyring = try make(file, key, .new, body).keyring
        return (keyring, key.file(in: file))
    }

    /// Removes a keyring that was made for a copy which did not come about.
    package func withdraw() { try? file.remove() }

    private static func make(
        _ file: KeyringFile, _ key: DatabaseKey, _ origin: KeyringContent.Origin,
        _ body: (inout KeyringChange) throws -> Void
    ) throws -> (keyring: Keyring, secrets: [String: SlotSecret]) {
        try file.withLock {
            guard try file.readIfPresent() == nil else { throw KeyringError.exists(file) }
            guard let identity = SecretBytes.random(count: 16),
                let seed = SecretBytes.random(count: 32)
            else { throw KeyringError.noRandomness }
            let authority = try SigningKey(seed: seed)
            let identityBytes = identity.withUnsafeBytes { Array($0) }
            let now = WrittenTime.text(of: Date())
            let sealed = try key.sealAuthority(
                seed, publicKey: authority.publicKey, keyring: identityBytes)
            var content = KeyringContent(
                keyring: Hexadecimal.text(identityBytes), revision: 1, written: now,
                authorities: [.init(public: authority.publicKey.hexadecimal, by: nil)],
                generations: [
                    .init(
                        key: key.identifier, cipher: key.stored, created: now, origin: origin,
                        wraps: [:], authority: Base64.text(sealed), previous: [])
                ], slots: [], events: [.now("init", key: key.identifier)])
            var change = KeyringChange(content, vouchingFor: content.vouchedAuthority)
            try body(&change)
            try change.requireSlot(file.path)
            content.slots = change.slots
            try content.requireSecretKeyFiles(among: [key], file.path)
            try content.generations[0].wrap(key, for: change, opened: nil)
            content.events += change.events
            let text = try KeyringText(signing: content, with: authority)
            try file.write(text, replacing: false) {
                try $0.prove(file.path, open: nil, added: change.secrets)
            }
            return (Keyring(text, in: file), change.secrets)
        }
    }
}

extension KeyringError {
    fileprivate static func exists(_ file: KeyringFile) -> KeyringError {
        KeyringError(
            .exists, file.path, "\(file.database) has a keyring already",
            hint: "strongroom key list shows its slots, and strongroom key add adds one")
    }
}
