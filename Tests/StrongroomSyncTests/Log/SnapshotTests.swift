import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite("A snapshot", .proves("SYN-085"))
struct SnapshotTests {
    private let fixture: SpaceFixture
    private let state: MergedState

    init() throws {
        fixture = try SpaceFixture()
        var random = RandomChanges(seed: 11)
        var state = MergedState(RandomChanges.schema)
        state.merge(random.changes(500))
        self.state = state
    }

    private struct Made {
        var name: HubName
        var manifest: [UInt8]
        var parts: [HubName: [UInt8]]
    }

    private func header(_ fixture: SpaceFixture) throws -> SnapshotManifest.Header {
        SnapshotManifest.Header(
            ObjectStart(.manifest, fixture.space, fixture.me.device, fixture.roster.position),
            epoch: fixture.roster.epoch, salt: try fixture.randomness.bytes(32))
    }

    private func make(_ rows: [RowChange], _ vector: Vector = Vector()) throws -> Made {
        let parts = Locked<[HubName: [UInt8]]>([:])
        let key = try #require(fixture.keys.newest)
        var writer = try SnapshotWriter(header(fixture), key: key, state.schema) { name, bytes in
            #expect(bytes.count <= 4 << 20)
            parts.withLock { $0[name] = bytes }
        }
        for row in rows { try writer.add(row) }
        let tails = vector.numbers.mapValues { LogTail($0, SpaceFixture.fingerprint, roster: 3) }
        let (name, manifest, byteCount) = try writer.finish(
            vector: vector, tails: tails, floor: Floor(), fingerprint: SpaceFixture.fingerprint,
            signedBy: fixture.me.signing)
        #expect(byteCount == parts.withLock { $0.values.reduce(0) { $0 + $1.count } })
        return Made(name: name, manifest: manifest, parts: parts.withLock { $0 })
    }

    private func read(
        _ made: Made, _ fixture: SpaceFixture? = nil, _ change: (inout [UInt8]) -> Void = { _ in }
    ) throws -> MergedState {
        let (manifest, header, key) = try (fixture ?? self.fixture).verification.manifest(
            made.manifest, under: made.name)
        var reader = try SnapshotReader(manifest, header, key: key)
        var state = MergedState(RandomChanges.schema)
        while let name = try reader.nextName {
            guard var part = made.parts[name] else { throw Refusal.missingPart }
            change(&part)
            state.merge(try reader.read(part, &state.schema))
        }
        try reader.finish()
        return state
    }

    @Test("brings the merged state to another device, byte for byte")
    func roundTrip() throws {
        var vector = Vector()
        let run = try fixture.randomness.run(of: fixture.me.device)
        vector[run] = 7
        let made = try make(state.snapshot.rows, vector)
        #expect(try read(made).canonicalBytes == state.canonicalBytes)
        let manifest = try fixture.verification.manifest(made.manifest, under: made.name).manifest
        #expect(manifest.vector == vector)
        #expect(manifest.tails == [run: LogTail(7, SpaceFixture.fingerprint, roster: 3)])
        #expect(try read(make([])).rows.isEmpty)
    }

    @Test("of more than a part, and with rows longer than a part, arrives")
    func large() throws {
        var rows: [RowChange] = []
        let author = Author(Stamp(milliseconds: SpaceFixture.start), Run(high: 1, low: 2))
        for index in 0..<14 {
            var state = RowState(life: 1)
            let count = index == 7 ? 9 << 20 : 700_000
            state.cells = [Cell(0, author, .value(.blob([UInt8](repeating: 9, count: count))))]
            let key = RowKey(bytes: KeyValues.bytes(of: [.integer(Int64(index))]))
            rows.append(RowChange(RowID(0, key), state))
        }
        let made = try make(rows)
        #expect(made.parts.count >= 6)
        #expect(try read(made).rows.count == rows.count)
    }

    @Test("with a part that is missing, changed, or another's is refused", .proves("SYN-087"))
    func damagedParts() throws {
        let rows = state.snapshot.rows
        let made = try make(rows)
        var missing = made
        missing.parts = [:]
        #expect(throws: Refusal.missingPart) { try read(missing) }
        #expect(throws: Refusal.self) { try read(made) { $0[$0.count / 2] ^= 1 } }
        #expect(throws: Refusal.self) { try read(made) { $0.removeLast() } }
        // Two at once do not mix.
        var mixed = try make(rows)
        mixed.parts = Dictionary(
            uniqueKeysWithValues: zip(mixed.parts.keys, made.parts.values))
        #expect(throws: Refusal.self) { try read(mixed) }
        var renamed = made
        renamed.name = try make(rows).name
        #expect(throws: Refusal.misplaced) { try read(renamed) }
    }

    @Test("that lies of its digest, its rows or their order is refused")
    func lies() throws {
        let rows = state.snapshot.rows
        #expect(throws: Refusal.self) { try read(make(rows.reversed())) }
        #expect(throws: Refusal.self) { try read(make(rows + rows.suffix(1))) }
        let key = try #require(fixture.keys.newest)
        let honest = try make(rows)
        let (manifest, header, _) = try fixture.verification.manifest(
            honest.manifest, under: honest.name)
        for change in [
            { (manifest: inout SnapshotManifest) in manifest.digest[0] ^= 1 },
            { $0.rowCount += 1 }, { $0.parts.removeAll() }, { $0.parts += $0.parts },
        ] {
            var lie = manifest
            change(&lie)
            var made = honest
            made.manifest = try lie.sealed(header, key: key, signedBy: fixture.me.signing)
            #expect(throws: Refusal.self) { try read(made) }
        }
    }

    @Test("of a device that was removed since, or of a stranger, is not used", .proves("SYN-087"))
    func strangers() throws {
        let made = try make(state.snapshot.rows)
        var later = fixture
        let phone = try later.device()
        #expect(throws: Never.self) { try read(made, later) }
        try later.change(.remove(fixture.me.device, []), by: phone)
        try later.change(.epoch(withHistory: true), by: phone)
        let keys = try later.roster.keys(for: phone)
        #expect(throws: Refusal.removed) {
            try ObjectVerification(later.roster, keys).manifest(made.manifest, under: made.name)
        }
    }
}
