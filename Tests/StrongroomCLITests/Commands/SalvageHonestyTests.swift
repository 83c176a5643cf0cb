import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// `salvage` takes logs and journals into account, and tells what it leaves out.
@Suite struct SalvageHonestyTests {
    private let fixture: CommandLineFixture
    private let path: String
    private let out: String

    init() throws {
        fixture = try CommandLineFixture()
        path = fixture.path("app.db")
        out = fixture.path("out.db")
    }

    /// A database as a process leaves it that is killed, with what is beside it.
    private func create(_ sql: String, suffix: String) throws {
        let work = fixture.path("work.db")
        let shell = SQLCipherShell(path: work, key: .content(CommandLineFixture.key))
        try shell.create("CREATE TABLE t (id INTEGER PRIMARY KEY, a); \(Self.rows(60))")
        try shell.run(
            sql + "\n.system cp '\(work)' '\(path)' && cp '\(work)\(suffix)' '\(path)\(suffix)'\n")
    }

    private static func rows(_ count: Int) -> String {
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < \(count)) "
            + "INSERT INTO t(a) SELECT hex(randomblob(400)) FROM c;"
    }

    private func log() throws {
        let insert = Self.rows(1)
        try create(
            "PRAGMA journal_mode = WAL; \(insert) \(insert) \(insert)", suffix: "-wal")
    }

    private func journal() throws {
        try create(
            "PRAGMA cache_size = 4; BEGIN; UPDATE t SET a = 'half written'; \(Self.rows(60))",
            suffix: "-journal")
    }

    private func salvage(_ words: String...) throws -> CommandRun {
        try CommandRun(
            ["salvage", path, out, "--key-file", fixture.keyFile, "--force"] + words)
    }

    private func count(_ sql: String = "SELECT count(*) FROM t") throws -> SQLCipherShell.Cell {
        try SQLCipherShell(path: out, key: .content(CommandLineFixture.key)).cell(sql)
    }

    private func edit(_ suffix: String, _ change: (inout Data) -> Void) throws {
        let url = URL(fileURLWithPath: path + suffix)
        var content = try Data(contentsOf: url)
        change(&content)
        try content.write(to: url)
    }

    @Test("a whole log is saved with the file", .proves("OPR-08"))
    func wholeLog() throws {
        try log()
        let run = try salvage()
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(try count() == 63)
    }

    @Test("lost frames of the log are told", .proves("OPR-08"))
    func lostFrames() throws {
        try log()
        try edit("-wal") { $0[32 + 24 + 100] ^= 1 }
        let run = try salvage()
        #expect(run.exitCode == .damaged, "\(run.output)")
        #expect(run.output.contains("frame 1 of \(path)-wal is damaged"), "\(run.output)")
        let json = try salvage("--json")
        let object = try #require(json.json as? [String: Any])
        #expect(object["isComplete"] as? Bool == false)
        #expect((object["notes"] as? [String])?.isEmpty == false)
    }

    @Test("the log of another database, or none at all, is left out and told", .proves("OPR-08"))
    func foreignLog() throws {
        try log()
        try edit("-wal") { content in
            content = Data((0..<content.count).map { _ in UInt8.random(in: .min ... .max) })
        }
        let run = try salvage()
        #expect(run.exitCode == .damaged && run.output.contains("\(path)-wal is not a log"))
        #expect(try count() == 60)
    }

    @Test("a transaction that was interrupted is undone in the copy alone", .proves("OPR-08"))
    func hotJournal() throws {
        try journal()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let run = try salvage()
        #expect(run.exitCode == .done, "\(run.errors) \(run.output)")
        #expect(run.output.contains("a transaction that was interrupted is undone"))
        #expect(try count() == 60)
        #expect(try count("SELECT count(*) FROM t WHERE a = 'half written'") == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(FileManager.default.fileExists(atPath: path + "-journal"))
    }

    @Test("the journal of another database harms no page that is whole", .proves("OPR-08"))
    func foreignJournal() throws {
        try journal()
        let foreign = try Data(contentsOf: URL(fileURLWithPath: path + "-journal"))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.removeItem(atPath: fixture.path("work.db"))
        let shell = SQLCipherShell(path: path, key: .content(CommandLineFixture.key))
        try shell.create("CREATE TABLE t (id INTEGER PRIMARY KEY, a); \(Self.rows(50))")
        try foreign.write(to: URL(fileURLWithPath: path + "-journal"))
        let doctor = try CommandRun(["doctor", path, "--key-file", fixture.keyFile])
        #expect(doctor.exitCode == .foreignLog, "\(doctor.output)")
        #expect(doctor.output.contains("move the -journal file away"))
        let run = try salvage()
        #expect(run.exitCode == .damaged, "\(run.output)")
        #expect(
            run.output.contains("\(path)-journal does not belong to the database"), "\(run.output)")
        #expect(try count() == 50)
    }
}
