import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// The commands that begin with `key`.
@Suite struct KeyGroupTests {
    private let fixture: KeyringFixture

    init() throws {
        fixture = try KeyringFixture()
    }

    private func names() throws -> [String] {
        let run = try fixture.files.run("key", "list", fixture.database, "--json")
        let slots = (run.json as? [String: Any])?["slots"] as? [[String: Any]]
        return try #require(slots).compactMap { $0["name"] as? String }.sorted()
    }

    @Test("init makes the present key the first way in, and rotates", .proves("KSL-035"))
    func creation() throws {
        let files = fixture.files
        let witness = files.shell
        #expect((try? witness.cell("SELECT count(*) FROM album")) == nil)
        #expect(try fixture.opens(CommandLineFixture.key))
        let again = try files.run("key", "init", files.database, "--key-file", files.keyFile)
        #expect(again.exitCode == .failed && again.errors.contains("has a keyring already"))
    }

    @Test("init --keep-key leaves the file as it is, and warns", .proves("KSL-036"))
    func keptKey() throws {
        let files = try CommandLineFixture()
        let before = try Data(contentsOf: URL(fileURLWithPath: files.database))
        let run = try files.run(
            "key", "init", files.database, "--keep-key", "--key-file", files.keyFile)
        #expect(run.exitCode == .done && run.errors.contains("still opens"), "\(run.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: files.database)) == before)
        let past = try files.runOnDatabase("check", "--no-keyring")
        #expect(past.exitCode == .done)
        #expect(try files.run("key", "list", files.database).output.contains("until a rotation"))
        #expect(try files.runOnDatabase("check").exitCode == .done)
    }

    @Test("list and verify need no secret, and change nothing", .proves("KSL-029"))
    func list() throws {
        let keyring = URL(fileURLWithPath: fixture.database + "-keyring")
        let before = try Data(contentsOf: keyring)
        let run = try fixture.files.run("key", "list", fixture.database)
        for text in ["anna", "passphrase", "ops", KeyringFixture.recipient, "recovery code"] {
            #expect(run.output.contains(text), "\(text)")
        }
        let verified = try fixture.files.run("key", "verify", fixture.database)
        #expect(verified.exitCode == .done && verified.output.contains("ed25519:"))
        let tested = try fixture.run(["key", "test", fixture.database], KeyringFixture.anna)
        #expect(tested.output.contains("“anna” (passphrase)"))
        #expect(try fixture.run(["key", "test", fixture.database], "no").exitCode == .wrongKey)
        #expect(try Data(contentsOf: keyring) == before)
    }

    @Test("remove says what it does not do, and leaves two slots", .proves("KSL-024", "KSL-026"))
    func removal() throws {
        let base = ["key", "remove", fixture.database]
        let removed = try fixture.run(base + ["ops"], fixture.code)
        #expect(removed.exitCode == .done && removed.errors.contains("can still open"))
        #expect(try fixture.count(KeyringFixture.identity).exitCode == .wrongKey)
        let own = try fixture.run(base + ["anna", "--rotate"], KeyringFixture.anna)
        #expect(own.exitCode == .failed && own.errors.contains("another slot"))
        let before = try fixture.exportedKey()
        let rotated = try fixture.run(base + ["anna", "--rotate"], fixture.code)
        #expect(rotated.exitCode == .done, "\(rotated.errors)")
        #expect(try fixture.exportedKey() != before)
        let last = try #require(try names().first { $0 != "recovery" })
        let refused = try fixture.run(base + [last], fixture.code)
        #expect(refused.exitCode == .failed && refused.errors.contains("--force"))
        #expect(try fixture.run(base + [last, "--force"], fixture.code).exitCode == .done)
        #expect(try fixture.run(base + ["recovery", "--force"], fixture.code).exitCode == .failed)
        #expect(try names() == ["recovery"])
    }

    @Test(
        "remove with --rotate refuses to lose sealed slots before it removes any", .proves("OPR-92")
    )
    func sealed() throws {
        let add = [
            "key", "add", fixture.database, "--passphrase", "eva", "--sealed", "--work", "14",
        ]
        let added = try fixture.run(add, fixture.code, new: KeyringFixture.berta)
        #expect(added.exitCode == .done, "\(added.errors)")
        let remove = ["key", "remove", fixture.database, "ops", "--rotate"]
        let before = try (names(), fixture.exportedKey())
        let refused = try fixture.run(remove, fixture.code)
        #expect(refused.exitCode == .wrongKey, "\(refused.errors)")
        #expect(refused.errors.contains("“eva”") && refused.errors.contains("--drop-sealed"))
        #expect(try (names(), fixture.exportedKey()) == before)
        let usage = try fixture.run(Array(remove.dropLast()) + ["--drop-sealed"], fixture.code)
        #expect(usage.exitCode == .usage)
        // The secret of the sealed slot keeps it; without it, it goes.
        #expect(try fixture.run(remove, KeyringFixture.berta).exitCode == .done)
        #expect(try names().contains("eva") && !names().contains("ops"))
        let dropped = try fixture.run(
            ["key", "remove", fixture.database, "anna", "--rotate", "--drop-sealed"], fixture.code)
        #expect(dropped.exitCode == .done, "\(dropped.errors)")
        #expect(try !names().contains { ["anna", "eva"].contains($0) })
        #expect(try fixture.opens(fixture.code))
    }

    @Test("change gives a slot a new secret, also the last one", .proves("KSL-025"))
    func change() throws {
        let files = try CommandLineFixture()
        let creation = try files.run("key", "init", files.database, "--key-file", files.keyFile)
        #expect(creation.exitCode == .done)
        let new = try files.directory.write(KeyringFixture.berta + "\n", to: "new")
        let run = try files.run(
            "key", "change", files.database, "--key-file", files.keyFile, "--new-key-file", new)
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(try files.runOnDatabase("check").exitCode == .wrongKey)
        #expect(try files.run("check", files.database, "--key-file", new).exitCode == .done)
    }

    @Test("a code alone sets a new passphrase", .proves("RCV-009"))
    func recovery() throws {
        let without = try fixture.run(
            ["key", "change", fixture.database], fixture.code, new: KeyringFixture.berta)
        #expect(without.exitCode == .usage && without.errors.contains("--name"))
        let run = try fixture.run(
            ["key", "change", fixture.database, "--name", "me"], fixture.code,
            new: KeyringFixture.berta)
        #expect(run.exitCode == .done && run.errors.contains("rotate"), "\(run.errors)")
        #expect(try fixture.opens(KeyringFixture.berta))
        let renamed = try fixture.run(
            ["key", "rename", fixture.database, "me", "berta"], KeyringFixture.berta)
        #expect(renamed.exitCode == .done)
        #expect(try names().contains("berta") && !names().contains("me"))
    }

    @Test("recovery --replace makes another code, and --out keeps it private", .proves("RCV-004"))
    func replacement() throws {
        let words = ["key", "recovery", fixture.database, "--out", fixture.files.path("code2")]
        let refused = try fixture.run(words, KeyringFixture.anna)
        #expect(refused.exitCode == .failed && refused.errors.contains("--replace"))
        let run = try fixture.run(words + ["--replace"], fixture.code)
        #expect(run.exitCode == .done, "\(run.errors)")
        let path = fixture.files.path("code2")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let second = try String(contentsOfFile: path, encoding: .utf8)
        #expect(try fixture.opens(second.trimmingCharacters(in: .newlines)))
        #expect(try fixture.count(fixture.code).exitCode == .wrongKey)
    }

    @Test("a group that is typed wrong leaves the keyring as it is", .proves("RCV-003"))
    func wrongGroup() throws {
        let files = try CommandLineFixture()
        #expect(
            try files.run("key", "init", files.database, "--key-file", files.keyFile).exitCode
                == .done)
        var world = CommandRun.World()
        world.answers = ["2345"]
        let run = try files.run(
            "key", "recovery", files.database, "--key-file", files.keyFile, world: world)
        #expect(run.exitCode == .failed && run.errors.contains("nothing was changed"))
        #expect(try !files.run("key", "list", files.database).output.contains("recovery"))
    }

    @Test("identity opens by stock age's kind of secret, and only what it says", .proves("KSL-002"))
    func identity() throws {
        let run = try fixture.run(["key", "identity", fixture.database], KeyringFixture.identity)
        #expect(run.output == KeyringFixture.identity + "\n")
        let direct = try fixture.run(
            ["key", "identity", fixture.database], try fixture.exportedKey())
        #expect(direct.exitCode == .failed)
    }

    @Test("identity --new makes a pair that opens a slot", .proves("KSL-010"))
    func newIdentity() throws {
        let run = try fixture.files.run("key", "identity", "--new")
        let lines = run.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 2 && lines[0].hasPrefix("# public key: age1"))
        let recipient = String(lines[0].dropFirst("# public key: ".count))
        let added = try fixture.run(
            ["key", "add", fixture.database, "--recipient", recipient], fixture.code)
        #expect(added.exitCode == .done, "\(added.errors)")
        #expect(try fixture.opens(lines[1]))
        #expect(try fixture.files.run("key", "identity").exitCode == .usage)
    }

    @Test("log lists the changes, also of slots that are gone", .proves("KSL-029"))
    func log() throws {
        _ = try fixture.run(["key", "remove", fixture.database, "ops"], fixture.code)
        let run = try fixture.files.run("key", "log", fixture.database)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count { $0.contains(" add ") } == 4, "\(run.output)")
        #expect(lines.last?.contains(" remove ") == true)
        let json = try fixture.files.run("key", "log", fixture.database, "--json").json
        #expect((json as? [[String: Any]])?.count == lines.count - 2)
    }

    @Test("forget removes earlier keys, and only those it is told", .proves("KSL-044"))
    func forgetting() throws {
        func previous() throws -> [String] {
            let run = try fixture.files.run("key", "list", fixture.database, "--json")
            let keys = (run.json as? [String: Any])?["keys"] as? [[String: Any]]
            return try #require(keys?.first?["previous"] as? [String])
        }
        // The key that became the first way in is not kept.
        #expect(try previous().isEmpty)
        let rotation = try fixture.run(["rotate-key", fixture.database], fixture.code)
        #expect(rotation.exitCode == .done, "\(rotation.errors)")
        let old = try #require(try previous().first)
        let base = ["key", "forget", fixture.database]
        let none = try fixture.run(base + ["--before", "2000-01-01"], fixture.code)
        #expect(none.exitCode == .done)
        #expect(try previous() == [old])
        #expect(try fixture.run(base + ["--before", "x"], fixture.code).exitCode == .usage)
        #expect(try fixture.run(base, fixture.code).exitCode == .usage)
        let run = try fixture.run(base + ["--id", old], fixture.code)
        #expect(run.output.contains(old))
        #expect(try previous().isEmpty)
        #expect(try fixture.run(base + ["--id", old], fixture.code).exitCode == .failed)
        #expect(try fixture.opens(KeyringFixture.anna))
    }

    @Test("recovery --print gives a page with what to type", .proves("RCV-003"))
    func page() throws {
        let run = try fixture.run(
            ["key", "recovery", fixture.database, "--replace", "--print"], fixture.code)
        #expect(run.exitCode == .done, "\(run.errors)")
        let match = try #require(run.output.firstMatch(of: #/[A-Z0-9]{4}(-[A-Z0-9]{4}){7}/#))
        #expect(try fixture.opens(String(match.0)))
        let list = try fixture.files.run("key", "list", fixture.database, "--json")
        let keyring = (list.json as? [String: Any])?["keyring"] as? String
        for text in [try #require(keyring), "key change", "key test", fixture.database] {
            #expect(run.output.contains(text), "\(text)")
        }
    }

    @Test("export writes a key for --no-keyring, to a private file", .proves("KSL-050"))
    func export() throws {
        let path = fixture.files.path("own.key")
        let run = try fixture.run(["key", "export", fixture.database, "--out", path], fixture.code)
        #expect(run.exitCode == .done, "\(run.errors)")
        let query = try fixture.files.run(
            "check", fixture.database, "--no-keyring", "--key-file", path)
        #expect(query.exitCode == .done)
        let neither = try fixture.run(["key", "export", fixture.database], fixture.code)
        #expect(neither.exitCode == .usage)
    }

    @Test("no secret is written to any file or stream", .proves("KSL-050"))
    func canaries() throws {
        let files = try CommandLineFixture()
        let log = files.path("strace")
        try files.directory.write(KeyringFixture.anna + "\n", to: "anna")
        try files.directory.write(KeyringFixture.berta + "\n", to: "berta")
        let program = PackageFiles.program("strongroom")
        let script = """
            set -e
            '\(program)' key init shop.db --key-file shop.key
            '\(program)' key add shop.db --key-file shop.key --passphrase anna --new-key-file anna
            '\(program)' key change shop.db --key-file anna --new-key-file berta --verbose
            '\(program)' key list shop.db --json
            '\(program)' key test shop.db --key-file berta --verbose
            '\(program)' rotate-key shop.db --key-file berta --verbose
            ! '\(program)' check shop.db --key-file anna
            """
        let result = try Subprocess.run(
            "strace",
            [
                "-f", "-qq", "-s", "1048576", "-o", log, "-e",
                "trace=write,pwrite64,writev,sendto,execve", "/bin/sh", "-c", script,
            ],
            environment: ["PATH": "/usr/bin:/bin", "STRONGROOM_STATE": "none"],
            workingDirectory: files.directory.path)
        #expect(result.isSuccess, "\(result.errorText)")
        let trace = try String(decoding: Data(contentsOf: URL(fileURLWithPath: log)), as: UTF8.self)
        #expect(trace.contains("strongroom-keyring-1"))
        let key = String(repeating: "5eed", count: 16)
        for secret in [KeyringFixture.anna, KeyringFixture.berta, key] {
            #expect(!trace.contains(secret))
            #expect(!(result.outputText + result.errorText).contains(secret))
        }
    }
}
