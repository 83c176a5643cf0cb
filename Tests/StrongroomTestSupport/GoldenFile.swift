import Foundation
public import Testing

/// A text that was looked at once and must stay as it is.
///
/// `STRONGROOM_REWRITE_GOLDEN=1 swift test` rewrites all of them; look at the difference before you
/// keep it.
public struct GoldenFile {
    private let path: String

    /// - Parameter name: The name of the file in `Tests/Golden`.
    public init(_ name: String) {
        path = PackageFiles.path(of: "Tests/Golden/\(name)")
    }

    public func expect(
        _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        if ProcessInfo.processInfo.environment["STRONGROOM_REWRITE_GOLDEN"] == "1" {
            let folder = (path as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        let expected = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text == expected, sourceLocation: sourceLocation)
    }
}
