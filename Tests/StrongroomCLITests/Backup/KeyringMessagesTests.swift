import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// What backups of a database with a keyring say when something unusual was done to it.
@Suite struct KeyringMessagesTests {
    private let fixture: KeyringFixture
    private let path: String
    private var world = CommandRun.World()

    init() throws {
        fixture = try KeyringFixture()
        path = fixture.files.path("repository")
        world.settings = ["STRONGROOM_STATE": fixture.files.path("state")]
        world.variables = ["SECRET": fixture.code]
        try #require(try CommandRun(["backup", "init", path]).exitCode == .done)
    }

    private func run(_ words: String...) throws -> CommandRun {
        try CommandRun(words + ["--key-env", "SECRET"], in: world)
    }

    @discardableResult
    private func create(_ more: String...) throws -> CommandRun {
        let words = ["backup", "create", fixture.database, "--to", path, "--key-env", "SECRET"]
        return try CommandRun(words + more, in: world)
    }

    private func rotate() throws {
        let run = try run("rotate-key", fixture.database)
        try #require(run.exitCode == .done, "\(run.errors)")
    }

    /// The current key in a file.
    private func export(_ name: String = "exported.key") throws -> String {
        let file = fixture.files.path(name)
        try #require(
            try run("key", "export", fixture.database, "--out", file).exitCode == .done)
        return file
    }

    @Test(.proves("OPR-154"), arguments: [false, true])
    func `A secret whose stored keyring is damaged or gone is not called wrong alone`(
        isGone: Bool
    ) throws {
        try create()
        let folder = URL(fileURLWithPath: path + "/keyrings")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let file = folder.appendingPathComponent(name)
            var bytes = try Data(contentsOf: file)
            bytes[100] ^= 1
            if isGone {
                try FileManager.default.removeItem(at: file)
            } else {
                try bytes.write(to: file)
            }
        }
        for run in [
            try run("backup", "restore", path, fixture.files.path("out.db")),
            try run("backup", "verify", path),
        ] {
            #expect(run.exitCode == .wrongKey, "\(run.output)")
            #expect(run.errors.contains("keyring"), "\(run.errors)")
            #expect(run.errors.contains("fetch it from another copy"), "\(run.errors)")
        }
    }

    @Test(.proves("OPR-105"))
    func `The new key is called unknown only where a keyring gave the old one`() throws {
        // From before the keyring, and so without one.
        let files = try CommandLineFixture()
        let other = files.path("repository")
        #expect(try files.run("backup", "init", other).exitCode == .done)
        let create = ["backup", "create", files.database, "--to", other]
        #expect(try CommandRun(create + ["--key-file", files.keyFile]).exitCode == .done)
        let made = try files.run("key", "init", files.database, "--key-file", files.keyFile)
        #expect(made.exitCode == .done, "\(made.errors)")
        #expect(try CommandRun(create + ["--key-file", files.keyFile]).exitCode == .done)
        let new = files.path("exported.key")
        let words = ["key", "export", files.database, "--out", new, "--key-file", files.keyFile]
        #expect(try CommandRun(words).exitCode == .done)
        let rekeyed = try files.run(
            "backup", "rekey", other, "--key-file", files.keyFile, "--new-key-file", new)
        #expect(rekeyed.exitCode == .done)
        #expect(!rekeyed.errors.contains("no keyring"), "\(rekeyed.errors)")
    }

    @Test(.proves("OPR-105"))
    func `After an older backup was restored in place, the hint of rekey leads out`() throws {
        try create()
        try rotate()
        try create()
        #expect(
            try run("backup", "restore", path, "1", fixture.database, "--force").exitCode == .done)
        let early = try create()
        #expect(early.exitCode == .done)
        #expect(
            early.errors.contains("\(fixture.database) has an earlier key than backup 2"),
            "\(early.errors)")
        try rotate()
        try create()
        let refused = try run("backup", "rekey", path)
        #expect(refused.exitCode == .failed)
        for word in [
            "two keyrings of one database", "strongroom key export DATABASE --out NEW",
            "--new-key-file NEW",
        ] { #expect(refused.errors.contains(word), "\(refused.errors)") }
        let new = try export()
        let rekeyed = try run("backup", "rekey", path, "--new-key-file", new)
        #expect(rekeyed.exitCode == .done && rekeyed.errors.isEmpty, "\(rekeyed.errors)")
        // From then on there is one keyring again.
        let verified = try run("backup", "verify", path)
        #expect(verified.exitCode == .done && verified.errors.isEmpty, "\(verified.errors)")
        #expect(!verified.output.contains("not authenticated"), "\(verified.output)")
        let again = try run("backup", "rekey", path)
        #expect(!again.errors.contains("two keyrings"), "\(again.errors)")
        #expect(try create().exitCode == .done)
    }

    @Test(.proves("OPR-104"))
    func `A backup whose key was forgotten is authenticated by the stored keyring`() throws {
        try create()
        try rotate()
        try create()
        let list = try CommandRun(["backup", "list", path, "--json"])
        let backups = try #require(list.json as? [[String: Any]])
        let id = try #require(backups.first?["keyIdentifier"] as? String)
        let forgotten = try run("key", "forget", fixture.database, "--id", id)
        #expect(forgotten.exitCode == .done, "\(forgotten.errors)")
        try create()
        let verified = try run("backup", "verify", path)
        #expect(verified.exitCode == .done, "\(verified.errors)")
        #expect(!verified.output.contains("not authenticated"), "\(verified.output)")
    }

    @Test(.proves("OPR-108"))
    func `A database that was created anew under its old name is called that`() throws {
        try create()
        for name in [fixture.database, fixture.database + "-keyring"] {
            try FileManager.default.removeItem(atPath: name)
        }
        let words = ["encrypt", fixture.files.plain, fixture.database]
        #expect(try CommandRun(words + ["--key-file", fixture.files.keyFile]).exitCode == .done)
        let new = try CommandRun([
            "key", "init", fixture.database, "--key-file", fixture.files.keyFile,
        ])
        #expect(new.exitCode == .done, "\(new.errors)")
        let create = ["backup", "create", fixture.database, "--to", path]
        let refused = try CommandRun(create + ["--key-file", fixture.files.keyFile], in: world)
        #expect(refused.exitCode == .failed)
        #expect(refused.errors.contains("was created anew"), "\(refused.errors)")
        #expect(!refused.errors.contains("an older backup was restored"), "\(refused.errors)")
        let secret = ["--introducer-key-env", "SECRET"]
        let introduced = try CommandRun(
            create + ["--key-file", fixture.files.keyFile] + secret, in: world)
        #expect(introduced.exitCode == .done, "\(introduced.errors)")
    }

    @Test(.proves("OPR-108"))
    func `A new database with the key of the old one is not called re-encrypted alone`() throws {
        let files = fixture.files
        let database = files.path("plain-key.db")
        let repository = files.path("other")
        #expect(try files.run("backup", "init", repository).exitCode == .done)
        let key = ["--key-file", files.keyFile]
        for round in 1...2 {
            #expect(try CommandRun(["encrypt", files.plain, database] + key).exitCode == .done)
            let run = try CommandRun(
                ["backup", "create", database, "--to", repository] + key, in: world)
            #expect(run.exitCode == .done, "\(run.errors)")
            #expect(run.errors.contains("was created anew, or re-encrypted") == (round == 2))
            try FileManager.default.removeItem(atPath: database)
        }
    }

    @Test(.proves("OPR-109"))
    func `After a keyring was shredded, the hint says how status ends to fail`() throws {
        try create()
        let key = try export()
        try rotate()
        try create()
        let shredded = try CommandRun(
            [
                "key", "shred", fixture.database, "--repository", path, "--confirm", "shop.db",
            ], in: world)
        #expect(shredded.exitCode == .done, "\(shredded.errors)")
        #expect(shredded.errors.contains("backup forget --newest"), "\(shredded.errors)")
        for command in ["status", "verify"] {
            let run = try CommandRun(["backup", command, path], in: world)
            #expect(run.exitCode == .damaged)
            #expect(run.errors.contains("if the keyring was shredded on purpose"))
        }
        // A key that signs is left.
        let forgotten = try CommandRun(
            ["backup", "forget", path, "1", "2", "--newest", "--key-file", key], in: world)
        #expect(forgotten.exitCode == .done, "\(forgotten.errors)")
        #expect(try CommandRun(["backup", "verify", path], in: world).exitCode == .done)
        let status = try CommandRun(["backup", "status", path], in: world)
        #expect(status.output == "OVERDUE: \(path) holds no backup\n")
    }
}
