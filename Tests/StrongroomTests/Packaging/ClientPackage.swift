import Foundation
import StrongroomTestSupport
import Testing

/// A package as a user of the library writes it, with one program in both language modes.
///
/// It lies in a fixed folder under `.build`, so that only its first build takes long.
struct ClientPackage {
    let folder: String

    /// The programs: the same file each time.
    enum Program: String, CaseIterable {
        case swift5 = "ClientInSwift5"
        case swift6 = "ClientInSwift6"
    }

    /// - parameter dependency: the line of the manifest that names the library's package.
    init(named name: String, dependency: String) throws {
        folder = Self.folder(name)
        try write(Self.manifest(dependency: dependency), to: "Package.swift")
        for program in Program.allCases {
            try write(Self.source, to: "Sources/\(program.rawValue)/main.swift")
        }
    }

    /// A folder for what the packaging tests build.
    static func folder(_ name: String) -> String {
        PackageFiles.path(of: ".build/packaging/\(name)")
    }

    /// Builds the program, against the newest version of what it depends on.
    func build() throws {
        // Nothing of the user's caches, nor of the fingerprints that SwiftPM keeps of versions.
        let places = ["cache", "config", "security"].flatMap {
            ["--\($0)-path", "\(folder)/.build/\($0)"]
        }
        for command in ["update", "build"] {
            // A cached list of what to build misses that a file of the package was renamed.
            let arguments =
                command == "build" ? ["build", "--disable-build-manifest-caching"] : ["package"]
            let result = try Subprocess.run(
                "swift",
                arguments + places + ["--package-path", folder]
                    + (command == "build" ? [] : [command]),
                timeout: .seconds(1800))
            try #require(result.isSuccess, "\(result.outputText)\n\(result.errorText)")
        }
    }

    /// Removes what `Tests/Proofs/package` has built of the macros in the same folder.
    func removeMacros() {
        for name in ["Modules-tool", "StrongroomTablesMacros-tool"] {
            try? FileManager.default.removeItem(atPath: "\(folder)/.build/debug/\(name)")
        }
    }

    /// Whether the folder of the built products has something of this name.
    func hasBuilt(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/.build/debug/\(name)")
    }

    /// The names of the packages that were fetched.
    func fetchedPackages() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(folder)/.build/checkouts")
    }

    func run(
        _ program: Program, _ arguments: [String], input: String,
        environment: [String: String]? = nil
    ) throws -> Subprocess.Result {
        try Subprocess.run(
            "\(folder)/.build/debug/\(program.rawValue)", arguments, environment: environment,
            input: Data(input.utf8))
    }

    // What has not changed keeps its date, and is not built again.
    private func write(_ text: String, to name: String) throws {
        let path = "\(folder)/\(name)"
        guard FileManager.default.contents(atPath: path) != Data(text.utf8) else { return }
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    private static func manifest(dependency: String) -> String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "Client",
            platforms: [.macOS(.v15)],
            dependencies: [\(dependency)],
            targets: [
                .executableTarget(
                    name: "ClientInSwift5",
                    dependencies: [
                        .product(name: "Strongroom", package: "Strongroom"),
                        .product(name: "StrongroomTablesRuntime", package: "Strongroom"),
                    ],
                    swiftSettings: [.swiftLanguageMode(.v5)]),
                .executableTarget(
                    name: "ClientInSwift6",
                    dependencies: [
                        .product(name: "Strongroom", package: "Strongroom"),
                        .product(name: "StrongroomTablesRuntime", package: "Strongroom"),
                    ],
                    swiftSettings: [.swiftLanguageMode(.v6)]),
            ]
        )
        """
    }

    private static let source = """
        import CSQLCipher
        import Strongroom
        import StrongroomTablesRuntime

        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.usePassphrase(readLine() ?? "")
        }
        let path = CommandLine.arguments[1]
        let dbQueue = try DatabaseQueue(path: path, configuration: configuration)
        try dbQueue.write { db in
            try db.execute(sql: "CREATE TABLE city (name TEXT NOT NULL, inhabitants INTEGER)")
            try db.execute(
                sql: "INSERT INTO city VALUES (:name, :inhabitants)",
                arguments: ["name": "Ouagadougou", "inhabitants": 2_453_496])
        }
        let row = try dbQueue.read { db in try Row.fetchOne(db, sql: "SELECT * FROM city") }
        let statements = try dbQueue.read { db in
            // The C library is there for what the toolkit does not offer.
            sqlite3_total_changes(db.sqliteConnection)
        }
        print(row?["name"] as String? ?? "", row?["inhabitants"] as Int? ?? 0, statements)
        """
}
