import Foundation
import StrongroomTestSupport
import Testing

/// The program under a limit of file sizes, whose signal nobody ignores for it.
@Suite struct FileSizeLimitTests {
    @Test(
        "leaves no temporary file, and no half of one", .proves("OPR-10", "OPR-21"),
        arguments: [
            ["encrypt", "plain.sqlite", "out.db"], ["decrypt", "shop.db", "out.sqlite"],
            ["copy", "shop.db", "out.db"], ["salvage", "shop.db", "out.db"],
            ["rotate-key", "shop.db", "--new-key-file", "new.key"],
        ])
    func limited(words: [String]) throws {
        let fixture = try CommandLineFixture()
        _ = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
        let rows = """
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 400)
              INSERT INTO album(title) SELECT hex(randomblob(400)) FROM c;
            """
        try fixture.shell.run(rows)
        try SQLCipherShell(path: fixture.plain).run(rows)
        let before = try fixture.directory.names().sorted()
        let result = try Subprocess.run(
            "sh",
            ["-c", #"ulimit -f 20; exec "$@""#, "sh", PackageFiles.program("strongroom")]
                + words + ["--key-file", "shop.key"], workingDirectory: fixture.directory.path)
        #expect(result.status == .exited(1), "\(result.status) \(result.errorText)")
        #expect(result.errorText.hasPrefix("strongroom: error: "))
        #expect(try fixture.directory.names().sorted() == before)
        #expect(try fixture.shell.cell("SELECT count(*) FROM album") == 403)
    }

    @Test("removes what a run has left that was killed", .proves("OPR-21"))
    func leftovers() throws {
        let fixture = try CommandLineFixture()
        let before = try fixture.directory.names().sorted()
        let name = ".out.db.strongroom-0123456789abcdef"
        for suffix in ["", "-journal"] {
            _ = try fixture.directory.write("half", to: name + suffix)
        }
        let result = try fixture.runProgram(
            "encrypt", "plain.sqlite", "out.db", "--key-file", "shop.key")
        #expect(result.isSuccess, "\(result.errorText)")
        #expect(try fixture.directory.names().sorted() == (before + ["out.db"]).sorted())
    }
}
