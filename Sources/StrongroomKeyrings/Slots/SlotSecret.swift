import StrongroomCore

/// What opens one slot: its seed, from which everything else follows.
final class SlotSecret: Sendable {
    let kind: SlotKind
    /// The slot's id, in bytes.
    private let id: [UInt8]
    private let seed: SharedSecret

    init(_ seed: SharedSecret, _ kind: SlotKind, id: [UInt8]) {
        self.kind = kind
        self.id = id
        self.seed = seed
    }

    private func derived(_ label: String) throws -> SecretBytes {
        try seed.bytes.withUnsafeBytes {
            try ExpandedKey.key(
                from: $0, salt: id, purpose: KeyringContent.formatName + " " + label)
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

    /// Whether a vouch is for any of the authorities, to each of which the chain of signatures leads.
    func hasVouched(
        _ vouch: String, for authorities: [KeyringContent.AuthorityEntry], keyring: [UInt8]
    ) throws -> Bool {
        guard let digest = ContentDigest(hexadecimal: vouch) else { return false }
        return try authorities.reversed().contains {
            try self.vouch(for: $0.public, keyring: keyring).isSame(as: digest)
        }
    }
}
