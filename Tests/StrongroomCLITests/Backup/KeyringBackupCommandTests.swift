import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Backups of a database with a keyring, by somebody who has one secret.
@Suite struct KeyringBackupCommandTests {
    private let fixture: KeyringFixture
    private let repository: String

    init() throws {
        fixture = try KeyringFixture()
        repository = fixture.files.path("repository")
        let run = try fixture.files.run("backup", "init", repository)
        try #require(run.exitCode == .done)
    }

    private func restored(_ number: Int, _ secret: String) throws -> CommandRun {
        let out = fixture.files.path("restored-\(number).db")
        return try fixture.run(["backup", "restore", repository, "\(number)", out], secret)
    }

    @Test(
        "go on over rotations, and today's secret restores each of them",
        .proves("KSL-060", "KSL-061", "KSL-062"))
    func rotations() throws {
        let create = ["backup", "create", fixture.database, "--to", repository]
        #expect(try fixture.run(create, KeyringFixture.anna).exitCode == .done)
        for number in 2...3 {
            let rotation = try fixture.run(["rotate-key", fixture.database], fixture.code)
            #expect(rotation.exitCode == .done, "\(rotation.errors)")
            let run = try fixture.run(create, KeyringFixture.anna)
            #expect(run.exitCode == .done, "\(number): \(run.errors)")
        }
        let change = try fixture.run(
            ["key", "change", fixture.database, "--work", "14"], KeyringFixture.anna,
            new: KeyringFixture.berta)
        #expect(change.exitCode == .done, "\(change.errors)")
        #expect(try fixture.run(create, KeyringFixture.berta).exitCode == .done)
        for (number, secret) in [
            (1, KeyringFixture.berta), (2, fixture.code), (3, KeyringFixture.identity),
            (4, CommandLineFixture.key),
        ] {
            let run = try restored(number, secret)
            #expect(run.exitCode == .done, "\(number): \(run.errors)")
            let count = try fixture.run(
                [
                    "query", fixture.files.path("restored-\(number).db"),
                    "SELECT count(*) FROM album", "--csv",
                ], KeyringFixture.berta)
            #expect(count.output.split(whereSeparator: \.isNewline).last == "3", "\(count.errors)")
        }
        // The passphrase of then opens no backup of then.
        let old = fixture.files.path("old.db")
        let refused = try fixture.run(
            ["backup", "restore", repository, "1", old], KeyringFixture.anna)
        #expect(refused.exitCode == .wrongKey)
        #expect(!FileManager.default.fileExists(atPath: old))
    }
}
