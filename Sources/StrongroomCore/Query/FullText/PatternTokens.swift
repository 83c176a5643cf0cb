/// The words of a text of a user, such as they may stand in any pattern.
enum PatternTokens {
    /// Runs of letters and digits of ASCII, in small letters, and of all other characters that are
    /// not of ASCII: as SQLite's tokenizers `simple` and `ascii` have it.
    ///
    /// Nothing of a pattern's syntax is left: its operators are in capital letters.
    static func tokens(in text: String) -> [String] {
        text.utf8.split { !isPartOfToken($0) }.map { bytes in
            String(decoding: bytes.map(lowercased), as: UTF8.self)
        }
    }

    private static func isPartOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x80..., UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
