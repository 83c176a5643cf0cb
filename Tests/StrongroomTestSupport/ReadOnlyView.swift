import Foundation
public import Testing

/// A folder seen through a read-only mount, while it can be written under its own name: what a
/// container sees of a volume that is given to it read-only.
public final class ReadOnlyView: Sendable {
    private let parent: TemporaryDirectory
    public let path: String

    public init(of folder: String) throws {
        parent = try TemporaryDirectory()
        path = parent.path(of: "view")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let result = try Subprocess.run("mount", ["--bind", "-o", "ro", folder, path])
        guard result.isSuccess else { throw Failure(description: result.errorText) }
    }

    deinit {
        _ = try? Subprocess.run("umount", [path])
    }

    public func path(of name: String) -> String { path + "/" + name }

    /// Whether this user may mount: root, and not in every container.
    public static let isPermitted: Bool = {
        guard let folder = try? TemporaryDirectory() else { return false }
        return (try? ReadOnlyView(of: folder.path)) != nil
    }()

    private struct Failure: Error {
        let description: String
    }
}

extension Trait where Self == ConditionTrait {
    /// Only where a folder can be mounted a second time.
    public static var mayMountViews: Self {
        .enabled(if: ReadOnlyView.isPermitted, "needs a user who may mount a folder")
    }
}
