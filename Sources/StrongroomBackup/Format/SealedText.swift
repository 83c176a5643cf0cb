import StrongroomCore

/// A small text file of two lines: JSON, and what vouches for it.
struct SealedText: Sendable {
    let content: [UInt8]
    /// What stands before the seal, `sha256` or `hmac-sha256`.
    let kind: String
    let seal: ContentDigest

    init(_ content: [UInt8], _ kind: String, _ seal: ContentDigest) {
        self.content = content
        self.kind = kind
        self.seal = seal
    }

    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let words = String(decoding: bytes[(end + 1)...], as: UTF8.self)
            .split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[1].hasSuffix("\n"),
            let seal = ContentDigest(hexadecimal: words[1].dropLast())
        else { return nil }
        self.init(Array(bytes[..<end]), String(words[0]), seal)
    }

    var bytes: [UInt8] {
        content + Array("\n\(kind) \(seal.hexadecimal)\n".utf8)
    }
}
