package import StrongroomEssentials

extension JSONEncoder {
    /// For texts that are signed, or compared: the members of an object are sorted by their names.
    package static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
