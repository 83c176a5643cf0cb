/// An SQL text cut into spaces, comments, quoted texts, words, placeholders and single bytes.
///
/// <https://www.sqlite.org/lang_comment.html>, <https://www.sqlite.org/lang_expr.html#varparam>
struct SQLLexemes: IteratorProtocol {
    private let text: String.UTF8View
    private var position: String.Index

    struct Lexeme {
        let range: Range<String.Index>
        let kind: Kind

        /// Whether it is more than space, comment or semicolon.
        var isMeaningful: Bool { kind != .space }
    }

    enum Kind {
        /// Space, a comment, or a semicolon.
        case space
        /// What a value is bound to: `?`, `?1`, `:name`, `@name`, `$name`.
        case placeholder
        /// Anything else.
        case other
    }

    init(_ text: String.UTF8View) {
        self.text = text
        position = text.startIndex
    }

    mutating func next() -> Lexeme? {
        guard position < text.endIndex else { return nil }
        let start = position
        let kind = advance()
        return Lexeme(range: start..<position, kind: kind)
    }

    private mutating func advance() -> Kind {
        let rest = text[position...]
        let byte = text[position]
        switch byte {
        case 0x09, 0x0A, 0x0C, 0x0D, 0x20, UInt8(ascii: ";"):
            position = text.index(after: position)
            return .space
        case UInt8(ascii: "-") where rest.starts(with: "--".utf8):
            position = rest.firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
            return .space
        case UInt8(ascii: "/") where rest.starts(with: "/*".utf8):
            skipBlockComment()
            return .space
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
            skipPast(byte)
        case UInt8(ascii: "["):
            skipPast(UInt8(ascii: "]"))
        case UInt8(ascii: "?"):
            position = text.index(after: position)
            skipWord()
            return .placeholder
        case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"):
            position = text.index(after: position)
            let name = position
            skipWord()
            return position > name ? .placeholder : .other
        default:
            position = text.index(after: position)
            if Self.isInWord(byte) { skipWord() }
        }
        return .other
    }

    /// A doubled quote ends one text and begins another, which comes to the same.
    private mutating func skipPast(_ quote: UInt8) {
        let inside = text[text.index(after: position)...]
        position = inside.firstIndex(of: quote).map { text.index(after: $0) } ?? text.endIndex
    }

    private mutating func skipBlockComment() {
        var rest = text[position...].dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
        position = rest.dropFirst(2).startIndex
    }

    private mutating func skipWord() {
        position = text[position...].firstIndex { !Self.isInWord($0) } ?? text.endIndex
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"): true
        case 0x80...: true
        default: (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
    }
}
