package import StrongroomCore

/// Who belongs to a space, as its chain of signed entries says.
///
/// 1. The first entry names the space: its hash is the space's id, so nobody can put another one in its place.
/// 2. Each later entry holds the hash of the one before, and is signed by a device that had the right to it at
///    that point. Who follows the chain from the first entry comes to the same roster as everybody.
/// 3. What cannot be verified is refused, never left out: two devices that have read as many entries agree on all.
/// 4. It has no clock. Times in entries only grow.
package struct Roster: Sendable {
    package static let largestDeviceCount = 1000
    /// How long a ticket holds: seven days, in milliseconds.
    package static let ticketLifetime: Int64 = 7 * 86_400_000

    package struct Device: Sendable, Hashable {
        package let keys: DevicePublicKeys
        package let added: UInt64
        /// When, in milliseconds since 1970.
        let addedTime: Int64
        /// Until when its ticket holds; nil for a real device.
        package let expires: Int64?
        package let sealedName: SealedName
        /// The position at which it was removed, or a real device took its place.
        package fileprivate(set) var ended: UInt64?
        package fileprivate(set) var successor: DeviceID?
        package fileprivate(set) var removal: RosterEntry.Removal?
        package fileprivate(set) var isReuseReported = false

        package var isProvisional: Bool { expires != nil }
        package var isActive: Bool { ended == nil }
        package var isReal: Bool { !isProvisional }

        /// Whether it was in the roster at a position.
        package func isActive(at position: UInt64) -> Bool {
            added <= position && ended.map { position < $0 } ?? true
        }
    }

    /// The name of a device, for those in the space.
    package struct SealedName: Sendable, Hashable {
        let epoch: UInt32
        let bytes: [UInt8]
    }

    /// An epoch, and who got its key with its entry.
    struct Epoch: Sendable {
        let position: UInt64
        let entry: RosterEntry.NewEpoch
        let recipients: [DeviceID]
    }

    package let space: SpaceID
    package private(set) var devices: [DeviceID: Device] = [:]
    private(set) var epochs: [Epoch] = []
    private(set) var wraps: [DeviceID: (epoch: UInt32, wrap: KeyWrap)] = [:]
    /// What was said last of each kind.
    private(set) var statements: [RosterEntry.Kind: RosterEntry.SealedStatement] = [:]
    /// The floors, from the first to the last.
    package private(set) var floors: [Floor] = []
    package var floor: Floor { floors.last ?? Floor() }
    /// For how many days batches are kept.
    package private(set) var retention: UInt32 = 30
    /// The lowest version of the app that may send.
    package private(set) var minimumVersion: UInt32 = 0
    package private(set) var time: Int64 = 0
    private var hashes: [ContentDigest] = []
    /// The positions of all removals.
    private var removals: [UInt64] = []

    /// The device whose run it is; nil for a run of nobody.
    func device(of run: Run) throws -> DeviceID? {
        try devices.keys.first { try run.belongs(to: $0) }
    }

    // MARK: - Positions

    /// The last entry.
    package var position: RosterPosition {
        RosterPosition(UInt64(hashes.count - 1), hashes[hashes.count - 1])
    }

    /// The hash of an entry; nil for one that does not exist here.
    package func hash(at position: UInt64) -> ContentDigest? {
        position < UInt64(hashes.count) ? hashes[Int(position)] : nil
    }

    /// The epoch in which a batch is written that names a position.
    package func epoch(at position: UInt64) -> UInt32 {
        epochs.last { $0.position <= position }?.entry.epoch ?? 0
    }

    /// Whether a device was removed before a position, and the next epoch had not begun there.
    package func isEpochPending(at position: UInt64) -> Bool {
        guard let epoch = epochs.last(where: { $0.position <= position }) else { return true }
        return removals.contains { epoch.position < $0 && $0 <= position }
    }

    package var epoch: UInt32 { epoch(at: position.number) }
    package var isEpochPending: Bool { isEpochPending(at: position.number) }

    /// The devices that are not removed, in ascending order of their names: who gets the key of an epoch.
    package var activeDevices: [DeviceID] {
        devices.filter(\.value.isActive).map(\.key).sorted()
    }

    /// The provisional devices whose tickets do not hold any more at a time: each device with the right removes them.
    package func lapsedTickets(at time: Int64) -> [DeviceID] {
        activeDevices.filter { devices[$0]?.expires.map { $0 < time } ?? false }
    }

    // MARK: - Reading

    /// A roster of one entry.
    ///
    /// - Parameters:
    ///   - first: The bytes of the entry.
    ///   - space: The space that it must be the first entry of; nil if there is none yet.
    package init(first: [UInt8], of space: SpaceID? = nil) throws {
        let (entry, signed) = try RosterEntry.read(first)
        let hash = try ContentDigest.of(first)
        guard case .genesis(_, let device) = entry.content, let own = SpaceID(hash.bytes) else {
            throw Refusal.malformed("it is not the first entry")
        }
        guard space == nil || space == own else { throw Refusal.otherSpace }
        guard try device.keys.device() == entry.signer, device.epoch == 1 else {
            throw Refusal.noRight
        }
        try signed.require(by: device.keys.signing)
        guard try device.keys.canAgree(), Self.isTime(entry.time) else {
            throw Refusal.impossible("a device with a public key of no use, or a time out of range")
        }
        self.space = own
        time = entry.time
        hashes = [hash]
        devices[entry.signer] = Device(
            keys: device.keys, added: 0, addedTime: entry.time, expires: nil,
            sealedName: SealedName(epoch: device.epoch, bytes: device.sealedName))
    }

    /// Verifies the next entry and takes it over; a refused one changes nothing.
    ///
    /// - Throws: ``Refusal``.
    package mutating func append(_ bytes: [UInt8]) throws {
        let (entry, signed) = try RosterEntry.read(bytes)
        guard entry.space == space else { throw Refusal.otherSpace }
        guard let signer = devices[entry.signer] else { throw Refusal.unknownDevice }
        try signed.require(by: signer.keys.signing)
        guard entry.position == position.number + 1 else { throw Refusal.wrongPosition }
        guard entry.previous == position.hash else { throw Refusal.rosterFork }
        guard entry.time >= time, Self.isTime(entry.time) else { throw Refusal.timeBackwards }
        var next = self
        try next.apply(entry, by: signer)
        next.time = entry.time
        next.hashes.append(try .of(bytes))
        self = next
    }

    private static func isTime(_ time: Int64) -> Bool {
        (0..<Stamp.limit.milliseconds).contains(time)
    }

    // MARK: - Rules

    private mutating func apply(_ entry: RosterEntry, by signer: Device) throws {
        let author = entry.signer
        if case .ticketReused = entry.content {
            guard signer.successor != nil, !signer.isReuseReported else { throw Refusal.noRight }
            devices[author]?.isReuseReported = true
            return
        }
        guard signer.isActive else {
            throw signer.successor == nil ? Refusal.removed : Refusal.ticketUsed
        }
        if let expires = signer.expires {
            guard case .device(let device) = entry.content, device.replaces == author else {
                throw Refusal.provisional
            }
            guard entry.time <= expires else { throw Refusal.ticketLapsed }
        }
        switch entry.content {
        case .genesis, .ticketReused: throw Refusal.noRight
        case .epoch(let epoch): try apply(epoch, at: entry.position)
        case .remove(let removal): try apply(removal, at: entry.position)
        case .device(let device): try apply(device, entry)
        case .tables(let statement), .hub(let statement):
            try requireEpoch(statement.epoch)
            statements[entry.content.kind] = statement
        case .floor(let floor):
            try requireEpoch(epoch)
            guard floor.number == self.floor.number + 1, floor.known.covers(floor.passed),
                floor.passed.covers(self.floor.passed)
            else { throw Refusal.impossible("a floor that does not follow the one before") }
            floors.append(floor)
        case .retention(let days):
            try requireEpoch(epoch)
            guard (1...36_500).contains(days) else {
                throw Refusal.impossible("a retention of \(days) days")
            }
            retention = days
        case .minimumVersion(let version):
            try requireEpoch(epoch)
            guard version > minimumVersion else {
                throw Refusal.impossible("a lowest version of the app that is not above the last")
            }
            minimumVersion = version
        }
    }

    private func requireEpoch(_ epoch: UInt32) throws {
        guard !isEpochPending else { throw Refusal.epochPending }
        guard epoch == self.epoch else { throw Refusal.wrongEpoch }
    }

    private mutating func apply(_ epoch: RosterEntry.NewEpoch, at position: UInt64) throws {
        let recipients = activeDevices
        guard epoch.epoch == self.epoch + 1 else { throw Refusal.wrongEpoch }
        guard epoch.wraps.count == recipients.count, epoch.epoch > 1 || epoch.sealedPrevious == nil
        else { throw Refusal.impossible("an epoch that is not for the devices of the space") }
        epochs.append(Epoch(position: position, entry: epoch, recipients: recipients))
    }

    private mutating func apply(_ removal: RosterEntry.Removal, at position: UInt64) throws {
        guard epoch > 0 else { throw Refusal.epochPending }
        guard let device = devices[removal.device], device.isActive else {
            throw Refusal.unknownDevice
        }
        let realCount = devices.values.count { $0.isActive && $0.isReal }
        guard device.isProvisional || realCount > 1 else {
            throw Refusal.impossible("a space without devices")
        }
        devices[removal.device]?.ended = position
        devices[removal.device]?.removal = removal
        removals.append(position)
    }

    private mutating func apply(_ device: RosterEntry.NewDevice, _ entry: RosterEntry) throws {
        try requireEpoch(device.epoch)
        let id = try device.keys.device()
        guard devices[id] == nil, try device.keys.canAgree() else {
            throw Refusal.impossible("a device that there is already, or with a key of no use")
        }
        if let expires = device.expires {
            guard (entry.time...entry.time + Self.ticketLifetime).contains(expires) else {
                throw Refusal.impossible("a ticket that holds for too long")
            }
        }
        if let old = device.replaces {
            guard old == entry.signer, devices[old]?.isProvisional == true else {
                throw Refusal.noRight
            }
            devices[old]?.ended = entry.position
            devices[old]?.successor = id
        } else if activeDevices.count >= Self.largestDeviceCount {
            throw Refusal.impossible("more devices than a space can have")
        }
        devices[id] = Device(
            keys: device.keys, added: entry.position, addedTime: entry.time,
            expires: device.expires,
            sealedName: SealedName(epoch: device.epoch, bytes: device.sealedName))
        wraps[id] = device.wrap.map { (device.epoch, $0) }
    }
}
