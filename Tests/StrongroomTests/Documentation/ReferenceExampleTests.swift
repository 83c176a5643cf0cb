import Foundation
import StrongroomTestSupport
import Testing

@Suite("Examples of the reference")
struct ReferenceExampleTests {
    @Test("Every example in a documentation comment compiles")
    func examplesCompile() throws {
        let path = PackageFiles.path(of: "Tests/Golden/Examples/given.txt")
        let given = try String(contentsOfFile: path, encoding: .utf8)
        let examples = ReferenceExample.all(in: "Strongroom", "StrongroomCore", "StrongroomBackup")
        #expect(examples.count >= 480)
        var files = Dictionary(
            uniqueKeysWithValues: examples.map { ("\($0.name).swift", $0.source) })
        files["Given.swift"] = "import Dispatch\nimport Foundation\nimport Strongroom\n" + given
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
}
