import StrongroomCore

/// Sorts the words of a command line by a declaration.
///
/// Options may stand before, between and after operands; `--name=value`, `--name value`, `-p value`
/// and `-pvalue` are the same; flags may be bundled (`-ab`); after `--` everything is an operand; `-`
/// alone is an operand. Names are never abbreviated: a script must not change its meaning when an
/// option is added.
package struct ArgumentParser {
    private let syntax: CommandSyntax
    private var words: ArraySlice<String>
    private var parsed = ParsedArguments()

    package static func parse(
        _ words: [String], as syntax: CommandSyntax
    ) throws(Failure) -> ParsedArguments {
        var parser = ArgumentParser(syntax: syntax, words: words[...])
        return try parser.parse()
    }

    /// True if help is asked for, however wrong the rest of the words may be.
    static func asksForHelp(_ words: [String]) -> Bool {
        words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    private mutating func parse() throws(Failure) -> ParsedArguments {
        while let word = words.popFirst() {
            if word == "--" {
                for operand in words { parsed.append(operand: operand) }
                break
            } else if word.hasPrefix("--"), word.dropFirst(2).first?.isLetter == true {
                try parseLong(word.dropFirst(2))
            } else if word.hasPrefix("-"), !word.hasPrefix("--"), word != "-" {
                try parseShort(word.dropFirst())
            } else {
                parsed.append(operand: word)
            }
        }
        try checkOperands()
        try requireText()
        parsed.namePaths(
            operands: { [syntax] in Self.completion(ofOperand: $0, syntax) != .nothing },
            options: syntax.allOptions.filter { Self.paths.contains($0.completion) })
        return parsed
    }

    private mutating func parseLong(_ word: Substring) throws(Failure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = syntax.option(named: name) else {
            throw unknown(name, value: parts.count == 2 ? String(parts[1]) : words.first)
        }
        if !option.takesValue, parts.count == 2 {
            throw .usage("--\(name) takes no value", hint: helpHint)
        }
        try record(option, attached: parts.count == 2 ? String(parts[1]) : nil, as: "--" + name)
    }

    private mutating func parseShort(_ word: Substring) throws(Failure) {
        var rest = word
        while let short = rest.popFirst() {
            guard let option = syntax.option(short: short) else {
                // The rest of the word may be a secret: it is not repeated.
                throw KeysOnCommandLine.refusal(ofShort: short)
                    ?? .usage(
                        "unknown option -\(short)",
                        hint: WrongForm.hint(forOption: String(short), words.first, of: syntax)
                            ?? helpHint)
            }
            let attached = option.takesValue && !rest.isEmpty ? String(rest) : nil
            try record(option, attached: attached, as: "-\(short)")
            if option.takesValue { return }
        }
    }

    private mutating func record(
        _ option: Option, attached: String?, as name: String
    ) throws(Failure) {
        if option.repetition == .once, parsed.contains(option) {
            throw .usage("\(name) is given twice", hint: helpHint)
        }
        if !option.takesValue {
            parsed.append("", for: option)
        } else if let attached {
            parsed.append(attached, for: option)
        } else {
            parsed.append(try nextValue(of: name), for: option)
        }
    }

    /// The word after an option; what is plainly another option was not meant as a value.
    private mutating func nextValue(of name: String) throws(Failure) -> String {
        guard let word = words.first, word != "--",
            !(word.hasPrefix("--") && syntax.option(named: String(word.dropFirst(2))) != nil)
        else { throw .usage("\(name) needs a value", hint: helpHint) }
        words.removeFirst()
        return word
    }

    private func checkOperands() throws(Failure) {
        let required = syntax.operands.filter { !$0.isOptional }
        if parsed.operands.count < required.count {
            let missing = required[parsed.operands.count...].map(\.name)
            throw .usage("missing \(missing.joined(separator: " and "))", hint: helpHint)
        }
        let isOpenEnded = syntax.operands.last?.isRepeated == true
        if !isOpenEnded, parsed.operands.count > syntax.operands.count {
            throw .usage(
                "too many operands: \(syntax.name) takes \(syntax.operands.count)",
                hint: WrongForm.hint(for: parsed.operands, of: syntax) ?? helpHint)
        }
    }

    /// Only names of files may be bytes that are no UTF-8.
    private func requireText() throws(Failure) {
        for (place, operand) in parsed.operands.enumerated() {
            try requireText(operand, Self.completion(ofOperand: place, syntax))
        }
        for option in syntax.allOptions {
            for value in parsed.values(option) { try requireText(value, option.completion) }
        }
    }

    private static let paths: [Completion] = [.file, .folder]

    /// Whether an operand at a place may be a path: `.nothing` if not.
    private static func completion(
        ofOperand place: Int, _ syntax: CommandSyntax
    ) -> Completion {
        // The operand before it may have been left out.
        let first = min(place, syntax.operands.count - 1)
        return syntax.operands[first...].prefix(2).map(\.completion)
            .first { paths.contains($0) } ?? .nothing
    }

    private func requireText(_ word: String, _ completion: Completion) throws(Failure) {
        guard PathText.hasEscapes(word), completion != .file, completion != .folder else { return }
        throw .usage("an argument that names no file is not UTF-8 text: \(word)")
    }

    private func unknown(_ name: String, value: String?) -> Failure {
        if let refusal = KeysOnCommandLine.refusal(of: name) { return refusal }
        if KeysOnCommandLine.isSource(name) {
            return .usage("\(syntax.name) needs no key: leave out --\(name)", hint: helpHint)
        }
        if let hint = WrongForm.hint(forOption: name, value, of: syntax) {
            return .usage("unknown option --\(name)", hint: hint)
        }
        let known = syntax.allOptions.map(\.name)
        guard let similar = Suggestion.closest(to: name, among: known) else {
            return .usage("unknown option --\(name)", hint: helpHint)
        }
        return .usage("unknown option --\(name)", hint: "did you mean --\(similar)?")
    }

    private var helpHint: String { "strongroom help \(syntax.name)" }
}
