import Foundation
import StrongroomTestSupport
import Testing

@Suite struct InterruptedBackupTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
        try fixture.shell.run(
            """
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE big (a);
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 200)
            INSERT INTO big SELECT zeroblob(1000000) FROM n;
            """)
    }

    @Test(.proves("OPR-06"), .mayTrace)
    func `a backup that a signal ends leaves nothing, and waits for nothing`() throws {
        let packs = fixture.path("repo/packs")
        #expect(try fixture.runProgram("backup", "init", "repo").isSuccess)
        let trace = fixture.path("trace")
        let process = try Subprocess(
            starting: "strace",
            [
                // Beside the program, which then is the process that gets the signal.
                "-D", "-f", "-e", "trace=unlinkat,close,execve", "-e", "signal=none", "-o", trace,
                "--",
                PackageFiles.program("strongroom"), "backup", "create", "shop.db", "--to", "repo",
                "--key-file", "shop.key",
            ],
            workingDirectory: fixture.directory.path)
        let files = FileManager.default
        try process.wait(until: "store three packs") {
            try files.contentsOfDirectory(atPath: packs).count >= 3
        }
        process.signal(SIGTERM)
        #expect(try process.wait().status == .exited(143))
        #expect(try files.contentsOfDirectory(atPath: packs) == [])
        #expect(try files.contentsOfDirectory(atPath: fixture.path("repo/tmp")) == [])
        #expect(try fixture.runProgram("backup", "verify", "repo").isSuccess)
        // What was removed is held by a shell, which frees it after the program has ended.
        var lines: [Substring] = []
        let end = ContinuousClock.now + .seconds(60)
        while !lines.contains(where: { $0.contains("+++ exited with 143 +++") }) {
            try #require(ContinuousClock.now < end)
            lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
        }
        let removal = try #require(lines.lastIndex { $0.contains(".pack\"") })
        #expect(lines[removal...].contains { $0.contains(#"execve("/bin/sh""#) })
    }
}
