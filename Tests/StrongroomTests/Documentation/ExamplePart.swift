/// Lines of an example that belong together: a statement or a declaration.
struct ExamplePart {
    var lines: [String]
    /// What the statement gives.
    var claim: String?

    static func parts(of code: String) -> [ExamplePart] {
        var parts: [ExamplePart] = []
        var depth = 0
        var isAfterStatement = false
        for line in code.split(separator: "\n", omittingEmptySubsequences: false) {
            if depth == 0, line.hasPrefix("// ") {
                guard isAfterStatement else { continue }
                let text = line.dropFirst(3)
                let last = parts.count - 1
                parts[last].claim = parts[last].claim.map { "\($0) \(text)" } ?? String(text)
                continue
            }
            if depth == 0, line.isEmpty {
                isAfterStatement = false
                continue
            }
            let (text, claim) = split(line)
            if depth == 0 { parts.append(ExamplePart(lines: [])) }
            parts[parts.count - 1].lines.append(text)
            depth += change(of: text)
            if let claim, depth == 0 { parts[parts.count - 1].claim = claim }
            isAfterStatement = depth == 0
        }
        return parts
    }

    /// A line without the comment behind it, and the comment.
    private static func split(_ line: Substring) -> (String, String?) {
        guard let range = line.firstRange(of: "  // ") else {
            let isLeftOut = line.drop { $0 == " " } == "…"
            let code = line.replacing("{ … }", with: "{ fatalError() }")
            return (isLeftOut ? "()" : String(code), nil)
        }
        return (String(line[..<range.lowerBound]), String(line[range.upperBound...]))
    }

    /// How many more brackets a line opens than it closes.
    private static func change(of line: String) -> Int {
        let code = line.replacing(#/"(\\.|[^"\\])*"/#, with: "")
        return code.count { "([{".contains($0) } - code.count { ")]}".contains($0) }
    }

    func begins(_ words: [String]) -> Bool { words.contains { lines[0].hasPrefix($0) } }

    /// The statement, and the comparison of what it gives.
    func statements(of claim: String, place: String) -> [String] {
        let code = lines.joined(separator: "\n")
        let call = "claim(\"\(place)\", #\"\(claim)\"#, "
        if let match = code.prefixMatch(of: #/(?:let|var) (\w+)(?:: [^=]+)? = /#) {
            return lines + ["\(call)\(match.1))"]
        }
        return code.hasPrefix("try ") ? ["try \(call)\(code.dropFirst(4)))"] : ["\(call)\(code))"]
    }
}
