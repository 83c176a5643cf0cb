/// A block of code in a documentation comment, which readers of the reference take over.
struct ReferenceExample: Sendable, CustomStringConvertible {
    /// The file and the line.
    let place: String
    let code: String

    var description: String { place }

    /// Those of some modules.
    static func all(in modules: String...) -> [ReferenceExample] {
        SourceTree.swiftFiles
            .filter { file in modules.contains { file.isInside("Sources/\($0)") } }
            .filter { file in !output.contains { file.path.hasSuffix("/\($0).swift") } }
            .flatMap { examples(path: $0.path, lines: $0.lines.map { String($0) }) }
    }

    /// Their blocks are formats, or what is printed.
    private static let output = [
        "CipherSettings+Layout", "JSONDumpFormat", "LineDumpFormat", "Row+Description",
    ]

    /// The blocks of a file. What is indented below an entry of a list goes on with the entry.
    static func examples(path: String, lines: [String]) -> [ReferenceExample] {
        var found: [ReferenceExample] = []
        var block: [String] = []
        var start = 0
        var isList = false
        for (index, line) in (lines + [""]).enumerated() {
            let text = line.drop { $0 == " " }
            let comment = text.hasPrefix("///") ? String(text.dropFirst(3)) : nil
            if let comment, comment.hasPrefix("     ") || (comment.isEmpty && !block.isEmpty) {
                if block.isEmpty { start = index }
                block.append(String(comment.dropFirst(5)))
                continue
            }
            if !block.isEmpty && !isList {
                let code = block.joined(separator: "\n")
                found.append(ReferenceExample(place: "\(path):\(start + 1)", code: code))
            }
            block = []
            isList = comment.map { $0.hasPrefix(" -") || ($0.hasPrefix("  ") && isList) } ?? false
        }
        return found
    }

    /// A file that compiles if and only if the example is right: statements in a function,
    /// extensions by themselves, and members of a type in an extension of one.
    ///
    /// `…` stands for what the reader fills in.
    var source: String {
        let text = code.replacing("{ … }", with: "{ fatalError() }")
            .replacing(" in … }", with: " in fatalError() }")
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " } == "…" ? "()" : $0 }
        let imports = [
            "Dispatch", "Foundation", "Observation", "Strongroom", "StrongroomBackup",
            "StrongroomKeyrings",
        ]
        return imports.map { "import \($0)\n" }.joined() + Self.declaration(of: text, name: name)
    }

    /// Its place as a name.
    var name: String {
        place.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }

    private static func declaration(of lines: [Substring], name: String) -> String {
        func begins(_ words: String...) -> Bool {
            lines.contains { line in words.contains { line.hasPrefix($0) } }
        }
        let text = lines.joined(separator: "\n")
        if begins("extension ", "protocol ", "@MainActor ") {
            // Statements that show how the extension is used come after it.
            let end = lines.lastIndex { $0.hasPrefix("}") } ?? lines.endIndex - 1
            return lines[...end].joined(separator: "\n") + "\n"
                + declaration(of: Array(lines[(end + 1)...]), name: name)
        }
        if begins("static ", "mutating func "), !begins("struct ", "enum ", "try ") {
            return "extension Player {\n\(text)\n}\n"
        }
        let effects = text.contains("await ") ? "async throws" : "throws"
        return "func \(name)(_ db: Database) \(effects) {\n\(text)\n}\n"
    }
}
