import Foundation
import StrongroomTestSupport
import Testing

/// The program where the system gives it little memory, or no threads.
@Suite("Limits of memory and of threads")
struct MemoryLimitTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
        _ = try fixture.directory.write(
            CommandLineFixture.otherKey + "\n", to: "new.key", mode: 0o600)
        for words in [["init", "repo"], ["create", "shop.db", "--to", "repo"]] {
            let key = words[0] == "create" ? ["--key-file", "shop.key"] : []
            try #require(try run(["backup"] + words + key).isSuccess)
        }
    }

    private func run(_ words: [String], limits: String = ":") throws -> Subprocess.Result {
        try Subprocess.run(
            "sh",
            ["-c", limits + #"; exec "$@""#, "sh", PackageFiles.program("strongroom")] + words,
            environment: ["PATH": "/usr/bin:/bin", "STRONGROOM_STATE": "none"],
            workingDirectory: fixture.directory.path, timeout: .seconds(30))
    }

    private static let commands = [
        ["encrypt", "plain.sqlite", "out"], ["copy", "shop.db", "out"], ["check", "shop.db"],
        ["decrypt", "shop.db", "out"], ["salvage", "shop.db", "out"],
        ["query", "shop.db", "SELECT count(*) FROM album"],
        ["rotate-key", "shop.db", "--new-key-file", "new.key"],
        ["backup", "create", "shop.db", "--to", "repo"], ["backup", "verify", "repo"],
        ["backup", "restore", "repo", "out"], ["backup", "prune", "repo", "--keep-last", "1"],
        ["backup", "rekey", "repo", "--new-key-file", "new.key"],
    ]

    @Test(
        "no command begins that would run out of memory, and it says what it needs",
        .proves("OPR-22"), arguments: commands, ["ulimit -v 190000", "ulimit -d 190000"])
    func refused(words: [String], limit: String) throws {
        let before = try fixture.directory.names().sorted()
        let result = try run(words + ["--key-file", "shop.key"], limits: limit)
        #expect(result.status == .exited(1), "\(result.status) \(result.errorText)")
        let need = "of memory (\(limit.prefix(9))); strongroom needs 196608 kB"
        #expect(result.errorText.contains(need), "\(result.errorText)")
        #expect(try fixture.directory.names().sorted() == before)
    }

    @Test(
        "with more, each ends by itself", .proves("OPR-22"), arguments: commands,
        [200_000, 300_000, 400_000])
    func ladder(words: [String], kilobytes: Int) throws {
        let result = try run(
            words + ["--key-file", "shop.key"], limits: "ulimit -v \(kilobytes)")
        #expect(
            result.isSuccess
                || result.status == .exited(1)
                    && result.errorText.hasPrefix("strongroom: error: "),
            "\(result.status) \(result.errorText)")
    }

    @Test("help and the version have no need of it", .proves("OPR-22"))
    func help() throws {
        for words in [["help"], ["--version"], ["check", "--help"]] {
            #expect(try run(words, limits: "ulimit -v 190000").isSuccess)
        }
    }

    @Test(
        "without a thread, a command ends and says so", .proves("OPR-22"),
        .enabled(if: Unprivileged.isPossible))
    func noThreads() throws {
        let nobody = try Unprivileged(in: fixture.directory)
        // dash names the limit otherwise.
        let script = #"""
            (ulimit -u 1) 2>/dev/null && ulimit -u 1 || ulimit -p 1
            exec ./strongroom "$@" --key-file shop.key
            """#
        let run = try nobody.shell(script, ["check", "shop.db"])
        #expect(run.status == .exited(1), "\(run.status)")
        #expect(run.errorText.contains("the system gives no more threads"), "\(run.errorText)")
        // What has no progress to tell works in the thread that it has.
        let query = try nobody.shell(script, ["query", "shop.db", "SELECT 6 * 7"])
        #expect(query.isSuccess && query.outputText.contains("42"), "\(query.errorText)")
    }
}
