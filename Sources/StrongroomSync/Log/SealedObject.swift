package import StrongroomCore

/// Where the author of an object stood in the roster.
package struct RosterPosition: Hashable, Sendable {
    package var number: UInt64
    /// The hash of the entry there, and so of all entries before it.
    package var hash: ContentDigest

    package init(_ number: UInt64, _ hash: ContentDigest) {
        self.number = number
        self.hash = hash
    }
}

/// What a batch, a head and a manifest say in plaintext first.
///
/// | bytes | |
/// |---|---|
/// | 7 | what it is: `SRSYNC1`, `SRHEAD1`, `SRSNAP1` |
/// | 1 | 0 |
/// | 32 | the space |
/// | 16 | the device |
/// | 8 | position in the roster |
/// | 32 | hash of the entry there |
package struct ObjectStart: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case batch = "SRSYNC1"
        case head = "SRHEAD1"
        case manifest = "SRSNAP1"
    }

    package static let byteCount = 96

    package var kind: Kind
    package var space: SpaceID
    package var device: DeviceID
    package var roster: RosterPosition

    package init(_ kind: Kind, _ space: SpaceID, _ device: DeviceID, _ roster: RosterPosition) {
        self.kind = kind
        self.space = space
        self.device = device
        self.roster = roster
    }

    func append(to bytes: inout [UInt8]) {
        bytes += Array(kind.rawValue.utf8) + [0]
        bytes += space.bytes
        bytes += device.bytes
        bytes.append(fixed: roster.number)
        bytes.append(roster.hash)
    }

    init(_ kind: Kind, _ reader: inout ObjectReader) throws(Refusal) {
        let start = try reader.take(kind.rawValue.utf8.count)
        guard start.elementsEqual(kind.rawValue.utf8) else {
            throw start.starts(with: kind.rawValue.utf8.dropLast())
                ? .unknownVersion : .malformed("it does not begin with \(kind.rawValue)")
        }
        guard try reader.byte() == 0 else { throw .unknownVersion }
        guard let space = SpaceID(try reader.take(SpaceID.byteCount)) else {
            throw .malformed("it ends too early")
        }
        let device = try reader.device()
        let number = try reader.fixed(UInt64.self)
        guard number <= HubName.largestNumber else { throw .malformed("a number is too large") }
        self.init(kind, space, device, RosterPosition(number, try reader.digest()))
    }
}

/// The bytes of an object, and the signature of its author over all of them, which are the last 64.
package struct SignedBytes: Sendable {
    /// Without the signature.
    package let content: [UInt8]
    package let signature: [UInt8]

    package init(signing content: [UInt8], with key: SigningKey) throws {
        self.content = content
        signature = try key.signature(of: content)
    }

    init(_ bytes: [UInt8], limit: Int) throws(Refusal) {
        guard bytes.count <= limit else { throw .tooLarge }
        let count = bytes.count - PublicKey.signatureByteCount
        guard count > 0 else { throw .malformed("it ends too early") }
        content = Array(bytes[..<count])
        signature = Array(bytes[count...])
    }

    package var bytes: [UInt8] { content + signature }

    package func require(by key: PublicKey) throws {
        guard try key.hasSigned(content, signature) else { throw Refusal.badSignature }
    }
}
