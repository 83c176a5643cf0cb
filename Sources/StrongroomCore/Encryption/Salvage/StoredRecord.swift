/// A value as a database file has it.
enum StoredValue: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    /// The bytes of a text, in the encoding of the database.
    case text([UInt8])
    case blob([UInt8])
}

/// The values of a row, or of an entry of an index, as they are stored.
/// <https://www.sqlite.org/fileformat2.html#record_format>
struct StoredRecord: Equatable {
    let values: [StoredValue]

    /// More columns than SQLite can be made to take.
    private static let largestColumnCount = 32767

    /// Nil for bytes that are no record.
    init?(_ payload: [UInt8]) {
        guard let (headerCount, first) = payload.variableInteger(at: 0),
            headerCount >= 1, headerCount <= Int64(payload.count)
        else { return nil }
        var types: [Int64] = []
        var offset = first
        while offset < Int(headerCount) {
            guard let (type, next) = payload.variableInteger(at: offset), type >= 0,
                types.count < Self.largestColumnCount
            else { return nil }
            types.append(type)
            offset = next
        }
        guard offset == Int(headerCount) else { return nil }
        var values: [StoredValue] = []
        values.reserveCapacity(types.count)
        for type in types {
            guard let count = Self.byteCount(type), count <= payload.count - offset else {
                return nil
            }
            values.append(Self.value(type, payload[offset..<(offset + count)]))
            offset += count
        }
        self.values = values
    }

    private static func byteCount(_ type: Int64) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 10, 11: nil
        default: Int(exactly: (type - 12) / 2)
        }
    }

    private static func value(_ type: Int64, _ bytes: ArraySlice<UInt8>) -> StoredValue {
        switch type {
        case 0: return .null
        case 8, 9: return .integer(type - 8)
        case 7: return .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
        case 1...6:
            let isNegative = (bytes.first ?? 0) & 0x80 != 0
            let start: UInt64 = isNegative ? .max : 0
            return .integer(Int64(bitPattern: bytes.reduce(start) { $0 << 8 | UInt64($1) }))
        default:
            return type % 2 == 0 ? .blob(Array(bytes)) : .text(Array(bytes))
        }
    }
}

extension [UInt8] {
    /// A number of one to nine bytes, and where the next thing begins.
    /// <https://www.sqlite.org/fileformat2.html#varint>
    func variableInteger(at start: Int) -> (value: Int64, end: Int)? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard start >= 0, start + index < count else { return nil }
            let byte = self[start + index]
            if index == 8 {
                return (Int64(bitPattern: value << 8 | UInt64(byte)), start + 9)
            }
            value = value << 7 | UInt64(byte & 0x7f)
            if byte & 0x80 == 0 { return (Int64(bitPattern: value), start + index + 1) }
        }
        return nil
    }
}
