import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct QueryCommandTests {
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

    @Test func `rows come as an aligned table`() throws {
        let run = try query("SELECT * FROM album")
        #expect(run.exitCode == .done)
        #expect(
            run.output == """
                id  artistId  title  price  cover
                --  --------  -----  -----  -------
                 1         1  One      9.5  X'00FF'
                 2         1  NULL    12.0  NULL
                 3         2  a,"b"  -0.25  X''
                (3 rows)

                """)
    }

    @Test func `in a table nothing reads like what it is not`() throws {
        let run = try query(
            "SELECT 'NULL' AS a, 'X''00''' AS b, '5' AS c, 5 AS d, char(27, 10) AS e")
        #expect(run.output.contains(#"'NULL'  'X'00''  5  5  \u{1B}\n"#))
        #expect(run.output.hasSuffix("(1 row)\n"))
    }

    @Test func `long cells are cut in a table, and whole elsewhere`() throws {
        let sql = "SELECT printf('%.200c', 'a') AS a, zeroblob(100) AS b"
        let run = try query(sql)
        let long = String(repeating: "a", count: 119) + "…"
        #expect(
            run.output.contains(
                long + "  X'" + String(repeating: "0", count: 32) + "…' (100 bytes)"))
        let csv = try query(sql, "--csv")
        #expect(csv.output.contains(String(repeating: "a", count: 200)))
        #expect(csv.output.contains(Data(count: 100).base64EncodedString()))
    }

    @Test func `rows come as JSON objects`() throws {
        let run = try query("SELECT id, title, price, cover FROM album", "--json")
        #expect(
            run.output == """
                [
                {"id":1,"title":"One","price":9.5,"cover":"AP8="},
                {"id":2,"title":null,"price":12.0,"cover":null},
                {"id":3,"title":"a,\\"b\\"","price":-0.25,"cover":""}
                ]

                """)
    }

    @Test func `columns of one name keep apart in JSON`() throws {
        let run = try query("SELECT 1 AS a, 2 AS a, 3 AS \"a:1\", 4 AS a", "--json")
        #expect(run.output == "[\n{\"a\":1,\"a:2\":2,\"a:1\":3,\"a:3\":4}\n]\n")
    }

    @Test func `rows come as CSV`() throws {
        let run = try query("SELECT title, cover FROM album", "--csv")
        #expect(run.output == "title,cover\r\nOne,AP8=\r\n,\r\n\"a,\"\"b\"\"\",\"\"\r\n")
    }

    @Test func `rows come as SQLite's shell writes them`() throws {
        let sql = "SELECT id, title, cover FROM album WHERE id <> 2"
        #expect(try query(sql, "--format", "list").output == "1|One|\0\u{FFFD}\n3|a,\"b\"|\n")
        #expect(
            try query(sql, "--format=quote").output == "1,'One',X'00FF'\n3,'a,\"b\"',X''\n")
        let line = try query("SELECT 1 AS id, 'One' AS title; SELECT 2 AS n", "--format", "line")
        #expect(line.output == "   id = 1\ntitle = One\n\nn = 2\n")
        #expect(try query("SELECT 1 WHERE 0", "--format", "list").output == "")
    }

    @Test func `a format that is not there is refused, with the one that was meant`() throws {
        let run = try query("SELECT 1", "--format", "lits")
        #expect(run.exitCode == .usage)
        #expect(run.errors.contains("there is no format lits"))
        #expect(run.errors.contains("did you mean list?"))
        #expect(try query("SELECT 1", "--format", "csv").errors.contains("write --csv"))
        #expect(try query("SELECT 1", "--format", "x").errors.contains("one of list, line, quote"))
    }

    @Test func `no rows are still a result`() throws {
        #expect(try query("SELECT 1 AS a WHERE 0").output == "a\n-\n(0 rows)\n")
        #expect(try query("SELECT 1 AS a WHERE 0", "--json").output == "[]\n")
        #expect(try query("SELECT 1 AS a WHERE 0", "--csv").output == "a\r\n")
    }

    @Test func `several statements run one after the other`() throws {
        let sql = "SELECT 1 AS a; SELECT 2 AS b, 3 AS c;"
        #expect(
            try query(sql).output == "a\n-\n1\n(1 row)\n\nb  c\n-  -\n2  3\n(1 row)\n")
        #expect(try query(sql, "--json").output == "[\n{\"a\":1}\n]\n[\n{\"b\":2,\"c\":3}\n]\n")
        #expect(try query(sql, "--csv").output == "a\r\n1\r\n\r\nb,c\r\n2,3\r\n")
    }

    @Test func `SQL is read from standard input`() throws {
        let run = try query("-", "--csv", world: CommandRun.World(input: "SELECT 1 AS a;\n"))
        #expect(run.output == "a\r\n1\r\n")
    }

    @Test func `parameters are typed, and shared by the statements`() throws {
        let run = try query(
            "SELECT typeof(:a) AS a, typeof(@b) AS b; SELECT $c AS c, :a AS a", "--csv",
            "-p", "a=5", "-p", "b=x", "--parameter", "c:=\"5\"")
        #expect(run.output == "a,b\r\ninteger,text\r\n\r\nc,a\r\n5,5\r\n")
    }

    @Test func `a parameter that the SQL lacks, and one that is missing, are named`() throws {
        let unknown = try query("SELECT :name", "-p", "nmae=1")
        #expect(unknown.exitCode == .usage)
        #expect(unknown.errors.contains("no parameter named nmae"))
        #expect(unknown.errors.contains("did you mean name?"))
        let missing = try query("SELECT :name")
        #expect(missing.exitCode == .failed)
        #expect(missing.errors.contains("missing statement argument: name"))
    }

    @Test(arguments: [
        "DELETE FROM album", "CREATE TABLE x (y)", "PRAGMA user_version = 9",
        "WITH a AS (SELECT 1) INSERT INTO artist SELECT 9, 'x'", "VACUUM",
        "SELECT 1; DROP TABLE album", "UPDATE artist SET name = 'x' RETURNING *",
    ])
    func `nothing is written without leave`(sql: String) throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
        let run = try query(sql)
        #expect(run.exitCode == .failed)
        #expect(run.errors.contains("--write"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.database)) == before)
    }

    @Test(arguments: [
        "ATTACH 'new.db' AS n", "VACUUM INTO 'new.db'", "ATTACH 'new.db' AS n KEY 'SECRET'",
    ])
    func `no other file is written, with leave or without`(sql: String) throws {
        let sql = sql.replacingOccurrences(of: "new.db", with: fixture.path("new.db"))
        let before = try fixture.directory.names()
        for words in [[], ["--write"]] {
            let run = try CommandRun(
                ["query", fixture.database, sql, "--key-file", fixture.keyFile] + words)
            #expect(run.exitCode == .usage)
            #expect(!run.errors.contains("SECRET"))
        }
        #expect(try fixture.directory.names() == before)
    }

    @Test func `with leave, changes are made and counted`() throws {
        let run = try query(
            "INSERT INTO artist VALUES (3, :name); DELETE FROM album WHERE id < 3", "--write",
            "-p", "name=Björk")
        #expect(run.exitCode == .done)
        #expect(run.output == "3 rows changed\n")
        #expect(try fixture.shell.rows("SELECT name FROM artist WHERE id = 3") == [["Björk"]])
        let json = try query("UPDATE artist SET name = name", "--write", "--json")
        #expect(json.output == "{\"changeCount\":3}\n")
        let returning = try query(
            "DELETE FROM artist WHERE id = 3 RETURNING name", "--write", "--json")
        #expect(returning.output == "[\n{\"name\":\"Björk\"}\n]\n")
    }

    @Test func `a transaction left open is rolled back, and said so`() throws {
        let run = try query("BEGIN; DELETE FROM album", "--write")
        #expect(run.exitCode == .failed)
        #expect(run.errors.contains("left a transaction open"))
        #expect(try fixture.shell.cell("SELECT count(*) FROM album") == 3)
        let whole = try query("BEGIN; DELETE FROM album; COMMIT", "--write")
        #expect(whole.exitCode == .done)
        #expect(try fixture.shell.cell("SELECT count(*) FROM album") == 0)
    }

    @Test func `a failing statement names the mistake`() throws {
        let run = try query("SELECT nonsense FROM album")
        #expect(run.exitCode == .failed)
        #expect(run.errors.contains("no such column: nonsense"))
        #expect(try query("SELEC 1").errors.contains("syntax error"))
        #expect(try query(" ; -- nothing").exitCode == .usage)
    }

    @Test func `errors come as JSON where results do`() throws {
        let run = try query("SELECT nonsense FROM album", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(run.errors.utf8))
        let error = (object as? [String: Any])?["error"] as? [String: Any]
        #expect(error?["code"] as? String == "failed")
        #expect(error?["exitCode"] as? Int == 1)
        #expect(error?["message"] as? String == "no such column: nonsense")
    }

    @Test func `conflicting formats and inputs are refused`() throws {
        #expect(try query("SELECT 1", "--json", "--csv").exitCode == .usage)
        let formats = try query("SELECT 1", "--csv", "--format", "list")
        #expect(formats.errors.contains("--csv and --format exclude each other"))
        let run = try fixture.run("query", fixture.database, "-", "--key-fd", "0")
        #expect(run.exitCode == .usage)
        #expect(run.errors.contains("standard input"))
    }
}
