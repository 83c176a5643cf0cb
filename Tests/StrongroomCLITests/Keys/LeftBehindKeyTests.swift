import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// What commands about keys leave as it was says so.
@Suite struct LeftBehindKeyTests {
    private let fixture: KeyringFixture
    private let repository: String

    init() throws {
        fixture = try KeyringFixture()
        repository = fixture.files.path("repository")
        #expect(try CommandRun(["backup", "init", repository]).exitCode == .done)
    }

    private func create() throws {
        let run = try fixture.run(
            ["backup", "create", fixture.database, "--to", repository], fixture.code)
        #expect(run.exitCode == .done, "\(run.errors)")
    }

    private func forgetKeyOfFirstBackup() throws {
        let list = try CommandRun(["backup", "list", repository, "--json"])
        let backups = try #require(list.json as? [[String: Any]])
        let first = try #require(
            backups.first { $0["number"] as? Int == 1 }?["keyIdentifier"] as? String)
        let forgotten = try fixture.run(
            ["key", "forget", fixture.database, "--id", first], fixture.code)
        #expect(forgotten.exitCode == .done, "\(forgotten.errors)")
    }

    @Test(
        "a key that is forgotten before the next backup introduces its successor all the same",
        .proves("OPR-91"))
    func forgottenBeforeBackup() throws {
        try create()
        let rotation = try fixture.run(["rotate-key", fixture.database], fixture.code)
        #expect(rotation.exitCode == .done, "\(rotation.errors)")
        try forgetKeyOfFirstBackup()
        // A secret that the stored keyring does not know leads from the old key to no other.
        let add = ["key", "add", fixture.database, "--passphrase", "ben", "--work", "14"]
        #expect(
            try fixture.run(add, fixture.code, new: KeyringFixture.berta).exitCode == .done)
        let words = ["backup", "create", fixture.database, "--to", repository]
        let refused = try fixture.run(words, KeyringFixture.berta)
        #expect(refused.errors.contains("has not introduced this one"), "\(refused.errors)")
        try create()
        let verified = try fixture.run(["backup", "verify", repository], fixture.code)
        #expect(verified.exitCode == .done, "\(verified.errors)")
        for number in ["1", "2"] {
            let words = [
                "backup", "restore", repository, number, fixture.files.path("\(number).db"),
            ]
            let restored = try fixture.run(words, fixture.code)
            #expect(restored.exitCode == .done, "\(restored.errors)")
        }
    }

    @Test("rekey names the backups under keys that the keyring does not know", .proves("OPR-89"))
    func rekey() throws {
        for _ in 0..<2 {
            try create()
            let rotation = try fixture.run(["rotate-key", fixture.database], fixture.code)
            #expect(rotation.exitCode == .done, "\(rotation.errors)")
        }
        try create()
        try forgetKeyOfFirstBackup()
        try create()
        let run = try fixture.run(["backup", "rekey", repository], fixture.code)
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.errors.contains("left as they are: backups 1"), "\(run.errors)")
    }

    @Test(
        "rekey by a key file takes the backups along that have it as their key", .proves("OPR-90"))
    func rekeyByKeyFile() throws {
        let files = try CommandLineFixture()
        let repository = files.path("repository")
        let key = ["--key-file", files.keyFile]
        let create = ["backup", "create", files.database, "--to", repository] + key
        for words in [
            ["backup", "init", repository], create, ["key", "init", files.database] + key, create,
            ["rotate-key", files.database] + key, create, ["backup", "rekey", repository] + key,
        ] {
            let run = try CommandRun(words)
            #expect(run.exitCode == .done, "\(words): \(run.errors)")
            if words[1] == "rekey" {
                #expect(run.output.contains("2 backups have"), "\(run.output)")
                #expect(!run.errors.contains("left as they are"), "\(run.errors)")
            }
        }
        let verified = try CommandRun(["backup", "verify", repository] + key)
        #expect(verified.exitCode == .done, "\(verified.errors)")
        // And none has it, where the keyring was there first.
        try self.create()
        #expect(try fixture.run(["rotate-key", fixture.database], fixture.code).exitCode == .done)
        try self.create()
        let run = try CommandRun(
            ["backup", "rekey", self.repository, "--key-file", fixture.files.keyFile])
        #expect(run.exitCode == .done && run.output.contains("1 backup has"), "\(run.errors)")
    }

    @Test(
        "rekey by a key file does not give backups of another database the new key",
        .proves("OPR-157"))
    func keyFileOfTwo() throws {
        let files = try CommandLineFixture()
        let repository = files.path("repository")
        let key = ["--key-file", files.keyFile]
        let second = files.path("second.db")
        let create = ["backup", "create", files.database, "--to", repository] + key
        let createSecond =
            ["backup", "create", second, "--to", repository, "--another-database"] + key
        for words in [
            ["copy", files.database, second] + key, ["backup", "init", repository], create,
            createSecond, ["key", "init", files.database] + key, create,
            ["rotate-key", files.database] + key, create,
        ] {
            let run = try CommandRun(words)
            #expect(run.exitCode == .done, "\(words): \(run.errors)")
        }
        let run = try CommandRun(["backup", "rekey", repository] + key)
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.errors.contains("left as they are: backups 1, 2"), "\(run.errors)")
        for words in [createSecond, ["backup", "verify", repository] + key] {
            let run = try CommandRun(words)
            #expect(run.exitCode == .done, "\(words): \(run.errors)")
        }
    }

    @Test("a recovery code that does not count is left in no file", .proves("OPR-89"))
    func recovery() throws {
        let lock = fixture.database + "-keyring.lock"
        try? FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        let path = fixture.files.path("code2")
        let words = ["key", "recovery", fixture.database, "--replace", "--out", path]
        #expect(try fixture.run(words, fixture.code).exitCode == .failed)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try fixture.opens(fixture.code))
        try FileManager.default.removeItem(atPath: lock)
        #expect(try fixture.run(words, fixture.code).exitCode == .done)
        let code = try String(contentsOfFile: path, encoding: .utf8)
        #expect(try fixture.opens(code.trimmingCharacters(in: .newlines)))
    }
}
