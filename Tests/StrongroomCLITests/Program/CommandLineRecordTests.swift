import Foundation
import StrongroomTestSupport
import Testing

/// The built program against its record in `Tests/CommandLine`, by `Scripts/commandline`.
@Suite("The record of the command line")
struct CommandLineRecordTests {
    private static let script = PackageFiles.path(of: "Scripts/commandline")
    private static let record = PackageFiles.path(of: "Tests/CommandLine/record.txt")
    private static let hash = "bf3c007d5f48453b7ab097586bd9bba5ebdc58b88155404e56ca768b5bb3edea"

    @Test("Commands, options, exit codes and JSON are as recorded, but for listed changes")
    func asRecorded() throws {
        let result = try Subprocess.run(Self.script, [PackageFiles.program("strongroom")])
        #expect(result.isSuccess, "\(result.outputText)\(result.errorText)")
    }

    @Test("The record itself never changes")
    func recordStays() throws {
        let sum = try Subprocess.run("sha256sum", [], input: Data(contentsOf: url(Self.record)))
        #expect(sum.outputText.hasPrefix(Self.hash), "list the change in deliberate-changes.txt")
    }

    @Test("A line that goes, changes or comes is an error until it is listed with a reason")
    func noticesChanges() throws {
        let lines = try String(contentsOf: url(Self.record), encoding: .utf8)
            .split(separator: "\n").map(String.init)
        let gone = try #require(lines.first { $0.hasPrefix("option query: --csv") })
        let changed = try #require(lines.first { $0.hasPrefix("exit check, damaged: 13") })
        let today =
            lines.filter { $0 != gone && $0 != changed }
            + ["exit check, damaged: 1", "option query: --new"]
        let difference = [
            "- \(gone)", "- \(changed)", "+ exit check, damaged: 1", "+ option query: --new",
        ]

        let unlisted = try compare(today, changes: "")
        #expect(unlisted.status == .exited(1))
        #expect(Set(unlisted.outputText.split(separator: "\n").map(String.init)) == Set(difference))
        let listed = "# For a reason.\n" + difference.joined(separator: "\n")
        #expect(try compare(today, changes: listed).isSuccess)
        #expect(try compare(today, changes: difference.joined(separator: "\n")).isSuccess == false)
        let stale = try compare(lines, changes: listed)
        #expect(stale.status == .exited(1) && stale.outputText.contains("(take this away)"))
    }

    private func compare(_ facts: [String], changes: String) throws -> Subprocess.Result {
        let folder = try TemporaryDirectory()
        try folder.write(Data(contentsOf: url(Self.record)), to: "record.txt")
        try folder.write(changes, to: "deliberate-changes.txt")
        let list = try folder.write(facts.joined(separator: "\n"), to: "facts.txt")
        return try Subprocess.run(Self.script, ["--facts", list, "--folder", folder.path])
    }

    private func url(_ path: String) -> URL { URL(fileURLWithPath: path) }
}
