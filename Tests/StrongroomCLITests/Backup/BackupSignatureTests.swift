import Foundation
import Strongroom
import StrongroomBackup
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Who signs a repository, what a host remembers of it, and what monitors ask, on the command line.
@Suite struct BackupSignatureTests {
    private let fixture: CommandLineFixture
    private let path: String
    private let otherKeyFile: String
    private var world = CommandRun.World()

    init() throws {
        fixture = try CommandLineFixture()
        path = fixture.path("repository")
        otherKeyFile = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "2.key")
        world.settings = ["XDG_STATE_HOME": fixture.path("state")]
        #expect(try run("init", path).exitCode == .done)
        #expect(try create().exitCode == .done)
    }

    private func run(_ words: String...) throws -> CommandRun {
        try CommandRun(["backup"] + words, in: world)
    }

    private func create(_ words: String...) throws -> CommandRun {
        try CommandRun(
            ["backup", "create", fixture.database, "--to", path, "--key-file", fixture.keyFile]
                + words, in: world)
    }

    private func signer() throws -> String {
        let run = try run("verify", path)
        return String(try #require(run.output.firstMatch(of: #/signed by (\w{64}),/#)).1)
    }

    private func rotate() throws {
        let rotated = try CommandRun([
            "rotate-key", fixture.database, "--key-file", fixture.keyFile, "--new-key-file",
            otherKeyFile,
        ])
        #expect(rotated.exitCode == .done)
    }

    @Test("verify says who has signed, and fails for others", .proves("HST-17"))
    func authority() throws {
        let signer = try signer()
        #expect(try run("verify", path).output.contains("no trusted key was named"))
        for word in [signer, signer.uppercased()] where word != signer {
            let file = try fixture.directory.write("\(word) shop\n", to: "signer")
            #expect(try run("verify", path, "--authority", file).exitCode == .done)
        }
        let trusted = try run("verify", path, "--authority", signer)
        #expect(trusted.exitCode == .done && trusted.output.contains(", a trusted key"))
        let stranger = String(repeating: "0a", count: 32)
        let refused = try run("verify", path, "--authority", stranger)
        #expect(refused.exitCode == .damaged)
        #expect(refused.output.contains("signed by a key that no trusted key"))
        for word in ["", "xyz", fixture.database, String(signer.dropLast())] {
            #expect(try run("verify", path, "--authority", word).exitCode == .usage, "\(word)")
        }
    }

    @Test("After a rotation the old key introduces the new one, once", .proves("HST-17", "BKP-006"))
    func introduction() throws {
        let signer = try signer()
        try rotate()
        func create(_ words: String...) throws -> CommandRun {
            try CommandRun(
                ["backup", "create", fixture.database, "--to", path, "--key-file", otherKeyFile]
                    + words, in: world)
        }
        let refused = try create()
        #expect(refused.exitCode == .failed && refused.errors.contains("--introducer-key-file"))
        let wrong = try create("--introducer-key-file", otherKeyFile)
        #expect(
            wrong.exitCode == .failed && wrong.errors.contains("does not know the introducing key"))
        #expect(
            try create("--introducer-key-file", fixture.keyFile, "--new-authority").exitCode
                == .usage)
        #expect(try create("--introducer-key-file", fixture.keyFile).exitCode == .done)
        #expect(try create().exitCode == .done)
        #expect(try run("verify", path, "--authority", signer).exitCode == .done)
    }

    @Test("prune takes the key, and a dry run does not", .proves("HST-19"))
    func pruning() throws {
        #expect(try create().exitCode == .done)
        let refused = try run("prune", path, "--keep-last", "1")
        #expect(refused.exitCode == .keyNeeded && refused.errors.contains("--dry-run"))
        #expect(try run("prune", path, "--keep-last", "1", "--dry-run").exitCode == .done)
        let wrong = try run("prune", path, "--keep-last", "1", "--key-file", otherKeyFile)
        #expect(wrong.exitCode == .wrongKey)
        let pruned = try run("prune", path, "--keep-last", "1", "--key-file", fixture.keyFile)
        #expect(pruned.exitCode == .done)
    }

    @Test("A repository that was put back is refused until it is accepted", .proves("HST-18"))
    func rollback() throws {
        try FileManager.default.copyItem(atPath: path, toPath: fixture.path("older"))
        try fixture.shell.run("INSERT INTO artist VALUES (3, 'Cleo')")
        #expect(try create().exitCode == .done)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: fixture.path("older"), toPath: path)
        let out = fixture.path("out.db")
        for words in [
            ["verify", path], ["list", path], ["restore", path, out], ["status", path],
        ] {
            let refused = try CommandRun(["backup"] + words, in: world)
            #expect(refused.exitCode == .damaged, "\(words)")
            #expect(refused.errors.contains("put back to an older state"), "\(words)")
            #expect(refused.errors.contains("--accept-rollback"))
        }
        #expect(try create().exitCode == .damaged)
        #expect(try run("verify", path, "--state", "none").exitCode == .done)
        #expect(try run("verify", path, "--state", fixture.path("other")).exitCode == .done)
        #expect(try run("status", path, "--accept-rollback").exitCode == .done)
        #expect(try create().exitCode == .done)
        #expect(try create("--accept-rollback").exitCode == .done)
        #expect(try run("verify", path).exitCode == .done)
        // Another one in its place: made by the person, or put there by somebody.
        try FileManager.default.removeItem(atPath: path)
        #expect(try run("init", path, "--state", "none").exitCode == .done)
        #expect(try run("list", path).errors.contains("not the repository that was here"))
        try FileManager.default.removeItem(atPath: path)
        #expect(try run("init", path).exitCode == .damaged)
        #expect(try run("init", path, "--accept-rollback").exitCode == .done)
        #expect(try create().exitCode == .done)
    }

    @Test("Without a folder to remember in, the work is done, with a warning", .proves("HST-18"))
    func homeless() throws {
        var homeless = CommandRun.World()
        homeless.settings = [:]
        let verified = try CommandRun(["backup", "verify", path], in: homeless)
        #expect(verified.exitCode == .done && verified.errors.contains("--state DIR"))
        homeless.settings = ["HOME": "/proc/none"]
        let unwritable = try CommandRun(["backup", "verify", path], in: homeless)
        #expect(unwritable.exitCode == .done && unwritable.errors.contains("cannot remember"))
    }

    @Test("A folder of another user is used with a warning, or not at all", .proves("HST-18"))
    func foreignFolders() throws {
        let state = fixture.path("foreign")
        try FileManager.default.createDirectory(
            atPath: state, withIntermediateDirectories: false)
        if geteuid() == 0 {
            try #require(chown(state, 65534, 65534) == 0)
            let run = try run("verify", path, "--state", state)
            #expect(run.exitCode == .done && run.errors.contains("belongs to another user"))
        }
        guard Unprivileged.isPossible else { return }
        let work = try TemporaryDirectory()
        let program = try TemporaryDirectory()
        let nobody = try Unprivileged(in: program)
        try #require(chmod(work.path, 0o777) == 0 && chmod(state, 0) == 0)
        if geteuid() == 0 { try #require(chown(state, 0, 0) == 0) }
        let made = try nobody(
            "strongroom", ["backup", "init", work.path(of: "repository"), "--state", state])
        #expect(made.isSuccess && made.errorText.contains("this user cannot use"))
        try #require(chmod(state, 0o700) == 0)
    }

    @Test("status fails for a repository that has lost a part", .proves("BKP-023"))
    func lostParts() throws {
        let whole = fixture.path("root/whole")
        let lost = fixture.path("root/lost")
        try FileManager.default.createDirectory(
            atPath: fixture.path("root"), withIntermediateDirectories: false)
        for name in ["head", "packs", "backups"] {
            try FileManager.default.copyItem(atPath: path, toPath: whole)
            try FileManager.default.copyItem(atPath: path, toPath: lost)
            try FileManager.default.removeItem(atPath: lost + "/" + name)
            let status = try run("status", fixture.path("root"))
            #expect(status.exitCode != .done, "\(name)")
            #expect(status.output.hasPrefix("FAILED: ") && status.output.contains(lost))
            try FileManager.default.removeItem(atPath: whole)
            try FileManager.default.removeItem(atPath: lost)
        }
    }

    @Test("status is a line and an exit code", .proves("BKP-023"))
    func status() throws {
        let name = (fixture.database as NSString).lastPathComponent
        let fine = try run("status", path, "--max-age", "26h")
        #expect(fine.exitCode == .done && fine.output.hasPrefix("OK: 1 database, "))
        #expect(fine.output.contains(name) && fine.output.contains("is due for a verification"))
        #expect(fine.output.split(separator: "\n").count == 1)
        #expect(try run("verify", path, "--key-file", fixture.keyFile).exitCode == .done)
        let verified = try run("status", path, "--verify-every", "1d")
        #expect(verified.exitCode == .done && !verified.output.contains("verified"))

        let old = try run("status", path, "--max-age", "0s")
        #expect(old.exitCode == .overdue && old.output.hasPrefix("OVERDUE: \(name) in "))
        // A folder of repositories, one of them empty, one damaged.
        let root = fixture.directory.path
        #expect(try run("init", fixture.path("empty")).exitCode == .done)
        let empty = try run("status", root, "--max-age", "1w")
        #expect(empty.exitCode == .overdue && empty.output.contains("empty holds no backup"))
        try Data("x".utf8).write(to: URL(fileURLWithPath: fixture.path("empty/head")))
        let failed = try run("status", root, "--json")
        #expect(failed.exitCode == .damaged)
        let json = try #require(failed.json as? [String: Any])
        #expect(json["ok"] as? Bool == false)
        let repositories = try #require(json["repositories"] as? [[String: Any]])
        #expect(repositories.count == 2 && repositories[0]["error"] is String)
        let databases = try #require(repositories[1]["databases"] as? [[String: Any]])
        #expect(databases.count == 1 && databases[0]["name"] as? String == name)
        #expect(try run("status", fixture.path("none")).exitCode == .damaged)
        for age in ["", "1", "h", "-1h", "1.5h", "1y"] {
            #expect(try run("status", path, "--max-age=\(age)").exitCode == .usage, "\(age)")
        }
    }
}
