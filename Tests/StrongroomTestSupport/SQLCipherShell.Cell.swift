public import Foundation

extension SQLCipherShell {
    /// A value as the shell prints it in quote mode; write `nil`, `1`, `1.5`, `"text"` for one.
    public enum Cell: Hashable, Sendable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
        case blob(Data)
    }
}

extension SQLCipherShell.Cell: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .real(value) }
    public init(stringLiteral value: String) { self = .text(value) }
}

extension SQLCipherShell.Cell {
    /// Reads rows of SQL literals with commas between them. Text may span lines.
    static func parseRows(_ output: String) throws -> [[Self]] {
        var rows: [[Self]] = []
        var row: [Self] = []
        var rest = Substring(output)
        while !rest.isEmpty {
            row.append(try parseLiteral(&rest))
            switch rest.popFirst() {
            case ",": continue
            case "\n", nil:
                rows.append(row)
                row = []
            default: throw SQLCipherShell.Failure(description: "Not in quote mode: \(output)")
            }
        }
        return rows
    }

    private static func parseLiteral(_ rest: inout Substring) throws -> Self {
        if rest.first == "'" { return .text(parseQuoted(&rest)) }
        if rest.hasPrefix("X'") {
            rest.removeFirst()
            return .blob(parseHex(parseQuoted(&rest)))
        }
        let word = rest.prefix { $0 != "," && $0 != "\n" }
        rest = rest[word.endIndex...]
        if word == "NULL" { return .null }
        if let integer = Int64(word) { return .integer(integer) }
        if let real = Double(word) { return .real(real) }
        throw SQLCipherShell.Failure(description: "Not an SQL literal: \(word)")
    }

    private static func parseQuoted(_ rest: inout Substring) -> String {
        rest.removeFirst()
        var text = ""
        while let next = rest.unicodeScalars.popFirst() {
            if next == "'" {
                guard rest.unicodeScalars.first == "'" else { break }
                rest.unicodeScalars.removeFirst()
            }
            text.unicodeScalars.append(next)
        }
        return text
    }

    private static func parseHex(_ digits: String) -> Data {
        let nibbles = digits.compactMap(\.hexDigitValue)
        return Data(
            stride(from: 0, to: nibbles.count - 1, by: 2).map { index in
                UInt8(nibbles[index] << 4 | nibbles[index + 1])
            })
    }
}
