import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct CheckCommandTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
    }

    @Test func `a sound database passes every check`() throws {
        let run = try fixture.runOnDatabase("check")
        #expect(run.exitCode == .done)
        #expect(
            fixture.anonymous(run.output) == """
                cipher integrity    ok
                file size           ok
                structure           ok
                foreign keys        ok
                shop.db is sound: 4 pages of 4096 bytes

                """)
        #expect(run.errors.isEmpty)
    }

    @Test func `a quick check leaves out the slow part`() throws {
        let run = try fixture.runOnDatabase("check", "--quick", "--json")
        let result = try #require(run.json as? [String: Any])
        #expect(result["isSound"] as? Bool == true)
        #expect((result["checks"] as? [String])?.contains("quickStructure") == true)
        #expect((result["checks"] as? [String])?.contains("structure") == false)
    }

    @Test func `a damaged page is named`() throws {
        try fixture.damage(page: 3)
        let run = try fixture.runOnDatabase("check", "--json")
        #expect(run.exitCode == .damaged)
        let result = try #require(run.json as? [String: Any])
        #expect(result["isSound"] as? Bool == false)
        #expect(result["isDamaged"] as? Bool == true)
        let problems = try #require(result["problems"] as? [[String: Any]])
        #expect(problems.contains { $0["kind"] as? String == "cipher" && $0["page"] as? Int == 3 })
        let text = try fixture.runOnDatabase("check")
        #expect(text.output.contains("cipher integrity    1 problem\n"))
        #expect(text.errors.contains("is damaged"))
    }

    /// As a process leaves it that is killed between a change of key and the next checkpoint.
    @Test func `the key of before is told from a wrong one`() throws {
        let left = fixture.path("left.db")
        try fixture.shell.run(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA rekey = "\(CommandLineFixture.otherKey)";
            .system cp '\(fixture.database)' '\(left)'
            .system cp '\(fixture.database)-wal' '\(left)-wal'
            """)
        let run = try fixture.run("check", left, "--key-file", fixture.keyFile)
        #expect(run.exitCode == .wrongKey)
        #expect(
            run.errors.contains(
                "the key was changed: give the new one, and leave the log where it is"))
        let key = try fixture.directory.write(CommandLineFixture.otherKey, to: "new.key")
        #expect(try fixture.run("check", left, "--key-file", key).exitCode == .done)
        let wrong = try fixture.run("check", fixture.database, "--key-file", fixture.keyFile)
        #expect(wrong.exitCode == .wrongKey)
        #expect(wrong.errors.contains("check which key was given"))
    }

    @Test func `rows that break a foreign key are a failure, but no damage`() throws {
        try fixture.shell.run("INSERT INTO album VALUES (9, 99, 'lost', 1, NULL);")
        let run = try fixture.runOnDatabase("check", "--json")
        #expect(run.exitCode == .failed)
        let result = try #require(run.json as? [String: Any])
        #expect(result["isDamaged"] as? Bool == false)
        let problems = try #require(result["problems"] as? [[String: Any]])
        #expect(problems.map { $0["kind"] as? String } == ["foreignKey"])
    }

    @Test func `rows that break a constraint are told, and are no damage`() throws {
        try fixture.shell.run(
            """
            .dbconfig defensive off
            CREATE TABLE strict(a);
            INSERT INTO strict VALUES (NULL);
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = 'CREATE TABLE strict(a NOT NULL)' WHERE name = 'strict';
            """)
        let run = try fixture.runOnDatabase("check")
        #expect(run.exitCode == .failed)
        #expect(run.output.contains("structure           1 problem\n"))
        #expect(run.errors.contains("break a constraint or a foreign key"))
    }

    @Test func `a file cut at a page is damaged`() throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: fixture.database))
        try file.truncate(atOffset: 3 * 4096)
        try file.close()
        #expect(try fixture.runOnDatabase("check").exitCode == .damaged)
    }
}
