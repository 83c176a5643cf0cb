import Foundation
import StrongroomTestSupport

/// A Markdown file that people read to learn how to use the library.
struct Guide: Sendable {
    /// Relative to the package.
    let path: String
    let lines: [String]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The README, what lies in Documentation, and the READMEs of folders. The feature list is left out:
    /// it quotes signatures.
    static let all: [Guide] = SourceTree.files
        .filter { $0.path.hasSuffix(".md") && $0.path != "Documentation/Features.md" }
        .map { Guide(path: $0.path, text: $0.lines.joined(separator: "\n")) }

    /// A block of Swift code, with what the guide takes for granted: `<!-- given: … -->` in the line
    /// above it.
    struct CodeBlock: Sendable, CustomStringConvertible {
        /// The file and the line.
        var place: String
        var given: String
        var code: String

        var description: String { place }
    }

    /// Those that stand for themselves: what belongs to the guide's `program` is compiled with it.
    var codeBlocks: [CodeBlock] {
        var blocks: [CodeBlock] = []
        var start: Int?
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("```swift") {
                start = index
            } else if line.hasPrefix("```"), let first = start {
                let above = first > 0 ? lines[first - 1] : ""
                if above != "<!-- program -->" { blocks.append(block(from: first, to: index)) }
                start = nil
            }
        }
        return blocks
    }

    /// The blocks of a page that are parts of a program, without what they import.
    var programs: [ReferenceExample] {
        lines.indices.filter { lines[$0] == "<!-- program -->" }.map { index in
            let code = lines[(index + 2)...].prefix { $0 != "```" }
                .filter { !$0.hasPrefix("import ") }
            return ReferenceExample(
                place: "\(path):\(index + 2)", code: code.joined(separator: "\n"))
        }
    }

    private func block(from first: Int, to last: Int) -> CodeBlock {
        let above = first > 0 ? lines[first - 1] : ""
        let given = above.firstMatch(of: #/^<!-- given: (.*) -->$/#).map { String($0.1) } ?? ""
        return CodeBlock(
            place: "\(path):\(first + 1)", given: given,
            code: lines[(first + 1)..<last].joined(separator: "\n"))
    }

    /// The files that the guide links to, relative to the package.
    var linkedFiles: [String] {
        let folder = (path as NSString).deletingLastPathComponent
        return lines.flatMap { line in
            line.matches(of: #/\]\(([^)#]+)[^)]*\)/#).compactMap { match in
                match.1.contains("://")
                    ? nil : (folder as NSString).appendingPathComponent(String(match.1))
            }
        }
    }

    /// Whether it has commands to type, with what they print.
    var isSession: Bool { lines.contains("```console") }

    /// What the guide tells people to type after `make`.
    var makeTargets: [String] {
        lines.flatMap { line in
            line.matches(of: #/(?:`|^    )make ([a-z]+)/#).map { String($0.1) }
        }
    }
}

extension Guide.CodeBlock {
    /// A source file that compiles if and only if the block is right. Statements go into a function, as
    /// in an app; extensions and protocols stand by themselves, and so does what a macro extends.
    /// The function is private: files of many blocks can be one module.
    var source: String {
        let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
        let imports = lines.filter { $0.hasPrefix("import ") }
        let rest = lines.filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
        // In an asynchronous function, `read` and `write` would be those that are awaited.
        let effects = code.contains("await ") ? "async throws" : "throws"
        let body =
            standsAlone
            ? "\(given)\n\(rest)" : "private func example() \(effects) {\n\(given)\n\(rest)\n}"
        let head = ["import Foundation", "import Strongroom"] + imports.map(String.init)
        return (head + [body]).joined(separator: "\n")
    }

    /// Whether its declarations are those of a whole module, so that another block's could clash.
    var standsAlone: Bool {
        code.split(separator: "\n").contains {
            $0.hasPrefix("extension ") || $0.hasPrefix("protocol ") || $0.contains("@Observable ")
                || $0.hasPrefix("@Record ")
        }
    }

    /// Its place as the name of a source file.
    var fileName: String {
        place.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined() + ".swift"
    }
}
