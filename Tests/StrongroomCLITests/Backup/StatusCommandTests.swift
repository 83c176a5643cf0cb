import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("backup status, asked by a monitor,")
struct StatusCommandTests {
    private let fixture: CommandLineFixture
    private let path: String
    private var world = CommandRun.World()

    init() throws {
        fixture = try CommandLineFixture()
        path = fixture.path("repository")
        world.settings = ["XDG_STATE_HOME": fixture.path("state")]
        for words in [
            ["init", path],
            ["create", fixture.database, "--to", path, "--key-file", fixture.keyFile],
        ] {
            try #require(try CommandRun(["backup"] + words, in: world).exitCode == .done)
        }
    }

    private func run(_ words: String...) throws -> CommandRun {
        try CommandRun(["backup"] + words, in: world)
    }

    private func packs() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/packs").map {
            path + "/packs/" + $0
        }
    }

    private func state(_ words: String...) throws -> String? {
        let run = try CommandRun(["backup", "status", path, "--json"] + words, in: world)
        let object = run.json as? [String: Any]
        #expect(object?["ok"] as? Bool == (run.exitCode == .done))
        let repositories = object?["repositories"] as? [[String: Any]]
        return repositories?.first?["state"] as? String
    }

    @Test("fails when all packs are gone, also without a memory", .proves("OPR-30"))
    func lostPacks() throws {
        #expect(try run("verify", path).exitCode == .done)
        #expect(try state("--max-age", "26h") == "verified")
        for pack in try packs() { try FileManager.default.removeItem(atPath: pack) }
        for memory in [[], ["--state", "none"], ["--state", fixture.path("other")]] {
            let status = try CommandRun(
                ["backup", "status", path, "--max-age", "26h"] + memory, in: world)
            #expect(status.exitCode == .damaged)
            #expect(status.output.hasPrefix("FAILED: \(path) is damaged: pack 1 is missing"))
            #expect(status.errors.contains("strongroom backup verify"))
        }
        #expect(try state() == "packsMissing")
        #expect(try run("verify", path).exitCode == .damaged)
        #expect(try state() == "packsMissing")
    }

    @Test("fails from a failed verification on, until one succeeds", .proves("OPR-30"))
    func failedVerification() throws {
        let pack = URL(fileURLWithPath: try packs()[0])
        var bytes = try Data(contentsOf: pack)
        bytes[100] ^= 1
        try bytes.write(to: pack)
        #expect(try state() == "neverVerified")
        #expect(try run("verify", path, "--key-file", fixture.keyFile).exitCode == .damaged)
        // Damage comes before what is overdue.
        let status = try run("status", path, "--max-age", "0s", "--verify-every", "0s")
        #expect(status.exitCode == .damaged)
        #expect(status.output.hasPrefix("FAILED: \(path) is damaged, as was found on 20"))
        #expect(status.output.split(separator: "\n").count == 1)
        #expect(try state("--max-age", "0s") == "verificationFailed")
        bytes[100] ^= 1
        try bytes.write(to: pack)
        #expect(try run("verify", path).exitCode == .done)
        #expect(try state() == "verificationFailed", "the key has found it")
        #expect(try run("verify", path, "--key-file", fixture.keyFile).exitCode == .done)
        #expect(try state() == "verified")
        #expect(try state("--max-age", "0s") == "backupOverdue")
    }

    @Test("puts damage of one repository before what is overdue in another", .proves("OPR-30"))
    func several() throws {
        let other = fixture.path("a-empty")
        #expect(try run("init", other).exitCode == .done)
        try FileManager.default.removeItem(atPath: try packs()[0])
        let status = try run("status", fixture.directory.path, "--max-age", "0s")
        #expect(status.exitCode == .damaged && status.output.contains("pack 1 is missing"))
    }

    @Test("says where it looked at names and sizes alone", .proves("OPR-30"))
    func withoutMemory() throws {
        let text = "only names and sizes were checked: this host does not remember \(path)"
        for memory in ["none", fixture.path("other")] {
            let status = try run("status", path, "--state", memory)
            #expect(status.exitCode == .done && status.output.contains(text))
            // It has looked by then.
            let known = memory == "none" ? "notRemembered" : "neverVerified"
            #expect(try state("--state", memory) == known)
        }
        #expect(try !run("status", path).output.contains("alone"))
    }

    @Test("names the state of what cannot be looked at", .proves("OPR-30"))
    func failures() throws {
        let root = fixture.path("root")
        let member = root + "/a"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: path, toPath: member)
        func state() throws -> String? {
            let run = try CommandRun(["backup", "status", root, "--json"], in: world)
            let object = run.json as? [String: Any]
            return (object?["repositories"] as? [[String: Any]])?.first?["state"] as? String
        }
        #expect(try run("verify", member).exitCode == .done)
        try FileManager.default.copyItem(atPath: member, toPath: fixture.path("older"))
        let created = try run(
            "create", fixture.database, "--to", member, "--key-file", fixture.keyFile)
        #expect(created.exitCode == .done)
        #expect(try state() == "verified")
        try FileManager.default.removeItem(atPath: member)
        #expect(try state() == "gone")
        try FileManager.default.moveItem(atPath: fixture.path("older"), toPath: member)
        #expect(try state() == "rolledBack")
        try Data("x".utf8).write(to: URL(fileURLWithPath: member + "/head"))
        #expect(try state() == "damaged")
    }

    @Test("A database whose key rekey has retired is told to rotate", .proves("OPR-53"))
    func retiredKey() throws {
        let newKey = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
        let rekeyed = try run(
            "rekey", path, "--key-file", fixture.keyFile, "--new-key-file", newKey)
        #expect(rekeyed.exitCode == .done)
        for words in [[], ["--introducer-key-file", newKey], ["--new-authority"]] {
            let create = ["create", fixture.database, "--to", path, "--key-file", fixture.keyFile]
            let refused = try CommandRun(["backup"] + create + words, in: world)
            #expect(refused.exitCode == .failed)
            #expect(refused.errors.contains("the key of the database was retired in \(path)"))
            #expect(refused.errors.contains("strongroom rotate-key"))
            #expect(!refused.errors.contains("damaged"))
        }
        let pruned = try run("prune", path, "--keep-last", "1", "--key-file", fixture.keyFile)
        #expect(pruned.exitCode == .failed)
        #expect(pruned.errors.contains("give the key that replaced it"))
        let rotated = try CommandRun(
            [
                "rotate-key", fixture.database, "--key-file", fixture.keyFile, "--new-key-file",
                newKey,
            ], in: world)
        #expect(rotated.exitCode == .done)
        let created = try run("create", fixture.database, "--to", path, "--key-file", newKey)
        #expect(created.exitCode == .done && created.errors.isEmpty)
    }
}
