import Foundation
import StrongroomTestSupport
import Testing

/// What the compiler says where SQLCipher is missing or too old, as on Debian 12 by default. The
/// system's own headers are hidden from it, and others put in their place.
@Suite("The version guard in CSQLCipher.h")
struct HeaderGuardTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("Debian 12's SQLCipher 3.4.1 is refused, with what to type", .proves("UTL-009"))
    func oldHeaderIsRefused() throws {
        try writeHeader(version: 3_015_002)
        let errors = try compile()
        #expect(errors.contains("error: \"This SQLCipher is too old"))
        #expect(errors.contains("Strongroom needs 4.5.6 or later. Type `make setup`"))
    }

    @Test("A machine without SQLCipher is told what to type", .proves("UTL-009"))
    func missingHeaderIsExplained() throws {
        let errors = try compile()
        #expect(
            errors.contains("error: \"Strongroom needs SQLCipher 4.5.6 or later. Type `make setup`")
        )
    }

    @Test("SQLCipher 4.5.6 passes the guard: the first one on SQLite 3.44", .proves("UTL-009"))
    func firstGoodHeaderPasses() throws {
        try writeHeader(version: 3_044_000)
        let errors = try compile()
        #expect(!errors.contains("Strongroom needs"))
        // The header is a dummy, so that the compiler does complain about what follows the guard.
        #expect(errors.contains("error: "))
    }

    @Test("A SQLCipher of one's own is taken, not the system's beside it", .proves("POR-06"))
    func ownHeader() throws {
        try writeHeader(version: 3_015_002)
        try writeHeader(version: 3_050_000, in: "own")
        let errors = try compile(with: "Own", include: directory.path(of: "own"))
        #expect(!errors.contains("Strongroom needs"))
        #expect(errors.contains("error: "))
        try writeHeader(version: 3_044_000)
        try writeHeader(version: 3_015_002, in: "own")
        let refused = try compile(with: "Own", include: directory.path(of: "own"))
        #expect(refused.contains("This SQLCipher is too old"))
    }

    @Test(
        "SQLCIPHER_PREFIX names it, by the names that it has had", .proves("POR-06"),
        arguments: [("include/sqlcipher", "sqlcipher"), ("include", "sqlite3")])
    func prefix(folder: String, library: String) throws {
        try writeHeader(version: 3_050_000, in: folder)
        let environment = ProcessInfo.processInfo.environment
            .merging(["SQLCIPHER_PREFIX": directory.path]) { $1 }
        let result = try Subprocess.run(
            "swift",
            ["package", "--scratch-path", directory.path(of: "scratch"), "dump-package"],
            environment: environment, workingDirectory: PackageFiles.path(of: "."))
        #expect(result.isSuccess, "\(result.errorText)")
        let package = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
        let targets = try #require(package?["targets"] as? [[String: Any]])
        let module = try #require(targets.first { $0["name"] as? String == "CSQLCipher" })
        #expect(module["path"] as? String == "Sources/CSQLCipher/Own")
        let user = try #require(targets.first { $0["name"] as? String == "StrongroomCore" })
        let settings = "\(user["settings"] ?? "")".replacingOccurrences(of: "\"", with: "")
        // Not by its name: a plain libsqlite3 of the system may be found first.
        #expect(settings.contains("\(directory.path)/lib/lib\(library).so"), "\(settings)")
        #expect(settings.contains("-I\(directory.path)/\(folder)"))
    }

    private func writeHeader(version: Int, in folder: String = "sqlcipher") throws {
        try FileManager.default.createDirectory(
            atPath: directory.path(of: folder), withIntermediateDirectories: true)
        try directory.write(
            "#define SQLITE_VERSION_NUMBER \(version)\n", to: "\(folder)/sqlite3.h")
    }

    private func compile(with module: String = "", include: String? = nil) throws -> String {
        let source = try directory.write("import CSQLCipher\n", to: "main.swift")
        let result = try Subprocess.run(
            "swiftc",
            [
                "-typecheck", source, "-I",
                PackageFiles.path(of: "Sources/CSQLCipher/\(module)"),
                "-Xcc", "-I\(include ?? directory.path)",
                "-Xcc", "-nostdinc", "-Xcc", "-I\(directory.path)",
                "-module-cache-path", directory.path(of: "modules"),
            ])
        #expect(!result.isSuccess)
        return result.errorText
    }
}
