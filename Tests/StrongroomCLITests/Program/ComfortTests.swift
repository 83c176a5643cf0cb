import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// What people type first, and what they see then.
@Suite struct ComfortTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
    }

    private func query(
        _ words: String..., world: CommandRun.World = CommandRun.World()
    ) throws -> CommandRun {
        try CommandRun(
            ["query", fixture.database] + words + ["--key-file", fixture.keyFile], in: world)
    }

    @Test("the program's name alone gives a short help", .proves("OPR-17"))
    func shortHelp() throws {
        let run = try CommandRun([])
        #expect(run.exitCode == .done)
        #expect(run.errors.isEmpty)
        #expect(run.output.contains("strongroom help"))
        #expect(run.output.split(separator: "\n").count < 12)
    }

    @Test(
        "the version is told in each of the usual ways", .proves("OPR-17"),
        arguments: ["--version", "-V", "version"])
    func version(word: String) throws {
        #expect(try CommandRun([word]).output == CommandRun(["--version"]).output)
        #expect(try CommandRun([word]).output.hasPrefix("strongroom "))
    }

    @Test("the version in detail names the file of the library", .proves("POR-06"))
    func libraryPath() throws {
        let output = try CommandRun(["--version", "--verbose"]).output
        let line = output.split(separator: "\n").first { $0.hasPrefix("SQLCipher is /") }
        let path = try #require(line).dropFirst("SQLCipher is ".count)
        #expect(FileManager.default.fileExists(atPath: String(path)))
    }

    @Test(
        "the wrong form gets the right one in the hint", .proves("OPR-17"),
        arguments: [
            (["backup", "create", "app.db", "repo"], "strongroom backup create app.db --to repo"),
            (["rotate-key", "a b.db", "n.key"], "rotate-key 'a b.db' --new-key-generate n.key"),
            (["keygen", "-o", "k"], "strongroom keygen k"),
            (["keygen", "--output=k"], "strongroom keygen k"),
            (["encrypt", "a.db", "-o", "b.db"], "strongroom encrypt IN b.db"),
            (["info", "app.db", "app.key"], "strongroom info app.db --key-file app.key"),
            (["query", "app.db", "SELECT", "1"], "put the SQL in quotes"),
            (["restore", "repo"], "strongroom backup restore"),
            (["rekey", "app.db"], "strongroom rotate-key"),
            (["/dev/null"], "strongroom info /dev/null"),
        ])
    func wrongForm(words: [String], hint: String) throws {
        let run = try CommandRun(words)
        #expect(run.exitCode == .usage)
        #expect(
            run.errors.contains("hint: \(hint)") || run.errors.contains("hint: strongroom \(hint)"))
    }

    @Test("a key file in a database's place is named as a new key", .proves("OPR-17"))
    func keyFileAsDatabase() throws {
        let run = try fixture.run("rotate-key", fixture.database, fixture.keyFile)
        #expect(run.exitCode == .usage)
        #expect(run.errors.contains("--new-key-file"))
        #expect(!run.errors.contains("5eed"))
    }

    @Test(
        "quiet leaves notes out, verbose tells more, warnings and errors always show",
        .proves("OPR-17"))
    func verbosity() throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: fixture.keyFile)
        #expect(try query("SELECT 1").errors.contains("warning: "))
        let quiet = try query("SELECT 1", "--quiet")
        #expect(quiet.errors == (try query("SELECT 1")).errors)
        #expect(quiet.output == (try query("SELECT 1")).output)
        #expect(try query("SELEC", "-q").errors.contains("error: "))
        let verbose = try query("SELECT 1", "--verbose").errors
        #expect(verbose.contains("SQLCipher ") && verbose.contains("shop.key"))
        #expect(verbose.contains(" seconds"))
    }

    @Test("colours stand beside words, where they are wished for", .proves("OPR-17"))
    func colors() throws {
        #expect(!(try query("SELEC")).errors.contains("\u{1B}"))
        let run = try query("SELEC", "--color", "always")
        #expect(run.errors.contains("\u{1B}[1;31merror:\u{1B}[0m"))
        #expect(try query("SELEC", "--color=never").errors.contains("strongroom: error: "))
        #expect(try query("SELECT 1", "--color", "sometimes").exitCode == .usage)
    }

    @Test("verdicts have colours, and the words stay", .proves("OPR-17"))
    func verdicts() throws {
        for (command, word) in [
            ("check", "is \u{1B}[1;32msound\u{1B}[0m: "), ("doctor", ": sound\n"),
        ] {
            let run = try fixture.runOnDatabase(command, "--color", "always")
            let plain = try fixture.runOnDatabase(command)
            #expect(run.output.contains(command == "check" ? word : "\u{1B}[1;32msound\u{1B}[0m"))
            #expect(!plain.output.contains("\u{1B}") && plain.output.contains("sound"))
            let stripped = run.output.replacing(#/\x1B\[[0-9;]*m/#, with: "")
            #expect(stripped == plain.output)
        }
        let wrong = try CommandRun([
            "doctor", fixture.plain, "--key-file", fixture.keyFile, "--color", "always",
        ])
        #expect(wrong.output.contains("\u{1B}[1;33mnot encrypted\u{1B}[0m"))
        #expect(wrong.output.contains("\u{1B}[1;36mnext:\u{1B}[0m"))
    }

    @Test("NO_COLOR turns colours off on a terminal", .proves("OPR-17"))
    func noColor() throws {
        let program = PackageFiles.program("strongroom")
        for (setting, isColored) in [("TERM=xterm", true), ("NO_COLOR=1", false)] {
            let session = try TerminalSession(
                "/usr/bin/env", ["-u", "NO_COLOR", "TERM=xterm", setting, program, "info", "none"],
                in: fixture.directory.path)
            #expect(try session.wait() == 10)
            #expect(session.screen.contains("\u{1B}[1;31merror:") == isColored)
        }
    }

    @Test("a table fits the terminal, and numbers stay whole", .proves("OPR-13"))
    func fittingTable() throws {
        let sql = """
            SELECT 1234567890123 AS n, printf('%.60c', 'a') AS long, 'short' AS s,
                printf('%.90c', 'b') AS longer
            """
        for columns in [40, 60, 80] {
            let run = try query(sql, world: CommandRun.World(outputColumns: columns))
            let lines = run.output.split(separator: "\n").dropLast()
            #expect(lines.allSatisfy { $0.count <= columns }, "\(run.output)")
            #expect(run.output.contains("1234567890123") && run.output.contains("short"))
            #expect(run.output.contains("a…"))
        }
        #expect(try query(sql).output.contains(String(repeating: "b", count: 90)))
    }

    @Test("positional parameters get values by their numbers", .proves("OPR-13"))
    func positional() throws {
        let run = try query(
            "SELECT ?, :a, ? ; SELECT ?3 AS c, ?1 AS a", "--csv", "-p", "1=x", "-p", "3=5",
            "-p", "a=y")
        #expect(run.output == "?,:a,?\r\nx,y,5\r\n\r\nc,a\r\n5,x\r\n")
        let missing = try query("SELECT ?, ?", "-p", "2=1")
        #expect(missing.exitCode == .failed)
        #expect(missing.errors.contains("missing statement argument: 1"))
        let unused = try query("SELECT ?", "-p", "2=1")
        #expect(unused.exitCode == .usage)
        #expect(unused.errors.contains("no parameter number 2"))
    }

    @Test(
        "what query --json writes is JSON, however the query ends", .proves("OPR-13"),
        arguments: [
            "SELECT 1 AS a UNION ALL SELECT abs(-9223372036854775808)",
            "SELECT abs(-9223372036854775808) AS a", "SELEC", "DELETE FROM album",
            "ATTACH 'x' AS y",
        ])
    func validJSON(sql: String) throws {
        let run = try query(sql, "--json")
        #expect(run.exitCode != .done)
        #expect(run.json is [Any], "\(run.output)")
        let error = try JSONSerialization.jsonObject(with: Data(run.errors.utf8))
        #expect((error as? [String: Any])?["error"] != nil)
    }

    @Test("without the key, query --json writes JSON too", .proves("OPR-13"))
    func validJSONWithoutKey() throws {
        let other = try fixture.directory.write(CommandLineFixture.otherKey, to: "other.key")
        let run = try fixture.run(
            "query", fixture.database, "SELECT 1", "--json", "--key-file", other)
        #expect(run.exitCode == .wrongKey)
        #expect(run.json is [Any])
    }

    @Test("numbers and texts of every kind are written exactly", .proves("OPR-13"))
    func exactValues() throws {
        let sql = """
            SELECT -9223372036854775808 AS a, 9223372036854775807 AS b, 0 AS c, -1 AS d, 1e300 AS e,
                'é"\\' || char(10) AS f, 9e999 AS g, char(0x85) AS h
            """
        #expect(
            try query(sql, "--json").output == """
                [
                {"a":-9223372036854775808,"b":9223372036854775807,"c":0,"d":-1,"e":1e+300,\
                "f":"é\\"\\\\\\n","g":9e999,"h":"\\u0085"}
                ]

                """)
    }
}
