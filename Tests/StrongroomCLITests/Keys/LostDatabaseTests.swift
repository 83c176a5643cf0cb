import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("A database, or its keyring, that was lost")
struct LostDatabaseTests {
    private let fixture: KeyringFixture

    init() throws {
        fixture = try KeyringFixture()
    }

    private func empty() throws {
        try Data().write(to: URL(fileURLWithPath: fixture.database))
    }

    private func removeKeyring() throws {
        try FileManager.default.removeItem(atPath: fixture.database + "-keyring")
    }

    /// A file as `age-keygen` writes it.
    private func identityFile() throws -> String {
        try fixture.files.directory.write(
            "# public key: \(KeyringFixture.recipient)\n\(KeyringFixture.identity)\n", to: "ops.txt"
        )
    }

    @Test("an empty database is not called open, nor absent", .proves("OPR-181"))
    func emptyDatabase() throws {
        try empty()
        let test = try fixture.run(["key", "test", fixture.database], fixture.code)
        #expect(test.exitCode == .notADatabase, "\(test.output)")
        #expect(test.errors.contains("\(fixture.database) is empty"), "\(test.errors)")
        let add = try fixture.run(
            ["key", "add", fixture.database, "--passphrase", "berta", "--work", "14"],
            fixture.code, new: KeyringFixture.berta)
        #expect(add.exitCode == .done, "\(add.errors)")
        #expect(add.errors.contains("is empty, though it has a keyring"), "\(add.errors)")
        try FileManager.default.removeItem(atPath: fixture.database)
        let gone = try fixture.run(["key", "test", fixture.database], fixture.code)
        #expect(gone.exitCode == .notFound, "\(gone.output)")
        try empty()
        try removeKeyring()
        for words in [["key", "test", fixture.database], ["key", "list", fixture.database]] {
            let run = try CommandRun(
                words + (words[1] == "list" ? [] : ["--key-file", fixture.files.keyFile]))
            #expect(run.exitCode == .notFound)
            #expect(run.errors.contains("is empty, and has no keyring"), "\(run.errors)")
            #expect(!run.errors.contains("is not there"), "\(run.errors)")
        }
    }

    @Test("a file of identities is no wrong text, but opens nothing", .proves("OPR-181"))
    func identities() throws {
        let key = ["--key-file", try identityFile()]
        #expect(try CommandRun(["check", fixture.database, "--quick"] + key).exitCode == .done)
        try removeKeyring()
        let run = try CommandRun(["check", fixture.database, "--quick"] + key)
        #expect(run.exitCode == .wrongKey, "\(run.errors)")
        #expect(run.errors.contains("holds an age identity"), "\(run.errors)")
        #expect(run.errors.contains("\(fixture.database)-keyring back"), "\(run.errors)")
        // Without the word of a keyring, it is what it looks like.
        let off = try CommandRun(["check", fixture.database, "--quick", "--no-keyring"] + key)
        #expect(off.errors.contains("holds more than one line"), "\(off.errors)")
    }

    @Test("a folder is backed up by a file of identities", .proves("OPR-181"))
    func folder() throws {
        let key = ["--key-file", try identityFile()]
        let folder = fixture.files.path("folder")
        let root = fixture.files.path("root")
        let manager = FileManager.default
        for path in [folder, root] {
            try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        for ending in ["", "-keyring"] {
            try manager.moveItem(
                atPath: fixture.database + ending, toPath: folder + "/a.db" + ending)
        }
        let create = ["backup", "create", folder, "--to", root] + key
        let run = try CommandRun(create)
        #expect(run.exitCode == .done, "\(run.errors)")
        try manager.removeItem(atPath: folder + "/a.db-keyring")
        let lost = try CommandRun(create)
        #expect(lost.exitCode == .wrongKey, "\(lost.errors)")
        #expect(lost.errors.contains("none of the databases has one"), "\(lost.errors)")
    }
}
