import StrongroomTestSupport
import Testing

@testable import Strongroom

/// Names of files as text: no public type has them, but every public call takes them.
@Suite("The text of a file's name", .proves("OPR-19"))
struct PathTextTests {
    @Test("is the name itself where that is UTF-8")
    func plain() {
        for name in ["", "shop.db", "caf\u{E9}.db", "\u{1F5C4}/\u{FFFD}\u{E000}", "a\u{301}"] {
            #expect(PathText.text(of: Array(name.utf8)) == name)
            #expect(PathText.bytes(of: name) == Array(name.utf8))
            #expect(!PathText.hasEscapes(name))
        }
    }

    @Test("shows bytes that are none")
    func visible() {
        let text = PathText.text(of: [0x63, 0xE9, 0x2F, 0xFF, 0xC3])
        #expect(PathText.hasEscapes(text))
        #expect(PathText.visible(text) == #"c\xE9/\xFF\xC3"#)
        #expect(text.splitAtLastSlash.name.utf8.count == 8)
    }

    @Test("is another one for each name, and leads back to it")
    func roundTrips() {
        var generator = SeededGenerator(seed: 7)
        // Bytes of which UTF-8, halves of it, and the UTF-8 of escapes are made.
        let bytes: [UInt8] = [
            0x61, 0x2F, 0xC3, 0xA9, 0xE9, 0xF4, 0x8F, 0xBA, 0xBB, 0x80, 0xFF, 0xBF,
        ]
        var texts: [String: [UInt8]] = [:]
        for _ in 0..<20_000 {
            let name = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                bytes[Int.random(in: bytes.indices, using: &generator)]
            }
            let text = PathText.text(of: name)
            #expect(PathText.bytes(of: text) == name)
            #expect(texts.updateValue(name, forKey: text) ?? name == name)
        }
        let escape = Array("\u{10FEE9}".utf8)
        #expect(PathText.bytes(of: PathText.text(of: escape)) == escape)
        #expect(PathText.text(of: escape) != "\u{10FEE9}")
    }
}
