/// The literal of `#sql("…")`: text and interpolations, each with its place.
package struct SQLLiteral: Sendable {
    package enum Segment: Sendable {
        /// Text as it stands in the source, escapes included.
        case text(SourceText)
        case interpolation(Interpolation)
    }

    package struct Interpolation: Sendable {
        /// `raw`, `bind`, `quote`, `sequence`, `name`; nil for a value or an expression.
        package let label: String?
        /// The place of `\(`…`)`.
        package let range: SourceSpan
        /// The place behind the opening parenthesis.
        package let inside: SourceSpan

        package init(label: String?, range: SourceSpan, inside: SourceSpan) {
            self.label = label
            self.range = range
            self.inside = inside
        }
    }

    package var segments: [Segment]
    /// How many `#` stand in front of the quotes.
    package var hashes: Int
    /// Everything between the parentheses of the macro, as written.
    package var source: SourceText
    /// The place of the macro, `#` included.
    package var macro: SourceSpan
    /// Whether the statement gives something: `as:` with a type other than Void.
    package var hasResult: Bool

    package init(
        _ segments: [Segment], hashes: Int = 0, source: SourceText, macro: SourceSpan,
        hasResult: Bool = false
    ) {
        self.segments = segments
        self.hashes = hashes
        self.source = source
        self.macro = macro
        self.hasResult = hasResult
    }

    /// A character of SQL, or an interpolation, with its place in the source.
    enum Element {
        case character(Character, SourceSpan)
        case interpolation(Interpolation)
    }

    /// The SQL as the program sees it: without Swift's escapes.
    var elements: [Element] {
        segments.flatMap { segment -> [Element] in
            switch segment {
            case .interpolation(let interpolation): [.interpolation(interpolation)]
            case .text(let text): Self.elements(of: text, hashes: hashes)
            }
        }
    }

    private static func elements(of text: SourceText, hashes: Int) -> [Element] {
        let characters = Array(text.text)
        var offset = text.range.start
        var elements: [Element] = []
        var index = 0
        while index < characters.count {
            let (character, count) = unescaped(characters[index...], hashes: hashes)
            let length = characters[index..<index + count].reduce(0) { $0 + $1.utf8.count }
            if let character {
                elements.append(.character(character, SourceSpan(offset, offset + length)))
            }
            offset += length
            index += count
        }
        return elements
    }

    /// The next character, and how many characters of source it takes.
    private static func unescaped(
        _ text: ArraySlice<Character>, hashes: Int
    ) -> (Character?, Int) {
        guard let first = text.first else { return (nil, 1) }
        let escape = text.prefix(1 + hashes)
        guard first == "\\", escape.dropFirst().allSatisfy({ $0 == "#" }),
            escape.count == 1 + hashes,
            let kind = text.dropFirst(1 + hashes).first
        else { return (first, 1) }
        let count = hashes + 2
        switch kind {
        case "n": return ("\n", count)
        case "t": return ("\t", count)
        case "r": return ("\r", count)
        case "0": return ("\0", count)
        case "u":
            let body = text.dropFirst(count).prefix { $0 != "}" }
            let value = UInt32(String(body.dropFirst()), radix: 16).flatMap(Unicode.Scalar.init)
            return (value.map(Character.init), count + body.count + 1)
        // A line break that Swift takes out.
        case "\n", "\r\n": return (nil, count)
        default: return (kind, count)
        }
    }
}
