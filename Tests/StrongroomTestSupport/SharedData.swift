import Foundation
public import Testing

/// Databases that no one here wrote. They lie beside the package, not in it, and may be absent.
public enum SharedData: String, Sendable, CaseIterable {
    case chinook = "chinook.sqlite"
    case sqlcipher3 = "sqlcipher-3.0-testkey.db"
    case sqlcipher4 = "sqlcipher-4.0-testkey.db"

    public var path: String {
        PackageFiles.path(of: "../shared/data/\(rawValue)")
    }

    public var isPresent: Bool {
        FileManager.default.isReadableFile(atPath: path)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test, and says why, where the file is absent.
    public static func needs(_ data: SharedData) -> Self {
        .enabled(if: data.isPresent, "needs ../shared/data/\(data.rawValue)")
    }
}

extension Tag {
    /// Takes more than a few seconds.
    @Tag public static var slow: Self
}
