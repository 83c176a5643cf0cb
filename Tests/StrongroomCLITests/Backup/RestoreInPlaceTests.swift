import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// A backup takes the place of a database that has a later keyring.
@Suite struct RestoreInPlaceTests {
    private let fixture: KeyringFixture
    private let repository: String

    init() throws {
        fixture = try KeyringFixture()
        repository = fixture.files.path("repository")
        #expect(try CommandRun(["backup", "init", repository]).exitCode == .done)
        try run(["backup", "create", fixture.database, "--to", repository])
        // Since the backup, Berta came, and Anna left.
        let add = ["key", "add", fixture.database, "--passphrase", "berta", "--work", "14"]
        let added = try fixture.run(add, fixture.code, new: KeyringFixture.berta)
        #expect(added.exitCode == .done, "\(added.errors)")
        try run(["key", "remove", fixture.database, "anna"])
    }

    @discardableResult
    private func run(_ words: [String]) throws -> CommandRun {
        let run = try fixture.run(words, fixture.code)
        #expect(run.exitCode == .done, "\(words): \(run.errors)")
        return run
    }

    private var restore: [String] {
        ["backup", "restore", repository, "1", fixture.database, "--force"]
    }

    private func keyring() throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: fixture.database + "-keyring"))
    }

    private func expectSlotsOfToday() throws {
        #expect(try fixture.opens(KeyringFixture.berta))
        #expect(try fixture.opens(fixture.code))
        #expect(try !fixture.opens(KeyringFixture.anna))
    }

    @Test("the keyring stays, with a secret and without one", .proves("OPR-159"))
    func sameKey() throws {
        let before = try keyring()
        for secret in [fixture.code, KeyringFixture.berta, nil] {
            let restored =
                try secret.map { try fixture.run(restore, $0) } ?? CommandRun(restore)
            #expect(restored.exitCode == .done, "\(restored.errors)")
            #expect(restored.errors.contains("is left as it was"), "\(restored.errors)")
            #expect(try keyring() == before)
            try expectSlotsOfToday()
        }
    }

    @Test("after a rotation, its slots open the older key", .proves("OPR-159"))
    func olderKey() throws {
        try run(["rotate-key", fixture.database])
        let before = try keyring()
        let refused = try CommandRun(restore)
        #expect(refused.exitCode != .done, "\(refused.output)")
        #expect(refused.errors.contains("would be lost"), "\(refused.errors)")
        #expect(try keyring() == before)
        try expectSlotsOfToday()
        #expect(try fixture.run(restore, KeyringFixture.anna).exitCode != .done)
        #expect(try keyring() == before)
        let restored = try fixture.run(restore, KeyringFixture.berta)
        #expect(restored.exitCode == .done, "\(restored.errors)")
        try expectSlotsOfToday()
    }

    @Test("where the database is lost, and its later keyring is there", .proves("OPR-196"))
    func lost() throws {
        try run(["rotate-key", fixture.database])
        try FileManager.default.removeItem(atPath: fixture.database)
        let before = try keyring()
        for secret in [nil, KeyringFixture.anna, KeyringFixture.berta] {
            let refused = try secret.map { try fixture.run(restore, $0) } ?? CommandRun(restore)
            #expect(refused.exitCode != .done, "\(refused.output)")
            #expect(refused.errors.contains("put an empty file there"), "\(refused.errors)")
            #expect(try keyring() == before)
        }
        #expect(FileManager.default.createFile(atPath: fixture.database, contents: nil))
        let restored = try fixture.run(restore, KeyringFixture.berta)
        #expect(restored.exitCode == .done, "\(restored.errors)")
        try expectSlotsOfToday()
    }

    @Test("a stored keyring without passphrases does not take them away", .proves("OPR-159"))
    func withoutPassphrases() throws {
        try run(["backup", "create", fixture.database, "--to", repository, "--keyring", "strong"])
        let words = ["backup", "restore", repository, "2", fixture.database, "--force"]
        #expect(try CommandRun(words).exitCode == .done)
        try expectSlotsOfToday()
    }

    @Test("a folder that is rotated counts the files with keyrings apart", .proves("OPR-160"))
    func countedApart() throws {
        let folder = fixture.files.path("folder")
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for ending in ["", "-keyring"] {
            try manager.copyItem(
                atPath: fixture.database + ending, toPath: folder + "/a.db" + ending)
        }
        let other = try CommandLineFixture()
        try manager.copyItem(atPath: other.database, toPath: folder + "/b.db")
        let run = try CommandRun([
            "rotate-key", folder, "--key-file", fixture.files.keyFile, "--new-key-generate",
            fixture.files.path("new.key"),
        ])
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.output.contains("1 of 2 files have the new key; 1 has"), "\(run.output)")
        #expect(run.errors.contains("if it was exposed"), "\(run.errors)")
    }
}
