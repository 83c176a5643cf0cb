import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Databases of other versions of SQLCipher, and what commands find out about them.
@Suite struct FoundSettingsTests {
    private let fixture: CommandLineFixture
    private let path: String
    private let passphrase: String

    init() throws {
        fixture = try CommandLineFixture()
        path = fixture.path("old.db")
        passphrase = try fixture.directory.write("open sesame\n", to: "passphrase")
    }

    private func create(_ settings: String..., key: String = "open sesame") throws {
        try SQLCipherShell(
            path: path, key: .content(key), settings: settings.map { "PRAGMA " + $0 }
        ).create("PRAGMA synchronous = OFF;" + CommandLineFixture.schema)
    }

    private func commands() throws -> [[String]] {
        let repository = fixture.path("repository")
        #expect(try fixture.run("backup", "init", repository).exitCode == .done)
        return [
            ["info", path], ["check", path], ["query", path, "SELECT count(*) FROM album"],
            ["decrypt", path, fixture.path("out.sqlite")], ["copy", path, fixture.path("out.db")],
            ["salvage", path, fixture.path("saved.db")],
            ["backup", "create", path, "--to", repository],
            ["rotate-key", path, "--new-key-file", fixture.keyFile],
        ]
    }

    @Test("every command opens a database of SQLCipher 2", .proves("OPR-07"))
    func old() throws {
        try create("cipher_compatibility = 2")
        for words in try commands() {
            let run = try CommandRun(words + ["--key-file", passphrase])
            #expect(run.exitCode == .done, "\(words): \(run.errors)")
            guard words[0] != "salvage", words[0] != "rotate-key" else { continue }
            #expect(
                run.errors.contains("strongroom: note: \(path) has unusual cipher settings"),
                "\(words): \(run.errors)")
        }
        let rotated = SQLCipherShell(
            path: path, key: .content(CommandLineFixture.key),
            settings: ["PRAGMA cipher_compatibility = 2"])
        #expect(try rotated.cell("SELECT count(*) FROM album") == 3)
    }

    @Test(
        "a database of an early SQLCipher 2.0 is opened, and rotated to today's", .proves("OPR-07"))
    func early() throws {
        let key = "x'" + String(repeating: "5e", count: 32) + "'"
        let keyFile = try fixture.directory.write(key + "\n", to: "raw")
        try create("cipher_compatibility = 2", "cipher_hmac_pgno = be", key: key)
        for words in try commands() where words[0] != "rotate-key" {
            let run = try CommandRun(words + ["--key-file", keyFile])
            // The format of backups has no word for it.
            let isRefused = words[0] == "backup"
            #expect(run.exitCode == (isRefused ? .failed : .done), "\(words): \(run.errors)")
            #expect(!isRefused || run.errors.contains("cipher_hmac_pgno = be"), "\(run.errors)")
        }
        let rotate = ["rotate-key", path, "--key-file", keyFile, "--new-key-file", fixture.keyFile]
        let inPlace = try CommandRun(rotate)
        #expect(inPlace.exitCode == .done, "\(inPlace.errors)")
        let modern = try CommandRun([
            "rotate-key", path, "--key-file", fixture.keyFile, "--new-key-file", keyFile,
            "--compatibility", "4",
        ])
        #expect(modern.exitCode == .done, "\(modern.errors)")
        let rotated = SQLCipherShell(path: path, key: .content(key))
        #expect(try rotated.cell("SELECT count(*) FROM album") == 3)
    }

    @Test("a wrong key opens none, and is called wrong", .proves("OPR-07"))
    func wrongKey() throws {
        try create("cipher_compatibility = 3", "cipher_page_size = 8192")
        let wrong = try fixture.directory.write("open says me\n", to: "wrong")
        for words in [["check", path], ["rotate-key", path, "--new-key-file", fixture.keyFile]] {
            let run = try CommandRun(words + ["--key-file", wrong])
            #expect(run.exitCode == .wrongKey, "\(words): \(run.errors)")
            #expect(!run.errors.contains("note:"))
        }
    }

    @Test(
        "pages without HMACs are opened when that is said, and never by themselves",
        .proves("OPR-07"))
    func withoutHMAC() throws {
        // Of a raw key nothing is derived.
        let key = "x'" + String(repeating: "5e", count: 32) + "'"
        let keyFile = try fixture.directory.write(key + "\n", to: "raw")
        try create("cipher_use_hmac = OFF", key: key)
        for words in try commands() where words[0] != "check" {
            let run = try CommandRun(words + ["--key-file", keyFile])
            #expect(run.exitCode == .wrongKey, "\(words): \(run.errors)")
            #expect(run.errors.contains("--hmac none"), "\(words): \(run.errors)")
        }
        let given = ["--cipher-settings", "hmac=none"]
        let words = ["query", path, "SELECT count(*) FROM album", "--key-file", keyFile]
        #expect(try CommandRun(words + given).exitCode == .done)
    }

    @Test("one that a crash interrupted is undone first", .proves("OPR-07"))
    func interrupted() throws {
        let source = fixture.path("source.db")
        let shell = SQLCipherShell(
            path: source, key: .content("open sesame"),
            settings: ["PRAGMA cipher_compatibility = 3", "PRAGMA kdf_iter = 4000"])
        try shell.create("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('before');")
        try shell.run(
            """
            PRAGMA cache_size = 4;
            BEGIN;
            UPDATE t SET a = 'half written';
            WITH RECURSIVE c(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM c WHERE n < 900)
              INSERT INTO t SELECT hex(randomblob(400)) FROM c;
            .system cp '\(source)' '\(path)' && cp '\(source)-journal' '\(path)-journal'
            ROLLBACK;
            """)
        for words in [["check", path], ["query", path, "SELECT a FROM t", "--csv"]] {
            let run = try CommandRun(words + ["--key-file", passphrase])
            #expect(run.exitCode == .done, "\(words): \(run.errors)")
            #expect(words[0] == "check" || run.output.contains("before"))
        }
    }
}
