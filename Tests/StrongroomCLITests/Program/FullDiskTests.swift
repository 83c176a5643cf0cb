import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("A database in WAL mode on a full disk", .proves("OPR-67"))
struct FullDiskTests {
    @Test(
        "is told to be on one, whether bytes or files are used up",
        .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"),
        arguments: ["size=1m", "size=4m,nr_inodes=3"])
    func full(options: String) throws {
        let fixture = try CommandLineFixture()
        try fixture.shell.run("PRAGMA journal_mode = WAL")
        let script = """
            mkdir small && mount -t tmpfs -o "$1" tmpfs small || exit 99
            cp shop.db small/ || exit 98
            dd if=/dev/zero of=small/fill bs=4096 2> /dev/null
            for words in 'info small/shop.db' 'check small/shop.db' 'copy small/shop.db out.db'; do
                "$2" $words --key-file shop.key && exit 97
            done
            "$2" query small/shop.db 'SELECT 1' --key-file shop.key && exit 97
            exit 0
            """
        let run = try Subprocess.run(
            "unshare",
            ["-m", "sh", "-c", script, "sh", options, PackageFiles.program("strongroom")],
            workingDirectory: fixture.directory.path)
        #expect(run.isSuccess, "\(run.status) \(run.errorText)")
        let message = #/error: the disk is full: there is no space next to small\/shop.db/#
        #expect(run.errorText.matches(of: message).count == 4, "\(run.errorText)")
        #expect(!run.errorText.contains("ulimit") && !run.errorText.contains("the new file"))
    }

    @Test(
        "no repository is created there, and none is said to be",
        .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
    func newRepository() throws {
        let fixture = try CommandLineFixture()
        let script = """
            mkdir small && mount -t tmpfs -o size=400k tmpfs small || exit 99
            dd if=/dev/zero of=small/fill bs=4096 2> /dev/null
            "$1" backup init small/rep && exit 97
            exit 0
            """
        let run = try Subprocess.run(
            "unshare", ["-m", "sh", "-c", script, "sh", PackageFiles.program("strongroom")],
            workingDirectory: fixture.directory.path)
        #expect(run.isSuccess, "\(run.status) \(run.errorText)")
        #expect(!run.errorText.contains("is complete"), "\(run.errorText)")
        #expect(run.errorText.contains("no space left"), "\(run.errorText)")
    }
}
