import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite("A roster")
struct RosterTests {
    private var fixture: SpaceFixture

    init() throws {
        fixture = try SpaceFixture()
    }

    /// What reading an entry after those of the fixture comes to.
    private func refusal(
        _ content: RosterEntry.Content, by signer: DeviceIdentity? = nil, time: Int64? = nil,
        position: UInt64? = nil, previous: ContentDigest? = nil, space: SpaceID? = nil
    ) throws -> Refusal? {
        let signer = signer ?? fixture.me
        let entry = RosterEntry(
            space: space ?? fixture.space,
            position: position ?? fixture.roster.position.number + 1,
            previous: previous ?? fixture.roster.position.hash, signer: signer.device,
            time: time ?? fixture.time + 1000, content: content)
        var roster = fixture.roster
        let before = roster.position
        do {
            try roster.append(entry.signed(with: signer.signing))
            return nil
        } catch let refusal as Refusal {
            #expect(roster.position == before)
            return refusal
        }
    }

    @Test("is read again from its entries, and names the space by the first", .proves("SYN-102"))
    mutating func chain() throws {
        let phone = try fixture.device()
        try fixture.change(.tables(Array("policies".utf8)))
        try fixture.change(.hub("folder:/mnt/share/hub"), by: phone)
        try fixture.change(.retention(60))
        try fixture.change(.epoch(withHistory: true), by: phone)
        var roster = try Roster(first: fixture.entries[0], of: fixture.space)
        for entry in fixture.entries.dropFirst() { try roster.append(entry) }
        #expect(roster.position == fixture.roster.position)
        #expect(roster.space.bytes == (try ContentDigest.of(fixture.entries[0])).bytes)
        #expect(roster.retention == 60)
        for identity in [fixture.me, phone] {
            let keys = try roster.keys(for: identity)
            #expect(keys.epochs == [1, 2])
            #expect(try roster.tables(keys) == Array("policies".utf8))
            #expect(try roster.hub(keys) == "folder:/mnt/share/hub")
            #expect(try roster.name(of: fixture.me.device, keys) == "laptop")
            #expect(try roster.name(of: phone.device, keys) == "phone")
        }
        #expect(throws: Refusal.otherSpace) {
            try Roster(first: SpaceFixture(seed: 2).entries[0], of: fixture.space)
        }
    }

    @Test(
        "refuses what does not follow the entry before, with a reason",
        .proves("SYN-102", "SYN-104"))
    mutating func wrongEntries() throws {
        _ = try fixture.device()
        let stranger = try DeviceIdentity.generated(fixture.randomness)
        let days = RosterEntry.Content.retention(40)
        let position = fixture.roster.position
        #expect(try refusal(days) == nil)
        #expect(try refusal(days, by: stranger) == .unknownDevice)
        #expect(try refusal(days, position: position.number) == .wrongPosition)
        #expect(try refusal(days, position: position.number + 2) == .wrongPosition)
        #expect(try refusal(days, previous: SpaceFixture.digest("other")) == .rosterFork)
        #expect(try refusal(days, space: SpaceFixture(seed: 2).space) == .otherSpace)
        #expect(try refusal(days, time: fixture.time - 1) == .timeBackwards)
        #expect(try refusal(days, time: Stamp.limit.milliseconds) == .timeBackwards)
        #expect(try refusal(days, time: .min) == .timeBackwards)
        #expect(try refusal(.retention(0)) != nil)
        #expect(try refusal(.ticketReused) == .noRight)
        #expect(try refusal(.floor(Floor(number: 2, passed: Vector(), known: Vector()))) != nil)
        #expect(try refusal(.remove(.init(stranger.device, []))) == .unknownDevice)
    }

    @Test(
        "refuses kinds of entries that only later versions write, never passes them over",
        .proves("SYN-102"))
    func laterKinds() throws {
        let entry = RosterEntry(
            space: fixture.space, position: 2, previous: fixture.roster.position.hash,
            signer: fixture.me.device, time: fixture.time, content: .retention(40))
        let bytes = Array(try entry.signed(with: fixture.me.signing).dropLast(64))
        for kind in [RosterEntry.Kind.member.rawValue, RosterEntry.Kind.role.rawValue, 12, 255] {
            var changed = bytes
            changed[104] = kind
            var roster = fixture.roster
            let signed = try SignedBytes(signing: changed, with: fixture.me.signing).bytes
            #expect(throws: Refusal.unknownVersion) { try roster.append(signed) }
        }
    }

    @Test(
        "lets an admin who adds a device with a useless key not lock the others out",
        .proves("SYN-102"))
    mutating func uselessKeys() throws {
        let other = try DeviceIdentity.generated(fixture.randomness)
        let wrap = try KeyWrap(
            #require(fixture.keys.newest), for: other.publicKeys, in: fixture.space,
            fixture.randomness)
        let small = [[UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31)]
        for point in small {
            let keys = try #require(
                DevicePublicKeys(signing: other.publicKeys.signing, agreement: point))
            let device = RosterEntry.NewDevice(
                keys: keys, epoch: 1, wrap: wrap, sealedName: [])
            #expect(try refusal(.device(device)) != nil)
        }
        let twice = RosterEntry.NewDevice(
            keys: fixture.me.publicKeys, epoch: 1, wrap: wrap, sealedName: [])
        #expect(try refusal(.device(twice)) != nil)
    }

    // MARK: - Epochs

    @Test(
        "gives each epoch's key to the devices that are left, and its history to those who come",
        .proves("SYN-101", "SYN-105", "SYN-106", "SYN-112"))
    mutating func epochs() throws {
        let lost = try fixture.device("lost")
        let phone = try fixture.device("phone")
        try fixture.change(.remove(lost.device, []))
        #expect(fixture.roster.isEpochPending)
        let keys = try fixture.keys
        #expect(throws: Refusal.epochPending) { try fixture.change(.retention(40)) }
        try fixture.change(.epoch(withHistory: true), by: phone)
        #expect(!fixture.roster.isEpochPending)
        let new = try DeviceIdentity.generated(fixture.randomness)
        try fixture.change(.device(new.publicKeys, name: "new"))
        for identity in [fixture.me, phone, new] {
            let keys = try fixture.roster.keys(for: identity)
            #expect(keys.epochs == [1, 2])
        }
        // Everything that the lost device has: its keys, and every byte of the roster.
        #expect(try fixture.roster.keys(for: lost).epochs == [1])
        #expect(throws: Refusal.removed) { try fixture.change(.retention(40), by: lost) }
        let first = try #require(keys.newest).check()
        #expect(try fixture.roster.keys(for: new)[1]?.check() == first)
        #expect(try fixture.roster.keys(for: new)[2]?.check() != first)
    }

    @Test("without history gives no earlier key to those who come", .proves("SYN-101"))
    mutating func fromNow() throws {
        try fixture.change(.epoch(withHistory: false))
        try fixture.change(.epoch(withHistory: true))
        let new = try fixture.device("new")
        #expect(try fixture.roster.keys(for: new).epochs == [2, 3])
        #expect(try fixture.keys.epochs == [1, 2, 3])
        #expect(
            try fixture.roster.name(of: fixture.me.device, fixture.roster.keys(for: new)) == nil)
    }

    @Test("with a wrap for another key than the epoch's gives a device none, not a wrong one")
    mutating func dishonestWrap() throws {
        let phone = try fixture.device()
        let keys = try fixture.keys
        let next = try SpaceKey.generated(epoch: 2, fixture.randomness)
        let other = try SpaceKey.generated(epoch: 2, fixture.randomness)
        let devices = fixture.roster.activeDevices
        let wraps = try devices.map { device in
            let key = device == phone.device ? other : next
            let recipient = try #require(fixture.roster.devices[device]).keys
            return try KeyWrap(key, for: recipient, in: fixture.space, fixture.randomness)
        }
        let entry = RosterEntry(
            space: fixture.space, position: fixture.roster.position.number + 1,
            previous: fixture.roster.position.hash, signer: fixture.me.device,
            time: fixture.time + 1,
            content: .epoch(
                .init(
                    epoch: 2, check: try next.check(),
                    sealedPrevious: try next.seal(#require(keys[1])), wraps: wraps)))
        try fixture.roster.append(entry.signed(with: fixture.me.signing))
        #expect(try fixture.roster.keys(for: phone).epochs == [1])
        #expect(try fixture.roster.keys(for: fixture.me).epochs == [1, 2])
        // A wrap is 92 bytes for each device.
        #expect(KeyWrap.byteCount == 92 && wraps.allSatisfy { $0.bytes.count == 92 })
        #expect(try refusal(.epoch(.init(epoch: 3, check: next.check(), wraps: []))) != nil)
    }

    // MARK: - Two at once

    private func logs() async throws -> RosterLog {
        let log = RosterLog(MemoryHub(), fixture.space)
        try await log.store(fixture.entries)
        return log
    }

    @Test("gives a position to one of two, and the other writes after it", .proves("SYN-103"))
    mutating func rebase() async throws {
        let phone = try fixture.device()
        let log = try await logs()
        var (mine, theirs) = (fixture.roster, fixture.roster)
        let (me, time, randomness) = (fixture.me, fixture.time, fixture.randomness)
        var kept: [[UInt8]] = []
        try await log.publish(
            .retention(40), to: &mine, by: me, time: time, randomness, keep: { kept.append($0) })
        try await log.publish(
            .epoch(withHistory: true), to: &theirs, by: phone, time: time, randomness,
            keep: { _ in })
        #expect(theirs.position.number == mine.position.number + 1)
        #expect(theirs.retention == 40 && kept.count == 1)
        #expect(
            try await log.update(&mine, keep: { _ in }) == .read(1))
        #expect(mine.position == theirs.position)
    }

    @Test("lets one of two devices that remove each other win, and all agree", .proves("SYN-103"))
    mutating func mutualRemoval() async throws {
        let phone = try fixture.device()
        let log = try await logs()
        var (mine, theirs) = (fixture.roster, fixture.roster)
        let (me, time, randomness) = (fixture.me, fixture.time, fixture.randomness)
        try await log.publish(
            .remove(phone.device, []), to: &mine, by: me, time: time, randomness,
            keep: { _ in })
        await #expect(throws: Refusal.removed) {
            try await log.publish(
                .remove(me.device, []), to: &theirs, by: phone, time: time, randomness,
                keep: { _ in })
        }
        #expect(theirs.position == mine.position)
        #expect(theirs.devices[me.device]?.isActive == true)
        // The last device stays.
        #expect(throws: Refusal.self) {
            try mine.entry(for: .remove(me.device, []), by: me, time: time, randomness)
        }
    }

    @Test("finds a hub that shows another roster, or an older one", .proves("SYN-104"))
    mutating func forks() async throws {
        let phone = try fixture.device()
        let hub = MemoryHub()
        let log = RosterLog(hub, fixture.space)
        try await log.store(fixture.entries)
        let older = hub.contents
        var (mine, theirs) = (fixture.roster, fixture.roster)
        let (me, time, randomness) = (fixture.me, fixture.time, fixture.randomness)
        try await log.publish(
            .retention(40), to: &mine, by: me, time: time, randomness, keep: { _ in })
        hub.restore(older)
        #expect(try await log.update(&mine, keep: { _ in }) == .hubBehind)
        await #expect(throws: RosterLog.Difference(finding: .hubBehind)) {
            try await log.publish(
                .retention(45), to: &mine, by: me, time: time, randomness, keep: { _ in })
        }
        try await log.publish(
            .retention(50), to: &theirs, by: phone, time: time, randomness, keep: { _ in })
        #expect(
            try await log.update(&mine, keep: { _ in }) == .fork(at: mine.position.number))
        #expect(throws: Never.self) {
            try theirs.entry(for: .retention(60), by: phone, time: time, randomness)
        }
        // A batch of one side, when it reaches the other.
        var writer = try BatchWriter(phone, randomness)
        var other = fixture
        other.roster = theirs
        let name = writer.nextName
        let batch = try writer.write([], RandomChanges.schema, other)
        let keys = try mine.keys(for: me)
        #expect(throws: Refusal.rosterFork) {
            try ObjectVerification(mine, keys).batch(batch, under: name, after: nil)
        }
    }
}
