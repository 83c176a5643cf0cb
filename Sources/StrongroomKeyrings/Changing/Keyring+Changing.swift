import StrongroomCore
internal import StrongroomEssentials

extension Keyring {
    /// Changes the keyring: adds, removes and renames slots.
    ///
    /// All of it happens in one step: if the process is killed, or anything fails, the old keyring
    /// stands. The database is not touched, and may be in use. The keyring is read again before it is
    /// changed, so that two changes at the same time are both made, one after the other.
    ///
    /// To change a passphrase, add the new one and remove the old one in one call:
    ///
    ///     try keyring.change(unlockingWith: .passphrase(old)) { change in
    ///         try change.remove("anna")
    ///         try change.addPassphrase(new, name: "anna")
    ///     }
    ///
    /// - Parameters:
    ///   - unlocker: A secret that opens a slot.
    ///   - requirements: What the keyring has to show before it is changed.
    ///   - body: What to change.
    /// - Returns: The keyring as it is now.
    /// - Throws: ``KeyringError``; what `body` throws. The old keyring then stands, unless the system
    ///   could not say that the new one is on the disk.
    @discardableResult
    public func change(
        unlockingWith unlocker: Unlocker, requiring requirements: Requirements = Requirements(),
        _ body: (inout KeyringChange) throws -> Void
    ) throws -> Keyring {
        try change(unlocker, requirements, vouches: false, body)
    }

    private func change(
        _ unlocker: Unlocker, _ requirements: Requirements, vouches: Bool,
        _ body: (inout KeyringChange) throws -> Void
    ) throws -> Keyring {
        try file.withLock {
            let open = try Keyring(file.read(), in: file)
                .open(with: unlocker, requiring: requirements)
            guard open.keys.allSatisfy({ $0 != nil }) else {
                throw KeyringError(
                    .wrongKey, path, "a rotation of \(file.database) was interrupted",
                    hint: "give a secret that opens a slot, not the key of the database")
            }
            try open.requireDatabase(of: file)
            // A new slot vouches for no more than the one that lets it in.
            var change = KeyringChange(
                open.content,
                vouchingFor: open.vouching == .earlier
                    ? open.slot?.authority ?? open.content.vouchedAuthority
                    : open.content.vouchedAuthority)
            try body(&change)
            try change.requireSlot(path)
            var content = open.content
            content.slots = change.slots
            if change.addsSlots {
                try content.requireSecretKeyFiles(among: open.allKeys(), path)
            }
            for index in content.generations.indices {
                guard let key = open.keys[index] else { continue }
                try content.generations[index].wrap(key, for: change, opened: open)
            }
            content.events += change.events
            if vouches, let slot = try open.vouchedSlot(in: content) { content.replace(slot) }
            return try write(content, open, added: change.secrets)
        }
    }

    /// Vouches for the keyring as it is, with the secret of a slot.
    ///
    /// From then on, an attacker without the key of the database cannot put another keyring in its place, if it
    /// is opened with that secret. First compare ``authority`` with that of a keyring which you trust: what you
    /// vouch for counts as genuine. A secret that vouches for the current key also vouches for the next one, if
    /// it rotates the key.
    ///
    /// - Throws: ``KeyringError``.
    @discardableResult
    public func vouch(
        unlockingWith unlocker: Unlocker, requiring requirements: Requirements = Requirements()
    ) throws -> Keyring {
        try change(unlocker, requirements, vouches: true) { _ in }
    }

    /// Signs a content and puts it in place, once it was seen to open.
    func write(
        _ content: KeyringContent, _ open: OpenKeyring, added: [String: SlotSecret] = [:]
    ) throws -> Keyring {
        var content = content
        content.revision += 1
        content.written = WrittenTime.text(of: Date())
        content.events = Array(content.events.suffix(KeyringContent.largestEventCount))
        let authority = try SigningKey(seed: open.authoritySeed())
        let text = try KeyringText(signing: content, with: authority)
        try file.write(text, replacing: true) { written in
            try written.prove(path, open: open, added: added)
        }
        return Keyring(text, in: file)
    }
}

extension KeyringText {
    /// Sees to it that what was written opens, with the secret that was given and with the new ones.
    func prove(
        _ path: String, open: OpenKeyring?, added: [String: SlotSecret]
    ) throws {
        var secrets = added
        if let slot = open?.slot, let secret = open?.secret { secrets[slot.id] = secret }
        for slot in content.slots {
            guard let secret = secrets[slot.id] else { continue }
            for generation in content.generations {
                guard let wrap = generation.wraps[slot.id].flatMap(Base64.bytes),
                    let opened = try secret.open(wrap, of: generation, isSealed: slot.isSealed),
                    try DatabaseKey(fileText: opened, generation.cipher)?.identifier
                        == generation.key
                else { throw Self.unproved(path, slot.name) }
            }
            if slot.vouch != nil {
                guard try secret.vouching(of: slot, in: content) != nil else {
                    throw Self.unproved(path, slot.name)
                }
            }
        }
    }

    private static func unproved(_ path: String, _ name: String) -> KeyringError {
        KeyringError(
            .failed, path, "“\(name)” would not open the new keyring",
            hint: "the old keyring was kept; this is a defect: please report it")
    }
}

extension KeyringContent.Generation {
    /// Wraps the key for slots that it was not wrapped for, and for no others.
    mutating func wrap(
        _ key: DatabaseKey, for change: KeyringChange, opened open: OpenKeyring?
    ) throws {
        var new: [String: String] = [:]
        for slot in change.slots {
            if let wrap = wraps[slot.id] {
                new[slot.id] = wrap
            } else {
                let secret =
                    change.secrets[slot.id]
                    ?? (open?.slot?.id == slot.id ? open?.secret : nil)
                new[slot.id] = Base64.text(try slot.wrap(key, with: secret))
            }
        }
        wraps = new
    }
}

extension KeyringContent.StoredSlot {
    /// A key, wrapped so that the slot's secret gives it.
    ///
    /// - Parameter secret: Needed for a sealed slot alone.
    func wrap(_ key: DatabaseKey, with secret: SlotSecret?) throws -> [UInt8] {
        if let recipient, let publicKey = AgeIdentity.publicKey(ofRecipient: recipient) {
            return try AgeFile.wrap(key.fileText, for: publicKey)
        }
        guard let secret else {
            throw KeyringError(
                .wrongKey, "", "the sealed slot “\(name)” needs its own secret",
                hint: "give that secret, or remove the slot first")
        }
        return try secret.seal(key)
    }
}

extension KeyringContent {
    /// Refuses a slot whose key file is a key that the keyring gives to all who open it: they would open it by
    /// that slot for ever, also after their own was removed.
    ///
    /// As the only slot it may be there, until the database gets another key: the keyring then forgets this one.
    func requireSecretKeyFiles(among keys: [DatabaseKey], _ path: String) throws {
        guard slots.count > 1 else { return }
        for slot in slots where slot.kind == .keyFile {
            guard try !keys.contains(where: { try $0.opens(slot, in: self) }) else {
                throw KeyringError(
                    .invalid, path,
                    "the key of the slot “\(slot.name)” is or was the key of the database: any holder "
                        + "of a slot could read it, even after their slot is removed",
                    hint:
                        "use another key file (strongroom keygen), or, if the rotation was "
                        + "interrupted, rotate first")
            }
        }
    }

    mutating func replace(_ slot: StoredSlot) {
        if let index = slots.firstIndex(where: { $0.id == slot.id }) { slots[index] = slot }
    }
}

extension OpenKeyring {
    /// The slot with a vouch for the present authority, if its own is missing or for an earlier one.
    func vouchedSlot(in content: KeyringContent) throws -> KeyringContent.StoredSlot? {
        guard let secret, var slot = content.slots.first(where: { $0.id == self.slot?.id }) else {
            return nil
        }
        let authority = content.vouchedAuthority
        guard slot.authority != authority else { return nil }
        try secret.vouch(&slot, for: authority, keyring: identity)
        return slot
    }
}
