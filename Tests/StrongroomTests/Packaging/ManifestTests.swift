import Foundation
import StrongroomTestSupport
import Testing

/// What the manifest says of swift-syntax, as SwiftPM reads it.
@Suite("The manifest and swift-syntax")
struct ManifestTests {
    private static let macros = "StrongroomTablesMacros"
    private static let users: Set = [
        macros, "TableReading", "StrongroomTablesCheck", "StrongroomTablesCheckTests",
        "TypedQueryTests",
    ]

    private struct Manifest {
        let targets: [String: [String: Any]]
        let dependencies: String

        init(source: String?) throws {
            let directory = try TemporaryDirectory()
            var environment = ProcessInfo.processInfo.environment
            environment["STRONGROOM_SWIFT_SYNTAX"] = source
            // All targets, whatever is left out of this build.
            environment["STRONGROOM_WITHOUT"] = nil
            let result = try Subprocess.run(
                "swift",
                [
                    "package", "--package-path", PackageFiles.root, "--scratch-path",
                    directory.path(of: "build"), "dump-package",
                ], environment: environment, timeout: .seconds(120))
            try #require(result.isSuccess, "\(result.errorText)")
            let json = try JSONSerialization.jsonObject(with: Data(result.outputText.utf8))
            let manifest = try #require(json as? [String: Any])
            let list = try #require(manifest["targets"] as? [[String: Any]])
            targets = Dictionary(
                list.compactMap { target in (target["name"] as? String).map { ($0, target) } },
                uniquingKeysWith: { first, _ in first })
            dependencies = String(describing: manifest["dependencies"] ?? "")
        }

        /// The targets with flags that SwiftPM calls unsafe.
        var unsafeTargets: Set<String> {
            Set(targets.filter { String(describing: $0.value).contains("unsafeFlags") }.keys)
        }

        func text(of target: String) -> String {
            targets[target].map(String.init(describing:)) ?? ""
        }
    }

    @Test(
        "Without a choice, the toolchain's own modules serve what needs swift-syntax alone")
    func toolchain() throws {
        for source in [nil, "toolchain"] {
            let manifest = try Manifest(source: source)
            #expect(manifest.unsafeTargets == Self.users.union(["StrongroomCommand"]))
            for user in Self.users {
                #expect(manifest.text(of: user).contains("lib/swift/host"))
            }
            #expect(!manifest.dependencies.contains("swift-syntax"))
        }
    }

    @Test("The package of swift-syntax takes their place, without unsafe flags")
    func package() throws {
        let manifest = try Manifest(source: "package")
        #expect(manifest.unsafeTargets == ["StrongroomCommand"])
        #expect(manifest.dependencies.contains("swift-syntax"))
        #expect(manifest.text(of: Self.macros).contains("SwiftCompilerPlugin"))
    }

    @Test("A folder of modules or a clone takes their place")
    func folder() throws {
        let directory = try TemporaryDirectory()
        let modules = try Manifest(source: directory.path(of: "modules"))
        #expect(modules.text(of: Self.macros).contains(directory.path(of: "modules")))
        let clone = directory.path(of: "swift-syntax")
        try FileManager.default.createDirectory(
            atPath: clone, withIntermediateDirectories: true)
        try directory.write(
            "// swift-tools-version: 6.2\nimport PackageDescription\nlet package = Package(name: \"s\")",
            to: "swift-syntax/Package.swift")
        let manifest = try Manifest(source: clone)
        #expect(manifest.unsafeTargets == ["StrongroomCommand"])
        #expect(manifest.dependencies.contains(clone))
    }

    @Test("Nothing of the macros is there when none are wanted")
    func none() throws {
        let manifest = try Manifest(source: "none")
        #expect(Self.users.allSatisfy { manifest.targets[$0] == nil })
        for name in ["StrongroomTables", "CheckTables", "Benchmarks", "LiveQueryTests"] {
            #expect(manifest.targets[name] == nil)
        }
        #expect(manifest.targets["StrongroomTablesRuntime"] != nil)
        #expect(!manifest.dependencies.contains("swift-syntax"))
    }
}
