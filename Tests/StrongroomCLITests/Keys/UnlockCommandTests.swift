import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Slots whose secret a program wraps: a key-management service, or a chip.
@Suite struct UnlockCommandTests {
    private let fixture: KeyringFixture
    /// A service that keeps its own key: authenticated encryption by Debian's `age`.
    private let wrap: String
    private let unwrap: String

    init() throws {
        fixture = try KeyringFixture()
        let identity = try fixture.files.directory.write(
            KeyringFixture.identity + "\n", to: "service.txt")
        wrap = "age -r \(KeyringFixture.recipient)"
        unwrap = "age -d -i '\(identity)'"
    }

    private func add() throws {
        let run = try fixture.run(
            ["key", "add", fixture.database, "--wrap-command", wrap, "--name", "kms"], fixture.code)
        try #require(run.exitCode == .done, "\(run.errors)")
    }

    private func count(_ command: String, _ more: String...) throws -> CommandRun {
        try CommandRun(
            [
                "query", fixture.database, "SELECT count(*) FROM album", "--csv",
                "--unlock-command", command,
            ] + more)
    }

    @Test("a command wraps, another unwraps, and rotations keep the slot", .proves("KSL-051"))
    func service() throws {
        try add()
        #expect(try count(unwrap).output.split(whereSeparator: \.isNewline).last == "3")
        let rotation = try CommandRun([
            "rotate-key", fixture.database, "--unlock-command", unwrap,
        ])
        #expect(rotation.exitCode == .done, "\(rotation.errors)")
        for words in [
            ["info", fixture.database], ["check", fixture.database], ["doctor", fixture.database],
            ["key", "test", fixture.database],
            ["copy", fixture.database, fixture.files.path("copy.db")],
        ] {
            let run = try CommandRun(words + ["--unlock-command", unwrap])
            #expect(run.exitCode == .done, "\(words): \(run.errors)")
        }
        #expect(try count("\(unwrap); echo").exitCode == .done)
    }

    @Test("a backup is restored by the command", .proves("KSL-051", "KSL-061"))
    func backups() throws {
        try add()
        let repository = fixture.files.path("repository")
        #expect(try fixture.files.run("backup", "init", repository).exitCode == .done)
        let backup = try CommandRun([
            "backup", "create", fixture.database, "--to", repository, "--unlock-command", unwrap,
        ])
        #expect(backup.exitCode == .done, "\(backup.errors)")
        #expect(try fixture.run(["rotate-key", fixture.database], fixture.code).exitCode == .done)
        let out = fixture.files.path("out.db")
        let restored = try CommandRun([
            "backup", "restore", repository, out, "--unlock-command", unwrap,
        ])
        #expect(restored.exitCode == .done, "\(restored.errors)")
        #expect(try CommandRun(["check", out, "--unlock-command", unwrap]).exitCode == .done)
    }

    @Test(
        "all commands for backups take one, and a vouch promises no more than it is",
        .proves("OPR-187"))
    func everyCommand() throws {
        try add()
        let repository = try fixture.repository()
        let unlock = ["--unlock-command", unwrap]
        let create = ["backup", "create", fixture.database, "--to", repository] + unlock
        for words in [
            create, create, create, ["backup", "verify", repository] + unlock,
            ["backup", "verify", repository, "2"] + unlock,
            ["backup", "verification-key", repository] + unlock,
            ["backup", "prune", repository, "--keep-last", "2"] + unlock,
            ["backup", "forget", repository, "2"] + unlock,
            ["backup", "repair", repository, "--database", fixture.database] + unlock,
        ] {
            let run = try CommandRun(words)
            #expect(run.exitCode == .done, "\(words): \(run.errors)")
        }
        let verified = try CommandRun(["backup", "verify", repository] + unlock)
        #expect(verified.output.contains("authenticated"), "\(verified.output)")
        let wrong = ["--unlock-command", "head -c 32 /dev/zero"]
        for words in [
            ["backup", "verify", repository], ["backup", "prune", repository, "--keep-last", "1"],
            ["backup", "forget", repository, "3"], ["backup", "verification-key", repository],
        ] {
            let run = try CommandRun(words + wrong)
            #expect(run.exitCode == .wrongKey, "\(words): \(run.errors)")
            #expect(run.errors.contains("opens no keyring that is stored"), "\(run.errors)")
        }
        let head = try CommandRun(["backup", "repair", repository, "--rebuild-head"] + unlock)
        #expect(head.exitCode == .usage && head.errors.contains("recovery code"), "\(head.errors)")
        #expect(try count(unwrap).errors.contains("is opened by a command"))
        let vouch = try CommandRun(["key", "vouch", fixture.database] + unlock)
        #expect(vouch.exitCode == .done, "\(vouch.errors)")
        #expect(vouch.errors.contains("cannot vouch for who wrote"), "\(vouch.errors)")
        #expect(!vouch.output.contains("is vouched for"))
    }

    @Test("a command is enough to retire the earlier keys of backups", .proves("OPR-213"))
    func rekeying() throws {
        try add()
        let repository = try fixture.repository()
        let unlock = ["--unlock-command", unwrap]
        let create = ["backup", "create", fixture.database, "--to", repository] + unlock
        let rekey = ["backup", "rekey", repository] + unlock
        #expect(try CommandRun(create).exitCode == .done)
        let early = try CommandRun(rekey)
        #expect(early.exitCode == .failed, "\(early.errors)")
        #expect(try CommandRun(["rotate-key", fixture.database] + unlock).exitCode == .done)
        #expect(try CommandRun(create).exitCode == .done)
        let done = try CommandRun(rekey)
        #expect(done.exitCode == .done, "\(done.errors)")
        #expect(done.output.contains("1 backup has the new key"), "\(done.output)")
        #expect(try CommandRun(["backup", "verify", repository] + unlock).exitCode == .done)
        let wrong = try CommandRun(
            ["backup", "rekey", repository, "--unlock-command", "head -c 32 /dev/zero"])
        #expect(wrong.exitCode != .done, "\(wrong.output)")
    }

    @Test("what commands do wrong is said, and changes nothing", .proves("KSL-051"))
    func failures() throws {
        try add()
        for (command, code) in [
            ("exit 3", ExitCode.failed), ("cat", .wrongKey), ("true", .wrongKey),
            ("head -c 32 /dev/zero", .wrongKey), ("yes", .failed),
            ("no-such-program-here", .failed),
        ] {
            let run = try count(command)
            #expect(run.exitCode == code, "\(command): \(run.errors)")
            #expect(run.errors.contains("the unlock command") || command.hasPrefix("head"))
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: fixture.database + "-keyring"))
        for command in ["exit 1", "true", "head -c 100000 /dev/zero"] {
            let run = try fixture.run(
                ["key", "add", fixture.database, "--wrap-command", command], fixture.code)
            #expect(run.exitCode == .failed, "\(command): \(run.errors)")
        }
        let after = try Data(contentsOf: URL(fileURLWithPath: fixture.database + "-keyring"))
        #expect(before == after)
        let plain = try CommandLineFixture()
        for words in [
            ["check", plain.database, "--unlock-command", "true"],
            ["doctor", plain.database, "--unlock-command", "true"],
            ["check", fixture.database, "--unlock-command", "true", "--key-file", plain.keyFile],
            ["check", fixture.database, "--unlock-command", ""],
        ] { #expect(try CommandRun(words).exitCode == .usage, "\(words)") }
    }

    @Test("a wrap command gets no key of this process", .proves("KSL-051"))
    func withheld() throws {
        let seen = fixture.files.path("seen")
        let run = try fixture.run(
            [
                "key", "add", fixture.database, "--name", "spy", "--wrap-command",
                "env > '\(seen)'; cat",
            ], fixture.code)
        #expect(run.exitCode == .done, "\(run.errors)")
        let text = try String(contentsOfFile: seen, encoding: .utf8)
        #expect(!text.contains(fixture.code) && text.contains("PATH="))
        // The keyring names no program: only who calls does.
        let keyring = try String(contentsOfFile: fixture.database + "-keyring", encoding: .utf8)
        #expect(!keyring.contains(seen))
    }
}
