import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct ReportHonestyTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
    }

    @Test(.proves("OPR-42"))
    func `Many problems are one on a line, of many the first, and all of them in JSON`() throws {
        try fixture.shell.run(
            """
            CREATE TABLE pairs (a INTEGER, b INTEGER);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 60)
              INSERT INTO pairs SELECT n, n FROM c;
            CREATE INDEX pairsByA ON pairs(a);
            .dbconfig defensive off
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = 'CREATE INDEX pairsByA ON pairs(b + 1)'
              WHERE name = 'pairsByA';
            """)
        let run = try fixture.runOnDatabase("check")
        #expect(run.exitCode == .damaged)
        #expect(!run.output.contains("\\n"), "\(run.output)")
        let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("    ") }
        #expect(lines.count == 21 && lines[20].hasSuffix("more (see --json)"), "\(run.output)")
        let object = try fixture.runOnDatabase("check", "--json").json as? [String: Any]
        let problems = try #require(object?["problems"] as? [[String: Any]])
        #expect(problems.count >= 60)
        #expect(problems.allSatisfy { ($0["message"] as? String)?.contains("\n") == false })
    }

    @Test(.proves("OPR-42"))
    func `What SQLite says of the trees of a database is one problem for each line`() throws {
        try fixture.shell.run(
            """
            CREATE TABLE wide (a);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 400)
              INSERT INTO wide SELECT hex(zeroblob(200)) FROM c;
            .dbconfig defensive off
            PRAGMA writable_schema = ON;
            DELETE FROM sqlite_master WHERE name = 'wide';
            """)
        let object = try fixture.runOnDatabase("check", "--json").json as? [String: Any]
        let messages = (object?["problems"] as? [[String: Any]])?.compactMap {
            $0["message"] as? String
        }
        let pages = try #require(messages?.filter { $0.hasSuffix("never used") })
        #expect(pages.count > 20 && pages.allSatisfy { !$0.contains("\n") }, "\(messages ?? [])")
        #expect(messages?.contains { $0.hasPrefix("***") } == false)
    }

    @Test(.proves("OPR-42"))
    func `The tables in which a virtual table keeps its content are not counted`() throws {
        try SQLCipherShell(path: fixture.plain).run(
            """
            CREATE VIRTUAL TABLE texts USING fts5(body);
            INSERT INTO texts VALUES ('one'), ('two');
            CREATE TABLE numbered (id INTEGER PRIMARY KEY AUTOINCREMENT);
            INSERT INTO numbered DEFAULT VALUES;
            """)
        let run = try fixture.run(
            "encrypt", fixture.plain, fixture.path("out.db"), "--key-file", fixture.keyFile)
        #expect(run.output.contains(": 4 tables, 6 rows, "), "\(run.output)")
    }

    @Test(.proves("OPR-42"))
    func `Exit status 10 is that of a database, repository or backup that is not there`() throws {
        let help = try fixture.run("help", "status")
        let line = help.output.split(separator: "\n").first { $0.contains("10") }
        #expect(line?.contains("the database, repository or backup is not there") == true)
    }

    @Test(.proves("OPR-48"))
    func `Names that SQLite would take for memory or a URI are those of files`() throws {
        for name in [":memory:", "file:shop.db?mode=memory"] {
            try FileManager.default.copyItem(
                atPath: fixture.database, toPath: fixture.directory.path + "/" + name)
            func run(_ words: String...) throws -> Subprocess.Result {
                let all = words + ["--key-file", "shop.key"]
                return try Subprocess.run(
                    PackageFiles.program("strongroom"), all,
                    environment: ["PATH": "/usr/bin:/bin", "STRONGROOM_STATE": "none"],
                    workingDirectory: fixture.directory.path)
            }
            let written = try run("query", "--write", name, "INSERT INTO artist VALUES (3, 'C')")
            #expect(written.isSuccess && written.outputText == "1 row changed\n")
            let shell = SQLCipherShell(
                path: fixture.directory.path + "/" + name, key: .content(CommandLineFixture.key))
            if name != ":memory:" {
                #expect(try shell.cell("SELECT count(*) FROM artist") == .integer(3))
            }
            let read = try run("query", name, "SELECT count(*) FROM artist", "--csv")
            #expect(read.outputText.contains("3"))
            let information = try run("info", name)
            #expect(information.outputText.contains("artist"))
            #expect(try run("check", name).isSuccess)
            #expect(try run("rotate-key", name, "--new-page-size", "8192").isSuccess)
            let out = try run("copy", name, "copy-of-" + name)
            #expect(out.isSuccess, "\(out.errorText)")
            let swapped = try run("copy", "shop.db", name, "--force")
            #expect(swapped.isSuccess, "\(swapped.errorText)")
            #expect(try run("query", name, "SELECT count(*) FROM artist").outputText.contains("2"))
        }
    }

    @Test(
        .proves("OPR-51"),
        arguments: ["\u{FEFF}a long passphrase of words", "a long passphrase of words "])
    func `What an editor adds to a key is refused in a new one, and told of in an old one`(
        text: String
    ) throws {
        let file = try fixture.directory.write(text + "\n", to: "blemished.key")
        let out = fixture.path("out.db")
        for words in [
            ["encrypt", fixture.plain, out, "--key-file", file],
            [
                "rotate-key", fixture.database, "--key-file", fixture.keyFile, "--new-key-file",
                file,
            ],
        ] {
            let refused = try CommandRun(words)
            #expect(refused.exitCode == .failed)
            #expect(refused.errors.contains("which would be a part of the new key"))
            #expect(!FileManager.default.fileExists(atPath: out))
        }
        #expect(try fixture.runOnDatabase("info").exitCode == .done)
        try fixture.shell.run("PRAGMA rekey = '\(text)'")
        let read = try fixture.run("info", fixture.database, "--key-file", file)
        #expect(read.exitCode == .done && read.errors.contains("which is a part of the key"))
        #expect(!read.errors.contains("passphrase of words"))
    }

    @Test(.proves("OPR-52"))
    func `A limit of open files is not taken for one of the folder`() throws {
        let run = try Subprocess.run(
            "sh",
            [
                "-c",
                "ulimit -n 5; exec '\(PackageFiles.program("strongroom"))' info shop.db "
                    + "--key-file shop.key",
            ], environment: ["PATH": "/usr/bin:/bin"], workingDirectory: fixture.directory.path)
        #expect(!run.isSuccess)
        #expect(!run.errorText.contains("cannot be created"), "\(run.errorText)")
    }

    @Test(.proves("OPR-52"))
    func `A write that fails names the file`() throws {
        let repository = fixture.path("repository")
        #expect(try fixture.run("backup", "init", repository).exitCode == .done)
        let run = try Subprocess.run(
            "sh",
            [
                "-c",
                "ulimit -f 4; exec '\(PackageFiles.program("strongroom"))' backup create shop.db "
                    + "--to repository --key-file shop.key --state none",
            ], environment: ["PATH": "/usr/bin:/bin"], workingDirectory: fixture.directory.path)
        #expect(!run.isSuccess && run.errorText.contains("File too large"), "\(run.errorText)")
        #expect(run.errorText.contains("repository"), "\(run.errorText)")
        #expect(!run.errorText.contains("write :"), "\(run.errorText)")
    }
}
