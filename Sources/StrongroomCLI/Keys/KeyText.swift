import StrongroomCore

/// What the bytes of a key must be: one line of text.
///
/// SQLCipher takes any bytes as a passphrase. That turns a mistake (a binary file, a file of
/// several lines) into a key that no other program can be given, so these
/// are refused.
enum KeyText {
    static func check(_ bytes: borrowing SecretBytes, from source: String) throws(Failure) {
        try bytes.withUnsafeBytes { bytes throws(Failure) in try check(bytes, from: source) }
    }

    private static func check(
        _ bytes: UnsafeRawBufferPointer, from source: String
    ) throws(Failure) {
        var text = bytes[...]
        if text.last == UInt8(ascii: "\n") { text = text.dropLast() }
        if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
        if text.isEmpty { throw Failure(.failed, "\(source) is empty", hint: Failure.keygenHint) }
        if text.contains(where: { $0 == 0 || ($0 < 0x20 && !isLineBreak($0)) || $0 == 0x7F })
            || !isUTF8(UnsafeRawBufferPointer(rebasing: text))
        {
            throw Failure(
                .failed, "\(source) holds binary data, not a line of text",
                hint: "write a raw key as text, x'…' with 64 hexadecimal digits; "
                    + Failure.keygenHint)
        }
        if text.contains(where: isLineBreak) {
            throw Failure(
                .failed, "\(source) holds more than one line",
                hint: "a key is one line; for example: --key-command 'pass show app | head -n 1'")
        }
    }

    private static let identityStart = Array("AGE-SECRET-KEY-1".utf8)

    /// Whether a line is an age identity: such files have comments.
    static func hasIdentity(_ bytes: borrowing SecretBytes) -> Bool {
        bytes.withUnsafeBytes { bytes in
            bytes.split(separator: UInt8(ascii: "\n")).contains {
                $0.starts(with: identityStart)
            }
        }
    }

    /// What an editor adds to a line, and no person means.
    enum Blemish: String {
        case byteOrderMark = "begins with a byte order mark"
        case finalBlank = "ends in a blank"
    }

    static func blemish(of bytes: borrowing SecretBytes) -> Blemish? {
        bytes.withUnsafeBytes { bytes in
            var text = bytes[...]
            while let last = text.last, isLineBreak(last) { text = text.dropLast() }
            if text.starts(with: [0xEF, 0xBB, 0xBF]) { return .byteOrderMark }
            let endsInBlank = text.last == 0x20 || text.suffix(2).elementsEqual([0xC2, 0xA0])
            return endsInBlank ? .finalBlank : nil
        }
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    /// Without a String, which would leave a copy behind.
    private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }
}
