extension StringProtocol {
    /// The text without the blanks and ends of lines around it.
    var trimmingSpace: SubSequence {
        let rest = drop(while: \.isWhitespace)
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return rest.prefix(0) }
        return rest[...last]
    }
}
