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

extension CellValue {
    init(_ value: CapturedValue) {
        self =
            switch value {
            case .null: .null
            case .integer(let integer): .integer(integer)
            case .real(let real): CellValue(real)
            case .text(let bytes): .text(bytes)
            case .blob(let bytes): .blob(bytes)
            }
    }

    /// The value as statements bind it: text is bytes.
    var captured: CapturedValue {
        switch self {
        case .null: .null
        case .integer(let integer): .integer(integer)
        case .real(let bits): .real(Double(bitPattern: bits))
        case .text(let bytes): .text(bytes)
        case .blob(let bytes): .blob(bytes)
        }
    }
}

extension [CapturedValue] {
    /// The bytes of a key, in the form of `KeyBytes`; text that is no UTF-8 keeps its bytes.
    package var keyBytes: [UInt8] { RowKey(map { CellValue($0) }).bytes }
}
