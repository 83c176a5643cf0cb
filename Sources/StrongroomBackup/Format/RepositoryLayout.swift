import Strongroom

/// Where things are in a repository.
struct RepositoryLayout: Sendable {
    let path: String

    var head: String { path.appendingName("head") }
    var packs: String { path.appendingName("packs") }
    var backups: String { path.appendingName("backups") }
    /// What is being written; empty between two runs.
    var temporary: String { path.appendingName("tmp") }
    /// Held by who changes the repository.
    var writerLock: String { path.appendingName("lock") }
    /// Held, together with others, by who reads; alone, by who removes.
    var readerLock: String { path.appendingName("lock.readers") }

    static func digits(_ number: UInt32) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }

    /// Nil for anything but what ``digits(_:)`` writes.
    static func number(_ text: some StringProtocol) -> UInt32? {
        guard let number = UInt32(text), digits(number) == text else { return nil }
        return number
    }
}

/// A small text file of two lines: JSON, and what vouches for it.
struct SealedText {
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
