import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct InfoCommandTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
    }

    @Test func `it tells versions, settings, sizes and tables`() throws {
        let run = try fixture.runOnDatabase("info", "--json")
        #expect(run.exitCode == .done)
        let info = try #require(run.json as? [String: Any])
        #expect(info["file"] as? String == fixture.database)
        #expect(info["userVersion"] as? Int == 7)
        #expect(info["applicationID"] as? Int == 42)
        #expect(info["encoding"] as? String == "UTF-8")
        #expect(info["journalMode"] as? String == "delete")
        #expect(info["pageSize"] as? Int == 4096)
        let size = try FileManager.default.attributesOfItem(atPath: fixture.database)[.size]
        #expect(info["byteCount"] as? Int == (size as? Int))
        #expect((info["cipherVersion"] as? String)?.hasPrefix("4.") == true)
        let settings = try #require(info["cipherSettings"] as? [String: Any])
        #expect(settings["kdf_iter"] as? Int == 256_000)
        #expect(settings["cipher_hmac_algorithm"] as? String == "HMAC_SHA512")
        let tables = try #require(info["tables"] as? [[String: Any]])
        #expect(tables.map { $0["name"] as? String } == ["album", "artist"])
        #expect(tables.map { $0["rowCount"] as? Int } == [3, 2])
    }

    @Test func `its keys are the documented ones`() throws {
        let info = try fixture.runOnDatabase("info", "--json").json as? [String: Any]
        #expect(
            info?.keys.sorted() == [
                "applicationID", "autoVacuum", "byteCount", "cipherProvider", "cipherSettings",
                "cipherVersion", "encoding", "file", "freePageCount", "journalMode", "keyring",
                "pageCount", "pageSize", "schemaVersion", "sqliteVersion", "strongroomVersion",
                "tables",
                "userVersion",
            ])
    }

    @Test func `for people it is two columns and a table`() throws {
        let run = try fixture.runOnDatabase("info")
        #expect(run.output.contains("\nuser version                  7\n"))
        #expect(
            run.output.hasSuffix("\n\ntable   rows\n------  ----\nalbum      3\nartist     2\n"))
    }

    @Test(.proves("THK-11"))
    func `tables of the reserved prefix are left out`() throws {
        try fixture.shell.run("CREATE TABLE strongroom_origin (x); CREATE TABLE strongroomy (x)")
        let info = try fixture.runOnDatabase("info", "--json").json as? [String: Any]
        let tables = info?["tables"] as? [[String: Any]]
        #expect(tables?.map { $0["name"] as? String } == ["album", "artist", "strongroomy"])
    }

    @Test func `odd names are counted too, and full-text tables named`() throws {
        try fixture.shell.run(
            """
            CREATE TABLE "a""b c" (x); INSERT INTO "a""b c" VALUES (1);
            CREATE VIRTUAL TABLE search USING fts5(t); INSERT INTO search VALUES ('x'), ('y');
            """)
        let info = try fixture.runOnDatabase("info", "--json").json as? [String: Any]
        let tables = info?["tables"] as? [[String: Any]]
        #expect(
            tables?.compactMap { $0["name"] as? String } == ["a\"b c", "album", "artist", "search"])
        #expect(tables?.compactMap { $0["rowCount"] as? Int } == [1, 3, 2])
    }
}
