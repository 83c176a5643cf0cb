package import Foundation

// Values as SQL writes them, where it takes no arguments.

extension Database {
    /// A value as SQL writes it: `1`, `'O''Brien'`, `NULL`, `X'00FF'`.
    package func literal(_ dbValue: DatabaseValue) throws -> String {
        switch dbValue.storage {
        case .null: return "NULL"
        case .int64(let int64): return String(int64)
        case .string(let string): return string.sqlLiteral
        case .blob(let data): return data.sqlLiteral
        case .double(let double): return try literal(double)
        }
    }

    /// SQLite knows how to write a number so that it reads the same one, but for the largest ones.
    private func literal(_ double: Double) throws -> String {
        let row = try Row.fetchOne(
            self, sql: "SELECT quote(?1) AS literal, CAST(quote(?1) AS REAL) = ?1 AS isSame",
            arguments: [double])
        guard let literal: String = try row?.decode(forColumn: "literal"),
            let isSame: Bool = try row?.decode(forColumn: "isSame"), isSame || double.isInfinite
        else { return double.description }
        return literal
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
