import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Folders of keys that hold other files, too, and stores whose databases have several keys.
@Suite struct KeyFolderTests {
    private let fixture: CommandLineFixture
    private let folder: String

    init() throws {
        fixture = try CommandLineFixture()
        folder = fixture.path("keys")
        try make(folder, mode: 0o700)
    }

    private func make(_ path: String, mode: Int) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false,
            attributes: [.posixPermissions: mode])
    }

    private func store(_ name: String, in folder: String? = nil) throws {
        let path = (folder ?? self.folder) + "/" + name
        try FileManager.default.copyItem(atPath: fixture.keyFile, toPath: path)
        try #require(chmod(path, 0o600) == 0)
    }

    private func run(_ words: String...) throws -> CommandRun { try CommandRun(words) }

    @Test(.proves("OPR-109"))
    func `A key with another name is named, and the hint leads to a store`() throws {
        try store("shop.key")
        let words = ["rotate-key", fixture.database, "--keys", folder]
        let refused = try CommandRun(words)
        #expect(refused.exitCode == .failed)
        #expect(refused.errors.contains("its keys are 0001.key, 0002.key and so on"))
        let key = folder + "/shop.key"
        #expect(refused.errors.contains("also pass --key-file \(key)"), "\(refused.errors)")
        let run = try CommandRun(words + ["--key-file", key])
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(try CommandRun(words).exitCode == .done)
    }

    @Test(.proves("OPR-109"))
    func `A folder of other things is not to be closed to others`() throws {
        let open = fixture.path("open")
        try make(open, mode: 0o755)
        let words = ["rotate-key", fixture.database, "--keys", open]
        func refused() throws -> String {
            let run = try CommandRun(words)
            #expect(run.exitCode == .failed)
            return run.errors
        }
        #expect(try refused().contains("chmod 700 \(open)"))
        try Data("notes".utf8).write(to: URL(fileURLWithPath: open + "/README"))
        let errors = try refused()
        #expect(errors.contains("holds other files and no key"), "\(errors)")
        #expect(!errors.contains("chmod") && !errors.contains("which holds keys"), "\(errors)")
        try store("0001.key", in: open)
        #expect(try refused().contains("chmod 700 \(open)"))
    }

    @Test(.proves("OPR-109"))
    func `A database that a rotation left out is not called an old copy alone`() throws {
        try store("0001.key")
        let other = fixture.path("other.db")
        try FileManager.default.copyItem(atPath: fixture.database, toPath: other)
        // One of them is not there: the new key stays pending, and a plan knows that.
        let both = ["rotate-key", fixture.database, fixture.path("missing.db"), "--keys", folder]
        #expect(try CommandRun(both).exitCode != .done)
        #expect(FileManager.default.fileExists(atPath: folder + "/0002.next"))
        let plan = try run("rotate-key", fixture.database, "--keys", folder, "--dry-run")
        #expect(plan.exitCode == .done, "\(plan.errors)")
        #expect(FileManager.default.fileExists(atPath: folder + "/0002.next"))
        #expect(try run("rotate-key", fixture.database, "--keys", folder).exitCode == .done)
        let repository = fixture.path("repository")
        #expect(try run("backup", "init", repository).exitCode == .done)
        for words in [
            ["rotate-key", other, "--keys", folder],
            ["backup", "create", other, "--to", repository, "--keys", folder],
        ] {
            let run = try CommandRun(words)
            #expect(run.exitCode == .wrongKey, "\(run.errors)")
            #expect(run.errors.contains("has the retired key 0001 of \(folder)"), "\(run.errors)")
            #expect(run.errors.contains("or a rotation of several databases left it out"))
        }
    }

    @Test(.proves("OPR-109"))
    func `key-id reads identities, and goes past what is neither key nor database`() throws {
        let keyring = try KeyringFixture()
        let identity = "# ops\n\(KeyringFixture.identity)\n"
        try fixture.directory.write(identity, to: "keys/ops.txt", mode: 0o600)
        try fixture.directory.write("two\nlines\n", to: "keys/notes", mode: 0o600)
        try store("shop.key")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let run = try CommandRun(
            ["key-id"] + names.map { folder + "/" + $0 } + [fixture.database, keyring.database])
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.errors.contains("notes is neither a key file nor a database"))
        #expect(run.output.contains("ops.txt"), "\(run.output)")
        #expect(run.output.contains("shop.key"))
        // What is named alone is to be a database.
        let alone = try self.run("key-id", fixture.keyFile, folder + "/notes")
        #expect(alone.exitCode == .notADatabase, "\(alone.errors)")
    }

    @Test(.proves("OPR-109"))
    func `--name without a slot says what names a slot`() throws {
        let refused = try self.run(
            "key", "init", fixture.database, "--key-file", fixture.keyFile, "--name", "ops")
        #expect(refused.exitCode == .usage)
        #expect(refused.errors.contains("--passphrase NAME"), "\(refused.errors)")
    }
}
