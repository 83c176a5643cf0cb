/// Looks for mistakes in the literal of `#sql`: it knows the tokens of SQL, and nothing of its
/// grammar.
package struct SQLLint {
    private let literal: SQLLiteral
    private let elements: [SQLLiteral.Element]
    private var index = 0
    private var opened: [(character: Character, range: SourceSpan)] = []
    /// The place of a `;` outside quotes, until something follows it.
    private var semicolon: SourceSpan?
    private var hasText = false
    private var hasReportedStatements = false
    private var findings: [Finding] = []

    private init(_ literal: SQLLiteral) {
        self.literal = literal
        elements = literal.elements
    }

    package static func findings(in literal: SQLLiteral) -> [Finding] {
        var lint = SQLLint(literal)
        lint.run()
        return lint.findings
    }

    private mutating func run() {
        while index < elements.count {
            let element = elements[index]
            index += 1
            switch element {
            case .interpolation(let interpolation): noteText(at: interpolation.range)
            case .character(let character, let range): read(character, at: range)
            }
        }
        for open in opened { reportOpen(open.character, at: open.range) }
        guard !hasText, findings.isEmpty else { return }
        findings.append(
            Finding("the SQL is empty", as: .warning, at: literal.source.range))
    }

    private mutating func read(_ character: Character, at range: SourceSpan) {
        switch character {
        case "'", "\"", "`": readQuoted(until: character, openedAt: range)
        case "[": readQuoted(until: "]", openedAt: range)
        case "(": opened.append((character, range))
        case ")": if opened.popLast() == nil { reportClosing(character, at: range) }
        case "]": reportClosing(character, at: range)
        case "-" where next() == "-":
            skipLine()
            return
        case "/" where next() == "*":
            readComment(openedAt: range)
            return
        case ";":
            semicolon = semicolon ?? range
            return
        case "?", "@", "$", ":": readParameter(character, at: range)
        default: break
        }
        if !character.isWhitespace { noteText(at: range) }
    }

    /// The next character, or nil at an interpolation and at the end.
    private func next(_ distance: Int = 0) -> Character? {
        guard index + distance < elements.count,
            case .character(let character, _) = elements[index + distance]
        else { return nil }
        return character
    }

    private mutating func noteText(at range: SourceSpan) {
        hasText = true
        guard let semicolon, literal.hasResult, !hasReportedStatements else { return }
        hasReportedStatements = true
        findings.append(
            Finding(
                "several statements give no value: leave 'as:' out, or write one statement",
                at: semicolon))
    }

    private mutating func readQuoted(until closing: Character, openedAt range: SourceSpan) {
        while index < elements.count {
            let element = elements[index]
            index += 1
            switch element {
            case .interpolation(let interpolation):
                reportBinding(interpolation, quote: range)
            case .character(closing, _):
                // Brackets have no doubled closing.
                guard closing != "]", next() == closing else { return }
                index += 1
            case .character: break
            }
        }
        reportOpen(closing == "]" ? "[" : closing, at: range)
    }

    private mutating func reportBinding(
        _ interpolation: SQLLiteral.Interpolation, quote: SourceSpan
    ) {
        guard interpolation.label != "raw" else { return }
        findings.append(
            Finding(
                "a value cannot be bound inside quotes", at: interpolation.range,
                notes: [Note("the quotes open here", at: quote)],
                fixIts: interpolation.label == nil
                    ? [
                        FixIt(
                            "Insert 'raw: '", replacing: interpolation.inside.beginning,
                            with: "raw: ")
                    ]
                    : []))
    }

    private mutating func skipLine() {
        while let character = elements.dropFirst(index).first {
            index += 1
            if case .character(let character, _) = character, character.isNewline { return }
        }
    }

    private mutating func readComment(openedAt range: SourceSpan) {
        index += 1
        while index < elements.count {
            let isEnd = next() == "*" && next(1) == "/"
            index += isEnd ? 2 : 1
            if isEnd { return }
        }
        findings.append(
            Finding("nothing closes '/*'", as: .warning, at: range, fixIts: unlinted))
    }

    /// `?`, `?1`, `:x`, `@x`, `$x`. A `:` alone, or a `$` inside a name, is none.
    private mutating func readParameter(_ character: Character, at range: SourceSpan) {
        if character != "?" {
            guard let name = next(), name.isLetter || name == "_" || name.isNumber else { return }
            if character == ":", previous() == ":" { return }
            if character == "$", let before = previous(), before.isLetter || before.isNumber {
                return
            }
        }
        findings.append(Finding("write values as interpolations", at: range))
    }

    /// The character before the one that is read.
    private func previous() -> Character? {
        guard index >= 2, case .character(let character, _) = elements[index - 2] else {
            return nil
        }
        return character
    }

    private mutating func reportOpen(_ character: Character, at range: SourceSpan) {
        findings.append(
            Finding("nothing closes '\(character)'", as: .warning, at: range, fixIts: unlinted))
    }

    private mutating func reportClosing(_ character: Character, at range: SourceSpan) {
        findings.append(
            Finding("nothing opens '\(character)'", as: .warning, at: range, fixIts: unlinted))
    }

    /// The same SQL by the initialiser that looks at nothing.
    private var unlinted: [FixIt] {
        [
            FixIt(
                "Use 'SQLQueryExpression', which is not checked", replacing: literal.macro,
                with: "SQLQueryExpression(\(literal.source.text))")
        ]
    }
}
