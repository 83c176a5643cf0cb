// What statements begin with and where they end, as the grammar behind `sqlite3_prepare` has it.

extension SQLLexer {
    /// The next token that is neither blank, comment nor semicolon; nil at the end.
    package mutating func nextAfterSemicolons() -> Token? {
        while let token = nextMeaningful() {
            if token.kind != .semicolon { return token }
        }
        return nil
    }

    /// The first token of the next statement, but for EXPLAIN; nil at the end.
    ///
    /// SQLCipher carries out the pragma behind `EXPLAIN` and `EXPLAIN QUERY PLAN` all the same.
    package mutating func nextWithoutExplain() -> Token? {
        let first = nextAfterSemicolons()
        guard isWord(first, "explain") else { return first }
        let second = nextMeaningful()
        guard isWord(second, "query") else { return second }
        let third = nextMeaningful()
        return isWord(third, "plan") ? nextMeaningful() : third
    }

    /// Moves past one statement and its semicolon, to where SQLite would go on preparing.
    ///
    /// - Returns: The bytes of the statement, with what stands before it; nil when only blanks,
    ///   comments and semicolons are left.
    package mutating func nextStatement() -> Range<Int>? {
        let start = position
        guard nextAfterSemicolons() != nil else { return nil }
        move(to: start)
        guard var token = nextWithoutExplain() else { return start..<position }
        let isTrigger = isTrigger(&token)
        var last: Token?
        var isAtCommand = false
        while true {
            if token.kind == .semicolon, !isTrigger || (isAtCommand && isWord(last, "end")) {
                return start..<position
            }
            // In the body of a trigger, each command ends with a semicolon, and so does no CASE.
            isAtCommand = last?.kind == .semicolon
            last = token
            guard let next = nextMeaningful() else { return start..<position }
            token = next
        }
    }

    /// Whether a trigger is created; goes on to the token that decides it.
    private mutating func isTrigger(_ token: inout Token) -> Bool {
        guard isWord(token, "create"), let next = nextMeaningful() else { return false }
        token = next
        if isWord(token, "temp") || isWord(token, "temporary"), let next = nextMeaningful() {
            token = next
        }
        return isWord(token, "trigger")
    }
}

// MARK: - What tokens say

extension SQLLexer {
    /// Whether a token is a keyword, which is given in lower case.
    package func isWord(_ token: Token?, _ word: String) -> Bool {
        guard let token, token.kind == .word, token.range.count == word.utf8.count else {
            return false
        }
        return zip(token.range, word.utf8).allSatisfy { bytes[$0] | 0x20 == $1 }
    }

    /// A word with its letters of ASCII in lower case; empty for what is no word, or longer than
    /// any keyword.
    package func lowercasedWord(_ token: Token) -> String {
        // Strings of up to 15 bytes take no memory of their own.
        guard token.kind == .word, token.range.count <= 15 else { return "" }
        return String(unsafeUninitializedCapacity: token.range.count) { buffer in
            for (offset, index) in token.range.enumerated() {
                let byte = bytes[index]
                buffer[offset] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            }
            return token.range.count
        }
    }

    package func text(_ token: Token) -> String {
        String(decoding: bytes[token.range], as: UTF8.self)
    }

    /// What a token stands for where a name or a value is wanted: its text, without quotes.
    package func value(_ token: Token) -> String {
        guard let content = content(token) else { return text(token) }
        let quote = bytes[content.lowerBound - 1]
        var value: [UInt8] = []
        var index = content.lowerBound
        while index < content.upperBound {
            value.append(bytes[index])
            // Within quotes, a quote is always doubled; a bracket never is.
            let isDoubled = bytes[index] == quote && quote != UInt8(ascii: "[")
            index += isDoubled ? 2 : 1
        }
        return String(decoding: value, as: UTF8.self)
    }

    /// The bytes within the quotes of a token, also where the last one is missing; nil when it has
    /// none.
    package func content(_ token: Token) -> Range<Int>? {
        guard
            let open = bytes[token.range].prefix(2).firstIndex(where: { "'\"`[".utf8.contains($0) })
        else { return nil }
        let close = bytes[open] == UInt8(ascii: "[") ? UInt8(ascii: "]") : bytes[open]
        let isClosed =
            token.range.upperBound - open > 1 && bytes[token.range.upperBound - 1] == close
        return open + 1..<token.range.upperBound - (isClosed ? 1 : 0)
    }

    /// Whether nothing is left but blanks, comments and semicolons.
    package mutating func isAtEnd() -> Bool {
        nextAfterSemicolons() == nil
    }
}

// MARK: - Pragmas

extension SQLLexer {
    /// A pragma as SQLite takes it apart.
    package struct Pragma: Equatable {
        package let name: String
        /// nil where the pragma is only read.
        package let argument: String?

        package init(name: String, argument: String?) {
            self.name = name
            self.argument = argument
        }
    }

    /// The pragma whose first word was the last token.
    package mutating func pragma() -> Pragma? {
        guard var name = nextMeaningful() else { return nil }
        var next = nextMeaningful()
        if let point = next, text(point) == ".", let second = nextMeaningful() {
            name = second
            next = nextMeaningful()
        }
        guard let mark = next, mark.kind != .semicolon else {
            return Pragma(name: value(name), argument: nil)
        }
        let first = nextMeaningful()
        let sign = first.map(text) ?? ""
        guard sign == "-" || sign == "+" else {
            return Pragma(name: value(name), argument: first.map(value) ?? "")
        }
        let number = nextMeaningful().map(value) ?? ""
        return Pragma(name: value(name), argument: sign == "-" ? "-" + number : number)
    }
}

extension String {
    /// Gives the text to a lexer that is good during the call only.
    package func withSQLLexer<T>(_ body: (inout SQLLexer) -> T) -> T {
        var text = self
        return text.withUTF8 { bytes in
            var lexer = SQLLexer(bytes)
            return body(&lexer)
        }
    }
}
