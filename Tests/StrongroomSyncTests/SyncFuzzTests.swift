import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Objects of a member who writes anything: signatures and encryption are right, contents are not.
@Suite("Random objects of a hub", .proves("SYN-258"))
struct SyncFuzzTests {
    private var fixture: SpaceFixture
    private let phone: DeviceIdentity

    init() throws {
        fixture = try SpaceFixture()
        phone = try fixture.device()
        try fixture.change(.tables([1, 2, 3]))
    }

    @Test("Blocks and bodies of batches are read, or refused")
    func batches() throws {
        let key = try #require(fixture.keys.newest)
        let verification = try fixture.verification
        let writer = try BatchWriter(phone, fixture.randomness)
        let header = try writer.header(fixture)
        var readCount = 0
        let count = try Fuzzing().run("a batch", inputs: 1000) { random in
            var changes = RandomChanges(seed: random.next())
            let block = ChangeBlock.encode(
                changes.changes(.random(in: 0...12, using: &random)), RandomChanges.schema)
            var body = writer.body(fixture, random.mutated(block))
            body.part = random.pick([0, 0, 0, 1, .max])
            body.isLastPart = Int.random(in: 0...3, using: &random) > 0
            body.isBlockEnd = Int.random(in: 0...3, using: &random) > 0
            let bytes = Bool.random(using: &random) ? body.bytes : random.mutated(body.bytes)
            let batch = try SealedBatch(
                bytes, header, key: key, padding: .none, signedBy: phone.signing)
            do {
                let read = try verification.batch(
                    batch.bytes, under: writer.nextName, after: nil)
                var reader = UnitReader()
                var schema = RandomChanges.schema
                let changes = try reader.add(read.body.unitPart, &schema) ?? []
                try Fuzzing.expect(changes.allSatisfy { $0.state.isValid }, "an invalid state")
                // What was read can be written, and comes back.
                let again = try ChangeBlock.decode(ChangeBlock.encode(changes, schema), &schema)
                try Fuzzing.expect(Set(again) == Set(changes), "other changes the second time")
                readCount += 1
            } catch is Refusal {}
        }
        #expect(readCount > 0 && readCount < count)
    }

    @Test(
        "Entries of a roster with a right signature are taken over, or refused and change nothing")
    func entries() throws {
        let keys = try fixture.keys
        let other = try DeviceIdentity.generated(fixture.randomness)
        let randomness = fixture.randomness
        let good = try [
            RosterChange.retention(50), .epoch(withHistory: true), .hub("folder:/a"),
            .device(other.publicKeys, name: "x"), .ticket(other.publicKeys),
            .remove(phone.device, [.init(Run(high: 1, low: 2), 3, SpaceFixture.digest("x"))]),
            .floor(Floor(number: 1, passed: Vector(), known: Vector())), .tables([4]),
        ].map {
            try fixture.roster.entry(for: $0, by: phone, time: fixture.time, randomness)
        }
        var takenCount = 0
        let count = try Fuzzing().run("an entry of a roster", inputs: 1000) { random in
            let entry = random.pick(good)
            var content = Array(entry.dropLast(64))
            // The header stays mostly as it is, so that the payload is reached.
            let start = random.pick([0, 104, 109, 109, 109])
            content = content[..<start] + random.mutated(Array(content[start...]))
            if content.count >= 109, Bool.random(using: &random) {
                var length: [UInt8] = []
                length.append(fixed: UInt32(content.count - 109))
                content.replaceSubrange(105..<109, with: length)
            }
            guard !content.isEmpty else { return }
            let signed = try SignedBytes(signing: content, with: phone.signing).bytes
            var roster = fixture.roster
            let before = roster.position
            do {
                try roster.append(signed)
                takenCount += 1
                try Fuzzing.expect(
                    roster.position.number == before.number + 1, "another position")
                _ = try roster.keys(for: fixture.me)
                _ = try? roster.tables(keys)
            } catch is Refusal {
                try Fuzzing.expect(roster.position == before, "a refused entry changed something")
            }
        }
        #expect(takenCount > 0 && takenCount < count)
    }

    @Test("Manifests and parts of snapshots are read, or refused")
    func snapshots() throws {
        let key = try #require(fixture.keys.newest)
        let verification = try fixture.verification
        let header = SnapshotManifest.Header(
            ObjectStart(.manifest, fixture.space, phone.device, fixture.roster.position),
            epoch: 1, salt: try fixture.randomness.bytes(32))
        let name = HubName.manifest(try header.id())
        let count = try Fuzzing().run("a snapshot", inputs: 500) { random in
            var changes = RandomChanges(seed: random.next())
            var content: [UInt8] = [random.pick([0, 0, 0, 1, 2, 3])]
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let rows = changes.changes(.random(in: 0...5, using: &random))
                content.append(
                    counted: random.mutated(ChangeBlock.encode(rows, RandomChanges.schema)))
            }
            let part = try SnapshotPart.seal(content, 0, header, key)
            let manifest = SnapshotManifest(
                vector: Vector(), tails: [:], floor: Floor(), schema: SpaceFixture.fingerprint,
                digest: [UInt8](repeating: 0, count: 32),
                rowCount: .random(in: 0...5, using: &random),
                parts: [.init(hash: try .of(part), byteCount: part.count)])
            let sealed = try manifest.sealed(header, key: key, signedBy: phone.signing)
            do {
                let read = try verification.manifest(sealed, under: name)
                var reader = try SnapshotReader(read.manifest, read.header, key: read.key)
                var schema = RandomChanges.schema
                _ = try reader.read(part, &schema)
                try reader.finish()
            } catch is Refusal {}
        }
        #expect(count >= 500)
    }

    @Test("Texts are tickets, or are refused")
    func tickets() throws {
        let invitation = try Ticket.invitation(to: fixture.space, fixture.randomness)
        var fixture = fixture
        try fixture.change(.ticket(invitation.identity.publicKeys))
        let ticket = try invitation.ticket(hub: "folder:/a", in: fixture.roster)
        let text = Array(ticket.text.utf8)
        _ = try Fuzzing().run("a ticket", inputs: 2000) { random in
            let mutated = random.mutated(text)
            guard mutated != text else { return }
            let found = String(decoding: mutated, as: UTF8.self)
            try Fuzzing.expect(
                (try? Ticket(found)) == nil || found.lowercased() == ticket.text, found)
        }
    }

    @Test("Heads of devices are read, or refused")
    func heads() throws {
        let verification = try fixture.verification
        let run = try fixture.randomness.run(of: phone.device)
        let start = ObjectStart(.head, fixture.space, phone.device, fixture.roster.position)
        let head = try DeviceHead(start, run, 1, SpaceFixture.digest("x")).signed(
            with: phone.signing)
        _ = try Fuzzing().run("a head", inputs: 1000) { random in
            let content = random.mutated(Array(head.dropLast(64)))
            guard !content.isEmpty else { return }
            let signed = try SignedBytes(signing: content, with: phone.signing).bytes
            do {
                let read = try verification.head(signed, under: .head(phone.device))
                try Fuzzing.expect(read.start.device == phone.device, "another device")
            } catch is Refusal {}
        }
    }
}
