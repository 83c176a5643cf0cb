import Foundation
import Strongroom
import StrongroomBackup
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// A repository whose backups have several keys, of which not all are given.
@Suite struct SeveralKeysStatusTests {
    private let fixture: CommandLineFixture
    private let path: String
    private let newKey: String
    private var world = CommandRun.World()

    init() throws {
        fixture = try CommandLineFixture()
        path = fixture.path("repository")
        newKey = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
        world.settings = ["STRONGROOM_STATE": fixture.path("state")]
        try #require(try run("backup", "init", path).exitCode == .done)
        try create(fixture.keyFile)
        let rotation = try run(
            "rotate-key", fixture.database, "--key-file", fixture.keyFile, "--new-key-file", newKey)
        try #require(rotation.exitCode == .done, "\(rotation.errors)")
        try create(newKey, "--introducer-key-file", fixture.keyFile)
    }

    private func run(_ words: String...) throws -> CommandRun { try CommandRun(words, in: world) }

    private func create(_ key: String, _ more: String...) throws {
        let words = ["backup", "create", fixture.database, "--to", path, "--key-file", key]
        let created = try CommandRun(words + more, in: world)
        try #require(created.exitCode == .done, "\(created.errors)")
    }

    @Test(.proves("OPR-104"))
    func `A verification counts as authenticated if it had the keys of all backups`() throws {
        let due = ["backup", "status", path, "--authenticate-every", "7d"]
        let part = try run("backup", "verify", path, "--key-file", newKey)
        #expect(part.exitCode == .done, "\(part.errors)")
        #expect(part.output.contains("not authenticated, because they have other keys: backup 1"))
        let status = try CommandRun(due, in: world)
        #expect(status.exitCode == .overdue)
        #expect(
            status.output
                == "OVERDUE: \(path) is due for a verification with the keys of all its backups\n")
        // As a verification of everything, it counts.
        #expect(try run("backup", "status", path, "--verify-every", "7d").exitCode == .done)
        let whole = try run(
            "backup", "verify", path, "--key-file", newKey, "--key-file", fixture.keyFile)
        #expect(whole.exitCode == .done, "\(whole.errors)")
        #expect(try CommandRun(due, in: world).exitCode == .done)
        // Once the earlier backup is gone, its key is no longer needed.
        #expect(
            try run("backup", "prune", path, "--keep-last", "1", "--key-file", newKey).exitCode
                == .done)
        try FileManager.default.removeItem(atPath: fixture.path("state"))
        #expect(try run("backup", "verify", path, "--key-file", newKey).exitCode == .done)
        #expect(try CommandRun(due, in: world).exitCode == .done)
    }

    @Test(.proves("OPR-105"))
    func `The hint about other keys is a command that works`() throws {
        let third = fixture.path("third.key")
        #expect(try run("keygen", third).exitCode == .done)
        let first = try run(
            "backup", "rekey", path, "--key-file", fixture.keyFile, "--new-key-file", third)
        #expect(first.exitCode == .done, "\(first.errors)")
        let hint =
            "strongroom backup rekey \(path) --key-file EXPOSED --new-key-file NEW"
        #expect(first.errors.contains("left as they are: backups 2"), "\(first.errors)")
        #expect(first.errors.contains(hint), "\(first.errors)")
        let words = hint.split(separator: " ").dropFirst().map {
            $0 == "EXPOSED" ? newKey : $0 == "NEW" ? third : String($0)
        }
        let second = try CommandRun(words, in: world)
        #expect(second.exitCode == .done && second.errors.isEmpty, "\(second.errors)")
        let verified = try run("backup", "verify", path, "--key-file", third)
        #expect(verified.exitCode == .done)
        #expect(!verified.output.contains("not authenticated"), "\(verified.output)")
    }

    @Test(.proves("OPR-105"))
    func `Without a terminal, it is the new key that is missing`() throws {
        for words in [
            ["rotate-key", fixture.database, "--key-file", newKey],
            ["backup", "rekey", path, "--key-file", newKey],
        ] {
            let run = try CommandRun(words, in: world)
            #expect(run.exitCode == .usage)
            #expect(run.errors.contains("no new key is given"), "\(words): \(run.errors)")
            #expect(run.errors.contains("--new-key-file PATH"), "\(run.errors)")
        }
        // The first key is another matter, and so is the key of a new database.
        for words in [
            ["rotate-key", fixture.database],
            ["encrypt", fixture.plain, fixture.path("encrypted.db")],
        ] {
            let run = try CommandRun(words, in: world)
            #expect(run.exitCode == .usage && !run.errors.contains("new key"), "\(run.errors)")
        }
    }

    @Test(.proves("OPR-110"))
    func `Of a shared repository, prune keeps as many backups of each database`() throws {
        let other = fixture.path("other.db")
        try FileManager.default.copyItem(atPath: fixture.database, toPath: other)
        for _ in 1...3 {
            let words = ["backup", "create", other, "--to", path, "--another-database"]
            #expect(try CommandRun(words + ["--key-file", newKey], in: world).exitCode == .done)
        }
        try create(newKey)
        let pruned = try run("backup", "prune", path, "--keep-last", "2", "--key-file", newKey)
        #expect(pruned.exitCode == .done, "\(pruned.errors)")
        let list = try run("backup", "list", path, "--json")
        let names = (list.json as? [[String: Any]])?.compactMap { $0["database"] as? String }
        #expect(names == ["shop.db", "other.db", "other.db", "shop.db"])
    }

    @Test(.proves("OPR-109"))
    func `A database that was renamed is overdue, and the hint ends that`() throws {
        let other = fixture.path("other")
        #expect(try run("backup", "init", other).exitCode == .done)
        var repository = try BackupRepository(path: other)
        repository.now = { Date(timeIntervalSinceNow: -48 * 3600) }
        let key = try CommandRun.secret(CommandLineFixture.otherKey).withUnsafeBytes {
            try CipherKey(parsing: $0)
        }
        try repository.backUp(DatabaseFile(path: fixture.database, key: key))
        let limit = ["backup", "status", other, "--max-age", "26h"]
        // The only database has just not been backed up.
        #expect(try !CommandRun(limit, in: world).errors.contains("renamed"))
        let renamed = fixture.path("renamed.db")
        try FileManager.default.moveItem(atPath: fixture.database, toPath: renamed)
        let words = ["backup", "create", renamed, "--to", other, "--key-file", newKey]
        #expect(try CommandRun(words, in: world).exitCode == .done)
        let status = try CommandRun(limit, in: world)
        #expect(status.exitCode == .overdue)
        #expect(status.errors.contains("if shop.db was renamed"), "\(status.errors)")
        let forget = ["backup", "forget", other, "1", "--newest"]
        #expect(status.errors.contains("strongroom " + forget.joined(separator: " ")))
        #expect(try CommandRun(forget + ["--key-file", newKey], in: world).exitCode == .done)
        #expect(try CommandRun(limit, in: world).exitCode == .done)
    }
}
