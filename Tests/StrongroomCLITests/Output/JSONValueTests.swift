import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct JSONValueTests {
    @Test func `integers keep all of their 64 bits`() {
        #expect(JSONValue.integer(.max).text == "9223372036854775807")
        #expect(JSONValue.integer(.min).text == "-9223372036854775808")
    }

    @Test func `reals are read back as they were, infinity as infinity`() throws {
        for value in [0.1, -0.0, Double.leastNonzeroMagnitude, 1e300, 2.0, 123_456_789.125] {
            #expect(Double(JSONValue.real(value).text) == value)
        }
        #expect(JSONValue.real(.infinity).text == "9e999")
        #expect(JSONValue.real(-.infinity).text == "-9e999")
        #expect(JSONValue.real(.nan).text == "null")
    }

    @Test func `any text survives the way through a JSON reader`() throws {
        let scalars = (0...0x2FF).compactMap(Unicode.Scalar.init)
        var text = "\"\\/\u{2028}\u{FEFF}日本語👩‍👩‍👧"
        text.unicodeScalars.append(contentsOf: scalars)
        let data = Data(JSONValue.string(text).text.utf8)
        #expect(try JSONDecoder().decode(String.self, from: data) == text)
    }

    @Test(.proves("HST-16")) func `control characters are spelt out, also those beyond ASCII`() {
        #expect(JSONValue.string("a\u{1b}[31m\u{9b}31mü").text == #""a\u001b[31m\u009b31mü""#)
        #expect(JSONValue.string("\u{9b}31m").text == #""\u009b31m""#)
    }

    @Test func `objects keep their order, on one line or on several`() {
        let value = JSONValue.object([
            .init("b", .array([.null, .boolean(true)])), .init("a", .object([])),
            .init("c", .array([])),
        ])
        #expect(value.text == #"{"b":[null,true],"a":{},"c":[]}"#)
        #expect(
            value.indentedText == """
                {
                  "b": [
                    null,
                    true
                  ],
                  "a": {},
                  "c": []
                }
                """)
    }

    @Test(arguments: 0...80)
    func `base64 is what everyone else writes`(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 250) }
        #expect(Base64.text(of: bytes) == Data(bytes).base64EncodedString())
    }
}
