import StrongroomCore

/// A keyring that a secret has opened.
///
/// 1. Each key in it has the identifier that the keyring gives it, and the authority belongs to it.
/// 2. Whoever wrote the keyring had the key, as far as ``vouching`` says.
struct OpenKeyring {
    let text: KeyringText
    let path: String
    /// By the index of the generation; nil where the secret was the key of another generation.
    let keys: [DatabaseKey?]
    /// The slot, and what has opened it; nil if the secret was the database's own key.
    let slot: KeyringContent.StoredSlot?
    let secret: SlotSecret?
    let vouching: Vouching

    var content: KeyringContent { text.content }

    var identity: [UInt8] { Hexadecimal.bytes(content.keyring) ?? [] }

    /// The last key, and the one before it if there are two.
    var newest: DatabaseKey? { keys.last ?? nil }

    /// What signs the keyring: the authority of its last key.
    func authoritySeed() throws -> SecretBytes {
        try authoritySeed(ofGeneration: content.generations.count - 1)
    }

    /// The seed of the authority that came with a key.
    func authoritySeed(ofGeneration index: Int) throws -> SecretBytes {
        guard let key = keys[index] else {
            throw KeyringError(
                .wrongKey, path,
                "a rotation was interrupted, and the new key is not known",
                hint: "give a secret that opens a slot, not the key of the database")
        }
        let seed = try key.openAuthority(
            content.generations[index].authority,
            publicKey: content.authority(ofGeneration: index), keyring: identity)
        guard let seed = consume seed else {
            throw KeyringError.damaged(path, "its authority is not that of its key")
        }
        return seed
    }
}

/// Tries a secret on the slots of a keyring.
struct KeyringOpening {
    let text: KeyringText
    let path: String
    /// Where what was derived from passphrases is kept, if anywhere.
    var memory: KeyringMemory?

    private var content: KeyringContent { text.content }
    private var identity: [UInt8] { Hexadecimal.bytes(content.keyring) ?? [] }

    /// - Throws: ``KeyringError``: `.wrongKey` if the secret opens no slot, `.foreign` if it opens one
    ///   for which nobody has vouched who had the secret, `.damaged`.
    func open(with unlocker: Unlocker) throws -> OpenKeyring {
        if let name = unlocker.slot, !content.slots.contains(where: { $0.name == name }) {
            throw KeyringError.unknownSlot(name, path)
        }
        let open: OpenKeyring?
        switch unlocker.secret {
        case .refused(let reason): throw KeyringError(.wrongKey, path, reason)
        case .passphrase(let passphrase):
            open = try openSlot(.passphrase, unlocker) { slot in
                [try seed(of: passphrase, slot)]
            }
        case .rawKey(let key):
            let direct = try openDirectly(key)
            // Of a rotation that was interrupted, the old key may be a slot's secret, too, which has both.
            let isWhole = direct?.keys.contains { $0 == nil } == false
            open =
                isWhole
                ? direct
                : try openSlot(.keyFile, unlocker) { _ in
                    guard key.form == .rawKey, let raw = key.rawKey() else { return [] }
                    return [SharedSecret(raw)]
                } ?? direct
        case .identities(let identities):
            open = try openSlot(.recipient, unlocker) { _ in
                identities.map { identity in
                    SharedSecret(identity.secret.withUnsafeBytes { SecretBytes(copying: $0) })
                }
            }
        case .recoveryCode(let code):
            open = try openSlot(.recovery, unlocker) { _ in [code.seed] }
        case .command(let unwrap):
            open = try openSlot(.command, unlocker) { slot in
                let seed = try unwrap(slot.blob.flatMap(Base64.bytes) ?? [])
                return seed.bytes.count == commandSeedByteCount ? [seed] : []
            }
        }
        guard let open else { throw KeyringError.wrongKey(path, unlocker) }
        // That it is the authority of each key which the keyring has sealed.
        for index in open.keys.indices where open.keys[index] != nil {
            _ = try open.authoritySeed(ofGeneration: index)
        }
        return open
    }

    // MARK: Slots

    private func seed(
        of passphrase: SharedSecret, _ slot: KeyringContent.StoredSlot
    ) throws -> SharedSecret {
        guard let parameters = slot.kdf?.parameters else {
            throw KeyringError.damaged(path, "a slot says nothing of its passphrase")
        }
        return SharedSecret(
            try passphrase.bytes.withUnsafeBytes { bytes in
                try memory?.secret(from: bytes, parameters) ?? parameters.key(from: bytes)
            })
    }

    /// Which kind is tried follows from what was given, and not from the file: whoever forges a keyring
    /// would choose the kind that asks for no vouch.
    private func openSlot(
        _ kind: SlotKind, _ unlocker: Unlocker,
        seeds: (KeyringContent.StoredSlot) throws -> [SharedSecret]
    ) throws -> OpenKeyring? {
        for slot in content.slots where slot.kind == kind {
            if let name = unlocker.slot, name != slot.name { continue }
            for seed in try seeds(slot) {
                let secret = SlotSecret(seed, kind, keyring: identity, id: slot.idBytes)
                if try fits(secret, slot) { return try open(slot, with: secret) }
            }
        }
        return nil
    }

    private func fits(
        _ secret: SlotSecret, _ slot: KeyringContent.StoredSlot
    ) throws -> Bool {
        if let recipient = slot.recipient {
            if try secret.identity().recipient == recipient { return true }
            // The vouch shows whose slot it was before somebody who could sign gave it to another.
            guard try secret.vouching(of: slot, in: content) == nil else {
                throw KeyringError.foreign(
                    path,
                    "wraps the key for someone else in the slot “\(slot.name)”, which is yours")
            }
            return false
        }
        // Not by what opens: a ciphertext can be made that opens with many keys, and an HMAC cannot.
        return try secret.vouching(of: slot, in: content) != nil
    }

    private func open(
        _ slot: KeyringContent.StoredSlot, with secret: SlotSecret
    ) throws -> OpenKeyring {
        var vouching = Vouching.missing
        if slot.vouch != nil {
            guard let found = try secret.vouching(of: slot, in: content) else {
                throw KeyringError.foreign(
                    path, "was not written by anyone who had the key of the database")
            }
            // Whoever can wrap can choose the secret of a slot for a command.
            if slot.kind != .command { vouching = found }
        }
        let keys = try content.generations.map { generation in
            guard let wrap = generation.wraps[slot.id].flatMap(Base64.bytes),
                let opened = try secret.open(wrap, of: generation, isSealed: slot.isSealed),
                let key = try DatabaseKey(fileText: opened, generation.cipher),
                key.identifier == generation.key
            else { throw KeyringError.damaged(path, "the slot “\(slot.name)” has no such key") }
            return key
        }
        return OpenKeyring(
            text: text, path: path, keys: keys, slot: slot, secret: secret, vouching: vouching)
    }

    // MARK: The database's own key

    private func openDirectly(_ key: CipherKey) throws -> OpenKeyring? {
        let direct = try content.generations.map { generation -> DatabaseKey? in
            guard let salt = generation.cipher.saltValue, key.salt ?? salt == salt,
                let raw = key.rawKey()
            else { return nil }
            let whole = try raw.withUnsafeBytes { try CipherKey(rawKey: $0, salt: salt) }
            let candidate = try DatabaseKey(whole, generation.cipher)
            return candidate.identifier == generation.key ? candidate : nil
        }
        guard direct.contains(where: { $0 != nil }) else { return nil }
        var keys = direct
        if keys.count == 2, keys[0] == nil, let newer = keys[1],
            let retired = content.generations[1].previous.first
        {
            keys[0] = try newer.opened(retired, keyring: identity)
        }
        return OpenKeyring(
            text: text, path: path, keys: keys, slot: nil, secret: nil, vouching: .present)
    }
}

/// What a command wraps.
let commandSeedByteCount = 32

extension KeyringError {
    static func unknownSlot(_ name: String, _ path: String) -> KeyringError {
        KeyringError(
            .unknownSlot, path, "\(path) has no slot “\(name)”",
            hint: "strongroom key list shows its slots")
    }

    static func wrongKey(_ path: String, _ unlocker: Unlocker) -> KeyringError {
        let what =
            switch unlocker.secret {
            case .passphrase: "the passphrase opens no slot"
            case .rawKey: "the key opens no slot"
            case .identities(let all):
                all.count == 1
                    ? "the identity opens no slot" : "none of the identities opens a slot"
            case .recoveryCode: "the recovery code opens no slot"
            case .command: "what the command prints opens no slot"
            case .refused(let reason): reason
            }
        var hint = "strongroom key list shows its slots"
        if case .passphrase(let passphrase) = unlocker.secret,
            passphrase.bytes.withUnsafeBytes({ RecoveryCode.hasLettersOfCode($0) })
        {
            hint = "if it is a recovery code, a letter is wrong; " + hint
        }
        return KeyringError(.wrongKey, path, "\(what) of \(path)", hint: hint)
    }
}
