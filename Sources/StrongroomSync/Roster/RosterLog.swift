import StrongroomCore

/// The roster of a space in a hub: reads what is new, and takes the next position for an entry.
package struct RosterLog: Sendable {
    private static let bytesAtOnce = 4 << 20

    package let hub: any SyncTransport
    package let space: SpaceID

    package init(_ hub: any SyncTransport, _ space: SpaceID) {
        self.hub = hub
        self.space = space
    }

    /// What the hub has, compared with what this device knows.
    package enum Finding: Sendable, Hashable {
        /// So many entries were new.
        case read(Int)
        /// The hub does not have the last entry that this device knows: it was put back, or erased.
        case hubBehind
        /// The hub has another entry at a position: there are two rosters.
        case fork(at: UInt64)
    }

    /// The roster from its first entry on, for a device that does not know it yet.
    ///
    /// - Returns: The roster, and the bytes of its entries.
    /// - Throws: ``HubError`` if the hub does not have it, or ``Refusal``.
    package func read() async throws -> (roster: Roster, entries: [[UInt8]]) {
        let first = try await hub.get(HubName.roster(0).text(in: space))
        var roster = try Roster(first: first, of: space)
        var entries = [first]
        try await requireRead(&roster) { entries.append($0) }
        return (roster, entries)
    }

    /// Takes over what the hub has after the last entry that this device knows.
    ///
    /// - Parameter keep: Gets the bytes of each new entry, which the device has to keep.
    /// - Throws: ``HubError``, or ``Refusal`` for an entry that does not count. What came before it was taken over.
    package func update(
        _ roster: inout Roster, keep: ([UInt8]) throws -> Void
    ) async throws -> Finding {
        var count = 0
        while true {
            // The last one that is known is read again: so a hub that was put back is noticed.
            let known = roster.position
            let bodies = try await hub.get(
                numbered: HubName.rosterPrefix(space), from: known.number,
                upTo: Self.bytesAtOnce)
            guard let last = bodies.first else { return .hubBehind }
            guard try ContentDigest.of(last) == known.hash else { return .fork(at: known.number) }
            if bodies.count == 1 { return .read(count) }
            for body in bodies.dropFirst() {
                do {
                    try roster.append(body)
                } catch Refusal.rosterFork {
                    return .fork(at: roster.position.number + 1)
                }
                try keep(body)
                count += 1
            }
        }
    }

    /// The hub's roster does not continue the one that this device knows.
    package struct Difference: Error, Hashable {
        package let finding: Finding
    }

    private func requireRead(
        _ roster: inout Roster, keep: ([UInt8]) throws -> Void
    ) async throws {
        let finding = try await update(&roster, keep: keep)
        guard case .read = finding else { throw Difference(finding: finding) }
    }

    /// Stores the entries of a new space, or those that a hub has lost.
    ///
    /// - Throws: ``Refusal/rosterFork`` if the hub has another entry at one of their positions.
    package func store(_ entries: [[UInt8]], from position: UInt64 = 0) async throws {
        for (index, entry) in entries.enumerated() {
            let name = HubName.roster(position + UInt64(index)).text(in: space)
            guard try await hub.putOnce(entry, under: name) == .stored else {
                throw Refusal.rosterFork
            }
        }
    }

    /// Takes a position for a change. Whoever comes second reads the entry of the first, and writes his own anew
    /// after it, if that is still possible.
    ///
    /// - Parameters:
    ///   - roster: What this device knows; afterwards with the entry.
    ///   - time: In milliseconds since 1970, by the hub's clock where it has one.
    ///   - keep: Gets the bytes of each new entry, the own one included.
    /// - Throws: ``HubError``; ``Refusal`` if the change is not possible any more; ``Difference`` if the hub has another
    ///   roster.
    package func publish(
        _ change: RosterChange, to roster: inout Roster, by identity: DeviceIdentity, time: Int64,
        _ randomness: SyncRandomness, keep: ([UInt8]) throws -> Void
    ) async throws {
        while true {
            try await requireRead(&roster, keep: keep)
            let entry = try roster.entry(for: change, by: identity, time: time, randomness)
            let name = HubName.roster(roster.position.number + 1).text(in: space)
            if try await hub.putOnce(entry, under: name) == .stored {
                // Where the hub lets others take the same name, the last one has it.
                if try await !hub.status().putsIfAbsent, try await hub.get(name) != entry {
                    continue
                }
                try roster.append(entry)
                return try keep(entry)
            }
        }
    }
}
