// Nothing that carries a key may reach an error, a trace or a log. SQL can carry one in four ways:
// `PRAGMA key = …` and its kin, `ATTACH … KEY …`, a `?key=` parameter of a file URI, and a raw key
// typed as a blob literal, which SQLite quotes in its syntax errors.

extension String {
    /// The SQL with every key in it replaced by an ellipsis.
    package func redactingKeys() -> String {
        guard mayCarryKey else { return self }
        return withSQLLexer { lexer in
            var redaction = KeyRedaction(lexer)
            return redaction.run()
        }
    }

    /// A cheap test that nearly all SQL fails: `key` in any case, a long hexadecimal literal, or a
    /// URI, which may write its parameters in other ways.
    private var mayCarryKey: Bool {
        var previous: (UInt8, UInt8) = (0, 0)
        for byte in utf8 {
            let lower = byte | 0x20
            if lower == UInt8(ascii: "y"), previous == (UInt8(ascii: "k"), UInt8(ascii: "e")) {
                return true
            }
            if byte == UInt8(ascii: "'"), previous.1 == UInt8(ascii: "x") { return true }
            if byte == UInt8(ascii: ":"), previous == (UInt8(ascii: "l"), UInt8(ascii: "e")) {
                return true
            }
            previous = (previous.1, lower)
        }
        return false
    }
}

/// One pass over SQL, token by token, that copies everything but keys.
private struct KeyRedaction {
    private var lexer: SQLLexer
    private var output: [UInt8] = []
    private var statement = StatementKind.unknown

    private enum StatementKind { case unknown, pragma, attach, other }

    init(_ lexer: SQLLexer) {
        self.lexer = lexer
        output.reserveCapacity(lexer.bytes.count)
    }

    mutating func run() -> String {
        while let token = nextToken() {
            switch token.kind {
            case .semicolon:
                statement = .unknown
                copy(token)
            case .word: redactWord(token)
            case .string, .quotedName, .blob, .illegal: redactLiteral(token)
            case .blank, .comment, .number, .parameter, .mark: copy(token)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// SQLite reads no further than to a NUL, but an error shows what follows it.
    private mutating func nextToken() -> SQLLexer.Token? {
        while lexer.position < lexer.bytes.count {
            if let token = lexer.next() { return token }
            output.append(0)
            lexer.move(to: lexer.position + 1)
        }
        return nil
    }

    private mutating func copy(_ token: SQLLexer.Token) {
        output.append(contentsOf: lexer.bytes[token.range])
    }

    private mutating func redactWord(_ token: SQLLexer.Token) {
        copy(token)
        let word = lexer.lowercasedWord(token)
        switch (statement, word) {
        case (.unknown, "pragma"): statement = .pragma
        case (.unknown, "attach"): statement = .attach
        case (.unknown, "explain"), (.unknown, "query"), (.unknown, "plan"): break
        case (.unknown, _): statement = .other
        case (.pragma, _) where KeyPragma.isName(word), (.attach, "key"): skipStatement()
        default: break
        }
    }

    /// Replaces what follows, up to the end of the statement.
    private mutating func skipStatement() {
        output.append(contentsOf: " …".utf8)
        while lexer.position < lexer.bytes.count {
            let start = lexer.position
            guard let token = lexer.next() else {
                lexer.move(to: start + 1)
                continue
            }
            if token.kind == .semicolon { return lexer.move(to: start) }
        }
    }

    private mutating func redactLiteral(_ token: SQLLexer.Token) {
        guard let content = lexer.content(token) else { return copy(token) }
        let inside = lexer.bytes[content]
        let isRawKey = inside.count >= 64 && inside.allSatisfy(Hexadecimal.isDigit)
        // A PRAGMA may quote its own name, and a key may stand in the URI of any statement.
        let value = lexer.value(token)
        guard isRawKey || value.asciiLowercased.contains("key=") || KeyURI.givesKey(value) else {
            copy(token)
            if statement == .pragma, KeyPragma.isName(value) { skipStatement() }
            return
        }
        let open = lexer.bytes[content.lowerBound - 1]
        output.append(contentsOf: lexer.bytes[token.range.lowerBound..<content.lowerBound])
        output.append(contentsOf: "…".utf8)
        output.append(open == UInt8(ascii: "[") ? UInt8(ascii: "]") : open)
    }
}
