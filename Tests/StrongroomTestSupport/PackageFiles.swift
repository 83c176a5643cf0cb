import Foundation

/// Where the package lies, and what was built from it.
public enum PackageFiles {
    /// The folder of `Package.swift`.
    public static let root: String = {
        // This file is Tests/StrongroomTestSupport/PackageFiles.swift.
        URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .path
    }()

    public static func path(of name: String) -> String {
        "\(root)/\(name)"
    }

    /// The folder of the built products, in which the tests themselves lie.
    public static let builtProducts: String = {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        let tests = bundle?.bundleURL ?? Bundle.main.executableURL
        return tests?.deletingLastPathComponent().path ?? "\(root)/.build/debug"
    }()

    /// A built program, such as `strongroom`.
    public static func program(_ name: String) -> String {
        "\(builtProducts)/\(name)"
    }
}
