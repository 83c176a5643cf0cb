import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// A database that was broken when it was backed up.
@Suite struct UnsoundDatabaseTests: RepositorySuite {
    let repository: RepositoryFixture

    init() throws {
        repository = try RepositoryFixture()
        try create()
        // Two tables with one tree.
        try fixture.shell.run(
            """
            CREATE TABLE other (a);
            .dbconfig defensive off
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET rootpage =
              (SELECT rootpage FROM sqlite_master WHERE name = 'album') WHERE name = 'other';
            """)
        try create()
    }

    private var status: CommandRun {
        get throws {
            try CommandRun(["backup", "status", path, "--verify-every", "7d"], in: world)
        }
    }

    @Test(.proves("OPR-113"), arguments: ["restore", "verify"])
    func `A restore that finds that is remembered until one succeeds`(command: String) throws {
        #expect(try withKey("verify", path).exitCode == .done)
        #expect(try status.exitCode == .done)
        let out = fixture.path("out.db")
        let failed =
            command == "restore"
            ? try withKey("restore", path, "latest", out) : try withKey("verify", path, "latest")
        #expect(failed.exitCode == .damaged, "\(failed.errors)")
        let found = try status
        #expect(found.exitCode == .damaged)
        #expect(found.errors.contains("backup 2 of"), "\(found.errors)")
        #expect(found.errors.contains("is no sound database"), "\(found.errors)")
        // No verification of hashes, and no earlier backup, makes up for it.
        #expect(try withKey("verify", path).exitCode == .done)
        #expect(try withKey("restore", path, "1", out).exitCode == .done)
        #expect(try status.exitCode == .damaged)
        // The database of before is put in place, and backed up.
        try FileManager.default.removeItem(atPath: fixture.database)
        try FileManager.default.moveItem(atPath: out, toPath: fixture.database)
        #expect(try withKey("create", fixture.database, "--to", path).exitCode == .done)
        #expect(try status.exitCode == .damaged)
        #expect(try withKey("verify", path, "latest").exitCode == .done)
        #expect(try status.exitCode == .done)
    }

    @Test(.proves("OPR-113"))
    func `It is no finding any more once the backup is removed`() throws {
        #expect(try withKey("restore", path, "2", fixture.path("out.db")).exitCode == .damaged)
        #expect(try status.exitCode == .damaged)
        #expect(try withKey("forget", path, "2", "--newest").exitCode == .done)
        #expect(try withKey("verify", path).exitCode == .done)
        #expect(try status.exitCode == .done)
    }
}
