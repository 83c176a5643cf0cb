import Strongroom
import Testing

@Suite("Hexadecimal digits")
struct HexadecimalTests {
    @Test("are read as they are written, for every byte")
    func everyByte() {
        let bytes = Array(UInt8.min...UInt8.max)
        let text = Hexadecimal.text(bytes)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        #expect(Hexadecimal.bytes(text) == bytes)
        #expect(Hexadecimal.bytes(text.uppercased()) == bytes)
    }

    @Test(
        "are nothing else: no signs, no blanks, no digits of other scripts, no half of a byte",
        arguments: ["+1", "-1", " 1", "0x", "1", "123", "g0", "１２", "12\0"])
    func refused(text: String) {
        #expect(Hexadecimal.bytes(text) == nil)
    }

    @Test("know their case")
    func cases() {
        let digits = (UInt8.min...UInt8.max).filter(Hexadecimal.isDigit)
        #expect(String(decoding: digits, as: UTF8.self) == "0123456789ABCDEFabcdef")
        let small = digits.filter(Hexadecimal.isLowercaseDigit)
        #expect(String(decoding: small, as: UTF8.self) == "0123456789abcdef")
    }
}
