package import StrongroomCore
internal import StrongroomEssentials

// What backups need of a keyring: they store it as it is, and put one beside a database again.

extension Keyring {
    /// The keyring of a database, if it has one.
    package static func ifPresent(
        for path: String, _ fileSystem: FileSystem = .system
    ) throws -> Keyring? {
        let file = try KeyringFile(ofDatabase: path, fileSystem: fileSystem)
        return try file.readIfPresent().map { Keyring($0, in: file) }
    }

    /// A keyring that was stored elsewhere, for the database at a path, or for none.
    ///
    /// - Parameter name: Where it was, for messages.
    package init(
        stored bytes: [UInt8], at name: String, for path: String? = nil,
        _ fileSystem: FileSystem = .system
    ) throws {
        self.init(
            try KeyringText(bytes, path: name),
            in: try path.map { try KeyringFile(ofDatabase: $0, fileSystem: fileSystem) }
                ?? KeyringFile(stored: name))
    }

    /// Where one is that was stored elsewhere.
    package var storedPath: String { file.database }

    /// The bytes of the file.
    package var bytes: [UInt8] { text.bytes }

    /// The identifiers of all keys that it knows, newest first.
    package var keyIdentifiers: [String] {
        content.generations.reversed().map(\.key)
            + content.generations.reversed().flatMap { $0.previous.map(\.key) }
    }

    /// Whether it belongs to the same database as an earlier one, and was signed by the authority of that
    /// one, or by one that it has introduced. That of a restored copy with an older key counts for nothing.
    ///
    /// Of two keys, the earlier one counts: an interrupted change may have dropped the other.
    package func succeeds(_ earlier: Keyring) -> Bool {
        content.keyring == earlier.content.keyring
            && content.stands(
                earlier.content.vouchedAuthority, forGeneration: content.generations.count - 1)
    }

    /// Whether it takes the place of another keyring, in whatever order they were stored: it succeeds that one, which
    /// does not succeed it. Of two with the same key, the one that was stored last counts.
    package func replaces(_ other: Keyring) -> Bool {
        succeeds(other) && !other.succeeds(self)
    }

    /// Whether both belong to one database, and neither follows from the other.
    package func isFork(of other: Keyring) -> Bool {
        identifier == other.identifier && !succeeds(other) && !other.succeeds(self)
    }

    /// The names of slots that were removed from another keyring of the same database: that of an old copy has them
    /// still.
    ///
    /// The other one may have forgotten the event. What it lacks of slots that are older than it was removed, too, unless
    /// this keyring follows from it.
    package func slotNames(removedFrom other: Keyring) -> [String] {
        let present = Set(other.content.slots.map(\.id))
        let removed = other.removedSlots
        let follows = succeeds(other) && revision >= other.revision
        return content.slots.filter { slot in
            !present.contains(slot.id)
                && (removed.contains(slot.id)
                    || !follows && slot.created < other.content.written)
        }.map(\.name)
    }

    /// The names of slots that were added to another keyring of the same database, and neither are in this one nor were
    /// removed from it: it is an old copy, or was one.
    package func slotNames(addedTo other: Keyring) -> [String] {
        let gone = removedSlots.union(content.slots.map(\.id))
        return other.content.slots.filter { !gone.contains($0.id) }.map(\.name)
    }

    /// Whether a secret opens it, but not by a slot that was removed from one that replaces it.
    package func isOpened(
        by unlocker: Unlocker, unlessRemovedFrom others: [Keyring]
    ) throws -> Bool {
        guard try !allKeys(ifOpenedBy: unlocker).isEmpty else { return false }
        guard let slot = try open(with: unlocker).slot else { return true }
        return !others.contains {
            $0.replaces(self) && slotNames(removedFrom: $0).contains(slot.name)
        }
    }

    /// The ids of slots whose end is among the events.
    private var removedSlots: Set<String> {
        Set(content.events.filter { ["remove", "replace"].contains($0.what) }.compactMap(\.slot))
    }

    /// Whether a secret that opens it vouches for it: whoever has written it had the secret, or the key.
    package func isVouchedFor(by unlocker: Unlocker) throws -> Bool {
        try open(with: unlocker).vouching != .missing
    }

    /// All keys that a secret gives, newest first.
    package func allKeys(unlockingWith unlocker: Unlocker) throws -> [CipherKey] {
        try open(with: unlocker).allKeys().map(\.cipherKey)
    }

    /// The same keys, where messages name the keyring in other words: a stored one does not lie at its path yet.
    package func allKeys(
        unlockingWith unlocker: Unlocker, named name: String
    ) throws -> [CipherKey] {
        try KeyringOpening(text: text, path: name, memory: unlocker.memory).open(with: unlocker)
            .allKeys().map(\.cipherKey)
    }

    /// The same keys; none if the secret does not open the keyring.
    package func allKeys(ifOpenedBy unlocker: Unlocker) throws -> [CipherKey] {
        do {
            return try allKeys(unlockingWith: unlocker)
        } catch let error as KeyringError
            where error.code == .wrongKey || error.code == .unknownSlot
        {
            return []
        }
    }

    /// The keyring without the slots for passphrases, for places that others may read.
    ///
    /// It is signed as the keyring itself, whose revision and events it has.
    ///
    /// - Parameter key: The key of the database.
    /// - Throws: ``KeyringError``, `.lastSlot`, if there are no other slots.
    package func withoutPassphrases(_ key: CipherKey) throws -> Keyring {
        let open = try open(with: .key(key))
        var content = content
        let weak = Set(content.slots.filter { $0.kind == .passphrase }.map(\.id))
        guard !weak.isEmpty else { return self }
        content.slots.removeAll { weak.contains($0.id) }
        guard !content.slots.isEmpty else {
            throw KeyringError(
                .lastSlot, path, "\(path) has no slots but those for passphrases",
                hint: "add a recovery code first")
        }
        for index in content.generations.indices {
            for id in weak { content.generations[index].wraps[id] = nil }
        }
        let authority = try SigningKey(seed: open.authoritySeed())
        return Keyring(try KeyringText(signing: content, with: authority), in: file)
    }

    /// Refuses to replace a keyring that may be the only way into a database that was moved: nothing is next to it,
    /// and it has a key that this keyring does not know.
    ///
    /// - Parameter path: The path of the database whose keyring this one is to replace.
    /// - Throws: ``KeyringError``: `.exists`.
    package func requireMayReplace(keyringOf path: String) throws {
        guard try file.fileSystem.statusIfPresent(path) == nil, try Keyring.exists(for: path)
        else { return }
        let known = Set(keyIdentifiers)
        let other = try? Keyring(of: path)
        if let other, other.keys.allSatisfy({ known.contains($0.id) }) { return }
        let isLater = other?.succeeds(self) == true
        throw KeyringError(
            .exists, "\(path)-keyring",
            "\(path)-keyring has a key that the restored keyring does not know, and \(path) is not there",
            hint:
                "if the database was moved, move this keyring with it; if it is lost, "
                + (isLater
                    ? "put an empty file there, and restore in its place with a secret that opens this keyring: its slots stay"
                    : "move the keyring away"))
    }

    /// Puts the keyring beside a database that has one of its keys.
    ///
    /// With a retired key, it is changed so that this key is the database's, for all slots but sealed ones
    /// whose secret was not given.
    ///
    /// - Parameters:
    ///   - identifier: That of the database's key.
    ///   - overwrite: Whether to replace a keyring that is there.
    /// - Returns: What became of slots, and of the keyring that was there.
    /// - Throws: ``KeyringError``: `.exists`, `.wrongKey` if the secret does not give the key.
    @discardableResult
    package func put(
        key identifier: String, unlockingWith unlocker: Unlocker?, overwrite: Bool
    ) throws -> PutKeyring {
        try file.withLock {
            let existing = try file.fileSystem.statusIfPresent(file.path) != nil
            guard overwrite || !existing else { throw KeyringError.exists(file.path) }
            let isCurrent = content.generations.contains { $0.key == identifier }
            guard !isCurrent else {
                let kept = try file.keepKeyring(unlessKnown: keyIdentifiers)
                try file.write(text, replacing: existing) { _ in }
                return PutKeyring(kept: kept)
            }
            guard let unlocker else {
                throw KeyringError(
                    .wrongKey, path, "\(path) has another key, and no secret is given")
            }
            let open = try open(with: unlocker)
            let former = try open.former(key: identifier)
            let kept = try file.keepKeyring(
                unlessKnown: Keyring(former.text, in: file).keyIdentifiers)
            try file.write(former.text, replacing: existing) {
                try $0.prove(file.path, open: former, added: [:])
            }
            let ids = Set(former.content.slots.map(\.id))
            return PutKeyring(
                lost: content.slots.filter { !ids.contains($0.id) }.map(\.name), kept: kept)
        }
    }
}

extension OpenKeyring {
    /// All keys that it knows, newest first.
    func allKeys() throws -> [DatabaseKey] {
        var keys: [DatabaseKey] = []
        for (generation, key) in zip(content.generations, self.keys).reversed() {
            guard let key else { continue }
            keys.append(key)
            keys += try generation.previous.compactMap { try key.opened($0, keyring: identity) }
        }
        var seen: Set<String> = []
        return keys.filter { seen.insert($0.identifier).inserted }
    }

    /// The keyring of a database that has a retired key.
    fileprivate func former(key identifier: String) throws -> OpenKeyring {
        guard let newest, let last = content.generations.last,
            let index = last.previous.firstIndex(where: { $0.key == identifier }),
            let key = try newest.opened(last.previous[index], keyring: self.identity)
        else {
            throw KeyringError(.wrongKey, path, "\(path) does not know the key \(identifier)")
        }
        var content = content
        content.slots.removeAll { $0.isSealed && $0.id != slot?.id }
        // Never the present one: who has the older key must not sign for the newer.
        guard let seed = SecretBytes.random(count: 32) else { throw KeyringError.noRandomness }
        let authority = try SigningKey(seed: seed)
        let present = try SigningKey(seed: authoritySeed())
        content.authorities.append(
            .init(
                public: authority.publicKey.hexadecimal,
                by: Hexadecimal.text(
                    try present.signature(
                        of: KeyringText.authorityText(
                            authority.publicKey, keyring: content.keyring, restored: identifier))),
                restored: identifier))
        try dropAuthorities(of: &content)
        var wraps: [String: String] = [:]
        for slot in content.slots {
            let secret = slot.id == self.slot?.id ? self.secret : nil
            wraps[slot.id] = Base64.text(try slot.wrap(key, with: secret))
        }
        var previous = Array(last.previous[(index + 1)...])
        for index in previous.indices {
            guard let older = try newest.opened(previous[index], keyring: self.identity) else {
                throw KeyringError.damaged(path, "a retired key in it does not open")
            }
            previous[index].wrapped = Base64.text(
                try older.sealed(under: key, keyring: self.identity))
        }
        let sealed = try key.sealAuthority(
            seed, publicKey: authority.publicKey, keyring: self.identity)
        content.generations = [
            .init(
                key: identifier, cipher: key.stored, created: last.previous[index].created,
                origin: .rotated, wraps: wraps, authority: Base64.text(sealed),
                previous: previous)
        ]
        content.events.append(.now("restore", key: identifier))
        return try next(content, signing: authority, keys: [key])
    }
}

extension KeyringError {
    /// A keyring is in the way of one that is restored.
    package static func exists(_ path: String) -> KeyringError {
        KeyringError(
            .exists, path, "\(path) exists already",
            hint: "choose another name, or ask for it to be overwritten",
            step: DatabaseFileStep.overwrite)
    }
}

extension Unlocker {
    /// A key file, which the database may have had before there was a keyring; none if the secret is another.
    package var formerKey: [CipherKey] {
        guard case .rawKey(let key) = secret, key.form == .rawKey else { return [] }
        return [key]
    }
}
