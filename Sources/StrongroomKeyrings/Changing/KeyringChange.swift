public import StrongroomCore
public import StrongroomEssentials

/// What is to be changed in a keyring: see ``Keyring/change(unlockingWith:requiring:_:)``.
///
/// Its methods throw ``KeyringError``: `.invalid` for a name that is taken or cannot be used,
/// `.unknownSlot`, `.lastSlot`.
public struct KeyringChange {
    var slots: [KeyringContent.StoredSlot]
    /// The secrets of slots that were added, by their ids.
    var secrets: [String: SlotSecret] = [:]
    var events: [KeyringContent.StoredEvent] = []
    /// Ids that no slot gets.
    private var usedIDs: Set<String>
    private let keyring: [UInt8]
    private let authority: String

    /// The base-2 logarithm of scrypt's N for new passphrases, unless another is asked for.
    ///
    /// A guess takes 128 MiB and half a second.
    public static let usualWork = 17

    /// - Parameter authority: Whom the new slots vouch for.
    init(_ content: KeyringContent, vouchingFor authority: String) {
        slots = content.slots
        usedIDs = Set(content.slots.map(\.id) + content.events.compactMap(\.slot))
        keyring = Hexadecimal.bytes(content.keyring) ?? []
        self.authority = authority
    }

    /// Whether a slot was added.
    var addsSlots: Bool { events.contains { $0.what == "add" } }

    // MARK: Adding

    /// Adds a slot that a passphrase opens.
    ///
    /// - Parameters:
    ///   - passphrase: UTF-8, without normalization.
    ///   - name: What people call the slot.
    ///   - work: The base-2 logarithm of scrypt's N, from 14 to 20; one more doubles time and memory.
    ///   - isSealed: Whether no public key of the slot is kept. A rotation then drops
    ///     the slot, unless this passphrase is given.
    /// - Throws: ``KeyringError``, `.invalid`.
    public mutating func addPassphrase(
        _ passphrase: String, name: String, work: Int = usualWork, isSealed: Bool = false
    ) throws {
        var passphrase = passphrase
        let key = try passphrase.withUTF8 { try CipherKey.secret(UnsafeRawBufferPointer($0)) }
        try addPassphrase(key, name: name, work: work, isSealed: isSealed)
    }

    /// Adds a slot that a passphrase opens, given as a key.
    ///
    /// - Parameters:
    ///   - passphrase: A key of the form `passphrase`.
    ///   - name: What people call the slot.
    ///   - work: The base-2 logarithm of scrypt's N, from 14 to 20.
    ///   - isSealed: Whether no public key of the slot is kept.
    /// - Throws: ``KeyringError``, `.invalid`.
    public mutating func addPassphrase(
        _ passphrase: CipherKey, name: String, work: Int = usualWork, isSealed: Bool = false
    ) throws {
        guard passphrase.form == .passphrase else {
            throw KeyringError(.invalid, "", "a raw key is no passphrase", hint: "add a key file")
        }
        guard (14...20).contains(work) else {
            throw KeyringError(
                .invalid, "", "a work of \(work): it is from 14 to 20",
                hint: "\(Self.usualWork) takes 128 MiB for each guess; one more takes twice as much"
            )
        }
        guard let salt = SecretBytes.random(count: 16) else { throw KeyringError.noRandomness }
        let parameters = Scrypt(salt: salt.withUnsafeBytes { Array($0) }, cost: 1 << work)
        let seed = try passphrase.withSQLCipherBytes { bytes in
            guard case .passphrase = Unlocker.parsing(passphrase).secret else {
                throw KeyringError(
                    .invalid, "",
                    "this passphrase would be taken for a recovery code or an identity",
                    hint: "choose another one")
            }
            return SharedSecret(try parameters.key(from: bytes))
        }
        var slot = try makeSlot(.passphrase, name)
        slot.kdf = KeyringContent.StoredKDF(
            name: KeyringContent.StoredKDF.scrypt, n: parameters.cost, r: parameters.blockSize,
            p: parameters.parallelism, salt: Hexadecimal.text(parameters.salt))
        try add(slot, seed, isSealed: isSealed)
    }

    /// Adds a slot that a raw key opens, such as the content of a key file.
    ///
    ///     try change.addKeyFile(CipherKey(contentsOfFile: "server.key"), name: "server")
    ///
    /// - Parameters:
    ///   - key: A raw key without a salt. It cannot be one that the keyring gives to all who open it: the
    ///     database's current key, or a retired one.
    ///   - name: What people call the slot.
    ///   - isSealed: Whether no public key of the slot is kept.
    /// - Throws: ``KeyringError``, `.invalid`.
    public mutating func addKeyFile(
        _ key: CipherKey, name: String, isSealed: Bool = false
    ) throws {
        guard key.form == .rawKey, let seed = key.rawKey() else {
            throw KeyringError(
                .invalid, "", "a slot for a key file needs a raw key of 64 digits",
                hint: "strongroom keygen writes one")
        }
        try add(makeSlot(.keyFile, name), SharedSecret(seed), isSealed: isSealed)
    }

    /// Adds a slot that a recovery code opens.
    ///
    /// - Parameters:
    ///   - code: Show it to the person who keeps it before you add it: afterwards it cannot be shown.
    ///   - name: What people call the slot.
    ///   - isSealed: Whether no public key of the slot is kept.
    /// - Throws: ``KeyringError``, `.invalid`.
    public mutating func addRecoveryCode(
        _ code: RecoveryCode, name: String = "recovery", isSealed: Bool = false
    ) throws {
        try add(makeSlot(.recovery, name), code.seed, isSealed: isSealed)
    }

    /// Adds a slot for the holder of an age identity, of whom only the public half is needed.
    ///
    /// - Parameters:
    ///   - recipient: The public key, `age1…`.
    ///   - name: What people call the slot.
    /// - Throws: ``KeyringError``, `.invalid`.
    public mutating func addRecipient(_ recipient: String, name: String) throws {
        guard AgeIdentity.publicKey(ofRecipient: recipient) != nil else {
            let isSSH = recipient.hasPrefix("ssh-")
            throw KeyringError(
                .invalid, "", "“\(recipient.prefix(80))” is no age recipient",
                hint: isSSH
                    ? "SSH keys cannot be slots: age-keygen creates an identity and its recipient"
                    : "age-keygen prints one: age1 and 58 letters")
        }
        guard !slots.contains(where: { $0.recipient == recipient }) else {
            throw KeyringError(.invalid, "", "there is a slot for that recipient already")
        }
        var slot = try makeSlot(.recipient, name)
        slot.recipient = recipient
        insert(slot)
    }

    /// Adds a slot whose secret a key-management service or a chip wraps.
    ///
    /// - Parameters:
    ///   - name: What people call the slot.
    ///   - wrap: Gets 32 random bytes, and returns what unwraps to them; at most 64 KiB.
    /// - Throws: ``KeyringError``, `.invalid`; what `wrap` throws.
    public mutating func addCommand(
        name: String, wrap: (Data) throws -> Data
    ) throws {
        try addCommand(
            name: name,
            secretly: { seed in
                try seed.withUnsafeBytes { try [UInt8](wrap(Data($0))) }
            })
    }

    /// The same, for a caller whose memory is wiped.
    package mutating func addCommand(
        name: String, secretly wrap: (borrowing SecretBytes) throws -> [UInt8]
    ) throws {
        guard let seed = SecretBytes.random(count: commandSeedByteCount) else {
            throw KeyringError.noRandomness
        }
        var slot = try makeSlot(.command, name)
        let blob = try wrap(seed)
        guard (1...KeyringContent.largestBlobByteCount).contains(blob.count) else {
            throw KeyringError(
                .invalid, "", "the command that wraps printed \(blob.count) bytes",
                hint: "it has to print what the command that unwraps needs, at most 64 KiB")
        }
        slot.blob = Base64.text(blob)
        try add(slot, SharedSecret(seed), isSealed: false)
    }

    private func makeSlot(_ kind: SlotKind, _ name: String) throws -> KeyringContent.StoredSlot {
        try requireFree(name)
        guard slots.count < KeyringContent.largestSlotCount else {
            throw KeyringError(
                .invalid, "", "a keyring has at most \(KeyringContent.largestSlotCount) slots",
                hint: "remove one first")
        }
        var id: String
        repeat {
            guard let random = SecretBytes.random(count: 4) else { throw KeyringError.noRandomness }
            id = random.withUnsafeBytes { Hexadecimal.text($0) }
        } while usedIDs.contains(id)
        return KeyringContent.StoredSlot(
            id: id, name: name, kind: kind, created: WrittenTime.text(of: Date()))
    }

    private func requireFree(_ name: String) throws {
        guard KeyringContent.StoredSlot.isName(name) else {
            throw KeyringError(
                .invalid, "", "“\(name.prefix(80))” cannot be the name of a slot",
                hint: "a name has 1 to 64 printable characters")
        }
        guard !slots.contains(where: { $0.name == name }) else {
            throw KeyringError(
                .invalid, "", "there is a slot “\(name)” already", hint: "choose another name")
        }
    }

    private mutating func add(
        _ slot: KeyringContent.StoredSlot, _ seed: SharedSecret, isSealed: Bool
    ) throws {
        var slot = slot
        let secret = SlotSecret(seed, slot.kind, keyring: keyring, id: slot.idBytes)
        if !isSealed { slot.recipient = try secret.identity().recipient }
        try secret.vouch(&slot, for: authority, keyring: keyring)
        secrets[slot.id] = secret
        insert(slot)
    }

    private mutating func insert(_ slot: KeyringContent.StoredSlot) {
        usedIDs.insert(slot.id)
        slots.append(slot)
        slots.sort { $0.id < $1.id }
        events.append(.now("add", slot: slot.id))
    }

    // MARK: Removing and renaming

    /// Removes a slot.
    ///
    /// A person who has kept this keyring, or the key of the database, can still open every copy of the
    /// database until its key is changed by `Keyring.rotate(unlockingWith:)`.
    ///
    /// - Throws: ``KeyringError``, `.unknownSlot`.
    public mutating func remove(_ name: String) throws {
        let slot = slots.remove(at: try index(of: name))
        secrets[slot.id] = nil
        events.append(.now("remove", slot: slot.id))
    }

    /// Gives a slot another name.
    ///
    /// - Throws: ``KeyringError``, `.unknownSlot` or `.invalid`.
    public mutating func rename(_ name: String, to newName: String) throws {
        let index = try index(of: name)
        try requireFree(newName)
        slots[index].name = newName
        events.append(.now("rename", slot: slots[index].id))
    }

    /// - Throws: ``KeyringError``, `.lastSlot`, if no slot is left.
    func requireSlot(_ path: String) throws {
        guard slots.isEmpty else { return }
        throw KeyringError(
            .lastSlot, path, "\(path) needs at least one slot", hint: "add another slot first")
    }

    private func index(of name: String) throws -> Int {
        guard let index = slots.firstIndex(where: { $0.name == name }) else {
            throw KeyringError.unknownSlot(name, "the keyring")
        }
        return index
    }
}

extension CipherKey {
    /// A passphrase, refused in the words of keyrings.
    fileprivate static func secret(_ bytes: UnsafeRawBufferPointer) throws -> CipherKey {
        do {
            return try CipherKey(passphrase: Data(bytes))
        } catch {
            throw KeyringError(.invalid, "", error.message, hint: error.hint)
        }
    }
}
