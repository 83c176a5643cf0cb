import Foundation
import StrongroomTestSupport
import Testing

/// A file system of a loop device that has neither hard links nor a rename to a free name only.
private enum ExFAT {
    private static let script = """
        truncate -s 32M image && mkfs.exfat image > /dev/null 2>&1 && mkdir -p disk || exit 99
        device=$(losetup -f --show image) || exit 99
        mount.exfat-fuse "$device" disk > /dev/null 2>&1 || { losetup -d "$device"; exit 99; }
        eval "$1"
        status=$?
        umount disk
        losetup -d "$device"
        exit $status
        """

    static let isPossible =
        (try? TemporaryDirectory()).flatMap { try? run("true", in: $0).isSuccess } ?? false

    static func run(_ command: String, in directory: TemporaryDirectory) throws -> Subprocess.Result
    {
        try Subprocess.run(
            "unshare", ["-m", "sh", "-c", script, "sh", command],
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
            workingDirectory: directory.path)
    }
}

@Suite struct NoHardLinkTests {
    @Test(
        "a new file is made, and none replaced, where there are no hard links", .proves("POR-09"),
        .enabled(if: ExFAT.isPossible, "exfat-fuse, loop devices and root are needed"))
    func exfat() throws {
        let fixture = try CommandLineFixture()
        let tool = PackageFiles.program("strongroom")
        let result = try ExFAT.run(
            """
            set -e
            tool='\(tool)'; key='--key-file shop.key'; state='--state none'
            $tool encrypt plain.sqlite disk/new.db $key
            if $tool encrypt plain.sqlite disk/new.db $key 2> taken; then exit 3; fi
            grep -q 'exists already' taken
            $tool copy shop.db disk/copy.db $key
            mkdir disk/root
            mkdir shops; cp shop.db shops/
            $tool backup create shops --to disk/root $key $state
            $tool backup verify disk/root $key $state
            $tool backup restore disk/root/shop.db disk/restored.db $key $state
            $tool check disk/restored.db $key
            test "$(ls -A disk | sort | tr '\\n' ' ')" = 'copy.db new.db restored.db root '
            """, in: fixture.directory)
        #expect(result.isSuccess, "\(result)")
    }
}
