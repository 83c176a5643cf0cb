internal import LibC
internal import StrongroomCore
internal import StrongroomEssentials

/// Tells whoever wrote a program of a mistake in it.
enum RuntimeWarning {
    /// Tells `Database.logError`, or the standard error stream where there is no such function.
    static func post(_ message: String) {
        if let log = Database.logError {
            log(.SQLITE_WARNING, message)
            return
        }
        var bytes = Array("warning: \(message)\n".utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}

/// What the process is.
enum RunningProgram {
    /// Whether Xcode shows a preview.
    static let isPreview = environment("XCODE_RUNNING_FOR_PREVIEWS") == "1"

    /// Whether it runs tests.
    static let isTest: Bool = {
        let marks = ["XCTestConfigurationFilePath", "XCTestBundlePath", "XCTestSessionIdentifier"]
        if marks.contains(where: { environment($0) != nil }) { return true }
        return CommandLine.arguments.contains {
            $0.hasSuffix(".xctest") || $0 == "--testing-library"
                || $0.hasSuffix("swiftpm-testing-helper")
        }
    }()

    /// The name of the program.
    static var name: String {
        let name = CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent }
        return name.flatMap { $0.isEmpty ? nil : $0 } ?? "Strongroom"
    }

    static func environment(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name]
    }
}
