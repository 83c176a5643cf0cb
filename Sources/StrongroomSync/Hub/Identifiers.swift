import StrongroomCore

/// What names a space: the hash of the first entry of its roster.
package struct SpaceID: Hashable, Sendable {
    package static let byteCount = 32
    package let bytes: [UInt8]

    /// Nil for another number of bytes than 32.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// 64 digits in lower case.
    package var hexadecimal: String { Hexadecimal.text(bytes) }
}

/// What names a device in a space: the beginning of a hash of its public keys, so that no other device can
/// have it.
package struct DeviceID: Hashable, Sendable, Comparable {
    package static let byteCount = 16
    package let bytes: [UInt8]

    /// Nil for another number of bytes than 16.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// 32 digits in lower case.
    package var hexadecimal: String { Hexadecimal.text(bytes) }

    package static func < (lhs: DeviceID, rhs: DeviceID) -> Bool {
        lhs.bytes.lexicographicallyPrecedes(rhs.bytes)
    }
}

extension Run {
    package static let byteCount = 16

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(self)
        return bytes
    }

    /// Nil for another number of bytes than 16.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        func word(_ bytes: some Collection<UInt8>) -> UInt64 {
            bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
        self.init(high: word(bytes.prefix(8)), low: word(bytes.dropFirst(8)))
    }

    /// 32 digits in lower case.
    package var hexadecimal: String { Hexadecimal.text(bytes) }

    /// A run of a device.
    ///
    /// The second half follows from the device and the first half: no device can write under the run of another one.
    ///
    /// - Parameter random: 8 random bytes.
    package init?(of device: DeviceID, random: some Collection<UInt8>) throws {
        let start = Array("strongroom-sync-1 run".utf8) + device.bytes + random
        let digest = try start.withUnsafeBytes { try ContentDigest(of: $0) }
        self.init(Array(random) + digest.withUnsafeBytes { Array($0.prefix(8)) })
    }

    /// Whether it is a run of a device.
    package func belongs(to device: DeviceID) throws -> Bool {
        try Run(of: device, random: bytes.prefix(8)) == self
    }
}
