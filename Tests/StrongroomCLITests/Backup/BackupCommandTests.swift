import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct BackupCommandTests {
    private func repository(_ fixture: CommandLineFixture) throws -> String {
        let path = fixture.path("repository")
        let run = try fixture.run("backup", "init", path)
        #expect(run.exitCode == .done && run.output == "created the repository \(path)\n")
        return path
    }

    private func create(
        _ fixture: CommandLineFixture, _ repository: String, _ words: String...
    ) throws -> CommandRun {
        try CommandRun(
            [
                "backup", "create", fixture.database, "--to", repository, "--key-file",
                fixture.keyFile,
            ] + words)
    }

    @Test("unusual cipher settings are found, and kept with the backup", .proves("BKP-021"))
    func unusualSettings() throws {
        let fixture = try CommandLineFixture()
        let path = try repository(fixture)
        let database = fixture.path("unusual.db")
        let settings = [
            "PRAGMA cipher_page_size = 8192", "PRAGMA cipher_hmac_algorithm = HMAC_SHA256",
        ]
        try SQLCipherShell(
            path: database, key: .content(CommandLineFixture.key), settings: settings
        ).create(CommandLineFixture.schema)
        let create = ["backup", "create", database, "--to", path, "--key-file"]
        #expect(try CommandRun(create + [fixture.keyFile]).exitCode == .done)
        let again = try CommandRun(create + [fixture.keyFile])
        #expect(again.exitCode == .done && again.output.contains("since backup 1"))
        let other = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "other.key")
        #expect(try CommandRun(create + [other]).exitCode == .wrongKey)
        let out = fixture.path("out.db")
        let restored = try CommandRun(
            ["backup", "restore", path, out, "--key-file", fixture.keyFile])
        #expect(restored.exitCode == .done && restored.output.contains("verified and checked"))
        let shell = SQLCipherShell(
            path: out, key: .content(CommandLineFixture.key), settings: settings)
        #expect(try shell.cell("SELECT count(*) FROM album") == .integer(3))
        let list = try fixture.run("backup", "list", path, "--json")
        #expect((list.json as? [[String: Any]])?.count == 2)
    }

    @Test(
        "an operator backs up, lists, verifies, restores, prunes and rekeys", .proves("BKP-019"))
    func everything() throws {
        let fixture = try CommandLineFixture()
        let path = try repository(fixture)
        let first = try create(fixture, path, "--tag", "nightly")
        #expect(first.exitCode == .done && first.output.contains("writers wait"))
        try fixture.shell.run("INSERT INTO artist VALUES (3, 'Cleo')")
        let second = try create(fixture, path, "--json")
        #expect((second.json as? [String: Any])?["kind"] as? String == "increment")

        let list = try fixture.run("backup", "list", path)
        #expect(list.output.contains("nightly") && list.output.contains("shop.db"))
        let entries = try #require(
            fixture.run("backup", "list", path, "--json").json as? [[String: Any]])
        #expect(entries.map { $0["number"] as? Int } == [1, 2])
        #expect(entries[0]["tag"] as? String == "nightly")

        let verified = try fixture.run("backup", "verify", path, "--no-key")
        #expect(verified.exitCode == .done)
        let hash = try #require(verified.output.split(separator: " ").last).dropLast()
        let key = ["--key-file", fixture.keyFile]
        let again = try CommandRun(
            ["backup", "verify", path, "1", "--sample", "50%", "--expect", String(hash)] + key)
        #expect(again.exitCode == .done && again.output.contains("restored on trial"))
        let other = try fixture.run(
            "backup", "verify", path, "--expect", String(repeating: "a", count: 64))
        #expect(other.exitCode == .damaged)

        let out = fixture.path("out.db")
        let restored = try CommandRun(["backup", "restore", path, "1", out] + key)
        #expect(restored.exitCode == .done && restored.output.contains("verified and checked"))
        let shell = SQLCipherShell(path: out, key: .content(CommandLineFixture.key))
        #expect(try shell.cell("SELECT count(*) FROM artist") == .integer(2))
        let taken = try CommandRun(["backup", "restore", path, out] + key)
        #expect(taken.exitCode == .failed && taken.errors.contains("--force"))
        #expect(try fixture.run("backup", "restore", path, out, "--force").exitCode == .done)
        #expect(try shell.cell("SELECT count(*) FROM artist") == .integer(3))
        let early = try fixture.run(
            "backup", "restore", path, fixture.path("no.db"), "--at", "2020-01-01T10:00")
        #expect(early.exitCode == .notFound)

        let plan = try fixture.run("backup", "prune", path, "--keep-last", "1", "--dry-run")
        #expect(plan.output.contains("would remove backup 1"))
        let pruned = try fixture.run(
            "backup", "prune", path, "--keep-last", "1", "--key-file", fixture.keyFile)
        #expect(pruned.output.contains("1 kept, 1 removed"))
        let newKey = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
        let rekeyed = try CommandRun(
            ["backup", "rekey", path, "--new-key-file", newKey] + key)
        #expect(rekeyed.output == "1 backup has the new key\n")
        let wrong = try CommandRun(["backup", "verify", path] + key)
        #expect(wrong.exitCode == .wrongKey)
        #expect(
            try fixture.run("backup", "verify", path, "--key-file", newKey).exitCode == .done)
    }

    @Test("create refuses a damaged database, and asks no page on demand", .proves("BKP-020"))
    func damagedDatabase() throws {
        let fixture = try CommandLineFixture()
        let path = try repository(fixture)
        let url = URL(fileURLWithPath: fixture.database)
        var content = try Data(contentsOf: url)
        content[content.count - 2000] ^= 1
        try content.write(to: url)
        let refused = try create(fixture, path)
        #expect(refused.exitCode == .damaged && refused.errors.contains("nothing was backed up"))
        #expect(try create(fixture, path, "--no-authenticate").exitCode == .done)
        #expect(try fixture.run("backup", "verify", path, "--no-key").exitCode == .done)
        let key = ["--key-file", fixture.keyFile]
        #expect(try CommandRun(["backup", "verify", path] + key).exitCode == .damaged)
    }

    @Test("a machine without the key verifies with the verification key", .proves("BKP-019"))
    func verificationKey() throws {
        let fixture = try CommandLineFixture()
        let path = try repository(fixture)
        #expect(try create(fixture, path).exitCode == .done)
        let key = try CommandRun(
            ["backup", "verification-key", path, "--key-file", fixture.keyFile])
        #expect(key.output.hasPrefix("strongroom-verification-key "))
        let file = try fixture.directory.write(key.output, to: "verification.key")
        let run = try fixture.run("backup", "verify", path, "--verification-key", file)
        #expect(run.exitCode == .done && run.output.contains("authenticated"))
        let wrong = try fixture.run(
            "backup", "verify", path, "--verification-key", fixture.keyFile)
        #expect(wrong.exitCode == .failed)
    }

    @Test("what is wrong is said with an exit code and a next step", .proves("BKP-019"))
    func failures() throws {
        let fixture = try CommandLineFixture()
        let missing = try create(fixture, fixture.path("missing"))
        #expect(missing.exitCode == .notFound && missing.errors.contains("backup init"))
        let path = try repository(fixture)
        #expect(try fixture.run("backup", "init", path).exitCode == .failed)
        #expect(try fixture.run("backup").exitCode == .usage)
        #expect(try fixture.run("backup", "restor").errors.contains("backup restore"))
        #expect(try fixture.run("backup", "create", fixture.database).exitCode == .usage)
        #expect(try fixture.run("backup", "prune", path).exitCode == .usage)
        #expect(try fixture.run("backup", "verify", path, "--sample", "0").exitCode == .usage)
        #expect(try create(fixture, path).exitCode == .done)
        let packs = fixture.path("repository/packs")
        let pack = try #require(FileManager.default.contentsOfDirectory(atPath: packs).first)
        try FileManager.default.removeItem(atPath: packs + "/" + pack)
        let damaged = try fixture.run("backup", "verify", path)
        #expect(damaged.exitCode == .damaged && damaged.output.contains("missing"))
        let restored = try fixture.run("backup", "restore", path, fixture.path("out.db"))
        #expect(restored.exitCode == .damaged)
        #expect(!FileManager.default.fileExists(atPath: fixture.path("out.db")))
    }
}
