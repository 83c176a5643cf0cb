/// How keys and values stand in a block: short where they usually are.
///
/// | byte | what follows |
/// |---|---|
/// | `00` | NULL |
/// | `01` | an integer, as a number with a sign |
/// | `02` | a real: 8 bytes of IEEE 754 |
/// | `03` | text: a number of bytes, and the bytes |
/// | `04` | a blob: a number of bytes, and the bytes |
/// | `05`, `06` | a UUID as text in lower, or in upper case: 16 bytes |
/// | `07` | a blob of 16 bytes |
/// | `40`…`7f` | text of 0 to 63 bytes, which follow |
/// | `80`…`ff` | the integers 0 to 127 |
enum PackedValue {
    private static let shortText = 64

    static func append(_ value: CellValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(0)
        case .integer(let integer) where (0..<128).contains(integer):
            bytes.append(0x80 | UInt8(integer))
        case .integer(let integer):
            bytes.append(1)
            bytes.append(signed: integer)
        case .real(let bits):
            bytes.append(2)
            bytes.append(fixed: bits)
        case .text(let text):
            if let (uuid, isUpper) = UUIDText.bytes(of: text) {
                bytes.append(isUpper ? 6 : 5)
                bytes += uuid
            } else if text.count < shortText {
                bytes.append(0x40 | UInt8(text.count))
                bytes += text
            } else {
                bytes.append(3)
                bytes.append(counted: text)
            }
        case .blob(let blob) where blob.count == 16:
            bytes.append(7)
            bytes += blob
        case .blob(let blob):
            bytes.append(4)
            bytes.append(counted: blob)
        }
    }

    /// Reads a value; each has one form.
    static func read(_ reader: inout ObjectReader) throws(Refusal) -> CellValue {
        let tag = try reader.byte()
        switch tag {
        case 0: return .null
        case 1:
            let integer = try reader.signed()
            try require(!(0..<128).contains(integer))
            return .integer(integer)
        case 2:
            let bits = try reader.fixed(UInt64.self)
            try require(!Double(bitPattern: bits).isNaN)
            return .real(bits: bits)
        case 3:
            let text = Array(try reader.counted())
            try require(text.count >= shortText)
            return .text(text)
        case 4:
            let blob = Array(try reader.counted())
            try require(blob.count != 16)
            return .blob(blob)
        case 5, 6:
            let text = UUIDText.text(of: try reader.take(16), isUpper: tag == 6)
            try require(UUIDText.bytes(of: text).map { $0.isUpper == (tag == 6) } ?? false)
            return .text(text)
        case 7: return .blob(Array(try reader.take(16)))
        case 0x40...0x7f:
            let text = Array(try reader.take(Int(tag & 0x3f)))
            try require(UUIDText.bytes(of: text) == nil)
            return .text(text)
        case 0x80...: return .integer(Int64(tag & 0x7f))
        default: throw .malformed("a value of no class")
        }
    }

    private static func require(_ isOnlyForm: Bool) throws(Refusal) {
        guard isOnlyForm else { throw .malformed("a value is not in its only form") }
    }
}

/// UUIDs as the texts of 36 characters that they are in most databases.
enum UUIDText {
    private static let dashes: Set<Int> = [8, 13, 18, 23]

    /// Nil for any other text, and for one of both cases. One without letters is in lower case.
    static func bytes(of text: [UInt8]) -> (bytes: [UInt8], isUpper: Bool)? {
        guard text.count == 36 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        var (hasLower, hasUpper) = (false, false)
        var high: UInt8?
        for (index, letter) in text.enumerated() {
            if dashes.contains(index) {
                guard letter == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch letter {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = letter - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                digit = letter - UInt8(ascii: "a") + 10
                hasLower = true
            case UInt8(ascii: "A")...UInt8(ascii: "F"):
                digit = letter - UInt8(ascii: "A") + 10
                hasUpper = true
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return hasLower && hasUpper ? nil : (bytes, hasUpper)
    }

    static func text(of bytes: some Collection<UInt8>, isUpper: Bool) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        let ten = UInt8(ascii: isUpper ? "A" : "a") - 10
        for byte in bytes {
            if dashes.contains(text.count) { text.append(UInt8(ascii: "-")) }
            for digit in [byte >> 4, byte & 15] {
                text.append(digit < 10 ? UInt8(ascii: "0") + digit : ten + digit)
            }
        }
        return text
    }
}

/// How the keys of a table's rows stand in a block.
enum KeyForm: UInt8 {
    /// A number of bytes, and the bytes.
    case raw = 0
    /// 16 bytes: each key is one UUID as text in lower case.
    case uuid = 1
    /// Packed values, as many as the table's key has columns.
    case packed = 2

    /// The shortest one that all keys have.
    static func form(of keys: [RowKey]) -> (KeyForm, values: [[CellValue]]) {
        var values: [[CellValue]] = []
        for key in keys {
            guard let parts = KeyValues.values(of: key), let first = values.first ?? [parts].first,
                parts.count == first.count
            else { return (.raw, []) }
            values.append(parts)
        }
        let isUUID = values.allSatisfy { parts in
            guard parts.count == 1, case .text(let text) = parts[0] else { return false }
            return UUIDText.bytes(of: text).map { !$0.isUpper } ?? false
        }
        return (isUUID ? .uuid : .packed, values)
    }
}
