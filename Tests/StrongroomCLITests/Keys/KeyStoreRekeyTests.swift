import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// A store whose keys were exposed, and a repository that others use, too.
@Suite struct KeyStoreRekeyTests {
    private let folder: TemporaryDirectory
    private let database: String
    private let keys: String

    init() throws {
        folder = try TemporaryDirectory()
        keys = folder.path(of: "keys")
        database = folder.path(of: "shop.db")
        try FileManager.default.createDirectory(
            atPath: keys, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try #require(try run("keygen", keys + "/0001.key").exitCode == .done)
        let plain = folder.path(of: "plain.db")
        let made = try Subprocess.run("sqlcipher", [plain, "CREATE TABLE t (a)"])
        try #require(made.isSuccess)
        let encrypted = try run("encrypt", plain, database, "--key-file", keys + "/0001.key")
        try #require(encrypted.exitCode == .done)
    }

    private func run(_ words: String...) throws -> CommandRun { try CommandRun(words) }

    @Test(.proves("OPR-213"))
    func `Backups that no key of the store opens are named when it is retired`() throws {
        let repository = folder.path(of: "backup")
        let (stranger, other) = (folder.path(of: "stranger.key"), folder.path(of: "other.db"))
        #expect(try run("keygen", stranger).exitCode == .done)
        #expect(
            try run("encrypt", folder.path(of: "plain.db"), other, "--key-file", stranger).exitCode
                == .done)
        #expect(try run("backup", "init", repository).exitCode == .done)
        let create = ["backup", "create", database, "--to", repository, "--keys", keys]
        #expect(try CommandRun(create).exitCode == .done)
        let added = try run(
            "backup", "create", other, "--to", repository, "--key-file", stranger,
            "--introducer-key-file", keys + "/0001.key", "--another-database")
        #expect(added.exitCode == .done, "\(added.errors)")
        #expect(try run("rotate-key", database, "--keys", keys).exitCode == .done)
        let retired = try run("backup", "rekey", repository, "--keys", keys)
        #expect(retired.exitCode == .done, "\(retired.errors)")
        #expect(retired.errors.contains("under other keys, and left as they are: backups 2"))
    }
}
