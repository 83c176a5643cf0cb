public import Foundation

/// A database with a hostile schema, and what its author would like to reach.
public final class HostileFolder {
    public let directory: TemporaryDirectory

    /// The database.
    public var path: String { directory.path(of: "app.db") }

    /// A plain database, made once.
    private static let bait = Result {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "other.db")
        try SQLCipherShell(path: path).create(
            "PRAGMA user_version = 1; CREATE TABLE t (a); INSERT INTO t VALUES (1);")
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    public init(_ schema: HostileSchema, key: SQLCipherShell.Key = .none) throws {
        directory = try TemporaryDirectory()
        let folder = directory.path(of: "bait")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Self.bait.get().write(to: URL(fileURLWithPath: folder + "/other.db"))
        // What is only to be read need not outlast a loss of power.
        try SQLCipherShell(path: path, key: key).create(
            "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;\n"
                + schema.sql.replacingOccurrences(of: "BAIT", with: folder))
    }

    /// Turns over a byte of the last page, on which there is nothing but filling.
    public func damageLastPage() throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let offset = try file.seekToEnd() - 2000
        try file.seek(toOffset: offset)
        let byte = try file.read(upToCount: 1)?.first ?? 0
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data([byte ^ 0xFF]))
        try file.close()
    }

    /// Every file of the folder, and of the one in it.
    public func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
            files[name] = FileManager.default.contents(atPath: directory.path(of: name))
        }
        return files
    }
}
