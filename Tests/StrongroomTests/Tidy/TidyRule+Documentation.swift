extension TidyRule {
    static let documentation = TidyRule("documentation") { file in
        guard file.isInside("Sources") else { return [] }
        return file.publicDeclarations.compactMap { index in
            let isDocumented =
                file.commentAbove(index).contains { $0.hasPrefix("///") }
                || file.declaredName(index).map(inheritsDocumentation) ?? false
            return isDocumented
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

    /// What a protocol requires is documented there: one of ours, or one of the standard library.
    private static func inheritsDocumentation(_ name: String) -> Bool {
        standardRequirements.contains(name) || ownRequirements.contains(name)
    }

    private static let ownRequirements: Set<String> = Set(
        SourceTree.swiftFiles.filter { $0.isInside("Sources") }.flatMap { file in
            file.publicRequirements.compactMap(file.declaredName)
        })

    private static let standardRequirements: Set<String> = [
        // Of result builders, which the language itself defines.
        "buildBlock", "buildPartialBlock", "buildExpression", "buildOptional", "buildEither",
        "buildArray", "buildFinalResult", "buildLimitedAvailability",
        "description", "debugDescription", "customMirror", "errorDescription", "hash", "==", "<",
        "Element", "Index", "startIndex", "endIndex", "distance", "advanced", "subscript(position",
        "next", "makeIterator", "encode", "init(from", "init(rawValue", "rawValue",
        "init(nilLiteral",
        "init(arrayLiteral", "init(dictionaryLiteral", "init(stringLiteral", "init(integerLiteral",
        "init(floatLiteral", "init(booleanLiteral", "init(stringInterpolation",
        "init(unicodeScalarLiteral", "init(extendedGraphemeClusterLiteral", "init(literalCapacity",
        "appendLiteral",
    ]
}

extension SourceFile {
    /// The lines that declare something public, the requirements of public protocols included.
    var publicDeclarations: [Int] {
        let requirements = Set(publicRequirements)
        return code.indices.filter { index in
            requirements.contains(index) || isPublicDeclaration(index)
        }
    }

    /// The lines of the requirements of public protocols.
    var publicRequirements: [Int] {
        var protocolIndent: Int?
        return code.indices.filter { index in
            let text = code[index].drop { $0 == " " }
            let indent = code[index].count - text.count
            if let open = protocolIndent {
                if indent == open, text.hasPrefix("}") { protocolIndent = nil }
                return indent == open + 4 && text.contains(Self.requirement)
            }
            if code[index].contains(" protocol "), !code[index].contains("}"),
                isPublicDeclaration(index)
            {
                protocolIndent = indent
            }
            return false
        }
    }

    /// The name of what a line declares, with its first label for an initialiser or a subscript.
    func declaredName(_ index: Int) -> String? {
        let pattern =
            #/(?:func|var|let|typealias|associatedtype) `?(?<name>[^\s`(<:=]+|[=<>!]+)|(?<initialiser>init|subscript)[?<]?.*?\((?<label>\w*)/#
        guard let match = code[index].firstMatch(of: pattern) else { return nil }
        if let name = match.output.name { return String(name) }
        guard let initialiser = match.output.initialiser, let label = match.output.label else {
            return nil
        }
        // The labels may follow on the next line.
        let next = code.indices.contains(index + 1) ? code[index + 1].drop { $0 == " " } : ""
        return String(initialiser + "(" + (label.isEmpty ? next.prefix { $0.isLetter } : label))
    }

    private func isPublicDeclaration(_ index: Int) -> Bool {
        code[index].contains("public ") && code[index].contains(Self.declaration)
    }

    private static var declaration: Regex<Substring> {
        #/^ *(?:@\w+(?:\([^)]*\))? +)*(?:\w+(?:\(\w+\))? +)*?public (?! *(?:\w+(?:\(\w+\))? +)*?(?:import|extension) )/#
    }

    private static var requirement: Regex<Substring> {
        #/^(?:@\w+(?:\([^)]*\))? +)*(?:mutating |static |nonisolated )*(?:associatedtype|func|var|init|subscript)(?:\W|$)/#
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
