import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// A keyring that is deleted for ever, a code that is tested, and blocks that are overwritten.
@Suite struct KeyShredTests {
    private let fixture: KeyringFixture

    init() throws {
        fixture = try KeyringFixture()
    }

    private func shred(_ words: String..., answer: String? = nil) throws -> CommandRun {
        var world = CommandRun.World()
        world.answers = answer.map { [$0] }
        return try CommandRun(["key", "shred", fixture.database] + words, in: world)
    }

    @Test("no secret opens the database or a backup afterwards", .proves("KSL-065"))
    func shredded() throws {
        let repository = fixture.files.path("repository")
        #expect(try fixture.files.run("backup", "init", repository).exitCode == .done)
        for _ in 0..<2 {
            let run = try fixture.run(
                ["backup", "create", fixture.database, "--to", repository], fixture.code)
            #expect(run.exitCode == .done, "\(run.errors)")
            #expect(
                try fixture.run(["rotate-key", fixture.database], fixture.code).exitCode == .done)
        }
        let list = try CommandRun(["backup", "keyrings", repository, "--json"])
        #expect((list.json as? [Any])?.count == 2, "\(list.output)")
        let gone = fixture.files.path("gone")
        let refused = try shred(
            "--repository", repository, "--repository", gone, answer: "shop.db")
        #expect(refused.exitCode == .failed)
        #expect(refused.errors.contains(gone) && refused.errors.contains("nothing was deleted"))
        let run = try shred("--repository", repository, answer: "shop.db")
        #expect(run.exitCode == .done && run.output.contains("2 keyrings are deleted"))
        for secret in [
            CommandLineFixture.key, KeyringFixture.anna, KeyringFixture.identity, fixture.code,
        ] {
            #expect(try fixture.count(secret).exitCode == .wrongKey)
            let out = fixture.files.path("out.db")
            let restored = try fixture.run(["backup", "restore", repository, "1", out], secret)
            #expect(restored.exitCode != .done)
            #expect(!FileManager.default.fileExists(atPath: out))
        }
        #expect(try CommandRun(["backup", "keyrings", repository, "--json"]).output == "[]\n")
    }

    @Test("with a repository that is away, nothing is deleted", .proves("OPR-132"))
    func away() throws {
        let first = try fixture.repository()
        let other = fixture.files.path("other")
        #expect(try fixture.files.run("backup", "init", other).exitCode == .done)
        for path in [first, other] {
            let run = try fixture.run(
                ["backup", "create", fixture.database, "--to", path], fixture.code)
            #expect(run.exitCode == .done, "\(run.errors)")
        }
        // As if its disk were not mounted.
        try FileManager.default.moveItem(atPath: other, toPath: other + ".away")
        try FileManager.default.createDirectory(
            atPath: other, withIntermediateDirectories: false)
        let words = ["--repository", first, "--repository", other, "--confirm", "shop.db"]
        func shred() throws -> CommandRun {
            try CommandRun(["key", "shred", fixture.database] + words)
        }
        let refused = try shred()
        #expect(refused.exitCode == .failed, "\(refused.errors)")
        #expect(refused.errors.contains("nothing was deleted: 1 of 2"))
        #expect(try fixture.opens(KeyringFixture.anna))
        let keyrings = ["backup", "keyrings", first, "--json"]
        #expect((try CommandRun(keyrings).json as? [Any])?.count == 1)
        try FileManager.default.removeItem(atPath: other)
        try FileManager.default.moveItem(atPath: other + ".away", toPath: other)
        let run = try shred()
        #expect(run.exitCode == .done, "\(run.errors)")
        for path in [first, other] {
            #expect(try CommandRun(["backup", "keyrings", path, "--json"]).output == "[]\n")
        }
        #expect(try CommandRun(["key", "list", fixture.database]).exitCode == .notFound)
    }

    @Test("the name of the file is asked for, and a key from before refused", .proves("KSL-065"))
    func refusals() throws {
        for run in [
            try shred(answer: "other.db"), try shred(answer: ""), try shred(),
            try shred("--confirm", "other.db"),
        ] { #expect(run.exitCode == .failed || run.exitCode == .usage, "\(run.errors)") }
        #expect(try fixture.opens(KeyringFixture.anna))
        let kept = try CommandLineFixture()
        #expect(
            try kept.run("key", "init", kept.database, "--key-file", kept.keyFile, "--keep-key")
                .exitCode == .done)
        let run = try CommandRun(["key", "shred", kept.database, "--confirm", "shop.db"])
        #expect(run.exitCode == .failed && run.errors.contains("rotate-key"))
        #expect(try shred("--confirm", "shop.db").exitCode == .done)
        #expect(try CommandRun(["key", "list", fixture.database]).exitCode == .notFound)
    }

    @Test("the test of a recovery code is noted", .proves("RCV-008"))
    func drill() throws {
        let words = ["key", "test", fixture.database, "--recovery"]
        #expect(try fixture.run(words, KeyringFixture.anna).exitCode == .failed)
        #expect(try fixture.run(words, "wrong").exitCode == .wrongKey)
        #expect(try !CommandRun(["key", "list", fixture.database]).output.contains("code tested"))
        let run = try fixture.run(words, fixture.code.lowercased())
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(try CommandRun(["key", "list", fixture.database]).output.contains("code tested"))
        #expect(try CommandRun(["key", "log", fixture.database]).output.contains("test"))
    }

    @Test("a rotation says what became of the blocks of the old file", .proves("KSL-070"))
    func overwriting() throws {
        let words = ["rotate-key", fixture.database, "--overwrite-old"]
        let text = try fixture.run(words, fixture.code)
        #expect(
            text.exitCode == .done && text.output.contains("; the old file's "), "\(text.errors)")
        let json = try fixture.run(words + ["--json"], fixture.code)
        let blocks = (json.json as? [String: Any])?["oldBlocks"] as? String
        #expect(["overwritten", "left"].contains(blocks))
        let plain = try CommandLineFixture()
        let other = try plain.directory.write(CommandLineFixture.otherKey, to: "other.key")
        let run = try plain.runOnDatabase(
            "rotate-key", "--new-key-file", other, "--overwrite-old", "--json")
        #expect((run.json as? [String: Any])?["oldBlocks"] as? String == blocks, "\(run.output)")
    }
}
