/// The words of an SQL text, told apart as SQLite does, without asking SQLite.
///
/// SQLCipher carries out `PRAGMA key` and `PRAGMA rekey` as soon as a statement is prepared: what must
/// not be carried out has to be found in the text.
package struct SQLScanner {
    package enum Token: Equatable {
        /// A keyword or a bare name.
        case word(String)
        /// A name in double quotes, backquotes or brackets, without them.
        case quotedName(String)
        case string(String)
        /// A parameter, without its prefix; empty for `?`.
        case parameter(String)
        case other(Character)

        /// What SQLite would take as a name here.
        package var name: String? {
            switch self {
            case .word(let name), .quotedName(let name), .string(let name): name
            case .parameter, .other: nil
            }
        }

        package func isWord(_ word: String) -> Bool {
            if case .word(let own) = self { own.uppercased() == word } else { false }
        }
    }

    /// One statement: its text, and what it consists of.
    package struct Statement {
        package var text = ""
        package var tokens: [Token] = []

        /// A trigger's body has statements of its own, up to `END`.
        private var isTrigger: Bool {
            let words = tokens.prefix(5).drop { $0.isWord("EXPLAIN") }
            let isTemporary = words.dropFirst().first.map {
                $0.isWord("TEMP") || $0.isWord("TEMPORARY")
            }
            return words.first?.isWord("CREATE") == true
                && words.dropFirst(isTemporary == true ? 2 : 1).first?.isWord("TRIGGER") == true
        }

        fileprivate var isEndedBySemicolon: Bool {
            guard isTrigger else { return true }
            // CASE … END; is not the end.
            return tokens.last?.isWord("END") == true && tokens.dropLast().last == .other(";")
        }
    }

    private var rest: Substring.UnicodeScalarView

    /// The statements of an SQL text, each without its final semicolon; empty ones are left out.
    package static func statements(of sql: String) -> [Statement] {
        var scanner = SQLScanner(rest: sql.unicodeScalars[...])
        var statements: [Statement] = []
        var statement = Statement()
        var start = scanner.rest.startIndex
        func end(at index: String.Index) {
            statement.text = String(sql.unicodeScalars[start..<index])
            if !statement.tokens.isEmpty { statements.append(statement) }
            statement = Statement()
        }
        while let token = scanner.next() {
            if token == .other(";"), statement.isEndedBySemicolon {
                end(at: sql.unicodeScalars.index(before: scanner.rest.startIndex))
                start = scanner.rest.startIndex
            } else {
                statement.tokens.append(token)
            }
        }
        end(at: sql.endIndex)
        return statements
    }

    private mutating func next() -> Token? {
        skipSpaceAndComments()
        guard let first = rest.popFirst() else { return nil }
        switch first {
        case "'": return .string(quoted(until: "'"))
        case "\"": return .quotedName(quoted(until: "\""))
        case "`": return .quotedName(quoted(until: "`"))
        case "[":
            defer { _ = rest.popFirst() }
            return .quotedName(text { $0 != "]" })
        case "?": return .parameter(text { "0"..."9" ~= $0 })
        case ":", "@", "$":
            let name = text(Self.isNamePart)
            return name.isEmpty ? .other(Character(first)) : .parameter(name)
        case _ where Self.isNamePart(first):
            return .word(String(first) + text(Self.isNamePart))
        default: return .other(Character(first))
        }
    }

    private mutating func skipSpaceAndComments() {
        while let first = rest.first {
            if Self.isSpace(first) || first == "\u{FEFF}" {
                rest.removeFirst()
            } else if rest.starts(with: "--".unicodeScalars) {
                _ = text { $0 != "\n" }
            } else if rest.starts(with: "/*".unicodeScalars) {
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.starts(with: "*/".unicodeScalars) { rest.removeFirst() }
                rest = rest.dropFirst(2)
            } else {
                return
            }
        }
    }

    /// Up to the closing quote; a doubled quote stands for one.
    private mutating func quoted(until quote: Unicode.Scalar) -> String {
        var content = ""
        while let scalar = rest.popFirst() {
            if scalar == quote {
                guard rest.first == quote else { break }
                rest.removeFirst()
            }
            content.unicodeScalars.append(scalar)
        }
        return content
    }

    private mutating func text(_ isPart: (Unicode.Scalar) -> Bool) -> String {
        let part = rest.prefix(while: isPart)
        rest = rest[part.endIndex...]
        return String(String.UnicodeScalarView(part))
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        [" ", "\t", "\n", "\u{0C}", "\r"].contains(scalar)
    }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
        default: scalar.value >= 0x80
        }
    }
}
