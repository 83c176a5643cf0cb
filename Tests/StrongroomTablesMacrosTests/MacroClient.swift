import Foundation
import StrongroomTestSupport
import Testing

/// A file as a user of the macros writes it, which the compiler and the plugin are asked about.
///
/// Behind `//` at the end of a line stand the diagnostics that are expected there, with `|` between
/// them: `// error: one property per declaration | note: Split the declaration`. Each is compared
/// with the beginning of what the compiler says. Errors and warnings must all be expected, notes
/// need not.
struct MacroClient {
    private let source: String

    init(_ source: String) {
        let access = ["public ", "package "].first { source.contains($0) } ?? ""
        let showsFoundation = source.contains(/\b(Date|UUID|Data|URL|Decimal)\b/)
        self.source =
            "\(showsFoundation ? access : "")import Foundation\n"
            + "\(access)import StrongroomTables\n" + source
    }

    private struct Remark: Hashable, CustomStringConvertible {
        let line: Int
        let text: String

        var description: String { "\(line): \(text)" }
    }

    /// Fails unless the compiler says what is expected at each line, and nothing else.
    func expectDiagnostics(_ location: SourceLocation = #_sourceLocation) throws {
        let expected = Self.expectations(in: source)
        let output = try compile(["-typecheck"])
        var unexpected = Self.remarks(in: output)
        var missing: [Remark] = []
        for remark in expected {
            if let index = unexpected.firstIndex(where: {
                $0.line == remark.line && $0.text.hasPrefix(remark.text)
            }) {
                unexpected.remove(at: index)
            } else {
                missing.append(remark)
            }
        }
        unexpected.removeAll { $0.text.hasPrefix("note: ") }
        #expect(missing.isEmpty, "\(output)", sourceLocation: location)
        #expect(unexpected.isEmpty, "\(output)", sourceLocation: location)
    }

    /// The text of all expansions, as the compiler takes it; it must be content with the file.
    func expansions(_ options: [String] = []) throws -> String {
        let output = try compile(
            ["-typecheck", "-dump-macro-expansions", "-warnings-as-errors"] + options)
        try #require(!output.contains("error:"), "\(output)")
        let rule = "------------------------------"
        return output.components(separatedBy: rule).enumerated()
            .filter { $0.offset % 2 == 1 }
            .map { $0.element.trimmingCharacters(in: .whitespacesAndNewlines) }
            // A macro that has nothing to add to a member.
            .filter { !$0.isEmpty }
            .map { $0 + "\n" }
            .joined(separator: "\n")
    }

    private static func expectations(in source: String) -> [Remark] {
        source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap {
            number, line -> [Remark] in
            guard
                let comment = line.range(
                    of: #"// (error|warning|note):( |$)"#, options: .regularExpression)
            else { return [] }
            return line[comment.lowerBound...].dropFirst(3).components(separatedBy: " | ")
                .map { Remark(line: number + 1, text: $0) }
        }
    }

    private static func remarks(in output: String) -> [Remark] {
        output.matches(of: #/Client\.swift:(\d+):\d+: ((?:error|warning|note): [^\n]*)/#).compactMap
        {
            match in Int(match.1).map { Remark(line: $0, text: String(match.2)) }
        }
    }

    private func compile(_ options: [String]) throws -> String {
        let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
        return try Self.compile(
            ["Client.swift": source],
            features.flatMap { ["-enable-upcoming-feature", $0] } + options)
    }

    /// The errors in the files of a program that asks for no features of the language.
    static func errors(inFiles sources: [String: String]) throws -> [String] {
        try compile(sources, ["-typecheck"]).split(separator: "\n").map(String.init)
            .filter { $0.contains(": error: ") }
    }

    /// What the compiler says when it compiles one file of a program, which has seen nothing of the
    /// others before.
    static func remarks(
        compiling file: String, of sources: [String: String], _ options: [String] = []
    ) throws -> String {
        let all = ["-emit-silgen", "-o", "/dev/null"] + options
        return try compile(sources, all, primary: file)
    }

    private static func compile(
        _ sources: [String: String], _ options: [String], primary: String? = nil
    ) throws -> String {
        let directory = try TemporaryDirectory()
        let files = try sources.flatMap { name, text in
            let path = try directory.write(text, to: name)
            return name == primary ? ["-primary-file", path] : [path]
        }
        let products = PackageFiles.builtProducts
        let result = try Subprocess.run(
            "swiftc",
            [
                "-frontend", "-parse-as-library", "-module-name", "Client", "-swift-version", "6",
            ]
                + files + ["-diagnostic-style", "llvm", "-package-name", "client"]
                + ["-I", "\(products)/Modules"] + ClientSource.moduleArguments()
                + [
                    "-load-plugin-executable",
                    "\(products)/StrongroomTablesMacros-tool#StrongroomTablesMacros",
                ] + options,
            timeout: .seconds(300))
        return result.errorText + result.outputText
    }
}
