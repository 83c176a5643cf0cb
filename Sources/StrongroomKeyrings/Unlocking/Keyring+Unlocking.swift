public import StrongroomCore

extension Keyring {
    /// What a keyring has to show before it is used.
    public struct Requirements: Sendable {
        /// The authority that must have signed it, or have introduced the one that has.
        ///
        /// `ed25519:…`, as ``Keyring/authority`` gives it.
        public var authority: String?
        /// Whether the holder of the secret must have vouched since the last rotation.
        ///
        /// See ``Keyring/vouch(unlockingWith:requiring:)``.
        public var vouch: Bool

        /// Creates requirements; by default, none.
        public init(authority: String? = nil, vouch: Bool = false) {
            self.authority = authority
            self.vouch = vouch
        }
    }

    /// What a secret has opened.
    public struct Unlocked: Sendable {
        /// The database's key: a raw key with its salt.
        public let key: CipherKey
        /// The identifier of the key, as in backups.
        public let keyIdentifier: String
        /// The slot; nil if the secret was the database's own key.
        public let slot: Slot?
        /// Who vouches for the keyring.
        public let vouching: Vouching

        let databaseKey: DatabaseKey
    }

    /// Opens the keyring, and returns the key of the database.
    ///
    ///     let key = try Keyring(of: "app.db").unlock(with: .passphrase(passphrase))
    ///     let database = try DatabaseFile(path: "app.db", key: key).open()
    ///
    /// If the database exists, its first page decides which key is in force.
    ///
    /// - Throws: ``KeyringError``: `.wrongKey` if the secret opens no slot; `.foreign` if the writer of
    ///   the keyring did not have the key, or if it is another database's; `.outdated` if the file is
    ///   older than the last rotation; what the command of an ``Unlocker`` throws.
    public func unlock(
        with unlocker: Unlocker, requiring requirements: Requirements = Requirements()
    ) throws -> CipherKey {
        try unlocked(with: unlocker, requiring: requirements).key
    }

    /// Opens the keyring, and tells more than the key.
    ///
    ///     let unlocked = try keyring.unlocked(with: .identity(file: "ops.txt"))
    ///     print(unlocked.slot?.name ?? "", unlocked.vouching)
    ///
    /// - Throws: As ``unlock(with:requiring:)``.
    public func unlocked(
        with unlocker: Unlocker, requiring requirements: Requirements = Requirements()
    ) throws -> Unlocked {
        var keyring = self
        var looks = 1
        while true {
            do {
                return try keyring.unlockedOnce(with: unlocker, requirements)
            } catch let error as KeyringError
                where [.foreign, .outdated, .damaged].contains(error.code)
            {
                // A rotation may have ended between the reading of the keyring and that of the file.
                let newer = try Keyring(file.read(), in: file)
                guard looks < mostLooks, newer.text.bytes != keyring.text.bytes else { throw error }
                keyring = newer
                looks += 1
            }
        }
    }

    private func unlockedOnce(
        with unlocker: Unlocker, _ requirements: Requirements
    ) throws -> Unlocked {
        let open = try open(with: unlocker, requiring: requirements)
        let index = try open.generationInForce(of: file)
        try open.require(requirements, ofGeneration: index)
        guard let key = open.keys[index] else {
            throw KeyringError(
                .wrongKey, path, "the key that was given is not the one that \(file.database) has",
                hint: "give a secret that opens a slot")
        }
        return Unlocked(
            key: key.cipherKey, keyIdentifier: key.identifier, slot: open.slot.map(Slot.init),
            vouching: open.vouching(ofGeneration: index), databaseKey: key)
    }

    func open(
        with unlocker: Unlocker, requiring requirements: Requirements = Requirements(),
        _ memory: KeyringMemory? = nil
    ) throws -> OpenKeyring {
        let last = content.generations.count - 1
        try requirements.requireAuthority(in: content, ofGeneration: last, path)
        let opening = KeyringOpening(text: text, path: path, memory: memory ?? unlocker.memory)
        let open = try opening.open(with: unlocker)
        // Of two keys, the first page tells which is in force, and so who has to stand for it.
        let index =
            last > 0 && requirements.areAny ? try open.generationInForce(of: file) : last
        try open.require(requirements, ofGeneration: index)
        return open
    }
}

extension Keyring.Requirements {
    fileprivate var areAny: Bool { authority != nil || vouch }

    /// - Parameter index: The generation whose key the file has.
    fileprivate func requireAuthority(
        in content: KeyringContent, ofGeneration index: Int, _ path: String
    ) throws {
        guard let authority else { return }
        let noted = content.authorities.first { Keyring.text(ofAuthority: $0) == authority }
        guard let noted, content.stands(noted.public, forGeneration: index) else {
            throw KeyringError.foreign(
                path,
                noted == nil
                    ? "is not signed by \(authority), nor by an authority that it has introduced"
                    : "has an older key of the database than authority \(authority)")
        }
    }
}

extension OpenKeyring {
    /// Who vouches for the key that the file has.
    func vouching(ofGeneration index: Int) -> Vouching {
        guard vouching == .present, let authority = slot?.authority else { return vouching }
        let place = content.authorities.firstIndex { $0.public == authority }
        let own = content.authorities.count - content.generations.count + index
        return place.map { $0 >= own } == true ? .present : .earlier
    }

    /// - Parameter index: The generation whose key the file has.
    func require(_ requirements: Keyring.Requirements, ofGeneration index: Int) throws {
        try requirements.requireAuthority(in: content, ofGeneration: index, path)
        let vouching = vouching(ofGeneration: index)
        guard vouching == .present || !requirements.vouch || requirements.authority != nil
        else {
            throw KeyringError.foreign(
                path,
                vouching == .earlier
                    ? "was changed with the key of the database, and you have not vouched for it since"
                    : "may come from an attacker: you have never vouched for it")
        }
    }
}

extension DatabaseKey {
    /// The database of a keyring with this key, and with its settings.
    func file(in file: KeyringFile) -> DatabaseFile {
        var database = DatabaseFile(path: file.database, key: cipherKey)
        database.fileSystem = file.fileSystem
        if settings != .version(.v4) { database.prepare(with: settings, salt: cipherKey.salt) }
        return database
    }
}

/// How often a keyring and its database are looked at while another process replaces them.
private let mostLooks = 10

extension OpenKeyring {
    private func opens(_ key: DatabaseKey, _ file: KeyringFile) throws -> Bool {
        let database = key.file(in: file)
        do {
            return try database.isOpened()
        } catch let error as DatabaseFileError
            where error.code == .damaged && database.opensSomePage()
        {
            return true
        }
    }

    /// The index of the generation whose key the file has; that of the last one if there is no file yet.
    ///
    /// A rotation replaces the file as its last step: the keys are tried anew where they were tried on two files.
    func generationInForce(of file: KeyringFile) throws -> Int {
        var looks = 1
        while true {
            let before = try file.databaseIdentity()
            let found = Result { try generationFound(in: file) }
            guard looks < mostLooks, try file.databaseIdentity() != before else {
                return try found.get()
            }
            looks += 1
        }
    }

    private func generationFound(in file: KeyringFile) throws -> Int {
        let last = keys.count - 1
        guard try file.hasDatabase() else { return last }
        for index in keys.indices.reversed() {
            if let key = keys[index], try opens(key, file) { return index }
        }
        throw try strangeFile(file)
    }

    /// Refuses a keyring that is not that of the file next to it: whoever changes it takes it for that.
    ///
    /// A file that is not there, or cannot be read now, is no reason to change nothing.
    func requireDatabase(of file: KeyringFile) throws {
        do {
            _ = try generationInForce(of: file)
        } catch let error as KeyringError where [.foreign, .outdated].contains(error.code) {
            throw error
        } catch {}
    }

    /// Why none of the keys opens the file.
    func strangeFile(_ file: KeyringFile) throws -> KeyringError {
        // The keyring is the right one if a page behind the first one is of its key.
        if keys.contains(where: { $0?.file(in: file).opensSomePage() == true }) {
            return KeyringError(
                .damaged, file.database,
                "\(file.database) is damaged: its key is that of the keyring, but the first page is not what "
                    + "was written",
                hint:
                    "do not write to it; restore a backup, or recover the intact rows with strongroom salvage"
            )
        }
        for (generation, key) in zip(content.generations, keys).reversed() {
            guard let key else { continue }
            for retired in generation.previous {
                guard let old = try key.opened(retired, keyring: identity),
                    try opens(old, file)
                else { continue }
                return KeyringError(
                    .outdated, file.database,
                    "\(file.database) is older than \(path): it has a key that was replaced on "
                        + "\(retired.retired.prefix(10))",
                    hint:
                        "put the newer file back; or restore this one with its own key from a backup"
                )
            }
        }
        return KeyringError(
            .foreign, file.database,
            "no key of \(path) opens \(file.database): the keyring is another database's, or from before "
                + "the last rotation, or the first page is damaged",
            hint: (file.hasKept
                ? "a restore has kept the keyring \(file.keptPath): try that one; or " : "")
                + "put the right keyring there, from a copy or a backup (strongroom backup keyrings); "
                + "if a restore or a copy was interrupted, run it again; the files were not touched"
        )
    }
}
