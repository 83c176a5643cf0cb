/// Names of files as text, and back: to the system they are bytes, which need not be UTF-8.
///
/// 1. Each name of bytes has one text, and each text one name. Text stands for its UTF-8.
/// 2. A byte that is no UTF-8 stands as a character of the last private plane, U+10FE80 for 0x80 to U+10FEFF
///    for 0xFF. A name that holds the UTF-8 of such a character has its four bytes stand so.
/// 3. The text is made where a name comes from the system or the command line, and is taken apart where
///    it goes to the system. In between, it is a path like others. People see ``visible(_:)``.
package enum PathText {
    private static let firstEscape: UInt32 = 0x10_FE00
    /// With what the UTF-8 of all escapes begins.
    private static let firstByte: UInt8 = 0xF4

    /// The text of a name.
    package static func text(of bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !hasEscapes(text) { return text }
        var text = String.UnicodeScalarView()
        var rest = Array(bytes)[...]
        while let first = rest.first {
            if let scalar = character(rest), !isEscape(scalar) {
                text.append(scalar)
                rest = rest.dropFirst(UTF8.encode(scalar)?.count ?? 1)
            } else {
                text.append(escape(first))
                rest = rest.dropFirst()
            }
        }
        return String(text)
    }

    /// The text of a name that C has.
    package static func text(of name: UnsafePointer<CChar>) -> String {
        var count = 0
        while name[count] != 0 { count += 1 }
        return text(of: (0..<count).map { UInt8(bitPattern: name[$0]) })
    }

    /// The bytes of a name.
    package static func bytes(of text: String) -> [UInt8] {
        guard hasEscapes(text) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in
            isEscape(scalar)
                ? [UInt8(scalar.value - firstEscape)] : Array(UTF8.encode(scalar) ?? .init())
        }
    }

    /// Whether a text stands for bytes that are not its UTF-8.
    package static func hasEscapes(_ text: String) -> Bool {
        text.utf8.contains(firstByte) && text.unicodeScalars.contains(where: isEscape)
    }

    /// The text with bytes that are no UTF-8 as `\xE9`, for people.
    package static func visible(_ text: String) -> String {
        guard hasEscapes(text) else { return text }
        return text.unicodeScalars.reduce(into: "") { visible, scalar in
            if isEscape(scalar) {
                visible +=
                    "\\x" + Hexadecimal.text([UInt8(scalar.value - firstEscape)]).uppercased()
            } else {
                visible.unicodeScalars.append(scalar)
            }
        }
    }

    private static func isEscape(_ scalar: Unicode.Scalar) -> Bool {
        (firstEscape + 0x80...firstEscape + 0xFF).contains(scalar.value)
    }

    /// Only what is no ASCII is ever escaped.
    private static func escape(_ byte: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(firstEscape + UInt32(byte)) ?? "\u{FFFD}"
    }

    /// The character that some bytes begin with; nil where they are no UTF-8.
    private static func character(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        for count in 1...4 where count <= bytes.count {
            if let text = String(validating: bytes.prefix(count), as: UTF8.self) {
                return text.unicodeScalars.first
            }
        }
        return nil
    }
}

extension String {
    /// The name that this is the text of, as C takes it.
    package var systemPath: [CChar] {
        guard PathText.hasEscapes(self) else { return Array(utf8CString) }
        return PathText.bytes(of: self).map { CChar(bitPattern: $0) } + [0]
    }
}
