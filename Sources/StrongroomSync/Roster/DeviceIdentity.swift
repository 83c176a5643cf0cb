package import StrongroomCore

/// What others know of a device.
package struct DevicePublicKeys: Hashable, Sendable {
    static let byteCount = 64

    package let signing: PublicKey
    /// An X25519 key, with which space keys are wrapped for the device.
    package let agreement: [UInt8]

    init?(signing: PublicKey, agreement: [UInt8]) {
        guard agreement.count == AgreementKey.byteCount else { return nil }
        self.signing = signing
        self.agreement = agreement
    }

    /// The name that these keys give: no two devices have the same.
    package func device() throws -> DeviceID {
        let bytes = Array("strongroom-sync-1 device".utf8) + bytes
        guard let id = DeviceID(try ContentDigest.of(bytes).bytes.prefix(DeviceID.byteCount)) else {
            throw Refusal.malformed("a device without a name")
        }
        return id
    }

    var bytes: [UInt8] { (Hexadecimal.bytes(signing.hexadecimal) ?? []) + agreement }

    init(_ reader: inout ObjectReader) throws(Refusal) {
        let signing = PublicKey(Array(try reader.take(PublicKey.byteCount)))
        let agreement = Array(try reader.take(AgreementKey.byteCount))
        guard let signing, let keys = DevicePublicKeys(signing: signing, agreement: agreement)
        else {
            throw .malformed("it ends too early")
        }
        self = keys
    }

    /// Whether a secret can be agreed on: a point of small order would give everybody the same.
    func canAgree() throws -> Bool {
        var scalar = SecretBytes(capacity: AgreementKey.byteCount)
        for _ in 0..<AgreementKey.byteCount { scalar.append(0x40) }
        return try AgreementKey(secret: scalar).secret(with: agreement) != nil
    }
}

/// The keys of a device, which are made on it and do not leave it.
package final class DeviceIdentity: Sendable {
    package static let seedByteCount = 32

    /// All there is of the keys: what the database keeps.
    package let seed: SecretBytes
    package let signing: SigningKey
    package let agreement: AgreementKey
    package let publicKeys: DevicePublicKeys
    package let device: DeviceID

    package init(seed: consuming SecretBytes) throws {
        precondition(seed.count == Self.seedByteCount)
        signing = try SigningKey(seed: Self.key(from: seed, "signing"))
        agreement = try AgreementKey(secret: Self.key(from: seed, "agreement"))
        guard
            let keys = DevicePublicKeys(
                signing: signing.publicKey, agreement: agreement.publicKey)
        else { throw RandomnessShortage() }
        publicKeys = keys
        device = try keys.device()
        self.seed = seed
    }

    private static func key(
        from seed: borrowing SecretBytes, _ purpose: String
    ) throws -> SecretBytes {
        try seed.withUnsafeBytes {
            try ExpandedKey.key(from: $0, salt: [], purpose: "strongroom-sync-1 \(purpose)")
        }
    }

    package static func generated(_ randomness: SyncRandomness) throws -> DeviceIdentity {
        try DeviceIdentity(seed: randomness.secret(seedByteCount))
    }
}

/// A space key that one device can open: 92 bytes.
///
/// | bytes | |
/// |---|---|
/// | 32 | an X25519 public key that was made for this |
/// | 12 | nonce |
/// | 48 | the space key, sealed with ChaCha20-Poly1305 |
package struct KeyWrap: Hashable, Sendable {
    package static let byteCount = 92

    let bytes: [UInt8]

    init(_ reader: inout ObjectReader) throws(Refusal) {
        bytes = Array(try reader.take(Self.byteCount))
    }

    init(
        _ key: SpaceKey, for recipient: DevicePublicKeys, in space: SpaceID,
        _ randomness: SyncRandomness
    ) throws {
        let ephemeral = try AgreementKey(secret: randomness.secret(AgreementKey.byteCount))
        let nonce = try randomness.bytes(SealedBox.nonceByteCount)
        guard let shared = try ephemeral.secret(with: recipient.agreement) else {
            throw Refusal.impossible("a public key of no use")
        }
        let wrapKey = try Self.wrapKey(
            shared, ephemeral.publicKey + recipient.agreement, space, key.epoch)
        let sealed = try key.bytes.withUnsafeBytes {
            try SealedBox.seal($0, key: wrapKey, nonce: nonce)
        }
        bytes = ephemeral.publicKey + nonce + sealed
    }

    /// Nil if it is for another device, another space or another epoch.
    func open(epoch: UInt32, in space: SpaceID, with identity: DeviceIdentity) throws -> SpaceKey? {
        let ephemeral = Array(bytes.prefix(AgreementKey.byteCount))
        let nonce = Array(bytes[AgreementKey.byteCount...].prefix(SealedBox.nonceByteCount))
        let sealed = Array(bytes.dropFirst(AgreementKey.byteCount + SealedBox.nonceByteCount))
        guard let shared = try identity.agreement.secret(with: ephemeral) else { return nil }
        let wrapKey = try Self.wrapKey(
            shared, ephemeral + identity.publicKeys.agreement, space, epoch)
        guard let key = try SealedBox.open(sealed, key: wrapKey, nonce: nonce) else { return nil }
        return SpaceKey(epoch: epoch, key)
    }

    private static func wrapKey(
        _ shared: borrowing SecretBytes, _ salt: [UInt8], _ space: SpaceID, _ epoch: UInt32
    ) throws -> SecretBytes {
        let purpose = "strongroom-sync-1 wrap \(space.hexadecimal) \(epoch)"
        return try shared.withUnsafeBytes {
            try ExpandedKey.key(from: $0, salt: salt, purpose: purpose)
        }
    }
}
