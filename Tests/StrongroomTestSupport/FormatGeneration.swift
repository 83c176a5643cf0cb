public import Foundation

/// Databases, keys and backup repositories that an earlier version wrote: a folder of
/// `Tests/Formats`, whose files never change.
public struct FormatGeneration: Sendable, CustomStringConvertible {
    /// What `expected.json` says of the files.
    public struct Expectation: Codable, Sendable {
        public var databases: [Database]
        public var repositories: [Repository]
    }

    public struct Database: Codable, Sendable, CustomStringConvertible {
        /// What the tool can do with a file whose key it has.
        public enum Tool: String, Codable, Sendable {
            /// Every command opens it.
            case opens
            /// `rotate-key --compatibility 4` makes it a file that every command opens.
            case converts
            /// `salvage` makes a copy that every command opens.
            case salvages
        }

        public var name: String
        public var file: String
        /// The name of the text of its rows.
        public var content: String
        /// A key file; nil for a plain database.
        public var key: String?
        /// The settings that follow the key, without `PRAGMA`.
        public var pragmas: [String]?
        public var tool: Tool
        /// Whether the key opens the keyring of the file, and not the file.
        public var keyring: Bool?

        public var hasKeyring: Bool { keyring == true }

        public var hasHMAC: Bool {
            let pragmas = pragmas ?? []
            return !pragmas.contains("cipher_use_hmac = OFF")
                && !pragmas.contains("cipher_compatibility = 1")
        }

        public var description: String { name }
    }

    public struct Repository: Codable, Sendable, CustomStringConvertible {
        public struct Backup: Codable, Sendable {
            public var number: Int
            public var content: String
            public var key: String
        }

        public var name: String
        public var folder: String
        /// What vouches for all backups.
        public var hash: String
        public var verificationKey: String
        public var backups: [Backup]
        public var pragmas: [String]

        public var description: String { name }
    }

    public let name: String

    public var description: String { name }

    public static let root = PackageFiles.path(of: "Tests/Formats")

    /// All of them, oldest first.
    public static let all: [FormatGeneration] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return names.filter { !$0.contains(".") }.sorted().map(FormatGeneration.init)
    }()

    private var folder: String { "\(Self.root)/\(name)" }

    public func expectation() throws -> Expectation {
        try JSONDecoder().decode(Expectation.self, from: content(of: "expected.json"))
    }

    /// The paths of all files, relative to the folder, except the list of hashes.
    public func files() throws -> Set<String> {
        Set(
            try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(
                    atPath: "\(folder)/\(path)", isDirectory: &isFolder)
                return !isFolder.boolValue && path != "SHA256SUMS"
            })
    }

    public func content(of file: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)"))
    }

    /// The rows of a database at a stage, line by line.
    public func rows(_ stage: String) throws -> [String] {
        let text = String(decoding: try content(of: "contents/\(stage).txt"), as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            .dropLast()
    }

    /// Selects the rows of a database as `contents` has them, each as one text.
    public static let rowsSQL = """
        SELECT line FROM (
        SELECT 1 AS part, id, 'artist ' || quote(id) || ' ' || quote(name) AS line FROM artist
        UNION ALL
        SELECT 2, id, 'album ' || quote(id) || ' ' || quote(artistId) || ' ' || quote(title) || ' '
            || quote(price) || ' ' || quote(cover) FROM album)
        ORDER BY part, id
        """

    /// A copy to work on, with what git does not keep: that only the owner reads the files, and
    /// the empty folder of a repository.
    public func copy() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        for file in try files() {
            let target = directory.path(of: file)
            try FileManager.default.createDirectory(
                atPath: (target as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
            try directory.write(try content(of: file), to: file)
        }
        for repository in try expectation().repositories {
            try FileManager.default.createDirectory(
                atPath: directory.path(of: repository.folder + "/tmp"),
                withIntermediateDirectories: true)
        }
        return directory
    }
}
