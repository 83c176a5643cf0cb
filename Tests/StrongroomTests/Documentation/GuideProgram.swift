import Foundation
import StrongroomTestSupport

/// A guide whose blocks of Swift are one program, and what people type in a terminal with it.
///
/// A block belongs to the program when `<!-- program -->` is in the line above it. In blocks of
/// `console`, a line that begins with `$ ` is typed, and the lines below it are what it prints: `…`
/// stands for any text. `swift run` starts the program.
struct GuideProgram: Sendable {
    /// What is typed, and what the guide says that it prints.
    struct Command: Sendable {
        var line: String
        var expected: [String] = []
    }

    private(set) var source = ""
    private(set) var commands: [Command] = []

    init(guide text: String) {
        var fence: Substring?
        var above: Substring = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                let isProgram = line == "```swift" && above == "<!-- program -->"
                fence = fence == nil ? (isProgram ? "program" : line.dropFirst(3)) : nil
            } else if fence == "program" {
                source += line + "\n"
            } else if fence == "console" {
                if line.hasPrefix("$ ") {
                    commands.append(Command(line: String(line.dropFirst(2))))
                } else if !commands.isEmpty {
                    commands[commands.count - 1].expected.append(String(line))
                }
            }
            above = line
        }
    }

    /// False where it needs macros and none were built, as without swift-syntax.
    var canBeBuilt: Bool {
        !source.contains("import StrongroomTables\n")
            || FileManager.default.fileExists(atPath: Self.macros)
    }

    static let macros = PackageFiles.program("StrongroomTablesMacros-tool")

    /// Builds the program and returns its path.
    func build(in directory: TemporaryDirectory) throws -> String {
        try Self.build(
            ["Program.swift": source], in: directory,
            options: ["-swift-version", "6", "-warnings-as-errors"])
    }

    /// Builds a program of files, by their names, with the libraries of the package.
    static func build(
        _ files: [String: String], in directory: TemporaryDirectory, options: [String]
    ) throws -> String {
        let products = PackageFiles.builtProducts
        let program = directory.path(of: "program")
        let modules = [
            "StrongroomEssentials", "StrongroomCore", "Strongroom", "StrongroomKeyrings",
            "StrongroomSFTP", "StrongroomBackup",
            "StrongroomSchema", "StrongroomSync", "StrongroomTablesRuntime", "StrongroomTables",
            "TableModel", "LibC", "CMultiBuffer",
        ]
        let objects = modules.flatMap { Self.objects(in: "\(products)/\($0).build") }
        let paths = try files.sorted { $0.key < $1.key }
            .map { try directory.write($0.value, to: $0.key) }
        let result = try Subprocess.run(
            "swiftc",
            options + ["-parse-as-library", "-o", program] + paths
                + Self.moduleArguments() + objects + ["-lsqlcipher", "-lcrypto"],
            timeout: .seconds(300))
        guard result.isSuccess else { throw Failure(description: result.errorText) }
        return program
    }

    /// How the compiler finds the modules and the macros.
    static func moduleArguments() throws -> [String] {
        let plugin = ["-load-plugin-executable", "\(macros)#StrongroomTablesMacros"]
        return try ["-I", "\(PackageFiles.builtProducts)/Modules"] + plugin
            + ClientSource.moduleArguments()
    }

    /// Types the commands, one after the other, and returns what they print that the guide does not
    /// say.
    func complaints(program: String, in folder: TemporaryDirectory) throws -> [String] {
        var status = 0
        return try commands.compactMap { command in
            // The status of the command before is `$?`, as in a terminal.
            let script = """
                export PATH="$1:$PATH" XDG_STATE_HOME="$PWD/.state"
                swift() { "\(program)"; }
                (exit \(status))
                \(command.line)
                """
            let result = try Subprocess.run(
                "bash", ["-c", "exec 2>&1\n" + script, "bash", PackageFiles.builtProducts],
                workingDirectory: folder.path, timeout: .seconds(60))
            if case .exited(let code) = result.status { status = Int(code) }
            let printed = result.outputText
            return Self.matches(printed, command.expected)
                ? nil : "$ \(command.line)\n\(printed)instead of\n\(command.expected)"
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static func objects(in folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)
        return (names?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".o") }.sorted().map { "\(folder)/\($0)" }
    }

    /// Whether a text is what the lines say, where `…` stands for any text.
    static func matches(_ text: String, _ lines: [String]) -> Bool {
        let expected = lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
        let parts = expected.components(separatedBy: "…")
        guard parts.count > 1 else { return text == expected }
        var rest = Substring(text)
        for (index, part) in parts.enumerated() {
            if index == 0 {
                guard rest.hasPrefix(part) else { return false }
                rest = rest.dropFirst(part.count)
            } else if index == parts.count - 1 {
                return rest.hasSuffix(part)
            } else if let range = rest.range(of: part) {
                rest = rest[range.upperBound...]
            } else {
                return false
            }
        }
        return true
    }
}
