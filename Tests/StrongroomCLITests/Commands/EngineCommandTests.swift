import Foundation
import Strongroom
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("The engine's known defects", .proves("ENG-02"))
struct EngineCommandTests {
    @Test("are told without a file, and nothing is left behind")
    func text() throws {
        let folder = try TemporaryDirectory()
        let result = try Subprocess.run(
            PackageFiles.program("strongroom"), ["doctor", "--engine"],
            environment: ["TMPDIR": folder.path])
        #expect(result.isSuccess)
        let text = result.outputText
        let other = try TemporaryDirectory()
        let report = try EngineReport(probingIn: other.path)
        for finding in report.findings {
            #expect(text.contains("\n\(finding.defect.id): \(finding.defect.title)\n"))
            #expect(text.contains(finding.defect.protection))
        }
        #expect(text.hasSuffix("\nadvice: \(EngineDefect.advice)\n"))
        #expect(try folder.names() == [])
    }

    @Test("are told as JSON")
    func json() throws {
        let json = try CommandRun(["doctor", "--engine", "--json"]).json as? [String: Any]
        let defects = json?["defects"] as? [[String: Any]]
        let folder = try TemporaryDirectory()
        let ids = try EngineReport(probingIn: folder.path).findings.map(\.defect.id)
        #expect(defects?.compactMap { $0["id"] as? String } == ids)
        #expect(json?["advice"] as? String == EngineDefect.advice)
    }

    @Test("are told in one line with the version")
    func version() throws {
        let lines = try CommandRun(["--version", "--verbose"]).output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.last?.hasPrefix("known defects of this engine: ") == true)
        #expect(try CommandRun(["--version"]).output.split(separator: "\n").count == 1)
    }

    @Test("are told by their versions where nothing can be tried")
    func noFolder() throws {
        let result = try Subprocess.run(
            PackageFiles.program("strongroom"), ["doctor", "--engine", "--json"],
            environment: ["TMPDIR": "/nonexistent"])
        #expect(result.isSuccess && !result.outputText.contains("\"isProved\": true"))
    }

    @Test("are about no file")
    func usage() throws {
        #expect(try CommandRun(["doctor", "--engine", "shop.db"]).exitCode == .usage)
        #expect(try CommandRun(["doctor"]).exitCode == .usage)
    }
}
