internal import Foundation

/// A source file as a user of the library writes it, which the compiler is asked about.
public enum ClientSource {
    /// A language mode of the compiler, which is the client's choice.
    public enum LanguageMode: String, Sendable, CaseIterable {
        case swift5 = "5"
        case swift6 = "6"
    }

    /// What the compiler says, nil when it is content.
    public static func errors(
        in source: String, directory: TemporaryDirectory, mode: LanguageMode = .swift6
    ) throws -> String? {
        try errors(inFiles: ["Example.swift": source], directory: directory, mode: mode)
    }

    /// What the compiler says of the files of one module, by their names; nil when it is content.
    ///
    /// What one file imports, the others do not see.
    public static func errors(
        inFiles sources: [String: String], directory: TemporaryDirectory,
        mode: LanguageMode = .swift6
    ) throws -> String? {
        let files = try sources.sorted { $0.key < $1.key }
            .map { try directory.write($0.value, to: $0.key) }
        let isolation =
            files.count > 1 ? ["-wmo", "-enable-upcoming-feature", "MemberImportVisibility"] : []
        let result = try Subprocess.run(
            "swiftc",
            ["-typecheck", "-parse-as-library", "-swift-version", mode.rawValue] + isolation
                + files + ["-I", "\(PackageFiles.builtProducts)/Modules"] + moduleArguments(),
            timeout: .seconds(300))
        return result.isSuccess ? nil : result.errorText
    }

    /// Where the compiler finds the package's C modules.
    public static func moduleArguments() throws -> [String] {
        let sources = PackageFiles.path(of: "Sources")
        return try FileManager.default.contentsOfDirectory(atPath: sources).sorted().flatMap {
            name in
            let folder = "\(sources)/\(name)"
            let map = "\(folder)/module.modulemap"
            guard FileManager.default.fileExists(atPath: map) else { return [String]() }
            return ["-I", folder, "-Xcc", "-fmodule-map-file=\(map)"]
        }
    }

    /// The numbers of the lines in which the compiler finds an error.
    public static func linesWithErrors(
        in source: String, directory: TemporaryDirectory, mode: LanguageMode = .swift6
    ) throws -> Set<Int> {
        let errors = try errors(in: source, directory: directory, mode: mode) ?? ""
        return Set(
            errors.matches(of: #/Example\.swift:(\d+):\d+: error:/#).compactMap { Int($0.1) })
    }
}
