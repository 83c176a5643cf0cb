import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// What a command says after another one was killed between its steps.
@Suite struct InterruptedKeyringTests {
    /// Runs the program, and kills it when a thread makes one of some calls for the given time.
    ///
    /// - Returns: Whether it came that far.
    private func isKilled(
        _ words: [String], _ secret: String, at call: String, _ number: Int, in folder: String
    ) throws -> Bool {
        let run = try Subprocess.run(
            "strace",
            [
                "-f", "-qq", "-o", "/dev/null", "-e",
                "inject=\(call):signal=KILL:when=\(number)",
                PackageFiles.program("strongroom"),
            ] + words + ["--key-env", "KEY"],
            environment: ["PATH": "/usr/bin:/bin", "KEY": secret], workingDirectory: folder)
        return !run.isSuccess
    }

    @Test(
        "A removal that was killed before its rotation is named until the key is rotated",
        .mayTrace, .proves("OPR-114"))
    func removal() throws {
        let fixture = try KeyringFixture()
        let remove = ["key", "remove", fixture.database, "ops", "--rotate"]
        func list() throws -> String {
            let run = try fixture.files.run("key", "list", fixture.database)
            #expect(run.exitCode == .done)
            return run.output + run.errors
        }
        #expect(try !list().contains("was removed on"))
        let copy = try Data(contentsOf: URL(fileURLWithPath: fixture.database + "-keyring"))
        let isKilled = try isKilled(
            remove, fixture.code, at: "?renameat", 2, in: fixture.files.directory.path)
        try #require(isKilled)
        #expect(try list().contains("earlier copies of the keyring still open the file"))
        let again = try fixture.run(remove, fixture.code)
        #expect(again.exitCode == .failed)
        for text in ["no slot “ops”", "was not rotated since", "rotate-key"] {
            #expect(again.errors.contains(text), "\(text): \(again.errors)")
        }
        let doctor = try fixture.run(["doctor", fixture.database], fixture.code)
        #expect(doctor.exitCode == .done && doctor.output.contains("not rotated since"))
        // A changed passphrase, and a new slot, are no removals, and do not hide one.
        let change = try fixture.run(
            ["key", "change", fixture.database, "--name", "anna"], fixture.code,
            new: KeyringFixture.berta)
        #expect(change.exitCode == .done, "\(change.errors)")
        #expect(try list().contains("was removed on"))
        // It is true: the copy opens the file.
        let keyring = URL(fileURLWithPath: fixture.database + "-keyring")
        let newest = try Data(contentsOf: keyring)
        try copy.write(to: keyring)
        #expect(try fixture.opens(KeyringFixture.identity))
        try newest.write(to: keyring)
        #expect(try fixture.run(["rotate-key", fixture.database], fixture.code).exitCode == .done)
        #expect(try !list().contains("was removed on"))
        try copy.write(to: keyring)
        #expect(try fixture.count(KeyringFixture.identity).exitCode == .foreignKeyring)
    }

    @Test(
        "A removal whose rotation fails at its last step says so", .mayTrace, .proves("OPR-186"))
    func lastStep() throws {
        var warned = false
        // The keyring with both keys, the file, and the keyring with the new key.
        for number in 2...6 {
            let fixture = try KeyringFixture()
            let run = try Subprocess.run(
                "strace",
                [
                    "-f", "-qq", "-o", "/dev/null", "-e",
                    "inject=?renameat,?renameat2,?rename:error=EIO:when=\(number)",
                    PackageFiles.program("strongroom"),
                    "key", "remove", fixture.database, "ops", "--rotate", "--key-env", "KEY",
                ],
                environment: ["PATH": "/usr/bin:/bin", "KEY": fixture.code],
                workingDirectory: fixture.files.directory.path)
            let list = try fixture.files.run("key", "list", fixture.database, "--json")
            let keyring = list.json as? [String: Any]
            guard run.isSuccess, keyring?["isChangingKey"] as? Bool == true else { continue }
            warned = true
            #expect(run.errorText.contains("the last step failed"), "\(run.errorText)")
            #expect(run.errorText.contains("key repair"), "\(run.errorText)")
            #expect(try fixture.opens(fixture.code))
        }
        #expect(warned)
    }

    @Test(
        "After a killed rotation, repair says which key the file has", .mayTrace,
        .proves("OPR-115"), arguments: ["init", "rotate"], ["?renameat", "fsync,fdatasync"])
    func repair(_ command: String, _ call: String) throws {
        var seen: Set<String> = []
        for number in 1...40 {
            let files = try CommandLineFixture()
            if command == "rotate" {
                let run = try files.run("key", "init", files.database, "--key-file", files.keyFile)
                try #require(run.exitCode == .done)
            }
            let words =
                command == "init"
                ? ["key", "init", files.database] : ["rotate-key", files.database]
            let key = try String(contentsOfFile: files.keyFile, encoding: .utf8)
                .trimmingCharacters(in: .newlines)
            let isKilled = try isKilled(
                words, key, at: call, number, in: files.directory.path)
            guard isKilled else { break }
            // Whatever it had done, what is given opens the file.
            #expect(try files.runOnDatabase("check").exitCode == .done, "\(call) \(number)")
            let list = try files.run("key", "list", files.database)
            guard list.errors.contains("interrupted") else { continue }
            #expect(list.errors.contains("key repair \(files.database) keeps the one that it has"))
            let repair = try files.run(
                "key", "repair", files.database, "--key-file", files.keyFile)
            #expect(repair.exitCode == .done, "\(repair.errors)")
            // The key before the keyring tells of `key init` which one the file has.
            let old = try files.run(
                "check", files.database, "--key-file", files.keyFile, "--no-keyring")
            if command == "init" {
                #expect(repair.output.contains("old key") == (old.exitCode == .done))
                #expect(repair.errors.contains("without the keyring") == (old.exitCode == .done))
            }
            seen.insert(repair.output.contains("old key") ? "old" : "new")
            #expect(try files.runOnDatabase("check").exitCode == .done)
        }
        #expect(seen == (call == "?renameat" ? ["new"] : ["old", "new"]))
    }
}
