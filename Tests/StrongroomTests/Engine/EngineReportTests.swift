import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("What is known of the engine", .proves("ENG-02"))
struct EngineReportTests {
    private func defects(_ sqlite: String, _ cipher: String) -> [String] {
        EngineDefect.all
            .filter { $0.isInVersion(EngineVersion(sqlite), EngineVersion(cipher)) }.map(\.id)
    }

    @Test(
        "follows from the versions of both",
        arguments: [
            (
                "3.44.2", "4.5.6 community",
                [
                    "wal-reset", "fts5-overflow", "aggregate-overflow",
                    "page-size-overflow", "rekey-success", "rekey-salt", "export-injection",
                ]
            ),
            (
                "3.51.2", "4.13.0",
                [
                    "wal-reset", "process-exit", "fts5-overflow", "page-size-overflow",
                    "rekey-success", "rekey-salt", "export-injection", "codec-error",
                ]
            ),
            (
                "3.53.4", "4.19.0",
                ["process-exit", "page-size-overflow", "rekey-salt", "codec-error"]
            ),
            (
                "3.53.4", "4.18.0",
                [
                    "process-exit", "page-size-overflow", "rekey-success", "rekey-salt",
                    "codec-error",
                ]
            ),
        ] as [(String, String, [String])])
    func versions(sqlite: String, cipher: String, ids: [String]) {
        #expect(defects(sqlite, cipher) == ids)
    }

    @Test(
        "counts the branches in which the log's defect was repaired",
        arguments: [
            ("3.6.23", false), ("3.7.0", true), ("3.44.5", true), ("3.44.6", false),
            ("3.45.0", true), ("3.50.6", true), ("3.50.7", false), ("3.51.0", true),
            ("3.51.2", true), ("3.51.3", false), ("3.53.4", false),
        ] as [(String, Bool)])
    func repairedBranches(sqlite: String, isAffected: Bool) {
        #expect(defects(sqlite, "4.19.0").contains("wal-reset") == isAffected)
    }

    @Test("is asked of the engine itself where that can be done")
    func probes() throws {
        let folder = try TemporaryDirectory()
        let report = try EngineReport(probingIn: folder.path)
        let other = try TemporaryDirectory()
        let hasDefect = try LogResetProbe.findsDefect(inFolder: other.path)
        #expect(report.findings.contains { $0.defect.id == "wal-reset" } == hasDefect)
        #expect(report.findings.filter(\.isProved).allSatisfy { $0.defect.id != "rekey-salt" })
        for finding in report.findings
        where ["wal-reset", "rekey-success"].contains(finding.defect.id) {
            #expect(finding.isProved, "\(finding.defect.id)")
        }
        #expect(
            LinkedEngine.hasFTS5 || !report.findings.contains { $0.defect.id == "fts5-overflow" })
    }

    @Test("has an answer without a place to try it")
    func withoutFolder() throws {
        #expect(try EngineReport().findings.allSatisfy { !$0.isProved })
        let missing = try EngineReport(probingIn: "/nonexistent")
        #expect(try missing.findings == EngineReport().findings)
    }

    @Test("stands in the documentation, line for line")
    func documentation() throws {
        let page = try String(
            contentsOfFile: PackageFiles.path(of: "Documentation/SQLCipher.md"), encoding: .utf8)
        for defect in EngineDefect.all {
            let line =
                "| `\(defect.id)` | \(defect.title) | \(defect.versions) | \(defect.effect) | "
                + "\(defect.protection) | \(defect.test) |"
            let isThere = page.contains(line + "\n")
            #expect(isThere, "\(line)")
        }
        let hasAdvice = page.contains(EngineDefect.advice)
        #expect(hasAdvice)
    }
}
