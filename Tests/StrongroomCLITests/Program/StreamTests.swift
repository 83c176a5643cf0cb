import Foundation
import StrongroomTestSupport
import Testing

/// What the built program does with its streams, its environment and signals.
@Suite struct StreamTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
    }

    private static let endless = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n
        """

    private func shell(_ script: String) throws -> Subprocess.Result {
        try Subprocess.run(
            "bash", ["-c", script, PackageFiles.program("strongroom")],
            workingDirectory: fixture.directory.path)
    }

    @Test func `a reader that has enough ends the program quietly`() throws {
        let result = try shell(
            "\"$0\" query shop.db \"\(Self.endless)\" --csv --key-file shop.key | head -n 2;"
                + " exit ${PIPESTATUS[0]}")
        #expect(result.outputText == "i\r\n1\r\n")
        #expect(result.errorText == "")
        #expect(result.status == .exited(1))
    }

    @Test func `closed standard output is an error, not a crash and not a file`() throws {
        let before = try fixture.directory.names()
        for words in [["info", "shop.db", "--key-file", "shop.key"], ["help"]] {
            let result = try Subprocess.run(
                PackageFiles.program("strongroom"), words,
                workingDirectory: fixture.directory.path, closing: [1])
            #expect(result.status == .exited(1))
            #expect(result.errorText.contains("cannot write to standard output"))
        }
        #expect(try fixture.directory.names() == before)
    }

    @Test func `a full device is an error`() throws {
        let result = try shell("\"$0\" info shop.db --key-file shop.key > /dev/full")
        #expect(result.status == .exited(1))
        #expect(result.errorText.contains("No space left on device"))
    }

    @Test func `work that is done is not called failed without saying that it is done`() throws {
        try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
        let result = try shell(
            "\"$0\" rotate-key shop.db --key-file shop.key --new-key-file new.key > /dev/full")
        #expect(result.status == .exited(1))
        #expect(result.errorText.contains("strongroom: hint: the key is changed"))
        let shell = SQLCipherShell(
            path: fixture.database, key: .content(CommandLineFixture.otherKey))
        #expect(try shell.cell("SELECT count(*) FROM album") == 3)
    }

    @Test(arguments: [[0], [2], [0, 1, 2]] as [Set<Int32>])
    func `closed standard descriptors do no harm to files`(closing: Set<Int32>) throws {
        let result = try fixture.runProgram(
            "query", "shop.db", "UPDATE artist SET name = name", "--write", "--key-file",
            "shop.key", closing: closing)
        #expect(result.status == .exited(closing.contains(1) ? 1 : 0))
        #expect(try fixture.shell.cell("PRAGMA integrity_check") == "ok")
        #expect(
            try String(contentsOfFile: fixture.keyFile, encoding: .utf8)
                == CommandLineFixture.key + "\n")
    }

    @Test func `a key comes through a descriptor or a variable`() throws {
        let sql = "SELECT count(*) AS n FROM album"
        let key = Data(CommandLineFixture.key.utf8)
        let descriptor = try fixture.runProgram(
            "query", "shop.db", sql, "--csv", "--key-fd", "3", descriptors: [3: key])
        #expect(descriptor.outputText == "n\r\n3\r\n")
        let variable = try fixture.runProgram(
            "query", "shop.db", sql, "--csv", "--key-env", "SHOP_KEY",
            environment: ["SHOP_KEY": CommandLineFixture.key])
        #expect(variable.outputText == "n\r\n3\r\n")
        let input = try fixture.runProgram(
            "query", "shop.db", sql, "--csv", "--key-fd", "0",
            input: CommandLineFixture.key)
        #expect(input.outputText == "n\r\n3\r\n")
        let substitution = try shell(
            "\"$0\" query shop.db '\(sql)' --csv --key-file <(cat shop.key)")
        #expect(substitution.outputText == "n\r\n3\r\n")
        #expect(substitution.errorText == "")
        let closed = try fixture.runProgram("info", "shop.db", "--key-fd", "250")
        #expect(closed.status == .exited(1))
        #expect(closed.errorText.contains("cannot read file descriptor 250: Bad file descriptor"))
    }

    @Test func `a key in a variable is not inherited and no longer to be seen`() throws {
        // The command for the new key looks for the current one in its environment and in that of
        // the program itself.
        let result = try fixture.runProgram(
            "copy", "shop.db", "out.db", "--key-env", "SHOP_KEY", "--new-key-command",
            "env | grep -q 5eed || tr '\\0' '\\n' < /proc/$PPID/environ | grep -q 5eed "
                + "|| echo nothing found",
            environment: ["SHOP_KEY": CommandLineFixture.key])
        #expect(result.status == .exited(0), "\(result.errorText)")
        let shell = SQLCipherShell(
            path: fixture.path("out.db"), key: .passphrase("nothing found"))
        #expect(try shell.cell("SELECT count(*) FROM album") == 3)
    }

    @Test(.proves("HST-50"))
    func `the program leaves no core and cannot be looked into`() throws {
        let process = try Subprocess(
            starting: PackageFiles.program("strongroom"),
            ["query", fixture.database, Self.endless, "--csv", "--key-file", fixture.keyFile])
        try process.wait(untilWritten: "1000\r\n")
        let limits = try String(
            contentsOfFile: "/proc/\(process.processIdentifier)/limits", encoding: .utf8)
        #expect(limits.contains(#/Max core file size +0 +0 /#))
        if try Self.mayLockEverything() {
            let locked = try Self.status(process.processIdentifier, "VmLck")
            #expect(try locked > Self.status(process.processIdentifier, "VmRSS"))
        }
        process.signal(SIGTERM)
        #expect(try process.wait().status == .exited(143))
    }

    /// A line of what the kernel says about a process, without its unit.
    private static func status(_ process: pid_t, _ name: String, radix: Int = 10) throws -> UInt64 {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(UInt64(line.split { ": \tkB".contains($0) }[1], radix: radix))
    }

    /// Whether a program may set a limit aside that keeps it from locking memory, or ignore it.
    private static func mayLockEverything() throws -> Bool {
        let capabilities: UInt64 = 1 << 24 | 1 << 14
        return try status(getpid(), "CapEff", radix: 16) & capabilities != 0
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func `a signal ends a long query`(signal: Int32, status: Int32) throws {
        let process = try Subprocess(
            starting: PackageFiles.program("strongroom"),
            ["query", fixture.database, Self.endless, "--csv", "--key-file", fixture.keyFile])
        try process.wait(untilWritten: "1000\r\n")
        process.signal(signal)
        let result = try process.wait()
        #expect(result.status == .exited(status))
        #expect(result.errorText == "strongroom: error: interrupted\n")
    }

    @Test func `a signal that the parent ignores stays ignored`() throws {
        let process = try Subprocess(
            starting: "sh",
            [
                "-c", #"trap '' INT HUP; exec "$@""#, "sh", PackageFiles.program("strongroom"),
                "query", fixture.database, Self.endless, "--csv", "--key-file", fixture.keyFile,
            ])
        try process.wait(untilWritten: "\r\n1000\r\n")
        process.signal(SIGINT)
        process.signal(SIGHUP)
        try process.wait(untilWritten: "\r\n200000\r\n")
        process.signal(SIGTERM)
        #expect(try process.wait().status == .exited(143))
    }

    @Test func `a signal ends the wait for a key`() throws {
        #expect(mkfifo(fixture.path("pipe"), 0o600) == 0)
        for words in [
            ["--key-file", fixture.path("pipe")],
            ["--key-command", "echo waiting >&2; cat '\(fixture.path("pipe"))'"],
        ] {
            let process = try Subprocess(
                starting: PackageFiles.program("strongroom"),
                ["info", fixture.database] + words)
            if words[0] == "--key-command" { try process.wait(untilWritten: "waiting") }
            process.signal(SIGTERM)
            let status = try process.wait().status
            // The signal may come before the program has begun to watch for it.
            #expect(status == .exited(143) || status == .killed(signal: SIGTERM))
        }
    }
}
