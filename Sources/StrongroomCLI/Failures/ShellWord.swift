/// A word as a shell reads it back, for the commands that hints and examples show.
package enum ShellWord {
    package static func text(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || "0"..."9" ~= scalar
                || "_-./+,:@%=".unicodeScalars.contains(scalar)
        }
        if isPlain, !word.isEmpty { return word }
        return "'"
            + word.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''") + "'"
    }
}
