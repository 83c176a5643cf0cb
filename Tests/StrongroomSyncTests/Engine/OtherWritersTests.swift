import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Three devices of a space, each of which another program writes.
@Suite struct OtherWritersTests {
    private static let python = """
        import sqlite3, sys
        db = sqlite3.connect(sys.argv[1], timeout=10, isolation_level=None)
        db.execute("PRAGMA foreign_keys = ON")
        db.executescript(sys.stdin.read())
        """

    /// What one program does in its turn: new rows, and changes of rows that others have made.
    private static func sql(_ turn: Int) -> String {
        """
        INSERT INTO list VALUES ('l\(turn)', 'list \(turn)', 0);
        INSERT INTO item VALUES ('i\(turn)', 'l\(turn)', 'item \(turn)', \(turn).5, x'0\(turn % 10)ff');
        INSERT OR REPLACE INTO tag VALUES ('t\(turn)', 'tag \(turn % 4)', 'i\(turn)');
        UPDATE list SET stars = stars + 1, title = title || ' \(turn)';
        UPDATE item SET list = 'l\(turn)' WHERE id IN (SELECT id FROM item ORDER BY id LIMIT 2);
        DELETE FROM list WHERE id = 'l\(turn - 5)';
        """
    }

    @Test(
        .proves("SYN-256"),
        .enabled(if: OtherProgramsTests.hasPython, "python3 with SQLite 3.37 is not here"))
    func `an app, the sqlcipher shell and Python write by turns`() async throws {
        let hub = MemoryHub()
        let (app, shell) = (try EngineFixture(), try EngineFixture())
        let directory = try TemporaryDirectory()
        let path = directory.path(of: "plain.db")
        let plain = try DatabaseQueue(path: path)
        try await plain.write { try $0.execute(sql: EngineFixture.sql) }
        let first = try await app.engine(hub)
        let second = try await shell.join(first.inviteDevice().ticket, hub)
        let third = try await SyncEngine.join(
            first.inviteDevice().ticket, for: plain, transport: hub, tables: EngineFixture.tables)
        for turn in 1...12 {
            switch turn % 3 {
            case 0: try app.write(Self.sql(turn))
            case 1:
                _ = try shell.database.shell().run("PRAGMA foreign_keys = ON;" + Self.sql(turn))
            default:
                let result = try Subprocess.run(
                    "python3", ["-c", Self.python, path], input: Data(Self.sql(turn).utf8))
                #expect(result.isSuccess, "\(result.errorText)")
            }
            // Some turns are not exchanged before the next: the devices then write without knowing of each other.
            guard turn % 4 != 1 else { continue }
            try await hub.settle()
            #expect(try app.rows() == shell.rows())
            #expect(try app.rows() == rows(of: plain))
        }
        try await hub.settle()
        #expect(try app.rows() == rows(of: plain))
        #expect(try app.values("SELECT count(*) > 4 AND sum(stars) > 4 FROM list") == ["1"])
        for engine in [first, second, third] { #expect(try await engine.differences() == []) }
        try app.check()
        try shell.check()
    }

    private func rows(of queue: DatabaseQueue) throws -> [String] {
        try queue.read { db in
            try EngineFixture.tables.flatMap { table in
                try Row.fetchAll(db, sql: "SELECT * FROM \(table.name) ORDER BY 1").map {
                    "\(table.name) \($0)"
                }
            }
        }
    }
}
