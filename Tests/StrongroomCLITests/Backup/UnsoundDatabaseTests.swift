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

    @Test(.proves("OPR-163"))
    func `It stays a finding when the backup is encrypted again, or pruned`() throws {
        let out = fixture.path("out.db")
        let new = fixture.path("new.key")
        #expect(try withKey("restore", path, "2", out).exitCode == .damaged)
        let steps: [[String]] = [
            ["rotate-key", fixture.database, "--key-file", fixture.keyFile]
                + ["--new-key-generate", new],
            ["backup", "create", fixture.database, "--to", path, "--key-file", new]
                + ["--introducer-key-file", fixture.keyFile],
            ["backup", "rekey", path, "--key-file", fixture.keyFile, "--new-key-file", new],
            ["backup", "verify", path, "--key-file", new],
            ["backup", "create", fixture.database, "--to", path, "--key-file", new],
            ["backup", "prune", path, "--keep-last", "1", "--key-file", new],
        ]
        for words in steps {
            let run = try CommandRun(words, in: world)
            #expect(run.exitCode == .done, "\(words): \(run.errors)")
            #expect(try status.exitCode == .damaged, "\(words)")
        }
        #expect(try status.errors.contains("was no sound database"))
        // The table that shares its tree goes, and the page that it had.
        let key = try String(contentsOfFile: new, encoding: .utf8)
        let shell = SQLCipherShell(
            path: fixture.database, key: .content(key.trimmingCharacters(in: .newlines)))
        try shell.run(
            """
            .dbconfig defensive off
            PRAGMA writable_schema = ON;
            DELETE FROM sqlite_master WHERE name = 'other';
            """)
        try shell.run("VACUUM")
        for words in [
            ["backup", "create", fixture.database, "--to", path, "--key-file", new],
            ["backup", "verify", path, "latest", "--key-file", new],
        ] {
            let run = try CommandRun(words, in: world)
            #expect(run.exitCode == .done, "\(words): \(run.errors)")
        }
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
