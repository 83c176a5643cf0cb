import StrongroomCore

/// Text that is safe on a terminal: on one line, with control characters spelt out.
package enum VisibleText {
    package static func text(of text: String) -> String {
        controlsSpelled(PathText.visible(text))
    }

    private static func controlsSpelled(_ text: String) -> String {
        // Nearly all texts can be taken as they are, and most of them are ASCII.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var visible = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": visible += "\\n"
            case "\r": visible += "\\r"
            case "\t": visible += "\\t"
            case _ where isControl(scalar):
                visible += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: visible.unicodeScalars.append(scalar)
            }
        }
        return visible
    }

    /// Control characters, and those that turn the direction of what follows.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// At most `columns` wide; what was cut off ends in `…`.
    package static func shortened(_ text: String, columns: Int) -> String {
        guard DisplayWidth.columns(of: text) > columns else { return text }
        var kept = ""
        var width = 1
        for character in text {
            width += DisplayWidth.columns(of: character)
            if width > columns { break }
            kept.append(character)
        }
        return kept + "…"
    }
}
