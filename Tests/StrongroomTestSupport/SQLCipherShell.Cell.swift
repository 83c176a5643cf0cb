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
        var output = output
        return try output.withUTF8 { bytes in
            var literals = Literals(bytes: bytes)
            var rows: [[Self]] = []
            var row: [Self] = []
            while !literals.isAtEnd {
                row.append(try literals.next())
                switch literals.popFirst() {
                case UInt8(ascii: ","): continue
                case UInt8(ascii: "\n"), nil:
                    rows.append(row)
                    row = []
                default: throw literals.failure("Not in quote mode")
                }
            }
            return rows
        }
    }
}

/// SQL literals one after the other. The C library looks for where each ends: in a debug build,
/// a loop over bytes takes many times as long, and some outputs have megabytes.
private struct Literals {
    let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func popFirst() -> UInt8? {
        guard !isAtEnd else { return nil }
        position += 1
        return bytes[position - 1]
    }

    mutating func next() throws -> SQLCipherShell.Cell {
        if bytes[position] == UInt8(ascii: "'") { return .text(try quoted()) }
        if text(to: min(position + 2, bytes.count)) == "X'" {
            position += 1
            return .blob(try blob())
        }
        let word = text(to: min(end(","), end("\n")))
        position += word.utf8.count
        if word == "NULL" { return .null }
        if let integer = Int64(word) { return .integer(integer) }
        if let real = Double(word) { return .real(real) }
        throw SQLCipherShell.Failure(description: "Not an SQL literal: \(word)")
    }

    func failure(_ what: String) -> SQLCipherShell.Failure {
        .init(description: "\(what): \(String(decoding: bytes, as: UTF8.self))")
    }

    /// Where the next such character is, or the end.
    private func end(_ character: Unicode.Scalar) -> Int {
        guard let start = bytes.baseAddress,
            let found = memchr(start + position, Int32(character.value), bytes.count - position)
        else { return bytes.count }
        return UnsafeRawPointer(start).distance(to: found)
    }

    private func text(to end: Int) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[position..<end]), as: UTF8.self)
    }

    /// What stands between quotes, where two quotes are one.
    private mutating func quoted() throws -> String {
        position += 1
        var result = ""
        while true {
            let end = end("'")
            guard end < bytes.count else { throw failure("A quote that does not end") }
            result += text(to: end)
            position = end + 1
            guard !isAtEnd, bytes[position] == UInt8(ascii: "'") else { return result }
            result += "'"
            position += 1
        }
    }

    private mutating func blob() throws -> Data {
        let digits = Array(try quoted().utf8)
        var blob = [UInt8]()
        blob.reserveCapacity(digits.count / 2)
        var index = 0
        while index + 1 < digits.count {
            blob.append(Self.nibble(digits[index]) << 4 | Self.nibble(digits[index + 1]))
            index += 2
        }
        return Data(blob)
    }

    // Hexadecimal digits are all that the shell writes here.
    private static func nibble(_ digit: UInt8) -> UInt8 {
        digit < 0x3a ? digit & 15 : (digit & 15) + 9
    }
}
