import Foundation
import Strongroom
import StrongroomBackup
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("The verdict of backup status")
struct StatusVerdictTests: RepositorySuite {
    let repository: RepositoryFixture

    init() throws {
        repository = try RepositoryFixture()
    }

    private func state(_ words: String...) throws -> String? {
        let run = try CommandRun(["backup", "status", path, "--json"] + words, in: world)
        let repositories = (run.json as? [String: Any])?["repositories"] as? [[String: Any]]
        return repositories?.first?["state"] as? String
    }

    @Test("is not OK where there is no backup at all", .proves("OPR-59"))
    func noBackup() throws {
        for words in [[], ["--max-age", "26h"], ["--state", "none"]] {
            let status = try CommandRun(["backup", "status", path] + words, in: world)
            #expect(status.exitCode == .overdue)
            #expect(status.output == "OVERDUE: \(path) holds no backup\n")
            let root = try CommandRun(
                ["backup", "status", fixture.directory.path] + words, in: world)
            #expect(root.exitCode == .overdue)
        }
        #expect(try state() == "noBackup")
        try create()
        #expect(try run("status", path).exitCode == .done)
    }

    @Test("counts a verification with or without the key, of everything", .proves("OPR-60"))
    func verifications() throws {
        try create()
        let every = ["--verify-every", "7d"]
        let withKey = ["--authenticate-every", "7d"]
        func code(_ words: [String]) throws -> ExitCode {
            try CommandRun(["backup", "status", path] + words, in: world).exitCode
        }
        #expect(try code(every) == .overdue && code(withKey) == .overdue)
        #expect(try run("verify", path, "--sample", "50%").exitCode == .done)
        #expect(try code(every) == .overdue)
        #expect(try run("verify", path).exitCode == .done)
        #expect(try code(every) == .done && code(withKey) == .overdue)
        #expect(try !run("status", path).output.contains("to be verified"))
        #expect(try run("verify", path, "--key-file", fixture.keyFile).exitCode == .done)
        #expect(try code(every + withKey) == .done)
    }

    @Test("names a date in the future as such, and what an age is", .proves("OPR-71"))
    func future() throws {
        try create()
        // As if the clock had been ahead.
        var repository = try BackupRepository(path: path)
        repository.now = { Date(timeIntervalSinceNow: 5 * 3600) }
        let key = try CommandRun.secret(CommandLineFixture.key).withUnsafeBytes {
            try CipherKey(parsing: $0)
        }
        try repository.backUp(DatabaseFile(path: fixture.database, key: key))
        let status = try run("status", path, "--max-age", "26h")
        #expect(status.exitCode == .overdue)
        #expect(status.output.contains(#/is dated 4 hours in the future: check the clocks/#))
        #expect(try run("status", path).output.contains("in the future"))
        for age in ["1d12h", "5x"] {
            let run = try run("status", path, "--max-age", age)
            #expect(run.exitCode == .usage)
            #expect(run.errors.contains("a whole number and one of the letters w, d, h, m, s"))
        }
    }

    @Test("is not changed by a wrong public key", .proves("OPR-68"))
    func wrongAuthority() throws {
        try create()
        let verified = try run("verify", path)
        let line = try #require(verified.output.firstMatch(of: #/signed by ([0-9a-f]{64})/#))
        #expect(try run("verify", path, "--authority", String(line.1)).exitCode == .done)
        // That of another repository.
        let other = fixture.path("other")
        #expect(try run("init", other).exitCode == .done)
        let plain = fixture.path("other.db")
        let key = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "o.key")
        try SQLCipherShell(path: plain, key: .content(CommandLineFixture.otherKey))
            .create("CREATE TABLE t (a)")
        #expect(try run("create", plain, "--to", other, "--key-file", key).exitCode == .done)
        let wrong = try #require(
            try run("verify", other).output.firstMatch(of: #/signed by ([0-9a-f]{64})/#))
        let refused = try run("verify", path, "--authority", String(wrong.1))
        #expect(refused.exitCode == .damaged)
        #expect(refused.errors.contains("check the key or public key that you gave"))
        #expect(try state() == "verified")
        // Damage that is found besides is.
        let packs = path + "/packs"
        let pack =
            packs + "/"
            + (try #require(try FileManager.default.contentsOfDirectory(atPath: packs).first))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: pack))
        bytes[100] ^= 1
        try bytes.write(to: URL(fileURLWithPath: pack))
        #expect(try run("verify", path, "--authority", String(wrong.1)).exitCode == .damaged)
        #expect(try state() == "verificationFailed")
        bytes[100] ^= 1
        try bytes.write(to: URL(fileURLWithPath: pack))
        #expect(try run("verify", path).exitCode == .done)
        #expect(try state() == "verified")
    }

    @Test(
        "A lost head, and an interrupted creation, name the next step",
        .proves("OPR-68", "OPR-62"))
    func head() throws {
        try create()
        let head = path + "/head"
        try FileManager.default.removeItem(atPath: head)
        let lost = try run("list", path)
        #expect(lost.exitCode == .damaged)
        #expect(lost.errors.contains("fetch head from another copy"), "\(lost.errors)")
        #expect(lost.errors.contains("backup init"), "\(lost.errors)")
        let new = fixture.path("new")
        for name in ["packs", "backups", "tmp"] {
            try FileManager.default.createDirectory(
                atPath: "\(new)/\(name)", withIntermediateDirectories: true)
        }
        for words in [
            ["list", new], ["verify", new],
            ["create", fixture.database, "--to", new, "--key-file", fixture.keyFile],
        ] {
            let run = try CommandRun(["backup"] + words, in: world)
            #expect(run.exitCode != .done)
            #expect(run.errors.contains("creation was interrupted"), "\(words): \(run.errors)")
            #expect(run.errors.contains("backup init with the same path"), "\(run.errors)")
        }
        #expect(try run("status", new).output.hasPrefix("FAILED: "))
        #expect(try run("init", new).exitCode == .done)
        #expect(try run("list", new).exitCode == .done)
    }
}
