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
        let file = try directory.write(source, to: "Example.swift")
        let result = try Subprocess.run(
            "swiftc",
            [
                "-typecheck", "-parse-as-library", "-swift-version", mode.rawValue, file,
                "-I", "\(PackageFiles.builtProducts)/Modules",
            ] + moduleArguments(), timeout: .seconds(300))
        return result.isSuccess ? nil : result.errorText
    }

    /// Where the compiler finds the package's C modules.
    private static func moduleArguments() throws -> [String] {
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
