import StrongroomCore

/// What opens one slot: its seed, from which everything else follows.
final class SlotSecret: Sendable {
    let kind: SlotKind
    /// The keyring's identity and the slot's id, in bytes: a seed means something else in each slot.
    private let salt: [UInt8]
    private let seed: SharedSecret

    init(_ seed: SharedSecret, _ kind: SlotKind, keyring: [UInt8], id: [UInt8]) {
        self.kind = kind
        salt = keyring + id
        self.seed = seed
    }

    private func derived(_ label: String) throws -> SecretBytes {
        try seed.bytes.withUnsafeBytes {
            try ExpandedKey.key(
                from: $0, salt: salt, purpose: KeyringContent.formatName + " " + label)
        }
    }

    /// The identity for which the slot wraps.
    func identity() throws -> AgeIdentity {
        guard kind != .recipient else {
            return try AgeIdentity(secret: seed.bytes.withUnsafeBytes { SecretBytes(copying: $0) })
        }
        return try AgeIdentity(secret: derived(kind.rawValue))
    }

    // MARK: Wraps

    /// The wrap of a key in a sealed slot.
    func seal(_ key: DatabaseKey) throws -> [UInt8] {
        let sealing = try derived("sealed " + key.identifier)
        return try key.fileText.withUnsafeBytes { try SealedBox.seal($0, key: sealing) }
    }

    /// The key in a wrap; nil if it is for somebody else.
    func open(
        _ wrap: [UInt8], of generation: KeyringContent.Generation, isSealed: Bool
    ) throws -> SecretBytes? {
        guard isSealed else { return try AgeFile.unwrap(wrap, with: identity()) }
        return try SealedBox.open(wrap, key: derived("sealed " + generation.key))
    }

    // MARK: Vouching

    /// What only a holder of the secret can compute over an authority.
    func vouch(for authority: String, keyring: [UInt8]) throws -> ContentDigest {
        let key = try derived("vouch")
        let text = keyring + (Hexadecimal.bytes(authority) ?? [])
        return try key.withUnsafeBytes { key in
            try text.withUnsafeBytes { try ContentDigest.authentication(of: $0, key: key) }
        }
    }

    /// Gives a slot a vouch for an authority.
    func vouch(_ slot: inout KeyringContent.StoredSlot, for authority: String, keyring: [UInt8])
        throws
    {
        slot.vouch = try vouch(for: authority, keyring: keyring).hexadecimal
        slot.authority = authority
    }

    /// For which authority a slot's vouch is: that of a present key, or one from which a chain of signatures
    /// leads to it.
    ///
    /// - Returns: nil if it is for none of them.
    func vouching(
        of slot: KeyringContent.StoredSlot, in content: KeyringContent
    ) throws -> Vouching? {
        guard let vouch = slot.vouch, let digest = ContentDigest(hexadecimal: vouch),
            let authority = slot.authority,
            let index = content.authorities.firstIndex(where: { $0.public == authority }),
            try self.vouch(for: authority, keyring: Hexadecimal.bytes(content.keyring) ?? [])
                .isSame(as: digest)
        else { return nil }
        return index >= content.authorities.count - content.generations.count ? .present : .earlier
    }
}

/// Who vouches for a keyring that a secret has opened.
public enum Vouching: String, Sendable, Comparable {
    /// Nobody: the slot is for an age identity whose holder has never vouched, or for a command. Anybody may
    /// have written the keyring.
    case missing
    /// The holder of the secret, before the last change of the database's key. Whoever had the key before
    /// that change may have written the keyring.
    case earlier
    /// The holder of the secret, or the database's own key.
    case present

    /// Orders from `missing` to `present`.
    public static func < (one: Vouching, other: Vouching) -> Bool {
        let order: [Vouching] = [.missing, .earlier, .present]
        return order.firstIndex(of: one) ?? 0 < order.firstIndex(of: other) ?? 0
    }
}
