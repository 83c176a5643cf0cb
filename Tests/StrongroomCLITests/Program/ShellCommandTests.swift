import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// The built program with the `sqlcipher` shell, and with a program that looks at what it is given.
@Suite struct ShellCommandTests {
    private let fixture: CommandLineFixture
    private let state: String

    init() throws {
        fixture = try CommandLineFixture()
        state = fixture.path("state")
    }

    private func shell(
        _ words: String..., input: String, environment: [String: String] = [:]
    ) throws -> Subprocess.Result {
        try Subprocess.run(
            PackageFiles.program("strongroom"),
            ["shell", "shop.db", "--key-file", "shop.key"] + words,
            environment: ["PATH": "/usr/bin:/bin", "XDG_STATE_HOME": state]
                .merging(environment) { $1 },
            workingDirectory: fixture.directory.path, input: Data(input.utf8))
    }

    @Test("the shell opens the database, and keeps temporary data in memory", .proves("OPR-14"))
    func opens() throws {
        let result = try shell(
            input: "SELECT name FROM artist WHERE id = 1; PRAGMA temp_store;\n.mode csv\n"
                + "UPDATE album SET title = 'new' WHERE id = 1;\n")
        #expect(result.outputText == "Anna\n2\n")
        #expect(result.status == .exited(0))
        #expect(try fixture.shell.cell("SELECT title FROM album WHERE id = 1") == "new")
        let reading = try shell("--read-only", input: "DELETE FROM album;\n")
        #expect(reading.status != .exited(0))
        #expect(try fixture.shell.cell("SELECT count(*) FROM album") == 3)
    }

    @Test("settings and passphrases with quotes are handed over", .proves("OPR-14"))
    func settings() throws {
        try fixture.directory.write("it's \"a\" passphrase\n", to: "shop.key")
        try FileManager.default.removeItem(atPath: fixture.database)
        let maker = SQLCipherShell(
            path: fixture.database, key: .content("it's \"a\" passphrase"))
        try maker.create("CREATE TABLE t (a); INSERT INTO t VALUES (7);")
        #expect(try shell(input: "SELECT a FROM t;\n").outputText == "7\n")
        let changed = try fixture.runProgram(
            "rotate-key", "shop.db", "--key-file", "shop.key", "--page-size", "8192")
        #expect(changed.status == .exited(0), "\(changed.errorText)")
        #expect(try shell(input: "SELECT a FROM t;\n").outputText == "7\n")
    }

    @Test("a wrong key never reaches the shell", .proves("OPR-14"))
    func wrongKey() throws {
        try fixture.directory.write(CommandLineFixture.otherKey, to: "shop.key")
        let result = try shell(input: "SELECT 1;\n")
        #expect(result.status == .exited(12))
        #expect(result.outputText.isEmpty)
    }

    @Test("the key is in no argument and no variable of the shell", .proves("OPR-14"))
    func witness() throws {
        let witness = try fixture.directory.write(
            "#!/bin/sh\ntr '\\0' '\\n' </proc/self/cmdline\nprintf '%s\\n' \"$@\"\nenv\n"
                + "cat \"$2\" >init\n", to: "witness")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: witness)
        let result = try Subprocess.run(
            PackageFiles.program("strongroom"), ["shell", "shop.db", "--key-env", "SHOP_KEY"],
            environment: [
                "PATH": "/usr/bin:/bin", "SQLCIPHER_SHELL": witness, "XDG_STATE_HOME": state,
                "SHOP_KEY": CommandLineFixture.key,
            ], workingDirectory: fixture.directory.path)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(
            result.outputText.contains("shop.db") && result.outputText.contains("SQLITE_HISTORY"))
        #expect(!result.outputText.contains("5eed") && !result.outputText.contains("SHOP_KEY"))
        let read = try String(contentsOfFile: fixture.path("init"), encoding: .utf8)
        #expect(read.contains("5eed") && read.contains("temp_store = MEMORY"))
    }

    @Test("what is typed is kept for its owner, without keys", .proves("OPR-14"))
    func history() throws {
        let session = try TerminalSession(
            "/usr/bin/env",
            [
                "XDG_STATE_HOME=\(state)", PackageFiles.program("strongroom"), "shell", "shop.db",
                "--key-file", "shop.key",
            ], in: fixture.directory.path)
        try session.wait(untilShown: "sqlite> ")
        try session.type("SELECT 40 + 2;\n")
        try session.wait(untilShown: "42")
        try session.type("PRAGMA rekey\n")
        try session.type("= 'canary-1';\n")
        try session.type("SELECT 'x''\(String(repeating: "ab", count: 32))''';\n")
        try session.type("SELECT 50 + 5;\n.quit\n")
        #expect(try session.wait() == 0, "\(session.screen)")
        let path = state + "/strongroom/shell-history"
        let kept = try String(contentsOfFile: path, encoding: .utf8)
        #expect(kept == "SELECT 40 + 2;\nSELECT 50 + 5;\n.quit\n")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test("a shell that is not there is named, with what to install", .proves("OPR-14"))
    func missing() throws {
        let result = try shell(input: "", environment: ["SQLCIPHER_SHELL": "no-such-shell"])
        #expect(result.status == .exited(1))
        #expect(result.errorText.contains("cannot run no-such-shell"))
        #expect(result.errorText.contains("apt install sqlcipher"))
    }
}
