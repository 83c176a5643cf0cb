import StrongroomCore
import StrongroomTestSupport

@testable import StrongroomSync

/// A hub with a bit of everything: three devices, a ticket, two epochs, batches, units of several parts, a snapshot.
struct WrittenSpace {
    static let url = "folder:/mnt/share/hub"

    var fixture: SpaceFixture
    let ticket: Ticket
    private(set) var changes: [RowChange] = []
    private(set) var snapshotRows: [RowChange] = []
    private(set) var batchCount = 0

    init(
        seed: UInt64, in hub: any SyncTransport, moreChanges: [RowChange] = []
    ) async throws {
        fixture = try SpaceFixture(seed: seed)
        var random = RandomChanges(seed: seed)
        let phone = try fixture.device("phone")
        let lost = try fixture.device("tablet")
        try fixture.change(.tables(Array("policies".utf8)))
        try fixture.change(.hub(Self.url), by: phone)
        var first = try BatchWriter(phone, fixture.randomness)
        var second = try BatchWriter(lost, fixture.randomness)
        var objects: [(HubName, [UInt8])] = []
        for _ in 0..<3 {
            try Self.write(random.changes(30), &first, fixture, &objects, &changes)
            try Self.write(random.changes(5), &second, fixture, &objects, &changes)
        }
        let last = try RosterEntry.Removal.LastBatch(
            second.run, second.number, second.hash ?? .of([]))
        try fixture.change(.remove(lost.device, [last]))
        try fixture.change(.epoch(withHistory: true))
        try fixture.change(.retention(40))
        let invitation = try Ticket.invitation(to: fixture.space, fixture.randomness)
        try fixture.change(.ticket(invitation.identity.publicKeys))
        ticket = try invitation.ticket(hub: Self.url, in: fixture.roster)

        var mine = try BatchWriter(fixture.me, fixture.randomness)
        try Self.write(moreChanges + random.changes(40), &mine, fixture, &objects, &changes)
        try Self.write(Self.long(&random), &mine, fixture, &objects, &changes)
        let start = ObjectStart(.head, fixture.space, fixture.me.device, fixture.roster.position)
        let head = try DeviceHead(start, mine.run, mine.number, mine.hash ?? .of([]))
        objects.append((.head(fixture.me.device), try head.signed(with: fixture.me.signing)))
        batchCount = objects.count - 1
        var vector = Vector()
        vector[mine.run] = mine.number
        let tail = try LogTail(
            mine.number, mine.hash ?? .of([]), roster: fixture.roster.position.number)
        try addSnapshot(vector, [mine.run: tail], &objects)
        try await RosterLog(hub, fixture.space).store(fixture.entries)
        for (name, bytes) in objects {
            try await hub.put(bytes, under: name.text(in: fixture.space))
        }
    }

    /// A row that is longer than a batch.
    private static func long(_ random: inout RandomChanges) -> [RowChange] {
        var changes = random.changes(3)
        var state = RowState(life: 1)
        let author = Author(Stamp(milliseconds: SpaceFixture.start), random.runs[0])
        let blob = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0) }
        state.cells = [Cell(0, author, .value(.blob(blob)))]
        changes.append(
            RowChange(RowID(0, RowKey(bytes: KeyValues.bytes(of: [.integer(1)]))), state))
        return changes
    }

    /// Writes a unit.
    private static func write(
        _ unit: [RowChange], _ writer: inout BatchWriter, _ fixture: SpaceFixture,
        _ objects: inout [(HubName, [UInt8])], _ changes: inout [RowChange]
    ) throws {
        var parts: [UnitPart] = []
        var cutter = UnitWriter(RandomChanges.schema, seen: Vector()) { parts.append($0) }
        for change in unit { try cutter.add(change) }
        try cutter.finish()
        for part in parts {
            var seen = Vector()
            seen[writer.run] = writer.number - part.index
            let body = BatchBody(
                seen: seen, floor: 0, schema: SpaceFixture.fingerprint, digest: nil, part)
            let name = writer.nextName
            objects.append((name, try writer.write(body, fixture)))
        }
        changes += unit
    }

    private mutating func addSnapshot(
        _ vector: Vector, _ tails: [Run: LogTail], _ objects: inout [(HubName, [UInt8])]
    ) throws {
        var state = MergedState(RandomChanges.schema)
        state.merge(changes)
        snapshotRows = state.snapshot.rows
        let header = SnapshotManifest.Header(
            ObjectStart(.manifest, fixture.space, fixture.me.device, fixture.roster.position),
            epoch: fixture.roster.epoch, salt: try fixture.randomness.bytes(32))
        guard let key = try fixture.keys.newest else { throw Refusal.noKey }
        let parts = Locked<[(HubName, [UInt8])]>([])
        var writer = try SnapshotWriter(header, key: key, state.schema) { name, bytes in
            parts.withLock { $0.append((name, bytes)) }
        }
        for row in snapshotRows { try writer.add(row) }
        let manifest = try writer.finish(
            vector: vector, tails: tails, floor: Floor(), fingerprint: SpaceFixture.fingerprint,
            signedBy: fixture.me.signing)
        objects += parts.withLock { $0 }
        objects.append((manifest.name, manifest.bytes))
    }
}
