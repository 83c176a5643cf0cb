import StrongroomCore
internal import StrongroomEssentials

/// Gives a database a new key, and all slots of its keyring with it.
///
/// 1. A keyring with both keys is on the disk before the file is touched, and one with the new key alone
///    comes after. So each slot opens the file at every instant.
/// 2. Which key is in force is for the first page of the file to say, never for the keyring.
/// 3. A slot that was removed before is in neither of the two: the new key was never wrapped for it.
/// 4. With the new key comes a new authority, which signs both keyrings. Each key opens its own authority
///    alone, and nothing that is newer is ever sealed under a key that is older: whoever had an earlier key must
///    not have the new one, nor what signs for it.
struct KeyringRotation {
    /// Changes the key of a file: the file with its present key, that key, and the new one.
    typealias Change<Report> =
        (DatabaseFile, _ old: CipherKey, _ new: CipherKey) throws -> Report

    private let open: OpenKeyring
    private let file: KeyringFile
    /// The secrets that are known, by the ids of their slots.
    private var secrets: [String: SlotSecret]

    /// - Parameter open: A keyring with one generation: see ``OpenKeyring/settled(in:)``.
    init(_ open: OpenKeyring, _ file: KeyringFile, _ secrets: [String: SlotSecret] = [:]) {
        self.open = open
        self.file = file
        self.secrets = secrets
        if let slot = open.slot, let secret = open.secret { self.secrets[slot.id] = secret }
    }

    /// - Parameter dropsSealed: Whether sealed slots whose secret is not known go.
    /// - Returns: The keyring as it is then, and what the change of the file returned. If only the last
    ///   step failed, the keyring has both keys.
    func run<Report>(
        droppingSealed dropsSealed: Bool = false, _ change: Change<Report>
    ) throws -> (keyring: Keyring, report: Report) {
        guard open.content.generations.count == 1, let old = open.newest else {
            throw KeyringError(
                .failed, file.path, "a rotation of \(file.database) is under way")
        }
        guard try file.hasDatabase() else {
            throw KeyringError(
                .notFound, file.database, "\(file.database) is not there",
                hint: "there is nothing to rotate before it has been created")
        }
        let settings = old.settings
        let new = try DatabaseKey.generated(
            settings, salt: settings.hasSaltInFile ? nil : old.cipherKey.salt)
        var content = try transition(from: old, to: new, dropsSealed: dropsSealed)
        let authority = try open.addAuthority(to: &content, new)
        let both = try open.next(content, signing: authority, keys: [old, new])
        try write(both)
        let report: Report
        do {
            var database = old.file(in: file)
            database.isRotatedByKeyring = true
            report = try change(database, old.cipherKey, new.cipherKey)
        } catch {
            // What has the file's name decides; if that cannot be told, both keys stay.
            if let settled = try? both.settled(in: file) { try? write(settled) }
            throw error
        }
        // The file has the new key: whatever fails now, the slots open it.
        let settled = try both.settled(in: file, by: 1)
        do {
            try write(settled)
        } catch {
            return (Keyring(both.text, in: file), report)
        }
        return (Keyring(settled.text, in: file), report)
    }

    private func write(_ next: OpenKeyring) throws {
        try file.write(next.text, replacing: true) {
            try $0.prove(file.path, open: nil, added: secrets)
        }
    }

    // MARK: Both keys

    private func transition(
        from old: DatabaseKey, to new: DatabaseKey, dropsSealed: Bool
    ) throws -> KeyringContent {
        var content = open.content
        let dropped = content.slots.filter { $0.isSealed && secrets[$0.id] == nil }
        guard dropped.isEmpty || dropsSealed && dropped.count < content.slots.count else {
            let names = dropped.map(\.name).joined(separator: ", ")
            throw KeyringError(
                .wrongKey, file.path, "sealed slots would be lost: \(names)",
                hint: "give the secret of such a slot, or remove these slots, too: --drop-sealed")
        }
        content.slots.removeAll { slot in dropped.contains { $0.id == slot.id } }
        for slot in dropped {
            content.generations[0].wraps[slot.id] = nil
            content.events.append(.now("remove", slot: slot.id))
        }
        let now = WrittenTime.text(of: Date())
        var wraps: [String: String] = [:]
        for slot in content.slots {
            wraps[slot.id] = Base64.text(try slot.wrap(new, with: secrets[slot.id]))
        }
        content.generations.append(
            KeyringContent.Generation(
                key: new.identifier, cipher: new.stored, created: now, origin: .rotated,
                wraps: wraps, authority: "",
                previous: try open.previous(and: old, under: new, now)))
        return content
    }
}

extension OpenKeyring {
    /// A retired key and those before it, for holders of a newer one.
    fileprivate func previous(
        and old: DatabaseKey, under new: DatabaseKey, _ now: String
    ) throws -> [KeyringContent.RetiredKey] {
        let generation = content.generations[0]
        guard generation.previous.count < KeyringContent.largestPreviousCount else {
            throw KeyringError(
                .failed, path,
                "\(path) has \(generation.previous.count) retired keys, and cannot hold more",
                hint: "remove those that no backup needs: strongroom key forget")
        }
        var keys = [
            KeyringContent.RetiredKey(
                key: old.identifier, cipher: old.stored, created: generation.created,
                retired: now,
                wrapped: Base64.text(try old.sealed(under: new, keyring: identity)))
        ]
        for var retired in generation.previous {
            guard let key = try old.opened(retired, keyring: identity) else {
                throw KeyringError.damaged(path, "a retired key in it does not open")
            }
            retired.wrapped = Base64.text(try key.sealed(under: new, keyring: identity))
            keys.append(retired)
        }
        return keys
    }

    /// Lets another authority sign from now on, which the present one introduces.
    ///
    /// - Parameter key: The key of the last generation, under which the authority is sealed.
    /// - Returns: What signs.
    fileprivate func addAuthority(
        to content: inout KeyringContent, _ key: DatabaseKey
    ) throws -> SigningKey {
        let present = try SigningKey(seed: authoritySeed())
        guard let seed = SecretBytes.random(count: 32) else { throw KeyringError.noRandomness }
        let new = try SigningKey(seed: seed)
        let text = KeyringText.authorityText(new.publicKey, keyring: content.keyring)
        content.authorities.append(
            .init(
                public: new.publicKey.hexadecimal,
                by: Hexadecimal.text(try present.signature(of: text))))
        try dropAuthorities(of: &content)
        content.generations[content.generations.count - 1].authority = Base64.text(
            try key.sealAuthority(seed, publicKey: new.publicKey, keyring: identity))
        return new
    }
}

extension OpenKeyring {
    /// Leaves out the first authorities, as far as no vouch needs them: the next one stands for itself then.
    ///
    /// - Throws: ``KeyringError`` if there are too many, and a slot whose holder has not vouched for so long
    ///   would open nothing any more.
    func dropAuthorities(of content: inout KeyringContent) throws {
        let count = content.authorities.count
        let vouched = content.slots.compactMap { slot in
            content.authorities.firstIndex { $0.public == slot.authority }
        }
        let excess = min(
            vouched.min() ?? count, max(0, count - KeyringContent.keptAuthorityCount))
        guard count - excess <= KeyringContent.largestAuthorityCount else {
            let first = content.authorities[0].public
            let names = content.slots.filter { $0.authority == first }.map(\.name)
            throw KeyringError(
                .failed, path,
                "\(names.joined(separator: ", ")) has not vouched for \(count - 1) rotations, and would "
                    + "open nothing after another one",
                hint: "let its holder vouch (strongroom key vouch), or remove the slot")
        }
        guard excess > 0 else { return }
        content.authorities.removeFirst(excess)
        content.authorities[0].by = nil
        content.authorities[0].restored = nil
    }
}

extension OpenKeyring {
    /// The keyring after a change, signed, with what opens it.
    func next(
        _ content: KeyringContent, signing authority: SigningKey, keys: [DatabaseKey?]
    ) throws -> OpenKeyring {
        var content = content
        content.revision += 1
        content.written = WrittenTime.text(of: Date())
        content.events = Array(content.events.suffix(KeyringContent.largestEventCount))
        return OpenKeyring(
            text: try KeyringText(signing: content, with: authority), path: path, keys: keys,
            slot: slot.flatMap { old in content.slots.first { $0.id == old.id } }, secret: secret,
            vouching: vouching)
    }

    /// Removes the key that was retired last if it is the secret of a slot for a key file: with it, all who open
    /// the keyring would have that secret. Its holder restores backups from before with it.
    private func forgetKeyFiles(in content: inout KeyringContent) throws {
        guard let old = keys[0],
            try content.slots.contains(where: { try old.opens($0, in: content) })
        else { return }
        content.generations[0].previous.removeAll { $0.key == old.identifier }
    }

    /// The keyring with the key alone that the file has.
    ///
    /// If that is the old one, the new key and its authority are dropped: to keep them, they would have to be
    /// sealed under the old key.
    ///
    /// - Parameter known: The index of that generation, if it is known already.
    /// - Returns: The same if it has one key only.
    func settled(in file: KeyringFile, by known: Int? = nil) throws -> OpenKeyring {
        guard content.generations.count == 2 else { return self }
        let index = try known ?? generationInForce(of: file)
        guard let key = keys[index] else {
            throw KeyringError(
                .wrongKey, path, "the key that was given is not the one that \(file.database) has",
                hint: "give a secret that opens a slot")
        }
        let authority = try SigningKey(seed: authoritySeed(ofGeneration: index))
        var settled = content
        settled.generations = [content.generations[index]]
        if index == 0 {
            settled.authorities.removeLast()
        } else {
            settled.events.append(.now("rotate", key: key.identifier))
            try forgetKeyFiles(in: &settled)
            // Who had not vouched for the key before does not vouch for this one by the way, nor for a change
            // of the key that somebody else may have begun.
            if known != nil, vouching == .present, let slot = try vouchedSlot(in: settled) {
                settled.replace(slot)
            }
        }
        return try next(settled, signing: authority, keys: [key])
    }
}
