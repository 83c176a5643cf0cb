/// The name of the savepoint that a statement begins or ends: its last word, quoted or not.
struct SavepointName {
    /// In lower case, as SQLite compares the names of savepoints.
    let name: String

    init(_ sql: String) {
        var rest = Substring(sql).utf8
        var last = Substring().utf8
        while let first = rest.first {
            switch first {
            case UInt8(ascii: "-") where rest.starts(with: "--".utf8):
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            case UInt8(ascii: "/") where rest.starts(with: "/*".utf8):
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
                rest = rest.dropFirst(2)
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "["):
                let end = Self.endOfQuoted(rest, closing: first == 0x5B ? 0x5D : first)
                last = rest[..<end]
                rest = rest[end...]
            case let byte where Self.isWord(byte):
                last = rest.prefix(while: Self.isWord)
                rest = rest[last.endIndex...]
            default:
                rest = rest.dropFirst()
            }
        }
        name = Self.unquoted(String(Substring(last))).lowercased()
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    /// Where quoted text ends; a quote inside is written twice.
    private static func endOfQuoted(
        _ text: Substring.UTF8View, closing quote: UInt8
    ) -> Substring.UTF8View.Index {
        var rest = text.dropFirst()
        while let byte = rest.first {
            rest = rest.dropFirst()
            guard byte == quote else { continue }
            guard quote != 0x5D, rest.first == quote else { return rest.startIndex }
            rest = rest.dropFirst()
        }
        return rest.startIndex
    }

    private static func unquoted(_ word: String) -> String {
        guard let first = word.first, word.count >= 2, "\"'`[".contains(first) else { return word }
        let inside = String(word.dropFirst().dropLast())
        let quote = String(first)
        return first == "[" ? inside : inside.replacing(quote + quote, with: quote)
    }
}
