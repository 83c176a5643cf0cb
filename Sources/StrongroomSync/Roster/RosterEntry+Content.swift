import StrongroomCore

extension RosterEntry {
    static let largestNameByteCount = 300
}

extension RosterEntry.Content {
    var kind: RosterEntry.Kind {
        switch self {
        case .genesis: .genesis
        case .device: .device
        case .remove: .remove
        case .epoch: .epoch
        case .tables: .tables
        case .hub: .hub
        case .floor: .floor
        case .retention: .retention
        case .ticketReused: .ticketReused
        case .minimumVersion: .minimumVersion
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .genesis(let random, let device): return random + device.bytes
        case .device(let device): return device.bytes
        case .remove(let removal): return removal.bytes
        case .epoch(let epoch): return epoch.bytes
        case .tables(let statement), .hub(let statement): return statement.bytes
        case .floor(let floor):
            var bytes: [UInt8] = []
            bytes.append(number: floor.number)
            bytes.append(floor.passed)
            bytes.append(floor.known)
            return bytes
        case .retention(let number), .minimumVersion(let number):
            var bytes: [UInt8] = []
            bytes.append(fixed: number)
            return bytes
        case .ticketReused: return []
        }
    }

    init(_ kind: RosterEntry.Kind, _ reader: inout ObjectReader) throws(Refusal) {
        switch kind {
        case .genesis:
            let random = Array(try reader.take(32))
            self = .genesis(random, try .init(&reader, isFirst: true))
        case .device: self = .device(try .init(&reader, isFirst: false))
        case .remove: self = .remove(try .init(&reader))
        case .epoch: self = .epoch(try .init(&reader))
        case .tables: self = .tables(try .init(&reader))
        case .hub: self = .hub(try .init(&reader))
        case .floor:
            self = .floor(
                Floor(
                    number: try reader.number(), passed: try reader.vector(),
                    known: try reader.vector()))
        case .retention: self = .retention(try reader.fixed())
        case .ticketReused: self = .ticketReused
        case .minimumVersion: self = .minimumVersion(try reader.fixed())
        // Of spaces of several members, which this version does not have.
        case .member, .role: throw .unknownVersion
        }
    }
}

extension RosterEntry.NewDevice {
    private static let ticketBit: UInt8 = 1
    private static let successorBit: UInt8 = 2

    var bytes: [UInt8] {
        var bytes: [UInt8] = [
            (expires == nil ? 0 : Self.ticketBit) | (replaces == nil ? 0 : Self.successorBit)
        ]
        bytes += keys.bytes
        if let expires { bytes.append(fixed: expires) }
        bytes += replaces?.bytes ?? []
        bytes.append(fixed: epoch)
        bytes += wrap?.bytes ?? []
        bytes.append(counted: sealedName)
        return bytes
    }

    init(_ reader: inout ObjectReader, isFirst: Bool) throws(Refusal) {
        let bits = try reader.byte()
        guard bits <= Self.successorBit, !isFirst || bits == 0 else {
            throw .malformed("a device of no kind")
        }
        keys = try DevicePublicKeys(&reader)
        expires = bits == Self.ticketBit ? try reader.fixed(Int64.self) : nil
        replaces = bits == Self.successorBit ? try reader.device() : nil
        epoch = try reader.fixed()
        wrap = isFirst ? nil : try KeyWrap(&reader)
        sealedName = Array(try reader.counted(atMost: RosterEntry.largestNameByteCount))
    }
}

extension RosterEntry.Removal {
    var bytes: [UInt8] {
        var bytes = device.bytes
        bytes.append(number: UInt64(lastBatches.count))
        for last in lastBatches {
            bytes.append(last.run)
            bytes.append(number: last.number)
            bytes.append(last.hash)
        }
        return bytes
    }

    init(_ reader: inout ObjectReader) throws(Refusal) {
        device = try reader.device()
        lastBatches = []
        for _ in 0..<(try reader.count(eachAtLeast: 49)) {
            let run = try reader.run()
            let number = try reader.number(atMost: HubName.largestNumber)
            guard number > 0, lastBatches.last.map({ $0.run < run }) ?? true else {
                throw .malformed("the runs are in no order")
            }
            lastBatches.append(.init(run, number, try reader.digest()))
        }
    }
}

extension RosterEntry.NewEpoch {
    static let sealedKeyByteCount = SpaceKey.byteCount + SealedBox.tagByteCount

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(fixed: epoch)
        bytes += check
        bytes.append(sealedPrevious == nil ? 0 : 1)
        bytes += sealedPrevious ?? []
        bytes.append(number: UInt64(wraps.count))
        for wrap in wraps { bytes += wrap.bytes }
        return bytes
    }

    init(_ reader: inout ObjectReader) throws(Refusal) {
        epoch = try reader.fixed()
        check = Array(try reader.take(SpaceKey.byteCount))
        sealedPrevious = try reader.flag() ? Array(try reader.take(Self.sealedKeyByteCount)) : nil
        wraps = []
        for _ in 0..<(try reader.count(eachAtLeast: KeyWrap.byteCount)) {
            wraps.append(try KeyWrap(&reader))
        }
    }
}

extension RosterEntry.SealedStatement {
    private static let largestByteCount = 512 << 10

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(fixed: epoch)
        bytes += salt
        bytes.append(counted: ciphertext)
        return bytes
    }

    init(_ reader: inout ObjectReader) throws(Refusal) {
        epoch = try reader.fixed()
        salt = Array(try reader.take(BatchHeader.saltByteCount))
        ciphertext = Array(try reader.counted(atMost: Self.largestByteCount))
    }

    /// Encrypts a statement.
    init(
        _ content: [UInt8], _ kind: RosterEntry.Kind, key: SpaceKey, _ randomness: SyncRandomness
    ) throws {
        epoch = key.epoch
        salt = try randomness.bytes(BatchHeader.saltByteCount)
        let messageKey = try key.key(for: "statement \(kind.rawValue)", salt: salt, header: .of([]))
        ciphertext = try SyncPadding.padme.pad(content).withUnsafeBytes {
            try SealedBox.seal($0, key: messageKey)
        }
    }

    /// - Throws: ``Refusal``.
    func open(_ kind: RosterEntry.Kind, with keys: SpaceKeys) throws -> [UInt8] {
        guard let key = keys[epoch] else { throw Refusal.noKey }
        let messageKey = try key.key(for: "statement \(kind.rawValue)", salt: salt, header: .of([]))
        guard let padded = try SealedBox.open(ciphertext, key: messageKey) else {
            throw Refusal.notDecrypted
        }
        return try SyncPadding.unpad(padded.withUnsafeBytes { Array($0) })
    }
}
