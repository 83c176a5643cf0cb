import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("A restore over a database with a log", .proves("HST-04"))
struct RestoreOverLogTests {
    private let fixture: CommandLineFixture
    private let repository: String

    init() throws {
        fixture = try CommandLineFixture()
        repository = fixture.path("repository")
        #expect(try fixture.run("backup", "init", repository).exitCode == .done)
        #expect(
            try fixture.run(
                "backup", "create", fixture.database, "--to", repository, "--key-file",
                fixture.keyFile
            ).exitCode == .done)
    }

    private var restore: [String] {
        [
            "backup", "restore", repository, fixture.database, "--force", "--key-file",
            fixture.keyFile,
        ]
    }

    /// Leaves a commit in the log, as a process does that is killed.
    private func leaveLog() throws {
        let (database, aside) = (fixture.database, fixture.path("aside"))
        try fixture.shell.run(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA wal_autocheckpoint = 0;
            INSERT INTO artist VALUES (3, 'Cleo');
            .system cp '\(database)' '\(aside)' && cp '\(database)-wal' '\(aside)-wal'
            """)
        for suffix in ["", "-wal"] {
            try? FileManager.default.removeItem(atPath: database + suffix)
            try FileManager.default.moveItem(atPath: aside + suffix, toPath: database + suffix)
        }
    }

    @Test("is refused, and no commit is lost")
    func refused() throws {
        try leaveLog()
        let run = try CommandRun(restore)
        #expect(run.exitCode == .inUse)
        #expect(run.errors.contains("-wal holds changes that are not yet in"))
        #expect(run.errors.contains("open that database once with its program and close it"))
        #expect(try fixture.shell.cell("SELECT count(*) FROM artist") == 3)
        // Now that it was opened and closed once, nothing is in the log any more.
        #expect(try CommandRun(restore).exitCode == .done)
        #expect(try fixture.shell.cell("SELECT count(*) FROM artist") == 2)
    }

    @Test(
        "names the log of another database, and changes nothing", .proves("OPR-45"),
        arguments: ["restore", "copy"])
    func foreignLog(command: String) throws {
        try leaveLog()
        let log = fixture.database + "-wal"
        let foreign = try Data(contentsOf: URL(fileURLWithPath: log))
        for suffix in ["", "-wal"] {
            try? FileManager.default.removeItem(atPath: fixture.database + suffix)
        }
        // The same key, and another salt.
        try fixture.shell.create(CommandLineFixture.schema)
        try foreign.write(to: URL(fileURLWithPath: log))
        let database = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
        let other = fixture.path("other.db")
        try SQLCipherShell(path: other, key: .content(CommandLineFixture.key))
            .create(CommandLineFixture.schema)
        let words =
            command == "restore"
            ? restore
            : ["copy", other, fixture.database, "--force", "--key-file", fixture.keyFile]
        let run = try CommandRun(words)
        #expect(run.exitCode == .foreignLog, "\(run.errors)")
        #expect(run.errors.contains("shop.db-wal does not belong to shop.db"), "\(run.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: log)) == foreign)
        #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.database)) == database)
        // Without the key, nothing shows whose the log is.
        if command == "restore" {
            let run = try CommandRun(Array(restore.dropLast(2)))
            #expect(run.exitCode == .inUse, "\(run.errors)")
            #expect(
                run.errors.contains("strongroom doctor reports whether the two belong together"))
        }
        // Without the log, all goes on.
        try FileManager.default.removeItem(atPath: log)
        #expect(try CommandRun(words).exitCode == .done)
    }

    @Test("replaces files, and neither folders, pipes nor devices", .proves("BKP-017"))
    func otherThings() throws {
        let pipe = fixture.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, fixture.directory.path] {
            let run = try CommandRun([
                "backup", "restore", repository, path, "--force", "--key-file", fixture.keyFile,
            ])
            #expect(run.exitCode == .notADatabase, "\(path): \(run.errors)")
            #expect(run.errors.contains("is not a regular file"), "\(path): \(run.errors)")
        }
        var status = stat()
        #expect(lstat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    @Test("goes on where SQLite has left a journal that it has done with")
    func emptyJournal() throws {
        try fixture.directory.write(Data(count: 512), to: "shop.db-journal")
        #expect(try CommandRun(restore).exitCode == .done)
        #expect(try !fixture.directory.names().contains("shop.db-journal"))
    }

    @Test(
        "loses nothing where the file cannot be replaced because it is a mount of its own",
        .enabled(if: SmallDisk.isPossible, "needs a user who may mount a file system"))
    func mount() throws {
        try leaveLog()
        let script = """
            mount --bind "$1" "$1" || exit 99
            shift
            exec "$@"
            """
        for _ in 0..<2 {
            let result = try Subprocess.run(
                "unshare",
                ["-m", "sh", "-c", script, "sh", fixture.database]
                    + [PackageFiles.program("strongroom")] + restore,
                workingDirectory: fixture.directory.path)
            #expect(result.status != .exited(0) && result.status != .exited(99))
            // The first time because of the log, the second because of the mount.
            #expect(try fixture.shell.cell("SELECT count(*) FROM artist") == 3)
        }
    }
}
