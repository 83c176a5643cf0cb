import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct QuietTests {
    private let fixture: CommandLineFixture
    private let repository: String

    init() throws {
        fixture = try CommandLineFixture()
        repository = fixture.path("repository")
    }

    private var key: [String] { ["--key-file", fixture.keyFile] }

    @Test(.proves("OPR-41", "SCL-03"))
    func `With --quiet what succeeds prints nothing`() throws {
        let (database, plain) = (fixture.database, fixture.plain)
        let newKey = fixture.path("new.key")
        let folder = fixture.path("shops")
        let root = fixture.path("root")
        for path in [folder, root] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        }
        for number in 1...3 {
            try FileManager.default.copyItem(atPath: database, toPath: folder + "/\(number).db")
        }
        let commands = [
            ["check", database] + key, ["encrypt", plain, fixture.path("e.db")] + key,
            ["decrypt", database, fixture.path("d.db")] + key,
            ["copy", database, fixture.path("c.db")] + key,
            ["salvage", database, fixture.path("s.db")] + key, ["keygen", newKey],
            ["backup", "init", repository],
            ["backup", "create", database, "--to", repository] + key,
            ["backup", "create", folder, "--to", root] + key,
            ["backup", "verify", repository] + key, ["backup", "verify", root],
            ["backup", "verify", repository, "1"],
            ["backup", "prune", repository, "--keep-last", "1"] + key,
            ["backup", "prune", root, "--keep-last", "1"] + key,
            ["backup", "repair", repository],
            ["backup", "restore", repository, fixture.path("r.db")] + key,
            ["backup", "restore", root, fixture.path("restored")] + key,
            ["backup", "rekey", repository, "--new-key-file", newKey] + key,
            ["rotate-key", database, "--new-key-file", newKey] + key,
            ["rotate-key", folder, "--new-key-file", newKey] + key,
        ]
        for words in commands {
            let run = try CommandRun(words + ["-q"])
            #expect(run.exitCode == .done, "\(words): \(run.errors)")
            #expect(run.output.isEmpty && run.errors.isEmpty, "\(words): \(run.output)")
        }
    }

    @Test(.proves("OPR-41"))
    func `With --quiet data that was asked for is printed, as without it`() throws {
        for words in [
            ["init", repository], ["create", fixture.database, "--to", repository] + key,
        ] {
            #expect(try CommandRun(["backup"] + words).exitCode == .done)
        }
        let (database, keyFile) = (fixture.database, fixture.keyFile)
        let commands = [
            ["info", database] + key, ["query", database, "SELECT * FROM artist"] + key,
            ["backup", "list", repository],
            ["key-id", database, keyFile], ["schema", "swift", database] + key,
            ["backup", "verification-key", repository] + key,
            ["backup", "prune", repository, "--keep-last", "1", "--dry-run"],
            ["backup", "verify", repository, "--json"], ["check", database, "--json"] + key,
        ]
        for words in commands {
            let loud = try CommandRun(words)
            let quiet = try CommandRun(words + ["--quiet"])
            #expect(loud.exitCode == quiet.exitCode && !loud.output.isEmpty, "\(words)")
            #expect(loud.output == quiet.output, "\(words)")
        }
        let status = try CommandRun(["backup", "status", repository, "-q"])
        #expect(status.exitCode == .done && status.output.hasPrefix("OK: 1 database, "))
    }

    @Test(.proves("OPR-41"))
    func `With --quiet problems, warnings and errors are printed`() throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: fixture.keyFile)
        let warned = try CommandRun(["check", fixture.database, "-q"] + key)
        #expect(warned.exitCode == .done && warned.output.isEmpty)
        #expect(warned.errors.contains("warning: "))
        for words in [
            ["init", repository], ["create", fixture.database, "--to", repository] + key,
        ] {
            #expect(try CommandRun(["backup"] + words).exitCode == .done)
        }
        let packs = try FileManager.default.contentsOfDirectory(atPath: repository + "/packs")
        try FileManager.default.removeItem(atPath: repository + "/packs/" + packs[0])
        let failed = try CommandRun(["backup", "verify", repository, "-q"])
        #expect(failed.exitCode == .damaged && failed.output.contains("packs are missing"))
        #expect(failed.errors.contains("is damaged"))
    }
}
