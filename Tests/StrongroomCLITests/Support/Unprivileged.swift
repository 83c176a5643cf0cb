import Foundation
import StrongroomTestSupport
import Testing

/// Runs a copy of the built program in a folder that may be read but not written.
struct Unprivileged {
    /// Root may write everywhere, so as root the program runs as nobody.
    static let isPossible = getuid() != 0 || FileManager.default.isExecutableFile(atPath: setpriv)

    private static let setpriv = "/usr/bin/setpriv"

    private let directory: TemporaryDirectory

    init(in directory: TemporaryDirectory) throws {
        self.directory = directory
        // Not by this process: a child that another test starts meanwhile would inherit the
        // descriptor that writes, and a program that is open for writing cannot be run.
        let copy = try Subprocess.run(
            "cp", [PackageFiles.program("strongroom"), directory.path(of: "strongroom")])
        try #require(copy.isSuccess)
        for name in try directory.names() {
            _ = chmod(directory.path(of: name), name == "strongroom" ? 0o555 : 0o444)
        }
        _ = chmod(directory.path, 0o555)
    }

    func callAsFunction(_ program: String, _ words: [String]) throws -> Subprocess.Result {
        try run(["./" + program] + words)
    }

    /// Runs a script of the shell there.
    func shell(_ script: String, _ words: [String]) throws -> Subprocess.Result {
        try run(["sh", "-c", script, "sh"] + words)
    }

    private func run(_ command: [String]) throws -> Subprocess.Result {
        let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", "setsid", "-w"]
        return getuid() == 0
            ? try Subprocess.run(
                Self.setpriv, nobody + command, workingDirectory: directory.path)
            : try Subprocess.run("setsid", ["-w"] + command, workingDirectory: directory.path)
    }
}
