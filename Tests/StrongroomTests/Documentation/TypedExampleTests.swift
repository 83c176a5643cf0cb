import Foundation
import StrongroomTestSupport
import Testing

@Suite(
    "Examples of the typed layer's reference",
    .enabled(if: FileManager.default.fileExists(atPath: GuideProgram.macros)))
struct TypedExampleTests {
    /// What the program of these examples prints.
    private func output(of examples: [TypedExample]) throws -> String {
        let path = PackageFiles.path(of: "Tests/Golden/Examples/tables.txt")
        let given = try String(contentsOfFile: path, encoding: .utf8)
        let directory = try TemporaryDirectory()
        let program = try GuideProgram.build(
            TypedExample.program(of: examples, given: given), in: directory,
            options: ["-swift-version", "5", "-wmo", "-num-threads", "2", "-suppress-warnings"])
        let result = try Subprocess.run(program, [directory.path(of: "examples.db")])
        return result.outputText + result.errorText
    }

    @Test("Every example compiles, and gives what its comments say")
    func examplesRun() throws {
        let examples = TypedExample.all
        #expect(examples.count >= 300)
        #expect(examples.reduce(0) { $0 + $1.claims } >= 230)
        let printed = try output(of: examples)
        #expect(printed.isEmpty, "\(printed)")
    }

    @Test("An example that says what it does not give is found")
    func wrongExampleFails() throws {
        let lines = [
            "/// A comment.", "///", "///     // All items.", "///     let all = Item.all",
            "///     try all.fetchCount(db)  // 3", "///", "///     Item.select(\\.id)",
            "///     // SELECT \"items\".\"title\"", "///     // FROM \"items\"", "///",
            "///     try Item.select(\\.title).limit(1).fetchAll(db)  // [\"…\"]",
        ]
        let examples = ReferenceExample.examples(path: "A.swift", lines: lines)
        let example = TypedExample(try #require(examples.first))
        #expect(examples.count == 1 && example.claims == 3)
        #expect(
            try output(of: [example]) == """
                A.swift:3: 4
                    is no 3
                A.swift:3: SELECT "items"."id" FROM "items"
                    is no SELECT "items"."title" FROM "items"

                """)
    }
}
