/// How SQLCipher writes a raw key as text: `x'` + 64 or 96 hexadecimal digits + `'`.
///
/// SQLCipher takes any other text as a passphrase, without a word; up to 4.6.1 that is so for the
/// 160 digits of later versions too. (`Documentation/SQLCipher.md`, "Keys")
enum RawKeyText {
    static let keyByteCount = 32
    static let saltByteCount = 16

    /// The form of a raw key, or `nil` for a text that does not begin like one.
    static func form(of text: UnsafeRawBufferPointer) throws(CipherKeyError) -> CipherKey.Form? {
        guard beginsLikeRawKey(text) else { return nil }
        guard let digits = digits(of: text) else {
            throw CipherKeyError(
                .malformedRawKey,
                "it begins like a raw key, but is not written x'…' with hexadecimal digits only",
                hint: "write x, a quote, 64 or 96 hexadecimal digits, a quote, and nothing else")
        }
        switch digits.count {
        case 2 * keyByteCount: return .rawKey
        case 2 * (keyByteCount + saltByteCount): return .rawKeyAndSalt
        default:
            throw CipherKeyError(
                .wrongLength,
                "it is a raw key of \(digits.count) hexadecimal digits",
                hint: "a raw key has 64 digits, or 96 with its salt")
        }
    }

    /// Why these bytes cannot be a passphrase; `nil` if they can.
    static func refusalAsPassphrase(_ bytes: UnsafeRawBufferPointer) -> CipherKeyError? {
        if bytes.isEmpty {
            return CipherKeyError(
                .empty, "the key is empty", hint: "an encrypted database needs a key")
        }
        // SQLCipher pads with NULs: `secret` and `secret\0` open the same file.
        if bytes.contains(0) {
            return CipherKeyError(
                .containsNUL,
                "the passphrase has a NUL byte",
                hint: "use text, or a raw key for 32 arbitrary bytes")
        }
        if isTakenAsRawKey(bytes) {
            return CipherKeyError(
                .looksLikeRawKey,
                "SQLCipher would take this passphrase as a raw key",
                hint: "if it is one, use CipherKey(rawKey:salt:) or CipherKey(parsing:)")
        }
        return nil
    }

    /// Whether SQLCipher, of some version at least, takes these bytes as a raw key.
    static func isTakenAsRawKey(_ bytes: UnsafeRawBufferPointer) -> Bool {
        digits(of: bytes).map { [64, 96, 160].contains($0.count) } ?? false
    }

    static func droppingFinalNewline(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard bytes.last == UInt8(ascii: "\n") else { return bytes }
        let line = bytes.dropLast()
        let isCRLF = line.last == UInt8(ascii: "\r")
        return UnsafeRawBufferPointer(rebasing: isCRLF ? line.dropLast() : line)
    }

    static func write(
        key: UnsafeRawBufferPointer,
        salt: UnsafeRawBufferPointer?,
        to text: inout SecretBytes
    ) {
        text.append(UInt8(ascii: "x"))
        text.append(UInt8(ascii: "'"))
        for byte in key { appendHexadecimal(byte, to: &text) }
        if let salt {
            for byte in salt { appendHexadecimal(byte, to: &text) }
        }
        text.append(UInt8(ascii: "'"))
    }

    private static func appendHexadecimal(_ byte: UInt8, to text: inout SecretBytes) {
        text.append(Hexadecimal.digit(byte >> 4))
        text.append(Hexadecimal.digit(byte & 0xf))
    }

    /// Spaces, quotes and a byte order mark in front are what people paste along with a raw key.
    private static func beginsLikeRawKey(_ text: UnsafeRawBufferPointer) -> Bool {
        let noise: [UInt8] = [0x20, 0x09, 0x0d, 0x0a, 0x22, 0xef, 0xbb, 0xbf]
        let start = text.drop(while: noise.contains)
        return (start.first == UInt8(ascii: "x") || start.first == UInt8(ascii: "X"))
            && start.dropFirst().first == UInt8(ascii: "'")
    }

    /// The digits between `x'` and `'`; `nil` if the text is anything else.
    private static func digits(of text: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer>? {
        guard text.count >= 3,
            text[0] == UInt8(ascii: "x") || text[0] == UInt8(ascii: "X"),
            text[1] == UInt8(ascii: "'"),
            text[text.count - 1] == UInt8(ascii: "'")
        else { return nil }
        let digits = text[2..<(text.count - 1)]
        return digits.allSatisfy(Hexadecimal.isDigit) ? digits : nil
    }
}

extension CipherKeyError {
    static func wrongLength(_ what: String, has count: Int, needs wanted: Int) -> CipherKeyError {
        CipherKeyError(.wrongLength, "\(what) of \(count) bytes; SQLCipher takes \(wanted)")
    }
}
