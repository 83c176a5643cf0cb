import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// `rotate-key FOLDER`: what is not rotated is told.
@Suite struct RotationFolderTests {
    private let fixture: CommandLineFixture
    private let newKey: String
    private let folder: String

    init() throws {
        fixture = try CommandLineFixture()
        newKey = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
        folder = fixture.path("shops")
        try FileManager.default.createDirectory(
            atPath: folder + "/sub", withIntermediateDirectories: true)
        try copy(to: "a.db")
    }

    private func copy(to name: String) throws {
        try FileManager.default.copyItem(atPath: fixture.database, toPath: "\(folder)/\(name)")
    }

    private func rotate(_ words: String...) throws -> CommandRun {
        try CommandRun(
            ["rotate-key", folder, "--key-file", fixture.keyFile, "--new-key-file", newKey] + words)
    }

    private func expectTold(_ reason: String, _ code: ExitCode, count: Int = 2) throws {
        let run = try rotate()
        #expect(run.exitCode == code, "\(run.errors)")
        #expect(run.errors.contains(reason), "\(run.errors)")
        #expect(run.output.hasSuffix("1 of \(count) files have the new key\n"), "\(run.output)")
        let json = try rotate("--json")
        #expect(json.exitCode == code && json.output.contains("\"outcome\":\"failed\""))
    }

    @Test("a name that is not UTF-8 is one like others", .proves("OPR-02", "OPR-19"))
    func name() throws {
        let result = try Subprocess.run(
            "sh",
            ["-c", "cp \"$1\" \"$2/$(printf 'caf\\351.db')\"", "sh", fixture.database, folder])
        #expect(result.isSuccess)
        let run = try rotate()
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.output.contains("caf\\xE9.db") && run.output.contains("2 of 2 files"))
    }

    @Test(
        "a file that was cut is told, and one that is none of the keys' is not", .proves("OPR-02"))
    func cut() throws {
        try copy(to: "cut.db")
        let cut = try FileHandle(forUpdating: URL(fileURLWithPath: folder + "/cut.db"))
        try cut.truncate(atOffset: 3 * 4096 + 100)
        try cut.close()
        var noise = SystemRandomNumberGenerator()
        let picture = Data((0..<20001).map { _ in UInt8.random(in: 0...255, using: &noise) })
        try picture.write(to: URL(fileURLWithPath: folder + "/picture.jpg"))
        try expectTold("it ends within a page", .damaged)
    }

    @Test("a plaintext header is told, and a plain database is not", .proves("OPR-02"))
    func plaintextHeader() throws {
        try SQLCipherShell(
            path: folder + "/header.db",
            key: .content(
                "x'" + String(repeating: "5eed", count: 16) + String(repeating: "0a", count: 16)
                    + "'"),
            settings: ["PRAGMA cipher_plaintext_header_size = 32"]
        ).create(CommandLineFixture.schema)
        try FileManager.default.copyItem(atPath: fixture.plain, toPath: folder + "/plain.sqlite")
        try expectTold("a plaintext header", .notADatabase)
    }

    @Test("links to other places are told, and links within are not", .proves("OPR-02"))
    func links() throws {
        let files = FileManager.default
        try files.createSymbolicLink(
            atPath: folder + "/inside.db", withDestinationPath: "a.db")
        try files.createSymbolicLink(
            atPath: folder + "/note.txt", withDestinationPath: fixture.keyFile)
        try files.createSymbolicLink(
            atPath: folder + "/up", withDestinationPath: "../shops/sub")
        #expect(try rotate().output.hasSuffix("1 of 1 files have the new key\n"))
        try files.createSymbolicLink(
            atPath: folder + "/outside.db", withDestinationPath: fixture.database)
        try expectTold("a link to a file elsewhere", .failed)
        let elsewhere = fixture.path("elsewhere")
        try files.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
        try files.createSymbolicLink(
            atPath: folder + "/more", withDestinationPath: elsewhere)
        try expectTold("a link to another folder", .failed, count: 3)
        // Named, they are rotated.
        let run = try rotate(fixture.database)
        #expect(run.output.hasSuffix("2 of 3 files have the new key\n"), "\(run.output)")
    }

    @Test("a file under a name like a log's is no log without a database", .proves("OPR-02"))
    func sidecarNames() throws {
        try copy(to: "b.db-wal")
        let run = try rotate()
        #expect(run.exitCode == .done)
        #expect(run.output.hasSuffix("2 of 2 files have the new key\n"), "\(run.output)")
    }
}
