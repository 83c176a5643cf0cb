import Foundation
import StrongroomTestSupport
import Testing

/// The library, imported as its users import it.
@Suite("The package as a dependency", .tags(.slow), .serialized)
struct PackagingTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A dependency by version is built as strictly as any: by path, unsafe flags would pass.
    @Test(
        "A program in either mode builds with a tagged version, and opens an encrypted database",
        .proves("UTL-003", "MOD-004"), arguments: ClientPackage.Program.allCases)
    func dependencyByVersion(program: ClientPackage.Program) throws {
        let client = try Self.client()
        client.removeMacros()
        try client.build()
        // The macros, which alone have unsafe flags and need swift-syntax, are not built for it.
        #expect(client.hasBuilt("StrongroomTablesRuntime.build"))
        #expect(!client.hasBuilt("Modules-tool/StrongroomTablesMacros.swiftmodule"))
        #expect(!client.hasBuilt("StrongroomTablesMacros-tool"))
        #expect(try client.fetchedPackages() == ["Strongroom"])
        let path = directory.path(of: "city.sqlite")
        let result = try client.run(program, [path], input: "open sesame\n")
        #expect(result.outputText == "Ouagadougou 2453496 1\n")
        #expect(result.errorText == "")
        #expect(result.isSuccess)
        let shell = SQLCipherShell(path: path, key: .passphrase("open sesame"))
        #expect(try shell.rows("SELECT * FROM city") == [["Ouagadougou", 2_453_496]])
        #expect(try CanaryScanner("Ouagadougou", "SQLite format 3").findings(inFile: path) == [])
    }

    #if os(Linux)
    @Test(
        "Where plain SQLite has taken SQLCipher's place, a key is refused and nothing is written",
        .enabled(if: plainSQLite != nil, "needs the library of plain SQLite"))
    func plainSQLiteIsRefused() throws {
        let client = try Self.client()
        try client.build()
        let path = directory.path(of: "city.sqlite")
        let result = try client.run(
            .swift6, [path], input: "open sesame\n",
            environment: ["LD_PRELOAD": try #require(Self.plainSQLite)])
        #expect(!result.isSuccess)
        #expect(result.errorText.contains("this process runs plain SQLite"))
        #expect(result.errorText.contains("written in clear"))
        #expect(!result.errorText.contains("open sesame"))
        #expect(try directory.names() == [])
    }

    /// Plain SQLite as other libraries of a process may bring it along.
    private static let plainSQLite: String? = {
        let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64"]
        return folders.map { "\($0)/libsqlite3.so.0" }
            .first(where: FileManager.default.fileExists(atPath:))
    }()
    #endif

    private static func client() throws -> ClientPackage {
        // SwiftPM takes the name of the package from the last part of the URL.
        let repository = try TaggedRepository(at: ClientPackage.folder("repository/Strongroom"))
        return try ClientPackage(
            named: "by-version",
            dependency: #".package(url: "file://\#(repository.path)", from: "0.0.1")"#)
    }
}

/// The package as it lies here, uncommitted changes included, in a repository of its own in which every
/// state has a version.
private struct TaggedRepository {
    let path: String

    init(at path: String) throws {
        self.path = path
        let files = FileManager.default
        if !files.fileExists(atPath: "\(path)/.git") {
            try files.createDirectory(atPath: path, withIntermediateDirectories: true)
            try git("init", "--quiet")
        }
        // FileManager would also want to keep the group, which not every user may.
        let names = ["Package.swift", "Sources", "Tests"]
        for name in names { try? files.removeItem(atPath: "\(path)/\(name)") }
        let copy = try Subprocess.run(
            "cp", ["-R"] + names.map(PackageFiles.path(of:)) + [path])
        try #require(copy.isSuccess, "\(copy.errorText)")
        try git("add", "--all")
        guard try !git("status", "--porcelain").isEmpty else { return }
        try git(
            "-c", "user.name=Tests", "-c", "user.email=tests@localhost", "commit", "--quiet",
            "--message", "The state of the working tree")
        let count = try git("rev-list", "--count", "HEAD")
        try git("tag", "0.0.\(count)")
    }

    @discardableResult
    private func git(_ arguments: String...) throws -> String {
        // Inside a hook, git's variables name another repository.
        let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }
        let result = try Subprocess.run(
            "git", ["-C", path, "-c", "core.autocrlf=false"] + arguments, environment: environment)
        try #require(result.isSuccess, "git \(arguments): \(result.errorText)")
        return result.outputText.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
