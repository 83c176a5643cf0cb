package import StrongroomCore

/// An entry of a roster. `Documentation/SyncFormat.md` has it byte by byte under "Roster".
package struct RosterEntry: Hashable, Sendable {
    static let magic = Array("SRROST1".utf8) + [0]
    package static let largestByteCount = 1 << 20

    package var space: SpaceID?
    package var position: UInt64
    /// The hash of the entry before; nil in the first.
    package var previous: ContentDigest?
    package var signer: DeviceID
    /// In milliseconds since 1970, by the hub's clock where it has one.
    package var time: Int64
    package var content: Content

    /// What an entry says.
    package enum Content: Hashable, Sendable {
        /// 32 random bytes, and the first device.
        case genesis([UInt8], NewDevice)
        case device(NewDevice)
        case remove(Removal)
        case epoch(NewEpoch)
        /// What each table's columns merge by.
        case tables(SealedStatement)
        /// Where the hub is.
        case hub(SealedStatement)
        case floor(Floor)
        /// For how many days batches are kept.
        case retention(UInt32)
        /// Somebody has used a ticket that was used already.
        case ticketReused
        /// Apps of lower versions send nothing.
        case minimumVersion(UInt32)
    }

    /// Numbers of the kinds; those that are missing are for spaces of several members.
    enum Kind: UInt8 {
        case genesis = 0
        case device = 1
        case member = 2
        case role = 3
        case remove = 4
        case epoch = 5
        case tables = 6
        case hub = 7
        case floor = 8
        case retention = 9
        case ticketReused = 10
        case minimumVersion = 11
    }

    package struct NewDevice: Hashable, Sendable {
        package var keys: DevicePublicKeys
        /// Until when a ticket holds, in milliseconds since 1970; nil for a real device.
        package var expires: Int64?
        /// The provisional device whose place it takes.
        package var replaces: DeviceID?
        package var epoch: UInt32
        /// The space key of that epoch; nil in the first entry.
        package var wrap: KeyWrap?
        /// Its name, encrypted.
        package var sealedName: [UInt8]
    }

    package struct Removal: Hashable, Sendable {
        package struct LastBatch: Hashable, Sendable {
            package var run: Run
            package var number: UInt64
            package var hash: ContentDigest

            package init(_ run: Run, _ number: UInt64, _ hash: ContentDigest) {
                self.run = run
                self.number = number
                self.hash = hash
            }
        }

        package var device: DeviceID
        /// The last batch that counts of each of its runs, in ascending order of the runs.
        package var lastBatches: [LastBatch]

        package init(_ device: DeviceID, _ lastBatches: [LastBatch]) {
            self.device = device
            self.lastBatches = lastBatches.sorted { $0.run < $1.run }
        }
    }

    package struct NewEpoch: Hashable, Sendable {
        package var epoch: UInt32
        package var check: [UInt8]
        /// The key of the epoch before; nil if the past is not for those who come.
        package var sealedPrevious: [UInt8]?
        /// One for each device that is not removed, in ascending order of their names.
        package var wraps: [KeyWrap]
    }

    /// Something that only those in the space can read.
    package struct SealedStatement: Hashable, Sendable {
        package var epoch: UInt32
        package var salt: [UInt8]
        package var ciphertext: [UInt8]
    }

    package init(
        space: SpaceID?, position: UInt64, previous: ContentDigest?, signer: DeviceID,
        time: Int64, content: Content
    ) {
        self.space = space
        self.position = position
        self.previous = previous
        self.signer = signer
        self.time = time
        self.content = content
    }

    package func signed(with key: SigningKey) throws -> [UInt8] {
        let zeros = [UInt8](repeating: 0, count: 32)
        let payload = content.bytes
        var bytes = Self.magic
        bytes += space?.bytes ?? zeros
        bytes.append(fixed: position)
        bytes += previous?.bytes ?? zeros
        bytes += signer.bytes
        bytes.append(fixed: time)
        bytes.append(content.kind.rawValue)
        bytes.append(fixed: UInt32(payload.count))
        bytes += payload
        let signed = try SignedBytes(signing: bytes, with: key).bytes
        guard signed.count <= Self.largestByteCount else { throw Refusal.tooLarge }
        return signed
    }

    /// Reads an entry, of which nothing is verified yet.
    static func read(_ bytes: [UInt8]) throws(Refusal) -> (RosterEntry, SignedBytes) {
        let signed = try SignedBytes(bytes, limit: largestByteCount)
        var reader = ObjectReader(signed.content)
        let start = try reader.take(magic.count)
        guard start.elementsEqual(magic) else {
            throw start.starts(with: magic.prefix(6))
                ? .unknownVersion : .malformed("it does not begin with SRROST1")
        }
        let space = try reader.take(SpaceID.byteCount)
        let position = try reader.fixed(UInt64.self)
        guard position <= HubName.largestNumber else { throw .malformed("a number is too large") }
        let previous = try reader.digest()
        let isFirst = position == 0
        let isZero = space.allSatisfy { $0 == 0 } && previous.bytes.allSatisfy { $0 == 0 }
        guard isFirst == isZero else { throw .malformed("a first entry that is none") }
        let signer = try reader.device()
        let time = try reader.fixed(Int64.self)
        guard let kind = Kind(rawValue: try reader.byte()) else { throw .unknownVersion }
        guard isFirst == (kind == .genesis) else { throw .malformed("a first entry that is none") }
        guard Int(try reader.fixed(UInt32.self)) == reader.remainingCount else {
            throw .malformed("the length is not that of the content")
        }
        let content = try Content(kind, &reader)
        try reader.requireEnd()
        let entry = RosterEntry(
            space: isFirst ? nil : SpaceID(space), position: position,
            previous: isFirst ? nil : previous, signer: signer, time: time, content: content)
        return (entry, signed)
    }
}
