// Nothing that carries a key may reach an error, a trace or a log. SQL can carry one in four ways:
// `PRAGMA key = …` and its kin, `ATTACH … KEY …`, a `?key=` parameter of a file URI, and a raw key
// typed as a blob literal, which SQLite quotes in its syntax errors.

extension String {
    /// The SQL with every key in it replaced by an ellipsis.
    package func redactingKeys() -> String {
        guard mayCarryKey else { return self }
        var redaction = KeyRedaction(text: Array(utf8))
        return redaction.run()
    }

    /// A cheap test that nearly all SQL fails: `key` in any case, or a long hexadecimal literal.
    private var mayCarryKey: Bool {
        var previous: (UInt8, UInt8) = (0, 0)
        for byte in utf8 {
            let lower = byte | 0x20
            if lower == UInt8(ascii: "y"), previous == (UInt8(ascii: "k"), UInt8(ascii: "e")) {
                return true
            }
            if byte == UInt8(ascii: "'"), previous.1 == UInt8(ascii: "x") { return true }
            previous = (previous.1, lower)
        }
        return false
    }
}

/// One pass over SQL, token by token, that copies everything but keys.
private struct KeyRedaction {
    let text: [UInt8]
    var output: [UInt8] = []
    var index = 0
    var statement = StatementKind.unknown

    enum StatementKind { case unknown, pragma, attach, other }

    static let keyPragmas: Set<String> = [
        "key", "rekey", "hexkey", "hexrekey", "textkey", "textrekey",
    ]

    init(text: [UInt8]) {
        self.text = text
        output.reserveCapacity(text.count)
    }

    mutating func run() -> String {
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: ";"):
                statement = .unknown
                copy(1)
            case UInt8(ascii: "-") where peek(1) == UInt8(ascii: "-"):
                copy(lengthOfLine())
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
                copy(lengthOfBlockComment())
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
                redactLiteral()
            case let byte where Self.isWord(byte):
                redactWord()
            default:
                copy(1)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private func peek(_ offset: Int) -> UInt8? {
        index + offset < text.count ? text[index + offset] : nil
    }

    private mutating func copy(_ count: Int) {
        output.append(contentsOf: text[index..<index + count])
        index += count
    }

    private mutating func redactWord() {
        var end = index
        while end < text.count, Self.isWord(text[end]) { end += 1 }
        let word = String(decoding: text[index..<end], as: UTF8.self).lowercased()
        copy(end - index)
        switch (statement, word) {
        case (.unknown, "pragma"): statement = .pragma
        case (.unknown, "attach"): statement = .attach
        case (.unknown, "explain"), (.unknown, "query"), (.unknown, "plan"): break
        case (.unknown, _): statement = .other
        case (.pragma, _) where Self.keyPragmas.contains(word), (.attach, "key"): skipStatement()
        default: break
        }
    }

    /// Replaces what follows, up to the end of the statement.
    private mutating func skipStatement() {
        output.append(contentsOf: " …".utf8)
        var quote: UInt8?
        while index < text.count {
            let byte = text[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ";") {
                return
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            }
            index += 1
        }
    }

    private mutating func redactLiteral() {
        let close = text[index] == UInt8(ascii: "[") ? UInt8(ascii: "]") : text[index]
        var end = index + 1
        while end < text.count, text[end] != close { end += 1 }
        end = min(end + 1, text.count)
        let inside = text[index..<end].dropFirst().prefix { $0 != close }
        let isRawKey = inside.count >= 64 && inside.allSatisfy(Self.isHexDigit)
        // A PRAGMA may quote its own name, and a key may stand in the URI of any statement.
        let name = String(decoding: inside, as: UTF8.self).lowercased()
        if isRawKey || name.contains("key=") {
            output.append(text[index])
            output.append(contentsOf: "…".utf8)
            output.append(close)
            index = end
        } else {
            copy(end - index)
            if statement == .pragma, Self.keyPragmas.contains(name) { skipStatement() }
        }
    }

    private func lengthOfLine() -> Int {
        let end = text[index...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
        return end - index
    }

    private func lengthOfBlockComment() -> Int {
        var end = index + 2
        while end + 1 < text.count {
            if text[end] == UInt8(ascii: "*"), text[end + 1] == UInt8(ascii: "/") {
                return end + 2 - index
            }
            end += 1
        }
        return text.count - index
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
