import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite("A batch", .proves("SYN-205", "SYN-210"))
struct BatchVerificationTests {
    private var fixture: SpaceFixture
    private let phone: DeviceIdentity
    private var writer: BatchWriter
    private var changes: [RowChange]

    init() throws {
        fixture = try SpaceFixture()
        phone = try fixture.device()
        writer = try BatchWriter(phone, fixture.randomness)
        var random = RandomChanges(seed: 21)
        changes = random.changes(20)
    }

    private func refusal(
        _ bytes: [UInt8], under name: HubName, after tail: LogTail? = nil,
        _ fixture: SpaceFixture? = nil
    ) throws -> Refusal? {
        do {
            _ = try (fixture ?? self.fixture).verification.batch(bytes, under: name, after: tail)
            return nil
        } catch let refusal as Refusal {
            return refusal
        }
    }

    @Test("of a device of the space is decrypted, and its changes come back", .proves("SYN-100"))
    mutating func accepted() throws {
        let name = writer.nextName
        let bytes = try writer.write(changes, RandomChanges.schema, fixture)
        let batch = try fixture.verification.batch(bytes, under: name, after: nil)
        var schema = RandomChanges.schema
        var reader = UnitReader()
        let read = try #require(try reader.add(batch.body.unitPart, &schema))
        #expect(Set(read) == Set(changes))
        #expect(batch.body.schema == SpaceFixture.fingerprint)
        let second = writer.nextName
        let more = try writer.write(changes, RandomChanges.schema, fixture)
        #expect(try refusal(more, under: second, after: batch.tail) == nil)
    }

    @Test("has a key of its own, even for the same content", .proves("SYN-100"))
    mutating func keys() throws {
        let key = try #require(fixture.keys.newest)
        let header = try writer.header(fixture)
        let body = writer.body(fixture, [1, 2, 3]).bytes
        func ciphertext(_ header: BatchHeader) throws -> [UInt8] {
            let batch = try SealedBatch(
                body, header, key: key, padding: .padme, signedBy: phone.signing)
            return Array(batch.bytes.dropFirst(BatchHeader.byteCount).dropLast(64))
        }
        // A clone that writes the same number, and even with the same salt another header.
        var salted = header
        salted.salt[0] ^= 1
        var numbered = header
        numbered.number += 1
        let texts = try [header, salted, numbered].map(ciphertext)
        #expect(Set(texts).count == 3)
        #expect(try ciphertext(header) == texts[0])
    }

    @Test("that is not the next one of its run is refused")
    mutating func order() throws {
        let names = (1...3).map { HubName.batch(phone.device, writer.run, $0) }
        let batches = try names.map { _ in
            try writer.write(changes, RandomChanges.schema, fixture)
        }
        let first = try fixture.verification.batch(batches[0], under: names[0], after: nil)
        #expect(try refusal(batches[1], under: names[1]) == .gap)
        #expect(try refusal(batches[2], under: names[2], after: first.tail) == .gap)
        #expect(try refusal(batches[0], under: names[0], after: first.tail) == .known)
        #expect(try refusal(batches[1], under: names[1], after: first.tail) == nil)
        #expect(try refusal(batches[1], under: names[2], after: first.tail) == .misplaced)

        // The other of two copies of the device writes the same number, and then the next one.
        var clone = writer
        clone.number = 0
        clone.hash = nil
        let other = try clone.write([], RandomChanges.schema, fixture)
        #expect(try refusal(other, under: names[0], after: first.tail) == .numberReused)
        let after = try clone.write([], RandomChanges.schema, fixture)
        #expect(try refusal(after, under: names[1], after: first.tail) == .brokenChain)
    }

    @Test("of another space, of a stranger, or under the run of another device is refused")
    mutating func foreign() throws {
        let other = try SpaceFixture(seed: 9)
        var stranger = try BatchWriter(other.me, other.randomness)
        let name = stranger.nextName
        #expect(
            try refusal(stranger.write([], RandomChanges.schema, other), under: name)
                == .otherSpace)
        var thief = try BatchWriter(fixture.me, fixture.randomness)
        thief = BatchWriter(copying: thief, run: writer.run)
        let stolen = thief.nextName
        #expect(
            try refusal(thief.write([], RandomChanges.schema, fixture), under: stolen)
                == .foreignRun)
        var later = fixture
        let newcomer = try later.device("new")
        var early = try BatchWriter(newcomer, fixture.randomness)
        let earlyName = early.nextName
        let bytes = try early.write([], RandomChanges.schema, later)
        #expect(try refusal(bytes, under: earlyName) == .unknownDevice)
        #expect(try refusal(bytes, under: earlyName, later) == nil)
        // It says that it stood before its own entry.
        let header = try BatchHeader(
            start: ObjectStart(
                .batch, fixture.space, newcomer.device, fixture.roster.position),
            run: early.run, number: 1, previous: nil, epoch: 1,
            salt: fixture.randomness.bytes(32))
        let key = try #require(fixture.keys.newest)
        let before = try SealedBatch(
            early.body(fixture, []).bytes, header, key: key, padding: .none,
            signedBy: newcomer.signing)
        #expect(try refusal(before.bytes, under: earlyName, later) == .notYetMember)
    }

    @Test("that names a position of the future, or goes back in the roster, is refused")
    mutating func positions() throws {
        let names = (1...3).map { HubName.batch(phone.device, writer.run, $0) }
        let past = fixture
        try fixture.change(.retention(40))
        let first = try writer.write([], RandomChanges.schema, fixture)
        #expect(try refusal(first, under: names[0], past) == .rosterFuture)
        let tail = try fixture.verification.batch(first, under: names[0], after: nil).tail
        let back = try writer.write([], RandomChanges.schema, past)
        #expect(try refusal(back, under: names[1], after: tail) == .rosterBackwards)
    }

    @Test(
        "of a removed device counts up to the last that the removal names, for all alike",
        .proves("SYN-105"))
    mutating func removed() throws {
        let names = (1...4).map { HubName.batch(phone.device, writer.run, $0) }
        var batches: [[UInt8]] = []
        var hashes: [ContentDigest] = []
        let before = fixture
        for _ in names {
            batches.append(try writer.write(changes, RandomChanges.schema, fixture))
            hashes.append(try #require(writer.hash))
        }
        var other = try BatchWriter(phone, fixture.randomness)
        let otherName = other.nextName
        let unknown = try other.write([], RandomChanges.schema, fixture)
        try fixture.change(.remove(phone.device, [.init(writer.run, 2, hashes[1])]))
        let pending = fixture
        try fixture.change(.epoch(withHistory: true))
        var tail: LogTail?
        for index in 0..<4 {
            let found = try refusal(batches[index], under: names[index], after: tail)
            #expect(found == (index < 2 ? nil : .removed))
            if index < 2 {
                tail = try fixture.verification.batch(
                    batches[index], under: names[index], after: tail
                ).tail
            }
        }
        #expect(try refusal(unknown, under: otherName) == .removed)
        // What it writes after it was removed, with what it has: an earlier position, or the present one.
        writer.number = 1
        writer.hash = hashes[0]
        let again = try writer.write([], RandomChanges.schema, before)
        let first = try fixture.verification.batch(batches[0], under: names[0], after: nil).tail
        #expect(try refusal(again, under: names[1], after: first) == .removed)
        #expect(throws: Refusal.noKey) { try writer.write([], RandomChanges.schema, fixture) }
        // Nobody writes between a removal and the next epoch.
        var mine = try BatchWriter(fixture.me, fixture.randomness)
        let name = mine.nextName
        let early = try mine.write([], RandomChanges.schema, pending)
        #expect(try refusal(early, under: name) == .epochPending)
    }

    @Test("under an epoch that is not that of its position is refused", .proves("SYN-105"))
    mutating func epochs() throws {
        let keys = try fixture.keys
        let known = try #require(keys.newest)
        try fixture.change(.epoch(withHistory: true))
        let name = writer.nextName
        var header = try writer.header(fixture)
        for epoch in [UInt32(1), 3, .max] {
            header.epoch = epoch
            let key = try #require(known.copy(epoch: epoch))
            let batch = try SealedBatch(
                writer.body(fixture, []).bytes, header, key: key, padding: .none,
                signedBy: phone.signing)
            #expect(try refusal(batch.bytes, under: name) == .wrongEpoch)
        }
        let bytes = try writer.write([], RandomChanges.schema, fixture)
        let without = ObjectVerification(fixture.roster, keys)
        #expect(throws: Refusal.noKey) { try without.batch(bytes, under: name, after: nil) }
    }

    @Test("with a valid signature over a hostile content is refused")
    mutating func hostileContents() throws {
        func found(_ body: [UInt8]) throws -> Refusal? {
            let header = try writer.header(fixture)
            let key = try #require(fixture.keys.newest)
            let batch = try SealedBatch(
                body, header, key: key, padding: .padme, signedBy: phone.signing)
            do {
                let verified = try fixture.verification.batch(
                    batch.bytes, under: writer.nextName, after: nil)
                var reader = UnitReader()
                var schema = RandomChanges.schema
                _ = try reader.add(verified.body.unitPart, &schema)
                return nil
            } catch let refusal as Refusal {
                return refusal
            }
        }
        let good = writer.body(fixture, ChangeBlock.encode(changes, RandomChanges.schema))
        #expect(try found(good.bytes) == nil)
        var later = good
        later.seen[writer.run] = 1
        #expect(try found(later.bytes) != nil)
        var part = good
        part.part = 1
        #expect(try found(part.bytes) != nil)
        #expect(try found([]) != nil)
        #expect(try found([9] + good.bytes.dropFirst()) == .unknownVersion)
        #expect(try found(good.bytes + [0]) != nil)
        let author = Author(Stamp(bits: Stamp.limit.bits), writer.run)
        for state in [
            RowState(life: 0), RowState(life: 2), RowState(life: 1, birth: author),
            RowState(life: RowState.lifeLimit + 1),
        ] {
            let change = RowChange(changes[0].row, state)
            let body = writer.body(fixture, ChangeBlock.encode([change], RandomChanges.schema))
            #expect(try found(body.bytes) != nil)
        }
    }
}

extension BatchWriter {
    /// One that writes under the run of another device.
    init(copying other: BatchWriter, run: Run) {
        identity = other.identity
        self.run = run
    }
}

extension SpaceKey {
    /// The same key for another epoch.
    func copy(epoch: UInt32) -> SpaceKey? {
        SpaceKey(epoch: epoch, bytes.withUnsafeBytes { SecretBytes(copying: $0) })
    }
}
