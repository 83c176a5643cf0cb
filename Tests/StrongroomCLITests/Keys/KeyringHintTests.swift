import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Messages about keyrings that are not as the user thinks.
@Suite struct KeyringHintTests {
    @Test(
        "after a killed init, it and doctor say which key may still open the file", .mayTrace,
        .proves("OPR-133"))
    func initialized() throws {
        var seen: Set<String> = []
        for number in 1...40 {
            let files = try CommandLineFixture()
            let run = try Subprocess.run(
                "strace",
                [
                    "-f", "-qq", "-o", "/dev/null", "-e",
                    "inject=?renameat:signal=KILL:when=\(number)",
                    PackageFiles.program("strongroom"), "key", "init", files.database,
                    "--key-file", files.keyFile,
                ], environment: ["PATH": "/usr/bin:/bin"])
            guard !run.isSuccess else { break }
            let list = try files.run("key", "list", files.database)
            guard list.exitCode == .done else { continue }
            let again = try files.run("key", "init", files.database, "--key-file", files.keyFile)
            let doctor = try files.runOnDatabase("doctor")
            if list.errors.contains("interrupted") {
                seen.insert("interrupted")
                #expect(again.errors.contains("key repair \(files.database) completes it"))
                #expect(doctor.output.contains("a rotation was interrupted"))
            } else if list.output.contains("before the keyring") {
                seen.insert("old")
                #expect(again.errors.contains("the previous key still opens"))
                #expect(doctor.output.contains("the key from before the keyring opens the file"))
            }
        }
        #expect(seen.contains("interrupted"), "\(seen)")
    }

    @Test("doctor says that the key from before the keyring opens the file", .proves("OPR-133"))
    func keptKey() throws {
        let files = try CommandLineFixture()
        let words = ["key", "init", files.database, "--key-file", files.keyFile]
        #expect(try CommandRun(words + ["--keep-key"]).exitCode == .done)
        let sentence = "the key from before the keyring opens the file without it"
        #expect(try files.runOnDatabase("doctor").output.contains(sentence))
        #expect(try files.runOnDatabase("rotate-key").exitCode == .done)
        #expect(try !files.runOnDatabase("doctor").output.contains(sentence))
    }

    @Test("a database that is not there has no keyring to create", .proves("OPR-134"))
    func missing() throws {
        let files = try CommandLineFixture()
        let path = files.path("missing.db")
        for words in [["list"], ["log"], ["test"], ["export", "--show"]] {
            let key = ["--key-file", files.keyFile]
            let run = try CommandRun(
                ["key", words[0], path] + words.dropFirst()
                    + (["list", "log"].contains(words[0]) ? [] : key))
            #expect(run.exitCode == .notFound, "\(words): \(run.errors)")
            #expect(run.errors.contains("\(path) is not there"), "\(words): \(run.errors)")
            #expect(!run.errors.contains("key init"))
        }
        let run = try CommandRun(["key", "list", files.database])
        #expect(run.exitCode == .notFound && run.errors.contains("has no keyring"))
    }

    @Test("a backup says that the keyring may be lost", .proves("OPR-136"))
    func lost() throws {
        let fixture = try KeyringFixture()
        let repository = try fixture.repository()
        let create = ["backup", "create", fixture.database, "--to", repository]
        #expect(try fixture.run(create, fixture.code).exitCode == .done)
        let keyring = fixture.database + "-keyring"
        try FileManager.default.removeItem(atPath: keyring)
        let run = try fixture.run(create, fixture.code)
        #expect(run.exitCode == .wrongKey)
        #expect(run.errors.contains("\(fixture.database) has no keyring"), "\(run.errors)")
        // As the hint says.
        let other = fixture.files.path("other.db")
        #expect(
            try CommandRun(["backup", "restore", repository, other]).exitCode == .done)
        try FileManager.default.copyItem(atPath: other + "-keyring", toPath: keyring)
        #expect(try fixture.run(create, fixture.code).exitCode == .done)
    }

    @Test("a keyring in the way is replaced by an option that is named", .proves("OPR-137"))
    func inTheWay() throws {
        let fixture = try KeyringFixture()
        let repository = try fixture.repository()
        let create = ["backup", "create", fixture.database, "--to", repository]
        #expect(try fixture.run(create, fixture.code).exitCode == .done)
        let other = fixture.files.path("other.db")
        try FileManager.default.copyItem(
            atPath: fixture.database + "-keyring", toPath: other + "-keyring")
        let restore = ["backup", "restore", repository, other]
        let run = try fixture.run(restore, fixture.code)
        #expect(run.exitCode == .failed, "\(run.errors)")
        #expect(run.errors.contains("--force to replace it"), "\(run.errors)")
        #expect(try fixture.run(restore + ["--force"], fixture.code).exitCode == .done)
    }

    @Test("a code that an interrupted run has left is named", .proves("OPR-138"))
    func leftCode() throws {
        let fixture = try KeyringFixture()
        let path = fixture.files.path("new-code")
        let words = ["key", "recovery", fixture.database, "--replace", "--out", path]
        #expect(try fixture.run(words, KeyringFixture.anna).exitCode == .done)
        let valid = try fixture.run(words, KeyringFixture.anna)
        #expect(valid.exitCode == .failed)
        #expect(valid.errors.contains("its recovery code opens \(fixture.database)"))
        // The code from before opens nothing any more, as one whose run was killed.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: fixture.files.path("code"), toPath: path)
        let dead = try fixture.run(words, KeyringFixture.anna)
        #expect(dead.exitCode == .failed)
        #expect(dead.errors.contains("its recovery code opens nothing"), "\(dead.errors)")
        try "something else".write(toFile: path, atomically: true, encoding: .utf8)
        let foreign = try fixture.run(words, KeyringFixture.anna)
        #expect(!foreign.errors.contains("recovery code opens"), "\(foreign.errors)")
    }
}
