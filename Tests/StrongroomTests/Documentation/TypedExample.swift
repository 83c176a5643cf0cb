/// An example of the typed layer's reference, as a part of a program that runs it.
///
/// A comment behind a statement, or in the lines below it, is what the statement gives: SQL, or a
/// value. `…` in it stands for any text.
struct TypedExample {
    /// A name for the namespace of the example.
    let name: String
    /// A file of the program.
    let source: String
    /// How many times the example says what a statement gives.
    let claims: Int

    /// Those of the typed layer, each in a file with a name of its own.
    static let all =
        (ReferenceExample.all(in: "StrongroomTablesRuntime", "StrongroomTables")
        + Guide.all.filter { $0.path == "Documentation/Catalog/StrongroomTables.md" }.flatMap(
            \.programs))
        .map { TypedExample($0) }

    init(_ example: ReferenceExample) {
        name = example.name
        var outside: [String] = []
        var types: [String] = []
        var statements: [String] = []
        var claims = 0
        for part in ExamplePart.parts(of: example.code) {
            if part.begins(["extension ", "@DatabaseFunction", "@DatabaseCollation"]) {
                outside += part.lines
            } else if part.begins(["@", "struct ", "enum ", "static "]) {
                types += part.lines
            } else if let claim = part.claim {
                claims += 1
                statements += part.statements(of: claim, place: example.place)
            } else {
                statements += part.lines
            }
        }
        self.claims = claims
        let body = statements.joined(separator: "\n")
        source = """
            import Foundation
            import StrongroomTables
            \(outside.joined(separator: "\n"))
            enum \(name) {
            \(types.joined(separator: "\n"))
            static func run(_ db: Database) \(body.contains("await ") ? "async " : "")throws {
            \(body)
            }
            }
            """
    }

    /// The program that runs the examples which say what they give, and prints where that is wrong.
    static func program(of examples: [TypedExample], given: String) -> [String: String] {
        var files = Dictionary(
            uniqueKeysWithValues: examples.map { ("\($0.name).swift", $0.source) })
        files["Given.swift"] = "import Foundation\nimport StrongroomTables\n" + given
        let runs = examples.filter { $0.claims > 0 }.map { "(\"\($0.name)\", \($0.name).run)," }
        files["Main.swift"] = main.replacing("RUNS", with: runs.joined(separator: "\n"))
        return files
    }

    /// Each example has the database to itself: what it changes is taken back.
    private static let main = #"""
        import Foundation
        import StrongroomTables

        @main struct Program {
            static let runs: [(String, (Database) throws -> Void)] = [RUNS]

            static func main() throws {
                var configuration = Configuration()
                configuration.prepareDatabase { try $0.usePassphrase("secret") }
                let queue = try DatabaseQueue(
                    path: CommandLine.arguments[1], configuration: configuration)
                try queue.write { try $0.execute(sql: exampleSchema) }
                for (name, run) in runs {
                    do {
                        try queue.inDatabase { db in
                            try db.inTransaction {
                                try run(db)
                                return .rollback
                            }
                        }
                    } catch {
                        print(name, error)
                    }
                }
            }
        }

        func claim(_ place: String, _ expected: String, _ value: Any) {
            let text = text(of: value)
            if !matches(text, expected) { print("\(place): \(text)\n    is no \(expected)") }
        }

        func text(of value: Any) -> String {
            if let statement = value as? any StrongroomTables.Statement { return statement.debugSQL }
            if let text = value as? String { return "\"\(text)\"" }
            let mirror = Mirror(reflecting: value)
            if mirror.displayStyle == .optional {
                return mirror.children.first.map { text(of: $0.value) } ?? "nil"
            }
            return "\(value)".trimmingCharacters(in: .newlines)
                .replacing(#/Optional\(([^()]*)\)/#) { String($0.1) }
        }

        func matches(_ text: String, _ pattern: String) -> Bool {
            let parts = pattern.components(separatedBy: "…")
            guard parts.count > 1 else { return text == pattern }
            var rest = Substring(text)
            guard rest.hasPrefix(parts[0]) else { return false }
            rest = rest.dropFirst(parts[0].count)
            for part in parts.dropFirst().dropLast() where !part.isEmpty {
                guard let range = rest.range(of: part) else { return false }
                rest = rest[range.upperBound...]
            }
            return rest.hasSuffix(parts[parts.count - 1])
        }
        """#
}
