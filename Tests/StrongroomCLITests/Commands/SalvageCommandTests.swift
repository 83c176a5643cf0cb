import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct SalvageCommandTests {
    private let fixture: CommandLineFixture
    private let out: String

    init() throws {
        fixture = try CommandLineFixture()
        out = fixture.path("out.db")
    }

    private func shell(_ key: String = CommandLineFixture.key) -> SQLCipherShell {
        SQLCipherShell(path: out, key: .content(key))
    }

    @Test(.proves("ENC-024"))
    func `a whole file is saved page by page, under its key or another`() throws {
        let run = try fixture.runOnDatabase("salvage", out)
        #expect(run.exitCode == .done && run.errors.isEmpty)
        #expect(
            fixture.anonymous(run.output)
                == "recovered shop.db as out.db: every page, 4 pages of 4096 bytes, verified\n")
        #expect(try shell().cell("SELECT count(*) FROM album") == 3)
        let key = try fixture.directory.write(CommandLineFixture.otherKey, to: "other.key")
        #expect(try fixture.runOnDatabase("salvage", out).exitCode == .failed)
        let again = try fixture.runOnDatabase("salvage", out, "--force", "--new-key-file", key)
        #expect(again.exitCode == .done)
        #expect(try shell(CommandLineFixture.otherKey).cell("PRAGMA integrity_check") == "ok")
    }

    @Test(.proves("ENC-024"))
    func `what is lost is listed`() throws {
        try fixture.shell.run(
            """
            CREATE TABLE many (id INTEGER PRIMARY KEY, a);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 500)
              INSERT INTO many SELECT n, randomblob(200) FROM c;
            """)
        // The last page of the table, of which there are about thirty.
        try fixture.damage(page: 20)
        let run = try fixture.runOnDatabase("salvage", out)
        #expect(run.exitCode == .damaged)
        #expect(run.output.contains("artist: 2 rows recovered\n"))
        #expect(run.output.contains("    lost: page 20, rows "))
        #expect(run.errors.contains("is lost; "))
        let json = try fixture.runOnDatabase("salvage", out, "--force", "--json")
        let object = try #require(json.json as? [String: Any])
        #expect(object["isComplete"] as? Bool == false)
        #expect(object["lostPages"] as? [[Int]] == [[20, 20]])
        let tables = try #require(object["tables"] as? [[String: Any]])
        let many = try #require(tables.first { $0["name"] as? String == "many" })
        let saved = try #require(many["rowCount"] as? Int)
        #expect(saved > 450 && saved < 500)
        #expect(try shell().cell("SELECT count(*) FROM many") == .integer(Int64(saved)))
    }

    @Test(.proves("ENC-024"))
    func `a wrong key and a file that must stay are refused`() throws {
        let key = try fixture.directory.write(CommandLineFixture.otherKey, to: "other.key")
        let wrong = try fixture.run("salvage", fixture.database, out, "--key-file", key)
        #expect(wrong.exitCode == .wrongKey)
        #expect(try fixture.runOnDatabase("salvage", fixture.database).exitCode == .failed)
        #expect(try fixture.runOnDatabase("salvage", fixture.plain).exitCode == .failed)
        #expect(!FileManager.default.fileExists(atPath: out))
    }
}
