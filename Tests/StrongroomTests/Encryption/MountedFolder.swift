import Foundation
import StrongroomTestSupport
import Testing

/// A small file system in memory, which can be full, and can be made read-only for root too.
final class MountedFolder {
    let path: String
    private let parent: TemporaryDirectory

    init(megabytes: Int) throws {
        parent = try TemporaryDirectory()
        path = parent.path(of: "mounted")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try Self.run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path)
    }

    deinit {
        try? Self.run("umount", path)
    }

    func path(of name: String) -> String { path + "/" + name }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    func makeReadOnly() throws {
        try Self.run("mount", "-o", "remount,ro", path)
    }

    /// Whether this user may mount: root, and not in every container.
    static let isPermitted: Bool = (try? MountedFolder(megabytes: 1)) != nil

    private static func run(_ program: String, _ arguments: String...) throws {
        let result = try Subprocess.run(program, arguments)
        guard result.isSuccess else { throw Failure(description: result.errorText) }
    }

    private struct Failure: Error {
        let description: String
    }
}

extension Trait where Self == ConditionTrait {
    static var mayMount: Self {
        .enabled(if: MountedFolder.isPermitted, "needs a user who may mount a file system")
    }
}
