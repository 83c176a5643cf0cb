import Foundation
import StrongroomTestSupport
import Testing

/// The number of iterations is what a file, or somebody who types it, asks for. Here it would take
/// minutes, so that a command that ends has not waited.
@Suite struct DerivationSignalTests {
    private static let iterations = "2000000000"

    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
        try fixture.directory.write("correct horse battery staple\n", to: "slow.key")
        try fixture.directory.write("staple battery horse correct\n", to: "slower.key")
        let slow = SQLCipherShell(
            path: fixture.path("slow.db"), key: .content("correct horse battery staple"))
        try slow.create("CREATE TABLE t (a)")
    }

    private static let old = ["slow.db", "--key-file", "slow.key", "--kdf-iterations", iterations]
    private static let new = [
        "--new-key-file", "slower.key", "--new-kdf-iterations", iterations,
    ]

    @Test(
        .proves("OPR-06"),
        arguments: [
            ["info"] + old, ["query"] + old + ["SELECT 1"], ["check"] + old,
            ["check", "--quick"] + old, ["copy"] + old + ["out.db"], ["decrypt"] + old + ["out.db"],
            ["salvage"] + old + ["out.db"], ["doctor"] + old,
            ["rotate-key"] + old + ["--new-key-file", "slower.key"],
            ["backup", "create"] + old + ["--to", "repo"],
            ["copy", "shop.db", "--key-file", "shop.key", "out.db"] + new,
            ["rotate-key", "shop.db", "--key-file", "shop.key"] + new,
            ["encrypt", "plain.sqlite", "out.db", "--key-file", "slow.key"] + new.suffix(2),
        ])
    func `a signal ends a command that derives a key`(words: [String]) throws {
        #expect(try fixture.runProgram("backup", "init", fixture.path("repo")).isSuccess)
        let before = try fixture.directory.names()
        let process = try Subprocess(
            starting: PackageFiles.program("strongroom"), words,
            workingDirectory: fixture.directory.path)
        // More than anything else takes here.
        try process.wait(until: "compute for a fifth of a second") {
            try Self.ticks(of: process.processIdentifier) >= 20
        }
        process.signal(SIGTERM)
        let result = try process.wait()
        #expect(result.status == .exited(143))
        #expect(result.errorText.hasSuffix("strongroom: error: interrupted\n"))
        #expect(try fixture.directory.names() == before)
        #expect(try fixture.shell.cell("SELECT count(*) FROM album") == 3)
    }

    /// The hundredths of a second that a process has computed for.
    private static func ticks(of process: pid_t) throws -> Int {
        let line = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The name may have blanks: <https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html>.
        let words = try #require(line.split(separator: ")").last).split(separator: " ")
        return try #require(Int(words[11])) + #require(Int(words[12]))
    }
}
