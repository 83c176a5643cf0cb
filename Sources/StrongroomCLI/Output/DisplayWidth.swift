/// How many columns a text takes on a terminal.
package enum DisplayWidth {
    package static func columns(of text: String) -> Int {
        text.utf8.allSatisfy { $0 < 0x80 }
            ? text.utf8.count : text.reduce(0) { $0 + columns(of: $1) }
    }

    /// A character takes the width of its widest scalar, as an emoji of several scalars does.
    package static func columns(of character: Character) -> Int {
        // An emoji made from a text symbol by variation selector 16 is wide.
        if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        return character.unicodeScalars.lazy.map(columns(of:)).max() ?? 0
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The blocks that Unicode's East Asian Width (UAX #11) calls wide or full-width.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F,  // Hangul initial consonants
        0x2E80...0x303E,  // CJK radicals, Kangxi, punctuation
        0x3041...0x33FF,  // kana, Bopomofo, Hangul compatibility, enclosed CJK
        0x3400...0x4DBF,  // CJK extension A
        0x4E00...0x9FFF,  // CJK unified ideographs
        0xA000...0xA4CF,  // Yi
        0xA960...0xA97F,  // Hangul extended A
        0xAC00...0xD7A3,  // Hangul syllables
        0xF900...0xFAFF,  // CJK compatibility
        0xFE30...0xFE6F,  // CJK compatibility forms, small forms
        0xFF00...0xFF60,  // full-width forms
        0xFFE0...0xFFE6,  // full-width signs
        0x1F300...0x1F64F,  // pictographs, emoticons
        0x1F900...0x1F9FF,  // supplemental pictographs
        0x20000...0x3FFFD,  // CJK extensions B and later
    ]
}
