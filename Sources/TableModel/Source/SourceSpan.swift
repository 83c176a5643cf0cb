/// A part of the source text, in bytes of UTF-8 from the start of what the compiler handed over.
package struct SourceSpan: Hashable, Sendable {
    package let start: Int
    package let end: Int

    package init(_ start: Int, _ end: Int) {
        self.start = start
        self.end = end
    }

    /// The place in front of the first byte.
    package var beginning: SourceSpan { SourceSpan(start, start) }

    /// The place behind the last byte.
    package var ending: SourceSpan { SourceSpan(end, end) }
}

/// Text of the user together with the place where it stands.
package struct SourceText: Hashable, Sendable {
    package let text: String
    package let range: SourceSpan

    package init(_ text: String, at range: SourceSpan = SourceSpan(0, 0)) {
        self.text = text
        self.range = range
    }
}
