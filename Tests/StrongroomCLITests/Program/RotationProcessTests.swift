import Foundation
import StrongroomTestSupport
import Testing

/// The program itself, rotating a key, with the world against it.
@Suite struct RotationProcessTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
        _ = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
        try fixture.shell.run(
            """
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 60)
              INSERT INTO album SELECT n + 3, 1, 'big', 0, randomblob(500000) FROM c;
            """)
    }

    private static let words = [
        "rotate-key", "shop.db", "--key-file", "shop.key", "--new-key-file", "new.key",
    ]

    /// How many of the two keys open the file, each with all that was in it.
    private func openingKeys() -> [String] {
        [CommandLineFixture.key, CommandLineFixture.otherKey].filter { key in
            let shell = SQLCipherShell(path: fixture.database, key: .content(key))
            return (try? shell.cell("SELECT sum(length(cover)) FROM album")) == 30_000_002
                && (try? shell.rows("PRAGMA cipher_integrity_check")) == []
        }
    }

    private func leftovers() throws -> [String] {
        try fixture.directory.names().filter { $0.contains(".strongroom-") }
    }

    @Test(.proves("ENC-027"), arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `a signal leaves the old file, whole`(signal: Int32, status: Int32) throws {
        let process = try Subprocess(
            starting: PackageFiles.program("strongroom"), Self.words,
            workingDirectory: fixture.directory.path)
        // From the first byte of the temporary file on, the work is on its way.
        let deadline = ContinuousClock.now + .seconds(60)
        while try leftovers().isEmpty, ContinuousClock.now < deadline {}
        process.signal(signal)
        let result = try process.wait()
        // It may have been done already.
        if result.status == .exited(status) {
            #expect(result.errorText == "strongroom: error: interrupted\n")
            #expect(openingKeys() == [CommandLineFixture.key])
        } else {
            #expect(result.status == .exited(0))
            #expect(openingKeys() == [CommandLineFixture.otherKey])
        }
        #expect(try leftovers().isEmpty)
    }

    /// In blocks of 512 bytes; the file has 30 MB.
    @Test(.proves("ENC-027"), arguments: [1, 1000, 20_000, 50_000])
    func `a limit of file sizes leaves the old file, whole`(blocks: Int) throws {
        let script = #"trap '' XFSZ; ulimit -f \#(blocks); exec "$@""#
        let result = try Subprocess.run(
            "sh", ["-c", script, "sh", PackageFiles.program("strongroom")] + Self.words,
            workingDirectory: fixture.directory.path)
        #expect(result.status == .exited(1), "\(result.errorText)")
        #expect(result.errorText.hasPrefix("strongroom: error: "))
        #expect(openingKeys() == [CommandLineFixture.key])
        #expect(try leftovers().isEmpty)
    }

    @Test(
        .proves("ENC-027"),
        .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
    func `a full disk leaves the old file, whole`() throws {
        let script = """
            mkdir small && mount -t tmpfs -o size=50m tmpfs small || exit 99
            cp shop.db shop.key new.key small/ && cd small
            "$@"; status=$?
            cp -a . ../after; exit $status
            """
        let result = try Subprocess.run(
            "unshare",
            ["-m", "sh", "-c", script, "sh", PackageFiles.program("strongroom")]
                + Self.words, workingDirectory: fixture.directory.path)
        #expect(result.status == .exited(1))
        #expect(result.errorText.contains("bytes of free space next to it"))
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.path("after"))
        #expect(names.sorted() == ["new.key", "shop.db", "shop.key"])
        let shell = SQLCipherShell(
            path: fixture.path("after/shop.db"), key: .content(CommandLineFixture.key))
        #expect(try shell.cell("SELECT sum(length(cover)) FROM album") == 30_000_002)
    }
}
