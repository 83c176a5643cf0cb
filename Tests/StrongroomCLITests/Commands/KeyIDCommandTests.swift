import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct KeyIDCommandTests {
    private let fixture: CommandLineFixture
    private let otherKey: String

    init() throws {
        fixture = try CommandLineFixture()
        otherKey = try fixture.directory.write(CommandLineFixture.otherKey, to: "other.key")
    }

    @Test("each database and each backup gets the file of its key", .proves("OPR-16"))
    func matches() throws {
        let repository = fixture.path("repo")
        #expect(try fixture.run("backup", "init", repository).exitCode == .done)
        for _ in 0..<2 {
            let run = try fixture.run(
                "backup", "create", fixture.database, "--to", repository, "--key-file",
                fixture.keyFile)
            #expect(run.exitCode == .done)
        }
        let rotated = try fixture.runOnDatabase("rotate-key", "--new-key-file", otherKey)
        #expect(rotated.exitCode == .done)
        let created = try fixture.run(
            "backup", "create", fixture.database, "--to", repository, "--key-file", otherKey,
            "--introducer-key-file", fixture.keyFile)
        #expect(created.exitCode == .done)

        let run = try fixture.run(
            "key-id", fixture.database, fixture.keyFile, otherKey, repository, "--json")
        #expect(run.exitCode == .done)
        let matches = try #require(run.json as? [[String: Any]])
        #expect(matches.map { $0["keyFile"] as? String } == [otherKey, fixture.keyFile, otherKey])
        #expect(matches.map { $0["backups"] as? [Int] } == [[], [1, 2], [3]])
        // The identifiers are those of the list.
        let list = try fixture.run("backup", "list", repository, "--json").json as? [[String: Any]]
        let listed = try #require(list).map { $0["keyIdentifier"] as? String }
        #expect(
            [listed[0], listed[2]] == matches.dropFirst().map { $0["keyIdentifier"] as? String })
    }

    @Test("what none of the keys opens is named, and the exit code says so", .proves("OPR-16"))
    func missing() throws {
        let run = try fixture.run("key-id", otherKey, fixture.database)
        #expect(run.exitCode == .wrongKey)
        #expect(run.output.contains("none"))
        #expect(run.errors.contains("none of the keys opens \(fixture.database)"))
        #expect(!run.errors.contains("0ddba11f"))
    }

    @Test("keys alone, or databases alone, are refused") func alone() throws {
        #expect(try fixture.run("key-id", fixture.database).exitCode == .usage)
        #expect(try fixture.run("key-id", fixture.keyFile).exitCode == .usage)
    }
}
