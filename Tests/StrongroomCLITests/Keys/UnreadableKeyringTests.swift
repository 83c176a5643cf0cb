import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("A keyring that the disk does not give")
struct UnreadableKeyringTests {
    private let fixture: KeyringFixture
    private let repository: String

    init() throws {
        fixture = try KeyringFixture()
        repository = try fixture.repository()
        let run = try fixture.run(
            ["backup", "create", fixture.database, "--to", repository], fixture.code)
        try #require(run.exitCode == .done, "\(run.errors)")
    }

    /// Runs the program where each read of a file fails with EIO.
    private func run(_ words: [String], failing path: String) throws -> Subprocess.Result {
        try Subprocess.run(
            "strace",
            [
                "-f", "-qq", "-o", "/dev/null", "-P", path, "-e",
                "inject=read,pread64:error=EIO", PackageFiles.program("strongroom"),
            ] + words + ["--key-env", "KEY"],
            environment: [
                "PATH": "/usr/bin:/bin", "KEY": fixture.code, "STRONGROOM_STATE": "none",
            ],
            workingDirectory: fixture.files.directory.path)
    }

    @Test("next to the database, is called unreadable", .mayTrace, .proves("OPR-182"))
    func beside() throws {
        let path = fixture.database + "-keyring"
        for words in [
            ["key", "test", fixture.database], ["check", fixture.database, "--quick"],
            ["backup", "create", fixture.database, "--to", repository],
        ] {
            let run = try run(words, failing: path)
            #expect(run.status == .exited(1), "\(words): \(run.errorText)")
            #expect(run.errorText.contains("Input/output error"), "\(words): \(run.errorText)")
            #expect(run.errorText.contains("check the disk"), "\(words): \(run.errorText)")
        }
    }

    @Test("in a repository, is no wrong key", .mayTrace, .proves("OPR-182"))
    func stored() throws {
        let folder = repository + "/keyrings"
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
        for words in [
            ["backup", "restore", repository, "1", fixture.files.path("out.db")],
            ["backup", "verify", repository],
            ["backup", "prune", repository, "--keep-last", "1"],
        ] {
            let run = try run(words, failing: folder + "/" + name)
            #expect(run.status == .exited(1), "\(words): \(run.errorText)")
            #expect(run.errorText.contains("Input/output error"), "\(words): \(run.errorText)")
            #expect(run.errorText.contains("cannot be read"), "\(words): \(run.errorText)")
        }
    }
}
