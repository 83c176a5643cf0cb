import Foundation
import StrongroomTablesCheck
import StrongroomTestSupport
import Testing

/// Sources and a schema, in which the remarks stand that are expected.
///
/// Behind `//` or `--` at the end of a line stand those for this line, with `|` between them:
/// `// error: items.due: …`. Each is compared with the beginning of what the tool says; notes that
/// belong to another remark need not be expected.
struct CheckedPackage {
    var schema: String
    var sources: [(module: String, text: String)]
    var options: [String] = []

    init(_ source: String, schema: String) {
        self.schema = schema
        sources = [("App", source)]
    }

    init(_ sources: [(module: String, text: String)], schema: String) {
        self.schema = schema
        self.sources = sources
    }

    private struct Remark: Hashable, CustomStringConvertible {
        let file: String
        let line: Int
        let text: String

        var description: String { "\(file):\(line): \(text)" }
    }

    func run() throws -> CheckTables.Result {
        let directory = try TemporaryDirectory()
        var words = ["--schema", try directory.write(schema, to: "schema.sql")] + options
        for (index, source) in sources.enumerated() {
            let path = try directory.write(source.text, to: "File\(index).swift")
            words += ["--module", source.module, path]
        }
        var result = CheckTables.run(words)
        result.text = result.text.replacingOccurrences(of: directory.path + "/", with: "")
        return result
    }

    /// Fails unless the tool says what is expected at each line, and nothing else.
    func expectRemarks(_ location: SourceLocation = #_sourceLocation) throws {
        let result = try run()
        var expected = Self.expected(in: schema, of: "schema.sql")
        for (index, source) in sources.enumerated() {
            expected += Self.expected(in: source.text, of: "File\(index).swift")
        }
        var unexpected = Self.remarks(in: result.text)
        var missing: [Remark] = []
        for remark in expected {
            let index = unexpected.firstIndex {
                $0.file == remark.file && $0.line == remark.line && $0.text.hasPrefix(remark.text)
            }
            if let index { unexpected.remove(at: index) } else { missing.append(remark) }
        }
        #expect(missing.isEmpty, "\(result.text)", sourceLocation: location)
        #expect(unexpected.isEmpty, "\(result.text)", sourceLocation: location)
        let isFailure = expected.contains { $0.text.hasPrefix("error: ") }
        #expect(result.status == (isFailure ? 1 : 0), "\(result.text)", sourceLocation: location)
    }

    private static func expected(in text: String, of file: String) -> [Remark] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap {
            number, line -> [Remark] in
            guard
                let comment = line.range(
                    of: "(//|--) (error|warning|note): ", options: .regularExpression)
            else { return [] }
            return line[comment.lowerBound...].dropFirst(3).components(separatedBy: " | ")
                .map { Remark(file: file, line: number + 1, text: $0) }
        }
    }

    private static func remarks(in output: String) -> [Remark] {
        output.split(separator: "\n").compactMap { line in
            guard
                let match = line.wholeMatch(
                    of: #/([\w.]+):(\d+):\d+: ((?:error|warning|note): .*)/#),
                !match.3.hasSuffix("is here"), !match.3.hasSuffix("of this group")
            else { return nil }
            return Remark(
                file: String(match.1), line: Int(match.2) ?? 0, text: String(match.3))
        }
    }
}
