import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite("A ticket", .proves("SYN-110"))
struct TicketTests {
    private static let url = "folder:/mnt/share/my%20hub"
    private var fixture: SpaceFixture
    private let ticket: Ticket

    init() throws {
        fixture = try SpaceFixture()
        let invitation = try Ticket.invitation(to: fixture.space, fixture.randomness)
        try fixture.change(.ticket(invitation.identity.publicKeys))
        ticket = try invitation.ticket(hub: Self.url, in: fixture.roster)
    }

    @Test("is a text that is read again, and refused with a letter changed")
    func text() throws {
        let text = ticket.text
        #expect(text.hasPrefix("srs1"))
        for form in [text, text.uppercased()] {
            let read = try Ticket(form)
            #expect(read.hub == Self.url && read.space == ticket.space)
            #expect(read.roster == ticket.roster)
            #expect(try read.identity().device == ticket.identity().device)
        }
        let letters = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l")
        for index in text.indices.dropFirst(4) {
            var changed = Array(text)
            let position = text.distance(from: text.startIndex, to: index)
            changed[position] = letters[(letters.firstIndex(of: changed[position]) ?? 0) ^ 1]
            #expect(throws: Ticket.Failure.mistyped) { try Ticket(String(changed)) }
        }
        for wrong in ["", "srs1", "srs1qqqqqq", String(repeating: "a", count: 5000)] {
            #expect(throws: Ticket.Failure.self) { try Ticket(wrong) }
        }
    }

    @Test("never holds credentials of the hub", .proves("SYN-114"))
    mutating func credentials() throws {
        let invitation = try Ticket.invitation(to: fixture.space, fixture.randomness)
        try fixture.change(.ticket(invitation.identity.publicKeys))
        for url in [
            "postgresql://anna:secret@hub.example/strongroom", "postgresql://anna@hub.example/s",
            "postgresql://hub.example/s?password=secret", "https://hub.example/?token=a",
        ] {
            #expect(throws: Ticket.Failure.credentials) {
                try invitation.ticket(hub: url, in: fixture.roster)
            }
        }
        for url in ["", "a b", "a\nb", String(repeating: "a", count: 401)] {
            #expect(throws: Ticket.Failure.invalidURL) {
                try invitation.ticket(hub: url, in: fixture.roster)
            }
        }
        #expect(throws: Never.self) {
            try invitation.ticket(hub: "folder:/srv/a@b/hub", in: fixture.roster)
        }
    }

    @Test("brings one device in, with all space keys, and its own name")
    mutating func joining() throws {
        let read = try Ticket(ticket.text)
        try read.require(fixture.roster, at: fixture.time)
        let provisional = try read.identity()
        #expect(try fixture.roster.keys(for: provisional).epochs == [1])
        let phone = try DeviceIdentity.generated(fixture.randomness)
        try fixture.change(.successor(phone.publicKeys, name: "phone"), by: provisional)
        #expect(fixture.roster.activeDevices == [fixture.me.device, phone.device].sorted())
        #expect(try fixture.roster.keys(for: phone).epochs == [1])
        #expect(try fixture.roster.name(of: phone.device, fixture.keys) == "phone")
        // The next epoch is not for who still has the ticket.
        try fixture.change(.epoch(withHistory: true), by: phone)
        #expect(try fixture.roster.keys(for: provisional).epochs == [1])
        #expect(try fixture.roster.keys(for: phone).epochs == [1, 2])
    }

    @Test("works once: the second who uses it fails, and the roster says so to all")
    mutating func usedTwice() throws {
        let provisional = try ticket.identity()
        let phone = try DeviceIdentity.generated(fixture.randomness)
        try fixture.change(.successor(phone.publicKeys, name: "phone"), by: provisional)
        let thief = try DeviceIdentity.generated(fixture.randomness)
        #expect(throws: Refusal.ticketUsed) {
            try ticket.require(fixture.roster, at: fixture.time)
        }
        #expect(throws: Refusal.ticketUsed) {
            try fixture.change(.successor(thief.publicKeys, name: "thief"), by: provisional)
        }
        // Nor with an entry that the library would not write.
        let wrap = try KeyWrap(
            #require(fixture.keys.newest), for: thief.publicKeys, in: fixture.space,
            fixture.randomness)
        var device = RosterEntry.NewDevice(
            keys: thief.publicKeys, epoch: 1, wrap: wrap, sealedName: [])
        for replaced in [provisional.device, phone.device, fixture.me.device, nil] {
            device.replaces = replaced
            #expect(throws: Refusal.ticketUsed) { try append(.device(device), by: provisional) }
        }
        try fixture.change(.ticketReused, by: provisional)
        #expect(fixture.roster.devices[provisional.device]?.isReuseReported == true)
        #expect(throws: Refusal.noRight) { try fixture.change(.ticketReused, by: provisional) }
    }

    private func append(_ content: RosterEntry.Content, by signer: DeviceIdentity) throws {
        let entry = RosterEntry(
            space: fixture.space, position: fixture.roster.position.number + 1,
            previous: fixture.roster.position.hash, signer: signer.device,
            time: fixture.time + 1, content: content)
        var roster = fixture.roster
        try roster.append(entry.signed(with: signer.signing))
    }

    @Test("gives no other right: its device replaces itself, and nothing else")
    mutating func onlyRight() throws {
        let provisional = try ticket.identity()
        let other = try DeviceIdentity.generated(fixture.randomness)
        for change in [
            RosterChange.retention(40), .epoch(withHistory: true), .hub("folder:/evil"),
            .remove(fixture.me.device, []), .device(other.publicKeys, name: "evil"),
            .ticket(other.publicKeys), .tables([]),
        ] {
            #expect(throws: Refusal.provisional) { try fixture.change(change, by: provisional) }
        }
        #expect(throws: Refusal.noRight) { try fixture.change(.ticketReused, by: provisional) }
        // Nor may it write changes.
        var writer = try BatchWriter(provisional, fixture.randomness)
        let name = writer.nextName
        let batch = try writer.write([], RandomChanges.schema, fixture)
        #expect(throws: Refusal.provisional) {
            try fixture.verification.batch(batch, under: name, after: nil)
        }
    }

    @Test("lapses after seven days")
    mutating func lapse() throws {
        let provisional = try ticket.identity()
        let added = fixture.time
        #expect(fixture.roster.lapsedTickets(at: added + 7 * 86_400_000).isEmpty)
        let late = added + 7 * 86_400_000 + 1
        #expect(fixture.roster.lapsedTickets(at: late) == [provisional.device])
        #expect(throws: Refusal.ticketLapsed) { try ticket.require(fixture.roster, at: late) }
        let phone = try DeviceIdentity.generated(fixture.randomness)
        fixture.time = late
        #expect(throws: Refusal.ticketLapsed) {
            try fixture.change(.successor(phone.publicKeys, name: "phone"), by: provisional)
        }
        try fixture.change(.remove(provisional.device, []))
        #expect(throws: Refusal.removed) {
            try ticket.require(fixture.roster, at: added)
        }
        #expect(throws: Refusal.removed) {
            try fixture.change(.successor(phone.publicKeys, name: "phone"), by: provisional)
        }
    }

    @Test("of another roster, or of one that the hub has cut off, is refused")
    func otherRoster() throws {
        let other = try SpaceFixture(seed: 2)
        #expect(throws: Refusal.otherSpace) { try ticket.require(other.roster, at: 0) }
        var shorter = try Roster(first: fixture.entries[0])
        try shorter.append(fixture.entries[1])
        #expect(throws: Refusal.rosterFuture) { try ticket.require(shorter, at: 0) }
        let entry = try shorter.entry(
            for: .retention(40), by: fixture.me, time: fixture.time, fixture.randomness)
        try shorter.append(entry)
        #expect(throws: Refusal.rosterFork) { try ticket.require(shorter, at: 0) }
    }

    @Test("has twelve digits that both sides see, and other tickets others", .proves("SYN-111"))
    mutating func fingerprint() throws {
        let digits = try ticket.fingerprint()
        #expect(digits.wholeMatch(of: #/\d{4} \d{4} \d{4}/#) != nil)
        #expect(try Ticket(ticket.text).fingerprint() == digits)
        let invitation = try Ticket.invitation(to: fixture.space, fixture.randomness)
        try fixture.change(.ticket(invitation.identity.publicKeys))
        let other = try invitation.ticket(hub: Self.url, in: fixture.roster)
        #expect(try other.fingerprint() != digits)
    }
}
