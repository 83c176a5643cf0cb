import Foundation
import StrongroomTestSupport

/// A file system of one megabyte that only one run of the program sees.
enum SmallDisk {
    private static let script = """
        mkdir -p small && mount -t tmpfs -o size=1m tmpfs small || exit 99
        "$@" > /dev/null
        status=$?
        ls -A small
        exit $status
        """

    static let isPossible = {
        guard let directory = try? TemporaryDirectory(),
            let result = try? run("true", [], in: directory)
        else { return false }
        return result.isSuccess
    }()

    /// Runs the program, and lists what is on the disk `small` afterwards.
    static func run(_ words: [String], in directory: TemporaryDirectory) throws -> Subprocess.Result
    {
        try run(PackageFiles.program("strongroom"), words, in: directory)
    }

    private static func run(
        _ program: String, _ words: [String], in directory: TemporaryDirectory
    ) throws -> Subprocess.Result {
        // The mount lives in a namespace of its own, and ends with it.
        try Subprocess.run(
            "unshare", ["-m", "sh", "-c", script, "sh", program] + words,
            workingDirectory: directory.path)
    }
}
