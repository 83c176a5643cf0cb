import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("The keyring of a restored database")
struct RestoredKeyringTests {
    private let fixture: KeyringFixture
    private let repository: String

    init() throws {
        fixture = try KeyringFixture()
        repository = try fixture.repository()
        let run = try fixture.run(
            ["backup", "create", fixture.database, "--to", repository], fixture.code)
        try #require(run.exitCode == .done, "\(run.errors)")
    }

    @Test("is the stored one: a later passphrase is told so", .proves("OPR-183"))
    func laterPassphrase() throws {
        let change = try fixture.run(
            ["key", "change", fixture.database, "--name", "anna"], fixture.code,
            new: KeyringFixture.berta)
        try #require(change.exitCode == .done, "\(change.errors)")
        for words in [
            ["backup", "restore", repository, fixture.files.path("out.db")],
            ["backup", "verify", repository],
        ] {
            let run = try fixture.run(words, KeyringFixture.berta)
            #expect(run.exitCode == .wrongKey, "\(words): \(run.errors)")
            #expect(!run.errors.contains("out.db-keyring"), "\(run.errors)")
            #expect(run.errors.contains("stored in \(repository)"), "\(run.errors)")
            #expect(run.errors.contains("give the one of that time"), "\(run.errors)")
        }
        #expect(try fixture.restored(1, from: repository, KeyringFixture.anna).exitCode == .done)
    }

    @Test("cannot be locked: nothing is replaced", .proves("OPR-184"))
    func notLocked() throws {
        let out = fixture.files.path("out.db")
        let lock = out + "-keyring.lock"
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        let restore = ["backup", "restore", repository, out, "--force"]
        for run in [try fixture.run(restore, fixture.code), try CommandRun(restore)] {
            #expect(run.exitCode == .failed, "\(run.output)")
            #expect(run.errors.contains("out.db-keyring.lock"), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: out))
        }
    }

    @Test("fails after the database has its place: which of both is there", .proves("OPR-184"))
    func failing() throws {
        let out = fixture.files.path("out.db")
        let restore = ["backup", "restore", repository, out, "--force"]
        #expect(try fixture.run(restore, fixture.code).exitCode == .done)
        // What no file takes the place of.
        let keyring = out + "-keyring"
        let manager = FileManager.default
        try manager.removeItem(atPath: keyring)
        try manager.createDirectory(
            atPath: keyring + "/folder", withIntermediateDirectories: true)
        for run in [try fixture.run(restore, fixture.code), try CommandRun(restore)] {
            #expect(run.exitCode == .failed, "\(run.output)")
            for text in [
                "\(out) is restored, but its keyring is not", "is not the one that opens it",
                "--force",
            ] { #expect(run.errors.contains(text), "\(text): \(run.errors)") }
        }
        // As the hint says.
        try manager.removeItem(atPath: keyring)
        #expect(try fixture.run(restore, fixture.code).exitCode == .done)
        let check = try fixture.run(["check", out, "--quick"], fixture.code)
        #expect(check.exitCode == .done, "\(check.errors)")
    }

    @Test(
        "was not written before a kill: the next command says so", .mayTrace, .proves("OPR-189"),
        arguments: ["restore", "copy"])
    func killed(_ command: String) throws {
        let out = fixture.files.path("out.db")
        let words =
            command == "copy"
            ? ["copy", fixture.database, out] : ["backup", "restore", repository, out]
        let run = try Subprocess.run(
            "strace",
            [
                "-f", "-qq", "-o", "/dev/null", "-P", "out.db-keyring", "-e",
                "inject=?renameat,?renameat2,?rename:signal=KILL",
                PackageFiles.program("strongroom"),
            ] + words + ["--key-env", "KEY"],
            environment: [
                "PATH": "/usr/bin:/bin", "KEY": fixture.code, "STRONGROOM_STATE": "none",
            ])
        #expect(!run.isSuccess)
        #expect(FileManager.default.fileExists(atPath: out))
        #expect(!FileManager.default.fileExists(atPath: out + "-keyring"))
        let next = try fixture.run(["check", out, "--quick"], fixture.code)
        #expect(next.exitCode == .wrongKey, "\(next.output)")
        #expect(next.errors.contains("was interrupted before it wrote"), "\(next.errors)")
        let test = try fixture.run(["key", "test", out], fixture.code)
        #expect(test.exitCode == .notFound)
        #expect(test.errors.contains("if a restore or a copy ended before"), "\(test.errors)")
        #expect(try fixture.run(words + ["--force"], fixture.code).exitCode == .done)
        #expect(try fixture.run(["check", out, "--quick"], fixture.code).exitCode == .done)
    }

    @Test("is not announced by a copy that fails", .proves("OPR-189"))
    func failedCopy() throws {
        let out = fixture.files.path("out.db")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
        try bytes.dropLast(100).write(to: URL(fileURLWithPath: fixture.database))
        let run = try fixture.run(["copy", fixture.database, out], fixture.code)
        #expect(run.exitCode == .damaged, "\(run.errors)")
        #expect(run.errors.contains("its end is missing"), "\(run.errors)")
        #expect(run.errors.contains("strongroom doctor"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: out + "-keyring.lock"))
    }
}
