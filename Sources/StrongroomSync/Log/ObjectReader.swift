package import StrongroomCore

/// Takes bytes of a stranger apart.
///
/// 1. No count is believed: what it announces must be there before memory is taken for it.
/// 2. A number has one form, so that equal contents have equal bytes.
package struct ObjectReader: ~Copyable {
    private let bytes: [UInt8]
    package private(set) var offset = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var remainingCount: Int { bytes.count - offset }

    package mutating func byte() throws(Refusal) -> UInt8 {
        guard offset < bytes.count else { throw Self.short }
        offset += 1
        return bytes[offset - 1]
    }

    package mutating func take(_ count: Int) throws(Refusal) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remainingCount else { throw Self.short }
        offset += count
        return bytes[(offset - count)..<offset]
    }

    package mutating func fixed<Number: FixedWidthInteger>(
        _ type: Number.Type = Number.self
    ) throws(Refusal) -> Number {
        try take(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// Seven bits a byte, lowest first; the last byte is not 0 unless it is the only one.
    package mutating func number(atMost limit: UInt64 = .max) throws(Refusal) -> UInt64 {
        let number = try wideNumber()
        guard let small = UInt64(exactly: number), small <= limit else {
            throw .malformed("a number is too large")
        }
        return small
    }

    package mutating func wideNumber() throws(Refusal) -> UInt128 {
        var number: UInt128 = 0
        var shift = 0
        while true {
            let byte = try byte()
            let bits = UInt128(byte & 0x7f)
            guard shift < 126 || bits <= 3 && shift == 126 else {
                throw .malformed("a number is too large")
            }
            number |= bits << UInt128(shift)
            if byte < 0x80 {
                guard byte != 0 || shift == 0 else { throw .malformed("a number is too long") }
                return number
            }
            shift += 7
        }
    }

    /// A number with a sign: 0, -1, 1, -2 … are 0, 1, 2, 3 …
    package mutating func signed() throws(Refusal) -> Int64 {
        let number = try number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    package mutating func wideSigned() throws(Refusal) -> Int128 {
        let number = try wideNumber()
        return Int128(truncatingIfNeeded: number >> 1) ^ -Int128(truncatingIfNeeded: number & 1)
    }

    /// How many things follow, each of which takes bytes.
    ///
    /// - Parameter byteCount: How many at least.
    package mutating func count(eachAtLeast byteCount: Int = 1) throws(Refusal) -> Int {
        let count = try number()
        guard count <= UInt64(remainingCount / byteCount) else {
            throw .malformed("a count is larger than what follows")
        }
        return Int(count)
    }

    /// A number of bytes, and the bytes.
    package mutating func counted(atMost limit: Int = .max) throws(Refusal) -> ArraySlice<UInt8> {
        let count = try count()
        guard count <= limit else { throw .malformed("a text is too long") }
        return try take(count)
    }

    /// A name of the wire: UTF-8 of 1 to 1,000 bytes.
    package mutating func name() throws(Refusal) -> String {
        let bytes = try counted(atMost: 1000)
        guard !bytes.isEmpty, let name = String(validating: bytes, as: UTF8.self) else {
            throw .malformed("a name is not UTF-8")
        }
        return name
    }

    package mutating func flag() throws(Refusal) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw .malformed("a byte is neither 0 nor 1")
        }
    }

    package mutating func digest() throws(Refusal) -> ContentDigest {
        guard let digest = ContentDigest(try take(ContentDigest.byteCount)) else {
            throw Self.short
        }
        return digest
    }

    package mutating func device() throws(Refusal) -> DeviceID {
        guard let device = DeviceID(try take(DeviceID.byteCount)) else { throw Self.short }
        return device
    }

    package mutating func run() throws(Refusal) -> Run {
        guard let run = Run(try take(Run.byteCount)) else { throw Self.short }
        return run
    }

    /// A vector, whose runs stand in ascending order.
    package mutating func vector() throws(Refusal) -> Vector {
        var vector = Vector()
        var last: Run?
        for _ in 0..<(try count(eachAtLeast: Run.byteCount + 1)) {
            let run = try run()
            guard last.map({ $0 < run }) ?? true else {
                throw .malformed("the runs of a vector are in no order")
            }
            last = run
            let number = try number(atMost: HubName.largestNumber)
            guard number > 0 else { throw .malformed("a vector has a 0") }
            vector[run] = number
        }
        return vector
    }

    package func requireEnd() throws(Refusal) {
        guard remainingCount == 0 else { throw .malformed("more bytes than there may be") }
    }

    private static var short: Refusal { .malformed("it ends too early") }
}

extension ContentDigest {
    /// Nil for another number of bytes than 32.
    init?(_ bytes: some Collection<UInt8>) {
        guard let digest = Array(bytes).withUnsafeBytes({ ContentDigest($0) }) else { return nil }
        self = digest
    }

    var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// The SHA-256 of some bytes.
    package static func of(_ bytes: [UInt8]) throws -> ContentDigest {
        try bytes.withUnsafeBytes { try ContentDigest(of: $0) }
    }
}

extension [UInt8] {
    mutating func append(_ digest: ContentDigest) {
        digest.withUnsafeBytes { append(contentsOf: $0) }
    }

    mutating func append(signed number: Int64) {
        append(number: UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    mutating func append(wide number: UInt128) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    mutating func append(wideSigned number: Int128) {
        append(wide: UInt128(bitPattern: number << 1 ^ number >> 127))
    }
}
