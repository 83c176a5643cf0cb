extension TidyRule {
    static let documentation = TidyRule("documentation") { file in
        guard file.isInside("Sources") else { return [] }
        return file.publicDeclarations.compactMap { index in
            file.commentAbove(index).contains { $0.hasPrefix("///") }
                ? nil
                : Complaint(
                    line: index + 1,
                    advice: "Say in a `///` comment what a caller cannot guess.")
        }
    }

    static let firstSentence = TidyRule("first sentence") { file in
        guard file.isInside("Sources") else { return [] }
        return file.publicDeclarations.compactMap { index in
            let count = SourceFile.firstSentence(of: file.commentAbove(index)).count
            guard count > 100 else { return nil }
            return Complaint(
                line: index + 1,
                advice: "Its first sentence has \(count) characters, where 100 are the most.")
        }
    }
}

extension SourceFile {
    /// The lines that declare something public, and the requirements of public protocols.
    var publicDeclarations: [Int] {
        var protocolIndent: Int?
        return code.indices.filter { index in
            let line = code[index]
            let text = line.drop { $0 == " " }
            let indent = line.count - text.count
            if let open = protocolIndent {
                if indent == open, text.hasPrefix("}") { protocolIndent = nil }
                if indent == open + 4, text.contains(Self.requirement) { return true }
            }
            guard line.contains("public ") || line.contains("open "),
                text.contains(#/^(?:@\w+(?:\([^)]*\))? +)*(?:[a-z]+ )*?(?:public|open) /#),
                !text.contains(#/\b(?:import|extension) /#)
            else { return false }
            if line.contains(" protocol "), !line.contains("}") { protocolIndent = indent }
            return true
        }
    }

    private static var requirement: Regex<Substring> {
        #/^(?:@\w+(?:\([^)]*\))? +)*(?:mutating |static |nonisolated |associatedtype )*(?:associatedtype|func|var|init|subscript)\b/#
    }

    /// What stands in a documentation comment up to the first full stop or empty line.
    static func firstSentence(of comment: [String]) -> String {
        let lines = comment.filter { $0.hasPrefix("///") }
            .map { $0.dropFirst(3).drop { $0 == " " } }
        let paragraph = lines.prefix { !$0.isEmpty }.joined(separator: " ")
        guard let end = paragraph.firstRange(of: ". ") else { return paragraph }
        return String(paragraph[..<end.upperBound].dropLast())
    }
}
