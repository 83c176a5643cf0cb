package import StrongroomEssentials

// Values as SQL writes them, without a question to SQLite.

extension DatabaseValue {
    /// The value as SQL writes it; nil for numbers with a fraction, which only SQLite writes exactly.
    package var exactLiteral: String? {
        switch storage {
        case .null: "NULL"
        case .int64(let int64): String(int64)
        case .string(let string): string.sqlLiteral
        case .blob(let data): data.sqlLiteral
        case .double: nil
        }
    }
}

extension String {
    /// The text as SQL writes it: `'O''Brien'`.
    package var sqlLiteral: String {
        // SQL ends at a NUL: such a text can only be written as its bytes.
        guard !utf8.contains(0) else { return "CAST(\(Data(utf8).sqlLiteral) AS TEXT)" }
        return "'" + replacing("'", with: "''") + "'"
    }
}

extension Data {
    /// The bytes as SQL writes them: `X'00FF'`.
    package var sqlLiteral: String {
        let digits = Array("0123456789ABCDEF".utf8)
        let hex = flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "X'\(String(decoding: hex, as: UTF8.self))'"
    }
}
