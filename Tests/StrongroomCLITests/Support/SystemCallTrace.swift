import Foundation
import StrongroomTestSupport
import Testing

/// What programs under `strace` did to files, to the network, and with other programs.
struct SystemCallTrace {
    /// The paths of files that were opened to be written, created, renamed, changed or removed.
    private(set) var changed: Set<String> = []
    /// The programs that were started.
    private(set) var started: [String] = []
    /// Calls that reach beyond the machine's files.
    private(set) var connections: [String] = []

    private static let changing: Set<String> = [
        "creat", "unlink", "unlinkat", "rename", "renameat", "renameat2", "link", "linkat",
        "symlink", "symlinkat", "mkdir", "mkdirat", "rmdir", "mknod", "mknodat", "truncate",
        "chmod",
        "fchmodat", "chown", "lchown", "fchownat", "utimensat", "setxattr", "lsetxattr",
    ]
    private static let opening: Set<String> = ["open", "openat", "openat2"]
    private static let connecting: Set<String> = ["socket", "connect", "bind", "sendto"]

    /// Runs a script of the shell, and everything that it starts.
    static func run(_ script: String, in folder: String) throws -> SystemCallTrace {
        let log = folder + ".strace"
        defer { try? FileManager.default.removeItem(atPath: log) }
        let calls = changing.union(opening).union(connecting).union(["execve", "execveat"])
        // A name that this kernel does not have is passed over.
        let filter = "trace=" + calls.map { "?" + $0 }.joined(separator: ",")
        let result = try Subprocess.run(
            "strace",
            ["-f", "-y", "-qq", "-s", "4096", "-o", log, "-e", filter, "/bin/sh", "-c", script],
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": folder + "/home", "STRONGROOM_STATE": "none",
            ],
            workingDirectory: folder)
        try #require(result.isSuccess, "\(result.errorText)")
        var trace = SystemCallTrace()
        let text = try String(decoding: Data(contentsOf: URL(fileURLWithPath: log)), as: UTF8.self)
        for line in text.split(separator: "\n") { trace.read(line, folder) }
        return trace
    }

    /// - Parameter line: `123 openat(5</folder>, "name", O_RDWR) = 6</folder/name>`
    private mutating func read(_ line: Substring, _ folder: String) {
        let call = line.drop { $0 != " " }.drop { $0 == " " }
        let name = String(call.prefix { $0 != "(" })
        if Self.connecting.contains(name) { connections.append(String(call)) }
        let isWriting = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].contains(where: call.contains)
        let changes = Self.changing.contains(name) || (Self.opening.contains(name) && isWriting)
        guard changes || name.hasPrefix("exec") else { return }
        let paths = call.matches(of: /(?:[<]([^<>]*)[>], )?"((?:[^"\\]|\\.)*)"/).map { match in
            let path = String(match.2)
            return path.hasPrefix("/") ? path : "\(match.1.map(String.init) ?? folder)/\(path)"
        }
        if changes {
            changed.formUnion(paths)
        } else {
            started += paths.prefix(1)
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Where `strace` is, and may look at other processes.
    static var mayTrace: Self {
        let run = try? Subprocess.run("strace", ["-qq", "-o", "/dev/null", "true"])
        return .enabled(if: run?.isSuccess == true)
    }
}
