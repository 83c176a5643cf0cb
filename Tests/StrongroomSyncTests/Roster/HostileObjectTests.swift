import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite("Objects of a hub", .proves("SYN-210"))
struct HostileObjectTests {
    private var fixture: SpaceFixture
    private let phone: DeviceIdentity
    private var writer: BatchWriter

    init() throws {
        fixture = try SpaceFixture()
        phone = try fixture.device()
        writer = try BatchWriter(phone, fixture.randomness)
    }

    @Test(
        "10,000 changed batches, heads, entries, manifests and tickets are accepted 0 times",
        .proves("SYN-104"))
    mutating func mutations() throws {
        let name = writer.nextName
        var random = RandomChanges(seed: 21)
        let batch = try writer.write(random.changes(20), RandomChanges.schema, fixture)
        let start = ObjectStart(.head, fixture.space, phone.device, fixture.roster.position)
        let head = try DeviceHead(start, writer.run, 1, #require(writer.hash))
            .signed(with: phone.signing)
        let header = SnapshotManifest.Header(
            ObjectStart(.manifest, fixture.space, phone.device, fixture.roster.position),
            epoch: 1, salt: try fixture.randomness.bytes(32))
        let snapshot = try SnapshotWriter(
            header, key: #require(fixture.keys.newest), RandomChanges.schema, emit: { _, _ in }
        ).finish(
            vector: Vector(), tails: [:], floor: Floor(), fingerprint: SpaceFixture.fingerprint,
            signedBy: phone.signing)
        let roster = fixture.roster
        let entry = try roster.entry(
            for: .retention(40), by: phone, time: fixture.time, fixture.randomness)
        let verification = try fixture.verification
        func read(_ kind: Int, _ bytes: [UInt8]) throws {
            switch kind {
            case 0: _ = try verification.batch(bytes, under: name, after: nil)
            case 1: _ = try verification.head(bytes, under: .head(start.device))
            case 2:
                var roster = roster
                try roster.append(bytes)
            default: _ = try verification.manifest(bytes, under: snapshot.name)
            }
        }
        let objects = [batch, head, entry, snapshot.bytes]
        for (kind, object) in objects.enumerated() { try read(kind, object) }
        var acceptedCount = 0
        let count = try Fuzzing().run("an object of a hub", inputs: 10_000) { random in
            let kind = Int.random(in: 0..<objects.count, using: &random)
            let mutated = Self.mutated(objects[kind], objects, &random)
            guard mutated != objects[kind] else { return }
            do {
                try read(kind, mutated)
                acceptedCount += 1
            } catch is Refusal {}
        }
        #expect(acceptedCount == 0 && count >= 10_000)
    }

    /// Bits, bytes and pieces changed, exchanged, doubled and cut off.
    private static func mutated(
        _ object: [UInt8], _ others: [[UInt8]], _ random: inout SeededGenerator
    ) -> [UInt8] {
        var bytes = object
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            let count = Int.random(in: 1...min(64, bytes.count - index), using: &random)
            switch Int.random(in: 0...6, using: &random) {
            case 0: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 1: bytes.removeSubrange(index..<(index + count))
            case 2: bytes.insert(contentsOf: bytes[index..<(index + count)], at: index)
            case 3: bytes.removeSubrange(max(index, 1)...)
            case 4:
                for offset in index..<(index + count) { bytes[offset] = random.pick([0, 0xff]) }
            case 5:
                let other = random.pick(others)
                for offset in index..<(index + count) where offset < other.count {
                    bytes[offset] = other[offset]
                }
            default: bytes += [UInt8](repeating: 0, count: count)
            }
        }
        return bytes
    }
}
