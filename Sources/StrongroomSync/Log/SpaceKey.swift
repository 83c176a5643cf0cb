package import StrongroomCore

/// Where random bytes come from: the system, or a seed in a simulation.
package struct SyncRandomness: Sendable {
    private let source: @Sendable (Int) throws -> SecretBytes

    package init(_ source: @escaping @Sendable (Int) throws -> SecretBytes) {
        self.source = source
    }

    package static let system = SyncRandomness { count in
        guard let bytes = SecretBytes.random(count: count) else { throw RandomnessShortage() }
        return bytes
    }

    package func secret(_ count: Int) throws -> SecretBytes { try source(count) }

    /// Bytes that are no secret.
    package func bytes(_ count: Int) throws -> [UInt8] {
        try source(count).withUnsafeBytes { Array($0) }
    }

    /// The id of a run that a device begins.
    package func run(of device: DeviceID) throws -> Run {
        guard let run = try Run(of: device, random: bytes(8)) else { throw RandomnessShortage() }
        return run
    }
}

/// The system gave no random bytes.
package struct RandomnessShortage: Error {}

/// The key of a space in one epoch: 32 bytes that only its devices know.
///
/// 1. It encrypts nothing itself: each object has a key that follows from it, from 32 random bytes and from all that the object
///    says in plaintext. So no key is ever used twice, not even by the clone of a device.
package final class SpaceKey: Sendable {
    package static let byteCount = 32

    package let epoch: UInt32
    let bytes: SecretBytes

    package init?(epoch: UInt32, _ bytes: consuming SecretBytes) {
        guard epoch > 0, bytes.count == Self.byteCount else { return nil }
        self.epoch = epoch
        self.bytes = bytes
    }

    package static func generated(
        epoch: UInt32, _ randomness: SyncRandomness
    ) throws -> SpaceKey {
        guard let key = SpaceKey(epoch: epoch, try randomness.secret(byteCount)) else {
            throw RandomnessShortage()
        }
        return key
    }

    /// The key of one object.
    ///
    /// - Parameters:
    ///   - purpose: What the object is.
    ///   - salt: 32 random bytes that are in its header.
    ///   - header: Everything that the object says before its ciphertext.
    func key(for purpose: String, salt: [UInt8], header: ContentDigest) throws -> SecretBytes {
        let purpose = "strongroom-sync-1 \(purpose) \(header.hexadecimal)"
        return try bytes.withUnsafeBytes {
            try ExpandedKey.key(from: $0, salt: salt, purpose: purpose)
        }
    }

    /// A key that follows from this one alone, for what is sealed once in an epoch.
    func key(for purpose: String) throws -> SecretBytes {
        try bytes.withUnsafeBytes {
            try ExpandedKey.key(from: $0, salt: [], purpose: "strongroom-sync-1 \(purpose)")
        }
    }

    /// What shows that two have the same key, and nothing of the key.
    package func check() throws -> [UInt8] {
        try key(for: "check \(epoch)").withUnsafeBytes { Array($0) }
    }

    /// The key of the epoch before, for those who have this one.
    func seal(_ previous: SpaceKey) throws -> [UInt8] {
        let key = try key(for: "previous \(previous.epoch)")
        return try previous.bytes.withUnsafeBytes { try SealedBox.seal($0, key: key) }
    }

    /// Nil if something else was sealed.
    func openPrevious(_ sealed: [UInt8]) throws -> SpaceKey? {
        guard epoch > 1 else { return nil }
        let key = try key(for: "previous \(epoch - 1)")
        guard let bytes = try SealedBox.open(sealed, key: key) else { return nil }
        return SpaceKey(epoch: epoch - 1, bytes)
    }
}

/// The space keys that a device has.
package struct SpaceKeys: Sendable {
    private var keys: [UInt32: SpaceKey] = [:]

    package init() {}

    package subscript(epoch: UInt32) -> SpaceKey? { keys[epoch] }

    package var newest: SpaceKey? { keys.keys.max().flatMap { keys[$0] } }

    package var epochs: [UInt32] { keys.keys.sorted() }

    package mutating func insert(_ key: SpaceKey) {
        keys[key.epoch] = key
    }
}
