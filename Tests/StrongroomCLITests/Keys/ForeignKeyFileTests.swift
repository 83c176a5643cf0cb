import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("A key file that others had in their hands", .proves("HST-06"))
struct ForeignKeyFileTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
    }

    @Test("is used with a warning if another user owns it", .enabled(if: getuid() == 0))
    func foreignOwner() throws {
        #expect(chown(fixture.keyFile, 65534, 65534) == 0)
        let run = try fixture.runOnDatabase("info")
        #expect(run.exitCode == .done)
        #expect(
            run.errors.contains("shop.key belongs to another user, who can read and replace it"))
        #expect(chown(fixture.keyFile, getuid(), getgid()) == 0)
        #expect(try fixture.runOnDatabase("info").errors == "")
    }

    @Test("is not taken for the one that --new-key-generate makes", arguments: [0o644, 0o600])
    func planted(mode: Int) throws {
        let planted = try fixture.directory.write(
            CommandLineFixture.otherKey + "\n", to: "new.key", mode: mode_t(mode))
        if mode == 0o600 {
            let link = fixture.path("link.key")
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: planted)
            try expectRefusal(link)
            try FileManager.default.linkItem(atPath: planted, toPath: fixture.path("second.key"))
        }
        try expectRefusal(planted)
    }

    @Test("of another user is not taken for a new one either", .enabled(if: getuid() == 0))
    func plantedByOther() throws {
        let planted = try fixture.directory.write(
            CommandLineFixture.otherKey + "\n", to: "new.key", mode: 0o600)
        #expect(chown(planted, 65534, 65534) == 0)
        try expectRefusal(planted)
    }

    private func expectRefusal(_ path: String) throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
        let run = try fixture.runOnDatabase("rotate-key", "--new-key-generate", path)
        #expect(run.exitCode == .failed)
        #expect(run.errors.contains("already exists, and others may know the key in it"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.database)) == before)
    }

    @Test("that an earlier run has made is named when it is used")
    func ownFile() throws {
        let own = try fixture.directory.write(
            CommandLineFixture.otherKey + "\n", to: "new.key", mode: 0o600)
        let run = try fixture.runOnDatabase("rotate-key", "--new-key-generate", own)
        #expect(run.exitCode == .done)
        #expect(run.errors.contains("new.key, which already existed"))
        let again = try fixture.run(
            "rotate-key", fixture.database, "--key-file", fixture.keyFile, "--new-key-generate", own
        )
        #expect(again.exitCode == .done && again.errors.contains("already opens all"))
        #expect(!again.errors.contains("wrong way round"), "\(again.errors)")
        let same = try fixture.run(
            "rotate-key", fixture.database, "--key-file", own, "--new-key-generate", own)
        #expect(same.exitCode == .failed)
        #expect(same.errors.contains("already exists, and holds the current key"))
        #expect(!same.errors.contains("note:"), "\(same.errors)")
    }

    @Test("with a verification key is used with a warning if others can read it")
    func verificationKey() throws {
        let repository = fixture.path("repository")
        let verifying = fixture.path("verify.key")
        for words in [
            ["backup", "init", repository],
            [
                "backup", "create", fixture.database, "--to", repository, "--key-file",
                fixture.keyFile,
            ],
        ] {
            #expect(try CommandRun(words).exitCode == .done)
        }
        let made = try fixture.run(
            "backup", "verification-key", repository, "--key-file", fixture.keyFile)
        try fixture.directory.write(made.output, to: "verify.key", mode: 0o600)
        let words = ["backup", "verify", repository, "--verification-key", verifying]
        #expect(try CommandRun(words).errors == "")
        #expect(chmod(verifying, 0o644) == 0)
        let run = try CommandRun(words)
        #expect(run.exitCode == .done)
        #expect(run.errors.contains("verify.key is open to other users of this machine"))
    }
}
