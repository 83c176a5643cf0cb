package import StrongroomCore

/// A value as the file holds it, text that is no UTF-8 included.
package enum CapturedValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    /// UTF-8, also where it is damaged.
    case text([UInt8])
    case blob([UInt8])

    /// Reads a column, counted from 0, of the row at which a statement stands.
    package init(_ statement: SQLiteStatement, _ index: Int) {
        let value = BorrowedStatement(statement).value(CInt(index))
        self =
            switch value.storage {
            case .null: .null
            case .integer: .integer(value.int64)
            case .real: .real(value.double)
            case .text: .text(Array(value.textBytes))
            case .blob: .blob(Array(value.blobBytes))
            }
    }

    package var isNull: Bool { self == .null }
}

extension CapturedValue: StatementBinding {
    package func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
        let statement = BorrowedStatement(sqliteStatement)
        switch self {
        case .null: return statement.bindNull(index)
        case .integer(let value): return statement.bindInt64(index, value)
        case .real(let value): return statement.bindDouble(index, value)
        case .text(let bytes): return statement.bindStoredText(index, bytes, encoding: 1)
        case .blob(let bytes): return bytes.withUnsafeBytes { statement.bindBlob(index, $0) }
        }
    }
}

extension [CapturedValue] {
    /// The bytes of a key, in the form of `KeyBytes`; text that is no UTF-8 keeps its bytes.
    package var keyBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 40)
        for value in self {
            switch value {
            case .null: bytes.append(0)
            case .integer(let integer):
                bytes.append(1)
                Self.append(UInt64(bitPattern: integer) ^ Self.sign, to: &bytes)
            case .real(let real):
                let bits = real == 0 ? 0 : real.bitPattern
                bytes.append(2)
                Self.append(bits & Self.sign == 0 ? bits ^ Self.sign : ~bits, to: &bytes)
            case .text(let text):
                bytes.append(3)
                Self.append(text, to: &bytes)
            case .blob(let blob):
                bytes.append(4)
                Self.append(blob, to: &bytes)
            }
        }
        return bytes
    }

    private static var sign: UInt64 { 1 << 63 }

    private static func append(_ bits: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
    }

    private static func append(_ content: [UInt8], to bytes: inout [UInt8]) {
        for byte in content {
            bytes.append(byte)
            if byte == 0 { bytes.append(1) }
        }
        bytes += [0, 0]
    }
}
