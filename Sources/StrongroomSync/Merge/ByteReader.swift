/// Reads what the canonical form is made of. Whatever the bytes are, reading ends with a value or with ``Damage``.
package struct ByteReader {
    private let bytes: [UInt8]
    package private(set) var position = 0

    /// Bytes that are not what was to be read.
    package struct Damage: Error, Hashable {
        /// Where reading stopped, in bytes from the start.
        package let position: Int
    }

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var isAtEnd: Bool { position == bytes.count }

    /// Whether these bytes were read since a position.
    package func hasRead(_ read: [UInt8], from start: Int) -> Bool {
        bytes[start..<position].elementsEqual(read)
    }

    package var damage: Damage { Damage(position: position) }

    package mutating func byte() throws(Damage) -> UInt8 {
        guard position < bytes.count else { throw damage }
        defer { position += 1 }
        return bytes[position]
    }

    package mutating func flag() throws(Damage) -> Bool {
        let byte = try byte()
        guard byte < 2 else { throw damage }
        return byte == 1
    }

    package mutating func number() throws(Damage) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 63, by: 7) {
            let byte = try byte()
            number |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 {
                // A number has one form: the last byte of a longer one is not 0.
                guard byte > 0 || shift == 0 else { throw damage }
                return number
            }
        }
        throw damage
    }

    /// A number of things, each of which takes at least a byte.
    package mutating func count() throws(Damage) -> Int {
        let number = try number()
        guard number <= UInt64(bytes.count - position) else { throw damage }
        return Int(number)
    }

    package mutating func counted() throws(Damage) -> ArraySlice<UInt8> {
        let count = try count()
        defer { position += count }
        return bytes[position..<position + count]
    }

    package mutating func text() throws(Damage) -> String {
        let content = try counted()
        let text = String(decoding: content, as: UTF8.self)
        guard text.utf8.elementsEqual(content) else { throw damage }
        return text
    }

    package mutating func fixed<Integer: FixedWidthInteger>(
        _: Integer.Type
    ) throws(Damage) -> Integer {
        var result: Integer = 0
        for _ in 0..<Integer.bitWidth / 8 { result = result << 8 | Integer(try byte()) }
        return result
    }

    package mutating func run() throws(Damage) -> Run {
        Run(high: try fixed(UInt64.self), low: try fixed(UInt64.self))
    }

    /// A number of either sign: the sign is the lowest bit.
    package mutating func signed() throws(Damage) -> Int128 {
        var bits: UInt128 = 0
        for shift in stride(from: 0, to: 126, by: 7) {
            let byte = try byte()
            bits |= UInt128(byte & 0x7F) << UInt128(shift)
            if byte < 0x80 {
                return Int128(bitPattern: bits >> 1) ^ -Int128(bitPattern: bits & 1)
            }
        }
        throw damage
    }

    package mutating func author() throws(Damage) -> Author {
        Author(Stamp(bits: try fixed(UInt64.self)), try run())
    }

    package mutating func value() throws(Damage) -> CellValue {
        switch try byte() {
        case 0: return .null
        case 1: return .integer(Int64(bitPattern: try fixed(UInt64.self)))
        case 2: return .real(bits: try fixed(UInt64.self))
        case 3: return .text(Array(try counted()))
        case 4: return .blob(Array(try counted()))
        default: throw damage
        }
    }

    package mutating func content() throws(Damage) -> CellContent {
        guard try flag() else { return .value(try value()) }
        var values: [CellContent.GroupValue] = []
        for _ in 0..<(try count()) { values.append(.init(try text(), try value())) }
        return .group(values)
    }
}
