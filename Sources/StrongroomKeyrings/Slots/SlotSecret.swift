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

    /// For which authority a vouch is: the last one, or one from which a chain of signatures leads to it.
    ///
    /// - Returns: nil if it is for none of them.
    func vouching(
        _ vouch: String, for authorities: [KeyringContent.AuthorityEntry], keyring: [UInt8]
    ) throws -> Vouching? {
        guard let digest = ContentDigest(hexadecimal: vouch) else { return nil }
        for (index, authority) in authorities.enumerated().reversed()
        where try self.vouch(for: authority.public, keyring: keyring).isSame(as: digest) {
            return index == authorities.count - 1 ? .present : .earlier
        }
        return nil
    }
}

/// Who vouches for a keyring that a secret has opened.
public enum Vouching: String, Sendable, Comparable {
    /// Nobody: the slot is for an age identity whose holder has not changed anything in the keyring, or for
    /// a command. Anybody may have written the keyring.
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
