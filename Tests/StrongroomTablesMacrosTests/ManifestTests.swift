import Foundation
import StrongroomTestSupport
import Testing

/// What the package's manifest says, by the variable that chooses where swift-syntax comes from.
@Suite struct ManifestTests {
    private struct Manifest: Decodable {
        struct Target: Decodable { let name: String }
        struct Product: Decodable { let name: String }
        struct Trait: Decodable {}
        let targets: [Target]
        let products: [Product]
        let dependencies: [[String: JSON]]
        let traits: [Trait]?
    }
    private struct JSON: Decodable { init(from decoder: any Decoder) throws {} }

    /// The manifest, and its text.
    private func manifest(_ source: String?) throws -> (Manifest, text: String) {
        let scratch = try TemporaryDirectory()
        let result = try Subprocess.run(
            "swift",
            [
                "package", "--package-path", PackageFiles.path(of: ""), "--scratch-path",
                scratch.path, "dump-package",
            ],
            environment: ProcessInfo.processInfo.environment.merging([
                "STRONGROOM_SWIFT_SYNTAX": source ?? "", "STRONGROOM_WITHOUT": "",
            ]) { $1 },
            timeout: .seconds(300))
        let data = Data(result.outputText.utf8)
        return (try JSONDecoder().decode(Manifest.self, from: data), result.outputText)
    }

    @Test(.proves("MOD-005", "MOD-006"))
    func `swift-syntax comes from where the environment says`() throws {
        let (unset, text) = try manifest(nil)
        #expect(unset.dependencies.isEmpty && unset.traits?.isEmpty ?? true)
        #expect(text.contains("/swift/host"))
        let (toolchain, _) = try manifest("toolchain")
        #expect(toolchain.dependencies.isEmpty)
        let (package, packageText) = try manifest("package")
        #expect(package.dependencies.count == 1 && packageText.contains("swift-syntax"))
        #expect(!packageText.contains("/swift/host"))
        let (none, _) = try manifest("none")
        #expect(none.dependencies.isEmpty)
        #expect(!none.targets.contains { $0.name.hasPrefix("StrongroomTablesMacros") })
        #expect(!none.products.contains { $0.name == "StrongroomTables" })
        #expect(none.products.contains { $0.name == "StrongroomTablesRuntime" })
        let directory = try TemporaryDirectory()
        let (modules, modulesText) = try manifest(directory.path)
        #expect(modules.dependencies.isEmpty && modulesText.contains(directory.path))
        let other = try TemporaryDirectory()
        _ = try other.write("// swift-tools-version: 6.2", to: "Package.swift")
        let (clone, cloneText) = try manifest(other.path)
        #expect(clone.dependencies.count == 1 && cloneText.contains("fileSystem"))
    }

    @Test(.proves("MOD-002"))
    func `each target has one part of the layer`() throws {
        let (unset, _) = try manifest(nil)
        let targets = ["TableModel", "StrongroomTablesMacros", "StrongroomTablesRuntime"]
        for name in targets + ["StrongroomTables"] {
            #expect(unset.targets.contains { $0.name == name })
        }
        #expect(try !sources("TableModel").contains("import Swift"))
        #expect(try sources("StrongroomTablesMacros").contains("import TableModel"))
        #expect(try !sources("StrongroomTablesRuntime").contains("externalMacro"))
        let lines = try sources("StrongroomTables").split(separator: "\n")
            .filter { $0.hasPrefix("public ") || $0.hasPrefix("@_exported") }
        #expect(lines.contains("@_exported public import StrongroomTablesRuntime"))
        let kinds = ["public macro ", "public import ", "@_exported "]
        #expect(lines.allSatisfy { line in kinds.contains { line.hasPrefix($0) } })
    }

    private func sources(_ target: String) throws -> String {
        let folder = PackageFiles.path(of: "Sources/\(target)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return try names.filter { $0.hasSuffix(".swift") }.map { name in
            try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        }.joined(separator: "\n")
    }
}
