/// Bytes as hexadecimal digits, and back.
///
/// Text and arrays are not wiped: the bytes of keys pass through the functions on single digits only.
package enum Hexadecimal {
    /// Two digits for each byte, in lower case.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digit($0 >> 4), digit($0 & 0xf)] }, as: UTF8.self)
    }

    /// The bytes that a text has two digits for, in whatever case; nil for any other text.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in text.utf8 {
            guard let value = value(of: digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    /// The digit, in lower case, of a number below 16.
    package static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// What a digit stands for, in whatever case; nil for any other character.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    package static func isDigit(_ byte: UInt8) -> Bool { value(of: byte) != nil }

    /// Whether a byte is a digit as ``text(_:)`` writes it.
    package static func isLowercaseDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) && !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
    }
}
