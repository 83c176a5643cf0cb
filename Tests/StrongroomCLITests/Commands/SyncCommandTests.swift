import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Two files of one person, and a folder that both reach.
private struct SyncFixture {
    let fixture: CommandLineFixture
    let hub: String
    let first: String
    let second: String

    static let schema = """
        CREATE TABLE artist (id TEXT PRIMARY KEY NOT NULL, name TEXT);
        CREATE TABLE album (
            id TEXT PRIMARY KEY NOT NULL, artist TEXT NOT NULL REFERENCES artist ON DELETE CASCADE,
            title TEXT, price REAL);
        CREATE INDEX album_artist ON album (artist);
        INSERT INTO artist VALUES ('a1', 'Anna'), ('a2', '坂本');
        INSERT INTO album VALUES ('b1', 'a1', 'One', 9.5), ('b2', 'a2', NULL, 12);
        """

    init(_ schema: String = Self.schema) throws {
        fixture = try CommandLineFixture()
        hub = fixture.path("my hub")
        try FileManager.default.createDirectory(
            atPath: hub, withIntermediateDirectories: false)
        first = fixture.path("a.db")
        second = fixture.path("b.db")
        try shell(first).create(schema)
    }

    func shell(_ path: String) -> SQLCipherShell {
        SQLCipherShell(path: path, key: .content(CommandLineFixture.key))
    }

    func sync(_ words: String...) throws -> CommandRun {
        try CommandRun(["sync"] + words + ["--key-file", fixture.keyFile])
    }

    func query(_ path: String, _ sql: String, _ more: String...) throws -> String {
        let run = try CommandRun(
            ["query", path, sql, "--format", "list", "--key-file", fixture.keyFile] + more)
        #expect(run.exitCode == .done, "\(run.errors)")
        return run.output
    }

    /// A space that both are in.
    func begin() throws {
        let made = try sync("init", first, "--hub", hub, "--all")
        try #require(made.exitCode == .done, "\(made.errors)")
        let invited = try sync("invite", first, "--device")
        try #require(invited.exitCode == .done, "\(invited.errors)")
        let ticket = invited.output.trimmingCharacters(in: .newlines)
        try #require(ticket.hasPrefix("srs1"))
        let joined = try sync("join", ticket, second)
        try #require(joined.exitCode == .done, "\(joined.errors)")
        // Both show the same twelve digits.
        let digits = invited.errors.split(separator: ": ").last
        #expect(digits != nil && joined.errors.split(separator: ": ").last == digits)
    }
}

@Suite struct SyncCommandTests {
    @Test(.proves("SYN-271"))
    func `two commands give a synced database`() throws {
        let files = try SyncFixture()
        try files.begin()
        let all = "SELECT * FROM album ORDER BY id"
        #expect(try files.query(files.second, all) == files.query(files.first, all))

        // One edit by the tool, one by a program that knows nothing of this library.
        _ = try files.query(
            files.second, "UPDATE album SET title = 'Two' WHERE id = 'b2'", "--write")
        try files.shell(files.first).run("INSERT INTO album VALUES ('b3', 'a1', 'Three', 1)")
        for (path, words) in [
            (files.first, "1 change sent, 0 merged"), (files.second, "1 change sent, 1 merged"),
            (files.first, "0 changes sent, 1 merged"),
        ] {
            let once = try files.sync("once", path)
            #expect(once.exitCode == .done, "\(once.errors)")
            #expect(once.output.contains(words), "\(once.output)")
        }
        let rows = try files.query(files.first, all)
        #expect(try files.query(files.second, all) == rows)
        #expect(rows.contains("Two") && rows.contains("Three"))

        let verified = try files.sync("verify", files.first, "--hub")
        #expect(verified.exitCode == .done, "\(verified.errors)")
        #expect(verified.output.hasPrefix("verified ") && verified.output.contains("in the hub"))
        #expect(try files.sync("verify", files.second, "--local").exitCode == .done)
        #expect(try files.sync("held", files.first).output == "no rows are held\n")
        let status = try files.sync("status", files.first, "--json").json as? [String: Any]
        #expect(status?["rowCount"] as? Int == 5 && status?["unsentBatches"] as? Int == 0)
    }

    @Test(.proves("SYN-270"))
    func `a batch that was changed in the hub is found, with status 22`() throws {
        let files = try SyncFixture()
        try files.begin()
        _ = try files.query(files.first, "DELETE FROM album WHERE id = 'b1'", "--write")
        #expect(try files.sync("once", files.first).exitCode == .done)
        let names = try FileManager.default.subpathsOfDirectory(atPath: files.hub)
        let last = try #require(
            names.filter { $0.contains("/log/") && $0.hasSuffix("0002") }.first)
        let path = files.hub + "/" + last
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(filePath: path))
        let once = try files.sync("once", files.second)
        #expect(once.exitCode == .syncFinding && once.errors.contains("its signature is wrong"))
        #expect(try files.query(files.second, "SELECT count(*) FROM album") == "2\n")
        #expect(try files.sync("verify", files.first, "--hub").exitCode == .syncFinding)
    }

    @Test(.proves("SYN-270"))
    func `a ticket that was used does not bring another device in, with status 23`() throws {
        let files = try SyncFixture()
        try files.begin()
        let ticket = try files.sync("invite", files.first, "--device").output
            .trimmingCharacters(in: .newlines)
        #expect(try files.sync("join", ticket, files.fixture.path("c.db")).exitCode == .done)
        let again = try files.sync("join", ticket, files.fixture.path("d.db"))
        #expect(again.exitCode == .notMember && again.errors.contains("was used already"))
        let other = try files.sync("join", ticket + "q", files.fixture.path("e.db"))
        #expect(other.exitCode == .failed && other.errors.contains("no ticket"))
    }

    @Test(.proves("SYN-088"))
    func `what a device may still need is not deleted`() throws {
        let files = try SyncFixture()
        try files.begin()
        func count() throws -> Int {
            try FileManager.default.subpathsOfDirectory(atPath: files.hub).count
        }
        _ = try files.query(files.first, "DELETE FROM album WHERE id = 'b1'", "--write")
        let before = try count()
        let run = try files.sync("compact", files.first)
        #expect(run.exitCode == .done && run.output == "the hub has nothing that can be deleted\n")
        // It has exchanged before.
        #expect(try count() > before)
        #expect(try files.sync("once", files.second).exitCode == .done)
        #expect(try files.query(files.second, "SELECT count(*) FROM album") == "1\n")
        let json = try files.sync("compact", files.first, "--json").json as? [String: Any]
        #expect(json?["deletedObjects"] as? Int == 0)
    }

    @Test(.proves("SYN-034"))
    func `a detached file has its rows, and nothing of synchronisation`() throws {
        let files = try SyncFixture()
        try files.begin()
        let schema = "SELECT name FROM sqlite_master WHERE name LIKE '%strongroom%'"
        #expect(try !files.query(files.first, schema).isEmpty)
        #expect(try files.sync("detach", files.first).exitCode == .usage)
        #expect(try files.sync("detach", files.first, "--yes").exitCode == .done)
        #expect(try files.query(files.first, schema) == "")
        #expect(try files.query(files.first, "SELECT count(*) FROM album") == "2\n")
        let once = try files.sync("once", files.first)
        #expect(once.exitCode == .failed && once.errors.contains("belongs to no space"))
    }

    @Test func `what cannot be shared is named, and nothing is changed`() throws {
        let files = try SyncFixture(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE TABLE u (a)")
        let run = try files.sync("init", files.first, "--hub", files.hub, "--all")
        #expect(run.exitCode == .failed)
        #expect(run.errors.contains("t.id") && run.errors.contains("it has no primary key"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.hub).isEmpty)
        #expect(try files.query(files.first, "SELECT name FROM sqlite_master") == "t\nu\n")
        #expect(try files.sync("init", files.first, "--hub", files.hub).exitCode == .usage)
        #expect(
            try files.sync("init", files.first, "--hub", "/nowhere", "--all").exitCode == .notFound)
    }
}
