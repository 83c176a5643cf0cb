/// SQL cut into tokens, exactly as SQLite's tokenizer cuts it when it prepares a statement.
///
/// 1. The tokens lie side by side, from the start of the text to its end, or to the first NUL
///    outside of any quote: SQLite reads no further.
/// 2. A byte at or past the end reads as NUL, as in the C string that SQLite is given.
/// 3. Nothing is allocated: a token is a kind and a range of bytes.
///
/// `sqlite3_complete` has a tokenizer of its own, which takes other bytes for blanks. What counts
/// is the one behind `sqlite3_prepare`: <https://sqlite.org/src/file/src/tokenize.c>
package struct SQLLexer {
    package enum Kind: Sendable {
        /// White space, or a byte order mark between two tokens.
        case blank
        /// `-- …` up to the end of the line, `/* … */`, or the second without its end.
        case comment
        case semicolon
        /// A keyword, or a name without quotes.
        case word
        /// A name in double quotes, backquotes or brackets.
        case quotedName
        case string
        case number
        /// A blob literal: `x'00ff'`.
        case blob
        /// `?`, `?1`, `:name`, `@name`, `#name`, `$name`, `$name::space(index)`.
        case parameter
        /// An operator, a comma, a point or a parenthesis.
        case mark
        /// What no statement may contain: SQLite stops here with an error.
        case illegal
    }

    package struct Token: Equatable, Sendable {
        package let kind: Kind
        package let range: Range<Int>
    }

    package let bytes: UnsafeBufferPointer<UInt8>
    /// Where the next token begins.
    package private(set) var position: Int

    /// - Parameter bytes: Must outlive the lexer.
    package init(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// The next token of whatever kind; nil at the end.
    package mutating func next() -> Token? {
        let start = position
        let first = byte(start)
        guard first != 0 else { return nil }
        let kind = advance(over: first)
        return Token(kind: kind, range: start..<position)
    }

    /// The next token that is neither blank nor comment; nil at the end.
    package mutating func nextMeaningful() -> Token? {
        while let token = next() {
            if token.kind != .blank, token.kind != .comment { return token }
        }
        return nil
    }

    /// Goes on from another place.
    package mutating func move(to position: Int) {
        self.position = position
    }

    private func byte(_ index: Int) -> UInt8 {
        index < bytes.count ? bytes[index] : 0
    }

    private mutating func advance(over first: UInt8) -> Kind {
        let second = byte(position + 1)
        switch first {
        case 0x09, 0x0A, 0x0C, 0x0D, 0x20: return advanceOverBlanks()
        case UInt8(ascii: "-") where second == first: return advanceOverLine()
        case UInt8(ascii: "/") where second == UInt8(ascii: "*") && byte(position + 2) != 0:
            return advanceOverBlockComment()
        case UInt8(ascii: ";"): return advance(by: 1, .semicolon)
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
            return advanceOverQuoted(by: first)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return advanceOverNumber()
        case UInt8(ascii: ".") where Self.isDigit(second): return advanceOverNumber()
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            return second == UInt8(ascii: "'") ? advanceOverBlob() : advanceOverWord()
        case UInt8(ascii: "?"):
            position += 1
            skip(Self.isDigit)
            return .parameter
        case UInt8(ascii: "$"), UInt8(ascii: "@"), UInt8(ascii: ":"), UInt8(ascii: "#"):
            return advanceOverParameter()
        case 0xEF where second == 0xBB && byte(position + 2) == 0xBF: return advance(by: 3, .blank)
        case _ where Self.isNamePart(first): return advanceOverWord()
        default: return advanceOverMark(first, second)
        }
    }

    private mutating func advance(by count: Int, _ kind: Kind) -> Kind {
        position += count
        return kind
    }

    private mutating func skip(_ isPart: (UInt8) -> Bool) {
        while isPart(byte(position)) { position += 1 }
    }
}

// MARK: - One kind of token after the other

extension SQLLexer {
    /// A vertical tab is a blank after another blank, and illegal elsewhere.
    private mutating func advanceOverBlanks() -> Kind {
        position += 1
        skip(Self.isBlank)
        return .blank
    }

    private mutating func advanceOverLine() -> Kind {
        position += 2
        skip { $0 != 0 && $0 != UInt8(ascii: "\n") }
        return .comment
    }

    private mutating func advanceOverBlockComment() -> Kind {
        position += 2
        while byte(position) != 0 {
            if byte(position) == UInt8(ascii: "*"), byte(position + 1) == UInt8(ascii: "/") {
                return advance(by: 2, .comment)
            }
            position += 1
        }
        return .comment
    }

    /// A quote that is doubled stands for itself; a bracket cannot be.
    private mutating func advanceOverQuoted(by open: UInt8) -> Kind {
        let isBracket = open == UInt8(ascii: "[")
        let close = isBracket ? UInt8(ascii: "]") : open
        position += 1
        while byte(position) != 0 {
            position += 1
            guard byte(position - 1) == close else { continue }
            guard !isBracket, byte(position) == close else {
                return open == UInt8(ascii: "'") ? .string : .quotedName
            }
            position += 1
        }
        return .illegal
    }

    private mutating func advanceOverNumber() -> Kind {
        var isIllegal = false
        let isHexadecimal =
            byte(position) == UInt8(ascii: "0") && byte(position + 1) | 0x20 == UInt8(ascii: "x")
            && Hexadecimal.isDigit(byte(position + 2))
        if isHexadecimal {
            position += 3
            isIllegal = !skipDigits(Hexadecimal.isDigit)
        } else {
            isIllegal = !skipDigits(Self.isDigit)
            if byte(position) == UInt8(ascii: ".") {
                position += 1
                isIllegal = !skipDigits(Self.isDigit) || isIllegal
            }
            if isAtExponent {
                position += 2
                isIllegal = !skipDigits(Self.isDigit) || isIllegal
            }
        }
        // What grows onto a number makes it none.
        if Self.isNamePart(byte(position)) { isIllegal = true }
        skip(Self.isNamePart)
        return isIllegal ? .illegal : .number
    }

    /// Skips digits with single underscores between them.
    ///
    /// - Returns: Whether all underscores are.
    private mutating func skipDigits(_ isDigit: (UInt8) -> Bool) -> Bool {
        var areSeparatorsRight = true
        while true {
            if byte(position) == UInt8(ascii: "_") {
                let isBetweenDigits =
                    position > 0 && isDigit(byte(position - 1)) && isDigit(byte(position + 1))
                if !isBetweenDigits { areSeparatorsRight = false }
            } else if !isDigit(byte(position)) {
                return areSeparatorsRight
            }
            position += 1
        }
    }

    private var isAtExponent: Bool {
        guard byte(position) | 0x20 == UInt8(ascii: "e") else { return false }
        let next = byte(position + 1)
        let isSign = next == UInt8(ascii: "+") || next == UInt8(ascii: "-")
        return Self.isDigit(isSign ? byte(position + 2) : next)
    }

    private mutating func advanceOverBlob() -> Kind {
        position += 2
        let start = position
        skip(Hexadecimal.isDigit)
        guard byte(position) != UInt8(ascii: "'") || (position - start) % 2 != 0 else {
            return advance(by: 1, .blob)
        }
        skip { $0 != 0 && $0 != UInt8(ascii: "'") }
        if byte(position) != 0 { position += 1 }
        return .illegal
    }

    /// Parameters may be named as variables of Tcl are: `$a::b(c)`.
    private mutating func advanceOverParameter() -> Kind {
        position += 1
        var hasName = false
        while true {
            if Self.isNamePart(byte(position)) {
                hasName = true
                position += 1
            } else if byte(position) == UInt8(ascii: "("), hasName {
                position += 1
                skip { $0 != 0 && $0 != UInt8(ascii: ")") && !Self.isBlank($0) }
                guard byte(position) == UInt8(ascii: ")") else { return .illegal }
                return advance(by: 1, .parameter)
            } else if byte(position) == UInt8(ascii: ":"),
                byte(position + 1) == UInt8(ascii: ":")
            {
                position += 2
            } else {
                return hasName ? .parameter : .illegal
            }
        }
    }

    private mutating func advanceOverWord() -> Kind {
        position += 1
        skip(Self.isNamePart)
        return .word
    }

    private mutating func advanceOverMark(_ first: UInt8, _ second: UInt8) -> Kind {
        switch (first, second) {
        case (UInt8(ascii: "-"), UInt8(ascii: ">")):
            return advance(by: byte(position + 2) == UInt8(ascii: ">") ? 3 : 2, .mark)
        case (UInt8(ascii: "="), UInt8(ascii: "=")), (UInt8(ascii: "!"), UInt8(ascii: "=")),
            (UInt8(ascii: "|"), UInt8(ascii: "|")), (UInt8(ascii: "<"), UInt8(ascii: "=")),
            (UInt8(ascii: "<"), UInt8(ascii: ">")), (UInt8(ascii: "<"), UInt8(ascii: "<")),
            (UInt8(ascii: ">"), UInt8(ascii: "=")), (UInt8(ascii: ">"), UInt8(ascii: ">")):
            return advance(by: 2, .mark)
        case _ where "-/()+*%=<>|&~,.".utf8.contains(first): return advance(by: 1, .mark)
        default: return advance(by: 1, .illegal)
        }
    }
}

// MARK: - Bytes

extension SQLLexer {
    /// Whether a byte is a blank after another one.
    package static func isBlank(_ byte: UInt8) -> Bool {
        (0x09...0x0D).contains(byte) || byte == 0x20
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }
}
