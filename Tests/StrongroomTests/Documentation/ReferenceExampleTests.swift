import Foundation
import StrongroomTestSupport
import Testing

@Suite("Examples of the reference")
struct ReferenceExampleTests {
    @Test("Every example in a documentation comment compiles")
    func examplesCompile() throws {
        let path = PackageFiles.path(of: "Tests/Golden/Examples/given.txt")
        let given = try String(contentsOfFile: path, encoding: .utf8)
        let examples = ReferenceExample.all(
            in: "Strongroom", "StrongroomCore", "StrongroomBackup", "StrongroomKeyrings")
        #expect(examples.count >= 480)
        var files = Dictionary(
            uniqueKeysWithValues: examples.map { ("\($0.name).swift", $0.source) })
        let imports = [
            "Dispatch", "Foundation", "Strongroom", "StrongroomBackup", "StrongroomKeyrings",
        ]
        files["Given.swift"] = imports.map { "import \($0)\n" }.joined() + given
        let errors = try ClientSource.errors(
            inFiles: files, directory: TemporaryDirectory(), mode: .swift5)
        let lines = errors?.split(separator: "\n").filter { $0.contains("error:") }
        #expect(lines == nil, "\(lines?.joined(separator: "\n") ?? "")")
    }

    @Test("An example that is wrong does not compile")
    func wrongExampleFails() throws {
        let lines = [
            "/// A comment.", "///", "///     let queue = try DatabaseQueue()", "///",
            "///     queue.noSuchThing()", "/// - parameter a: a list, with a line",
            "///     below it",
        ]
        let examples = ReferenceExample.examples(path: "A.swift", lines: lines)
        let example = try #require(examples.first)
        #expect(examples.count == 1 && example.place == "A.swift:3")
        let errors = try ClientSource.errors(
            in: example.source, directory: TemporaryDirectory(), mode: .swift5)
        #expect(errors?.contains("noSuchThing") == true)
    }

    @Test("At least two in five of the entries that people call have an example")
    func entriesHaveExamples() throws {
        let result = try Subprocess.run(PackageFiles.path(of: "Scripts/symbol-docs"), [])
        let least = [
            "Strongroom": 440, "StrongroomBackup": 13, "StrongroomKeyrings": 13,
            "StrongroomTables": 270,
        ]
        let pattern = #/(?m)^(\w+): .* (\d+) of (\d+) entries with an example/#
        let counts = result.outputText.matches(of: pattern)
        #expect(Set(counts.map { String($0.1) }) == Set(least.keys))
        for count in counts {
            let (name, found, all) = (String(count.1), Int(count.2) ?? 0, Int(count.3) ?? 0)
            #expect(found >= least[name, default: 0], "\(name)")
            #expect(found * 5 >= all * 2, "\(name)")
        }
    }
}
