extension String {
    /// A statement as it may stand inside another: without what follows its last word.
    ///
    /// A semicolon would end the statement around it, and a comment would swallow some of it.
    var embeddableStatement: String {
        var lexemes = SQLLexemes(utf8)
        var end = utf8.startIndex
        while let lexeme = lexemes.next() {
            if lexeme.isMeaningful { end = lexeme.range.upperBound }
        }
        return String(self[..<end])
    }
}

/// An SQL text cut into spaces, comments, quoted texts and single bytes.
///
/// <https://www.sqlite.org/lang_comment.html>
private struct SQLLexemes: IteratorProtocol {
    private let text: String.UTF8View
    private var position: String.Index

    struct Lexeme {
        var range: Range<String.Index>
        /// Whether it is more than space, comment or semicolon.
        var isMeaningful: Bool
    }

    init(_ text: String.UTF8View) {
        self.text = text
        position = text.startIndex
    }

    mutating func next() -> Lexeme? {
        guard position < text.endIndex else { return nil }
        let start = position
        let isMeaningful = advance()
        return Lexeme(range: start..<position, isMeaningful: isMeaningful)
    }

    private mutating func advance() -> Bool {
        let rest = text[position...]
        let byte = text[position]
        switch byte {
        case 0x09, 0x0A, 0x0C, 0x0D, 0x20, UInt8(ascii: ";"):
            position = text.index(after: position)
            return false
        case UInt8(ascii: "-") where rest.starts(with: "--".utf8):
            position = rest.firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
            return false
        case UInt8(ascii: "/") where rest.starts(with: "/*".utf8):
            skipBlockComment()
            return false
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
            skipPast(byte)
        case UInt8(ascii: "["):
            skipPast(UInt8(ascii: "]"))
        default:
            position = text.index(after: position)
        }
        return true
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
}
