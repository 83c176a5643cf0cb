package import StrongroomCore

/// What the command-line tool needs besides what apps do.
extension Keyring {
    /// The key that a secret opens, for a file that is damaged, or has the log of another one, so that opening it does
    /// not tell which key it has: the one that opens some of its pages, or else the newest.
    ///
    /// - Throws: ``KeyringError``: `.wrongKey` if it opens no slot, `.foreign` for a forged keyring.
    package func keyForRepair(unlockingWith unlocker: Unlocker) throws -> CipherKey? {
        let keys = try open(with: unlocker).keys.reversed().compactMap(\.self)
        return (keys.first { $0.file(in: file).opensSomePage() } ?? keys.first)?.cipherKey
    }

    /// The same as ``rotate(unlockingWith:requiring:droppingSealed:progress:)``, with what became of the file.
    ///
    /// - Parameter overwritesOldFile: Whether to overwrite the blocks of the old file.
    package func rotateReporting(
        unlockingWith unlocker: Unlocker, droppingSealed dropsSealed: Bool,
        overwritingOldFile overwritesOldFile: Bool, threads: Int,
        progress: OperationProgress.Handler?
    ) throws -> (keyring: Keyring, report: RotationReport) {
        try rotate(unlocker, Requirements(), dropsSealed) { database, _, new in
            var database = database
            database.overwritesOldFile = overwritesOldFile
            return try database.rotateKey(to: new, threads: threads, progress: progress)
        }
    }

    /// The last removal of a slot, if the key was not rotated since: its holder's copies still open the
    /// database.
    package var removalSinceRotation: Event? {
        let last = events.last { ["remove", "rotate"].contains($0.what) }
        return last?.what == "remove" ? last : nil
    }

    /// Notes in the keyring that the secret of a slot was tried, and opens it.
    package func recordTest(unlockingWith unlocker: Unlocker) throws {
        try change(unlockingWith: unlocker) { change in
            let slot = try open(with: unlocker).slot
            change.noteTest(of: slot?.id)
        }
    }

    /// Deletes the keyring, and overwrites its blocks where the file system lets it: first those that a restore has
    /// replaced.
    ///
    /// - Returns: What became of its blocks, and which others there were.
    /// - Throws: ``KeyringError``.
    package func shred() throws -> (blocks: OldBlocks, others: [String]) {
        try file.withLock {
            let others = try file.shredKept(of: identifier)
            return (try file.shred(), others)
        }
    }

    /// The age identity, `AGE-SECRET-KEY-1…`, of the slot that a secret opens.
    ///
    /// - Throws: ``KeyringError``: `.invalid` if it opens no slot that has an identity.
    package func identity(openedBy unlocker: Unlocker) throws -> SecretBytes {
        let open = try open(with: unlocker)
        guard let secret = open.secret, let slot = open.slot, !slot.isSealed else {
            throw KeyringError(
                .invalid, path,
                open.slot == nil
                    ? "the key of the database itself was given, which no identity belongs to"
                    : "a sealed slot has no age identity",
                hint: "give a secret that opens another slot; strongroom key list shows them")
        }
        return try secret.identity().text
    }

    /// Puts a copy of the keyring next to a copy of the database, which has the same key.
    ///
    /// - Returns: The keyring that stood there, if it gives another key.
    /// - Throws: ``KeyringError``. What stood there before then still stands.
    package func copy(toDatabase path: String) throws -> KeptKeyring? {
        let other = try KeyringFile(ofDatabase: path)
        return try other.withLock {
            let kept = try other.keepKeyring(unlessKnown: keyIdentifiers)
            try other.write(text, replacing: Keyring.exists(for: path)) { _ in }
            return kept
        }
    }

    /// Makes an age identity, `AGE-SECRET-KEY-1…`, with its recipient.
    package static func withNewIdentity(
        _ body: (borrowing SecretBytes, _ recipient: String) throws -> Void
    ) throws {
        guard let secret = SecretBytes.random(count: AgreementKey.byteCount) else {
            throw KeyringError.noRandomness
        }
        let identity = try AgeIdentity(secret: secret)
        try body(identity.text, identity.recipient)
    }

    /// The name of the user, as events have it.
    package static var userName: String { KeyringContent.StoredEvent.now("").user }

    /// The name of the machine, as events have it.
    package static var hostName: String { KeyringContent.StoredEvent.now("").host }
}

extension KeyringChange {
    /// Notes that the secret of a slot was tried.
    mutating func noteTest(of slot: String?) {
        events.append(.now("test", slot: slot))
    }

    /// How many slots there are.
    package var slotCount: Int { slots.count }

    /// Replaces a slot by another one of the same name, even the last.
    package mutating func replace(
        _ name: String, by add: (inout KeyringChange) throws -> Void
    ) throws {
        guard let old = slots.first(where: { $0.name == name }) else {
            throw KeyringError.unknownSlot(name, "the keyring")
        }
        var change = self
        change.slots.removeAll { $0.id == old.id }
        change.secrets[old.id] = nil
        change.events.append(.now("replace", slot: old.id))
        try add(&change)
        self = change
    }
}

extension RecoveryCode {
    /// Whether somebody has typed a part of a code, with letters that look alike taken for each other.
    package static func isGroup(_ typed: borrowing SecretBytes, _ group: String) -> Bool {
        typed.withUnsafeBytes { bytes in
            guard let letters = Self.letters(bytes) else { return false }
            return letters.withUnsafeBytes { $0.elementsEqual(group.lowercased().utf8) }
        }
    }
}
