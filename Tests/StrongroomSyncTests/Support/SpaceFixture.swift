import StrongroomCore
import StrongroomTestSupport
import Synchronization

@testable import StrongroomSync

extension SyncRandomness {
    /// The same bytes for the same seed.
    static func seeded(_ seed: UInt64) -> SyncRandomness {
        let generator = Locked(SeededGenerator(seed: seed))
        return SyncRandomness { count in
            let bytes = generator.withLock { generator in
                (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            }
            var secret = SecretBytes(capacity: count)
            for byte in bytes { secret.append(byte) }
            return secret
        }
    }
}

/// A space of some devices, in memory.
struct SpaceFixture {
    static let start: Int64 = 1_790_000_000_000
    static let fingerprint = digest("schema")

    let randomness: SyncRandomness
    let me: DeviceIdentity
    var roster: Roster
    /// The entries of the roster.
    var entries: [[UInt8]]
    var time = start

    init(seed: UInt64 = 1) throws {
        randomness = .seeded(seed)
        me = try .generated(randomness)
        (roster, entries) = try Roster.create(
            by: me, name: "laptop", time: Self.start, randomness)
    }

    var space: SpaceID { roster.space }
    var keys: SpaceKeys { get throws { try roster.keys(for: me) } }
    var verification: ObjectVerification {
        get throws { ObjectVerification(roster, try keys) }
    }

    /// Puts a change into the roster.
    mutating func change(_ change: RosterChange, by identity: DeviceIdentity? = nil) throws {
        time += 1000
        let entry = try roster.entry(for: change, by: identity ?? me, time: time, randomness)
        try roster.append(entry)
        entries.append(entry)
    }

    /// Another device, in the roster.
    mutating func device(_ name: String = "phone") throws -> DeviceIdentity {
        let identity = try DeviceIdentity.generated(randomness)
        try change(.device(identity.publicKeys, name: name))
        return identity
    }

    static func digest(_ text: String) -> ContentDigest {
        guard let digest = try? ContentDigest.of(Array(text.utf8)) else { fatalError(text) }
        return digest
    }
}

/// A device that writes batches.
struct BatchWriter {
    let identity: DeviceIdentity
    let run: Run
    var padding = SyncPadding.padme
    var number: UInt64 = 0
    var hash: ContentDigest?

    init(_ identity: DeviceIdentity, _ randomness: SyncRandomness) throws {
        self.identity = identity
        run = try randomness.run(of: identity.device)
    }

    var nextName: HubName { .batch(identity.device, run, number + 1) }

    /// The next header, for a roster as it is now.
    func header(_ fixture: SpaceFixture) throws -> BatchHeader {
        try BatchHeader(
            start: ObjectStart(.batch, fixture.space, identity.device, fixture.roster.position),
            run: run, number: number + 1, previous: hash, epoch: fixture.roster.epoch,
            salt: fixture.randomness.bytes(32))
    }

    /// A body whose unit has one part.
    func body(_ fixture: SpaceFixture, _ piece: [UInt8]) -> BatchBody {
        var seen = Vector()
        seen[run] = number
        return BatchBody(
            seen: seen, floor: 0, schema: SpaceFixture.fingerprint, digest: nil,
            UnitPart(index: 0, isLast: true, isBlockEnd: true, piece: piece))
    }

    /// The next batch.
    mutating func write(
        _ changes: [RowChange], _ schema: MergeSchema, _ fixture: SpaceFixture
    ) throws -> [UInt8] {
        try write(body(fixture, ChangeBlock.encode(changes, schema)), fixture)
    }

    mutating func write(_ body: BatchBody, _ fixture: SpaceFixture) throws -> [UInt8] {
        let header = try header(fixture)
        guard let key = try fixture.roster.keys(for: identity)[header.epoch] else {
            throw Refusal.noKey
        }
        let batch = try SealedBatch(
            body.bytes, header, key: key, padding: padding, signedBy: identity.signing)
        number += 1
        hash = try batch.hash()
        return batch.bytes
    }
}
