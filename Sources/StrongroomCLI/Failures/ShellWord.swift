import StrongroomCore

/// A word as a shell reads it back, for the commands that hints and examples show.
package enum ShellWord {
    package static func text(_ word: String) -> String {
        if PathText.hasEscapes(word) { return quotedBytes(word) }
        let isPlain = word.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || "0"..."9" ~= scalar
                || "_-./+,:@%=".unicodeScalars.contains(scalar)
        }
        if isPlain, !word.isEmpty { return word }
        return "'"
            + word.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''") + "'"
    }

    /// `$'caf\xE9.db'`, as bash, zsh and ksh read it.
    private static func quotedBytes(_ word: String) -> String {
        let escaped = word.unicodeScalars.reduce(into: "") { text, scalar in
            if scalar == "'" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        return "$'" + PathText.visible(escaped) + "'"
    }
}
