package import StrongroomCore
internal import StrongroomEssentials

/// A value as the merge keeps it: storage class and bits stay as they are.
///
/// Other than in ``DatabaseValue``, text is bytes: what is not UTF-8 stays, and equal means equal bytes.
package enum CellValue: Sendable, Hashable {
    case null
    case integer(Int64)
    /// The bits of a double that is a number: SQLite has NULL instead of NaN.
    case real(bits: UInt64)
    case text([UInt8])
    case blob([UInt8])

    package init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let integer): self = .integer(integer)
        case .double(let real): self.init(real)
        case .string(let text): self = .text(Array(text.utf8))
        case .blob(let blob): self = .blob(Array(blob))
        }
    }

    package init(_ real: Double) {
        self = real.isNaN ? .null : .real(bits: real.bitPattern)
    }

    /// The value for the rest of the library, which repairs text that is not UTF-8.
    package var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let integer): integer.databaseValue
        case .real(let bits): Double(bitPattern: bits).databaseValue
        case .text(let bytes): String(decoding: bytes, as: UTF8.self).databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }

    package var isNull: Bool { self == .null }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let integer): hasher.combine(integer)
        case .real(let bits): hasher.combine(bits)
        case .text(let bytes), .blob(let bytes):
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
}

extension CellValue: Comparable {
    /// SQLite's order (NULL, numbers, text, blobs; text as by BINARY), and where SQLite sees no difference: an
    /// integer before a real, -0.0 before 0.0.
    package static func < (lhs: CellValue, rhs: CellValue) -> Bool {
        switch (lhs, rhs) {
        case (.integer(let lhs), .integer(let rhs)): return lhs < rhs
        case (.text(let lhs), .text(let rhs)), (.blob(let lhs), .blob(let rhs)):
            return lhs.lexicographicallyPrecedes(rhs)
        case (.real(let lhs), .real(let rhs)):
            let (one, other) = (Double(bitPattern: lhs), Double(bitPattern: rhs))
            return one == other ? one.sign == .minus && other.sign == .plus : one < other
        case (.integer(let integer), .real(let bits)):
            return compare(integer, Double(bitPattern: bits)) <= 0
        case (.real(let bits), .integer(let integer)):
            return compare(integer, Double(bitPattern: bits)) > 0
        default: return lhs.rank < rhs.rank
        }
    }

    /// Negative when the integer is less than the real, exactly: no digit is lost.
    private static func compare(_ integer: Int64, _ real: Double) -> Int {
        if real >= 0x1p63 { return -1 }
        if real < -0x1p63 { return 1 }
        let whole = Int64(real.rounded(.towardZero))
        if integer != whole { return integer < whole ? -1 : 1 }
        let fraction = real - real.rounded(.towardZero)
        return fraction == 0 ? 0 : fraction > 0 ? -1 : 1
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }
}

/// What a cell holds: the value of a column, or those of a group of columns, which win or lose together.
package enum CellContent: Sendable, Hashable {
    case value(CellValue)
    /// In the order of the bytes of the columns' names.
    case group([GroupValue])

    package struct GroupValue: Sendable, Hashable {
        package var column: String
        package var value: CellValue

        package init(_ column: String, _ value: CellValue) {
            self.column = column
            self.value = value
        }
    }

    /// A group of columns in any order.
    package init(group values: [GroupValue]) {
        self = .group(values.sorted { $0.column.precedesByBytes($1.column) })
    }
}

extension CellContent: Comparable {
    /// A value before a group; groups by their first difference: names, then values.
    package static func < (lhs: CellContent, rhs: CellContent) -> Bool {
        switch (lhs, rhs) {
        case (.value(let lhs), .value(let rhs)): lhs < rhs
        case (.value, .group): true
        case (.group, .value): false
        case (.group(let lhs), .group(let rhs)):
            lhs.lexicographicallyPrecedes(rhs) {
                $0.column.hasSameBytes(as: $1.column)
                    ? $0.value < $1.value : $0.column.precedesByBytes($1.column)
            }
        }
    }
}

extension String {
    /// Swift compares characters, and takes different bytes for equal.
    package func precedesByBytes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }

    package func hasSameBytes(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}
