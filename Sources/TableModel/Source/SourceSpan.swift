/// A part of the source text, in bytes of UTF-8 from the start of what the compiler handed over.
public struct SourceSpan: Hashable, Sendable {
    public let start: Int
    public let end: Int

    public init(_ start: Int, _ end: Int) {
        self.start = start
        self.end = end
    }

    /// The place in front of the first byte.
    public var beginning: SourceSpan { SourceSpan(start, start) }

    /// The place behind the last byte.
    public var ending: SourceSpan { SourceSpan(end, end) }
}

/// Text of the user together with the place where it stands.
public struct SourceText: Hashable, Sendable {
    public let text: String
    public let range: SourceSpan

    public init(_ text: String, at range: SourceSpan = SourceSpan(0, 0)) {
        self.text = text
        self.range = range
    }
}
