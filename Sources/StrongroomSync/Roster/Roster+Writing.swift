import StrongroomCore

/// Something that a device wants to have in the roster, wherever it comes to stand there.
package enum RosterChange: Sendable {
    /// Another device of the member.
    case device(DevicePublicKeys, name: String)
    /// A provisional device, for whoever has the ticket.
    case ticket(DevicePublicKeys)
    /// The real device that takes the place of the provisional one that signs.
    case successor(DevicePublicKeys, name: String)
    case remove(DeviceID, [RosterEntry.Removal.LastBatch])
    /// A new space key; without history, those who come read nothing that was written before.
    case epoch(withHistory: Bool)
    case tables([UInt8])
    /// The same, made of what the roster says where the change comes to stand; nil before anybody has said it.
    case furtherTables(@Sendable ([UInt8]?) throws -> [UInt8])
    case hub(String)
    case floor(Floor)
    case retention(UInt32)
    case ticketReused
    case minimumVersion(UInt32)
}

extension Roster {
    /// A new space.
    ///
    /// - Parameters:
    ///   - name: What its first device is called, which only those in the space can read.
    ///   - time: In milliseconds since 1970, by the hub's clock where it has one.
    /// - Returns: The roster, and the bytes of its two entries: the first, and that of the first epoch.
    package static func create(
        by identity: DeviceIdentity, name: String, time: Int64, _ randomness: SyncRandomness
    ) throws -> (roster: Roster, entries: [[UInt8]]) {
        let key = try SpaceKey.generated(epoch: 1, randomness)
        let device = RosterEntry.NewDevice(
            keys: identity.publicKeys, epoch: 1,
            sealedName: try seal(name: name, of: identity.device, key))
        let first = try RosterEntry(
            space: nil, position: 0, previous: nil, signer: identity.device, time: time,
            content: .genesis(randomness.bytes(32), device)
        ).signed(with: identity.signing)
        var roster = try Roster(first: first)
        let second = try roster.entry(
            .epoch(
                RosterEntry.NewEpoch(
                    epoch: 1, check: key.check(), sealedPrevious: nil,
                    wraps: [KeyWrap(key, for: identity.publicKeys, in: roster.space, randomness)])),
            by: identity, time)
        try roster.append(second)
        return (roster, [first, second])
    }

    /// The next entry, if the change is possible now.
    ///
    /// - Throws: ``Refusal`` if it is not: the device was removed meanwhile, or the change is done already.
    package func entry(
        for change: RosterChange, by identity: DeviceIdentity, time: Int64,
        _ randomness: SyncRandomness
    ) throws -> [UInt8] {
        let keys = try keys(for: identity)
        let time = max(time, self.time)
        let content = try content(of: change, by: identity, keys, time, randomness)
        let bytes = try entry(content, by: identity, time)
        // What others would refuse is not written.
        var next = self
        try next.append(bytes)
        return bytes
    }

    private func entry(
        _ content: RosterEntry.Content, by identity: DeviceIdentity, _ time: Int64
    ) throws -> [UInt8] {
        try RosterEntry(
            space: space, position: position.number + 1, previous: position.hash,
            signer: identity.device, time: time, content: content
        ).signed(with: identity.signing)
    }

    private func content(
        of change: RosterChange, by identity: DeviceIdentity, _ keys: SpaceKeys, _ time: Int64,
        _ randomness: SyncRandomness
    ) throws -> RosterEntry.Content {
        switch change {
        case .device(let device, let name):
            return .device(try newDevice(device, name, keys, randomness))
        case .ticket(let device):
            var device = try newDevice(device, "", keys, randomness)
            device.expires = time + Self.ticketLifetime
            return .device(device)
        case .successor(let device, let name):
            if let provisional = devices[identity.device], !provisional.isActive {
                throw provisional.successor == nil ? Refusal.removed : Refusal.ticketUsed
            }
            var device = try newDevice(device, name, keys, randomness)
            device.replaces = identity.device
            return .device(device)
        case .remove(let device, let lastBatches): return .remove(.init(device, lastBatches))
        case .epoch(let withHistory):
            return .epoch(try newEpoch(withHistory: withHistory, keys, randomness))
        case .tables(let content):
            return .tables(try .init(content, .tables, key: newestKey(keys), randomness))
        case .furtherTables(let content):
            let bytes = try content(tables(keys))
            return .tables(try .init(bytes, .tables, key: newestKey(keys), randomness))
        case .hub(let url):
            return .hub(try .init(Array(url.utf8), .hub, key: newestKey(keys), randomness))
        case .floor(let floor): return .floor(floor)
        case .retention(let days): return .retention(days)
        case .ticketReused: return .ticketReused
        case .minimumVersion(let version): return .minimumVersion(version)
        }
    }

    private func newestKey(_ keys: SpaceKeys) throws -> SpaceKey {
        guard let key = keys[epoch] else { throw Refusal.noKey }
        return key
    }

    private func newDevice(
        _ device: DevicePublicKeys, _ name: String, _ keys: SpaceKeys,
        _ randomness: SyncRandomness
    ) throws -> RosterEntry.NewDevice {
        let key = try newestKey(keys)
        return RosterEntry.NewDevice(
            keys: device, epoch: key.epoch,
            wrap: try KeyWrap(key, for: device, in: space, randomness),
            sealedName: try Self.seal(name: name, of: device.device(), key))
    }

    private func newEpoch(
        withHistory: Bool, _ keys: SpaceKeys, _ randomness: SyncRandomness
    ) throws -> RosterEntry.NewEpoch {
        let previous = try newestKey(keys)
        let key = try SpaceKey.generated(epoch: previous.epoch + 1, randomness)
        let wraps = try activeDevices.compactMap { devices[$0]?.keys }.map {
            try KeyWrap(key, for: $0, in: space, randomness)
        }
        return RosterEntry.NewEpoch(
            epoch: key.epoch, check: try key.check(),
            sealedPrevious: withHistory ? try key.seal(previous) : nil, wraps: wraps)
    }
}
