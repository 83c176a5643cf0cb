import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite(
    "The program, run by root in a folder of another user", .proves("HST-02"),
    .enabled(if: getuid() == 0 && Unprivileged.isPossible, "needs root, and setpriv"))
struct NeighbourTests {
    /// Puts a link in the place of every temporary file and every new key, as fast as a shell can.
    private static let script = """
        cd "$1"
        exec 2>/dev/null
        while :; do
          for f in .*.strongroom-* new.key; do
            case "$f" in *-wal|*-shm|*-journal|*'*'*) continue;; esac
            if [ -f "$f" ] && [ ! -h "$f" ]; then
              mv "$f" "moved.$f"; ln -s "$2" "$f"; ln -s "$2" "$f-wal"; ln -s "$2" "$f-journal"
            fi
          done
        done
        """

    @Test("leaves the files of root alone while the user swaps what it writes")
    func race() throws {
        let fixture = try CommandLineFixture()
        let vault = try TemporaryDirectory()
        let secret = try vault.write("root's own", to: "secret", mode: 0o600)
        let keyFile = try vault.write(CommandLineFixture.key, to: "key", mode: 0o600)
        let repository = vault.path(of: "repository")
        for words in [
            ["backup", "init", repository],
            ["backup", "create", fixture.database, "--to", repository, "--key-file", keyFile],
        ] {
            #expect(try CommandRun(words).exitCode == .done)
        }
        let folder = fixture.directory.path
        for name in [""] + (try fixture.directory.names()) {
            #expect(chown("\(folder)/\(name)", 65534, 65534) == 0)
        }
        let before = try status(secret)
        let neighbour = try Subprocess(
            starting: "/usr/bin/setpriv",
            [
                "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", Self.script, "sh",
                folder, secret,
            ])
        defer { kill(neighbour.processIdentifier, SIGKILL) }
        var key = keyFile
        for round in 1...4 {
            let newKey = try vault.write("another \(round)", to: "key\(round)", mode: 0o600)
            for words in [
                ["encrypt", "plain.sqlite", "out.db", "--force", "--key-file", keyFile],
                ["decrypt", "shop.db", "out.db", "--force", "--key-file", key],
                ["copy", "shop.db", "out.db", "--force", "--key-file", key],
                ["rotate-key", "shop.db", "--key-file", key, "--new-key-file", newKey]
                    + ["--page-size", "8192"],
                ["backup", "restore", repository, "out.db", "--force", "--key-file", keyFile],
                ["keygen", "new.key"],
            ] {
                let run = try Subprocess.run(
                    PackageFiles.program("strongroom"), words, workingDirectory: folder)
                if words[0] == "rotate-key", run.isSuccess { key = newKey }
                #expect(try status(secret) == before, "\(words)")
                unlink(folder + "/new.key")
            }
        }
        #expect(try String(contentsOfFile: secret, encoding: .utf8) == "root's own")
    }

    private func status(_ path: String) throws -> [UInt64] {
        var buffer = stat()
        try #require(stat(path, &buffer) == 0)
        return [
            UInt64(buffer.st_ino), UInt64(buffer.st_size), UInt64(buffer.st_mode),
            UInt64(buffer.st_uid), UInt64(buffer.st_gid), UInt64(buffer.st_mtim.tv_nsec),
        ]
    }
}
