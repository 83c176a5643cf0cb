import Foundation
import StrongroomTestSupport
import Testing

/// A small file system in memory, which can be full.
final class SmallHubDisk {
    let path: String
    private let parent: TemporaryDirectory

    init(megabytes: Int) throws {
        parent = try TemporaryDirectory()
        path = parent.path(of: "mounted")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let result = try Subprocess.run(
            "mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path])
        guard result.isSuccess else { throw Failure(description: result.errorText) }
    }

    deinit {
        _ = try? Subprocess.run("umount", [path])
    }

    static let isPermitted = (try? SmallHubDisk(megabytes: 1)) != nil

    private struct Failure: Error {
        let description: String
    }
}

extension Trait where Self == ConditionTrait {
    static var mayMountHub: Self {
        .enabled(if: SmallHubDisk.isPermitted, "needs a user who may mount a file system")
    }
}
