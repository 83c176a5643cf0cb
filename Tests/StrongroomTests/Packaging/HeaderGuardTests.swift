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

    private func writeHeader(version: Int) throws {
        let folder = directory.path(of: "sqlcipher")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try directory.write("#define SQLITE_VERSION_NUMBER \(version)\n", to: "sqlcipher/sqlite3.h")
    }

    private func compile() throws -> String {
        let source = try directory.write("import CSQLCipher\n", to: "main.swift")
        let result = try Subprocess.run(
            "swiftc",
            [
                "-typecheck", source, "-I", PackageFiles.path(of: "Sources/CSQLCipher"),
                "-Xcc", "-nostdinc", "-Xcc", "-I\(directory.path)",
                "-module-cache-path", directory.path(of: "modules"),
            ])
        #expect(!result.isSuccess)
        return result.errorText
    }
}
