import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// SQLite's WAL-reset defect (<https://www.sqlite.org/wal.html>), provoked in one thread: a commit
/// begins the log anew just after a checkpoint of another connection has read the log's header.
@Suite("A checkpoint beside commits of others")
struct CheckpointGuardTests {
    let fixture: FixtureDatabase
    private let hasDefect: Bool

    init() throws {
        fixture = try FixtureDatabase()
        let folder = try TemporaryDirectory()
        hasDefect = try LogResetProbe.findsDefect(inFolder: folder.path)
    }

    /// How the checkpoint comes to the database.
    enum Way: CaseIterable {
        case queue, pool, attached
    }

    /// Which of the two connections are guarded.
    enum Guarded: CaseIterable {
        case both, writer, checkpointer, neither
    }

    /// The path of a database file, with the guard or without it.
    private func name(_ path: String, isGuarded: Bool) -> String {
        isGuarded ? path : "file:\(path)?vfs=unix"
    }

    private var configuration: Configuration {
        FixtureDatabase.configuration {
            $0.journalMode = .wal
            $0.busyMode = .immediateError
        }
    }

    private func writer(isGuarded: Bool) throws -> DatabaseQueue {
        try DatabaseQueue(
            path: name(fixture.path, isGuarded: isGuarded), configuration: configuration)
    }

    private func checkpointer(_ way: Way, isGuarded: Bool) throws -> any DatabaseWriter {
        let own = way == .attached ? fixture.directory.path(of: "own.sqlite") : fixture.path
        let path = name(own, isGuarded: isGuarded)
        guard way != .pool else {
            return try DatabasePool(path: path, configuration: configuration)
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        guard way == .attached else { return queue }
        try queue.inDatabase { db in
            try db.attach(fixture.path, as: "other", passphrase: fixture.key)
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM other.sqlite_schema")
        }
        return queue
    }

    private static func insert(_ db: Database) throws {
        try db.execute(sql: "INSERT INTO t VALUES (NULL, randomblob(3000))")
    }

    /// - Returns: How many rows were committed, and how often a commit was in the middle.
    private func provoke(
        _ writer: DatabaseQueue, _ checkpointer: any DatabaseWriter, _ way: Way,
        _ mode: Database.CheckpointMode
    ) throws -> (rowCount: Int, pauseCount: Int) {
        for _ in 0..<40 { try writer.write(Self.insert) }
        _ = try writer.inDatabase { try $0.checkpoint(.passive) }
        var rowCount = 40
        // Where the checkpoint locks writers out, the commit is refused.
        let pause = CheckpointPause {
            if (try? writer.write(Self.insert)) != nil { rowCount += 1 }
        }
        let schema = way == .attached ? "other" : "main"
        try checkpointer.writeWithoutTransaction { db in
            let connection = try db.connection()
            try pause.during(connection, schema: schema) {
                _ = try db.checkpoint(mode, on: schema)
            }
        }
        for _ in 0..<5 { try writer.write(Self.insert) }
        for _ in 0..<2 {
            _ = try writer.inDatabase { try $0.checkpoint(.passive) }
            try writer.write(Self.insert)
        }
        return (rowCount + 7, pause.count)
    }

    /// Whether all rows are there, in a sound file.
    private func isWhole(_ rowCount: Int) -> Bool {
        let rows = try? fixture.shell().rows("PRAGMA integrity_check; SELECT count(*) FROM t")
        return rows == [["ok"], [.integer(Int64(rowCount))]]
    }

    /// How many frames the log has, by its index, and how many of them are noted as copied. Another
    /// program reads it: whoever closes the file gives up the locks that SQLite has in this process.
    /// <https://www.sqlite.org/walformat.html#the_wal_index_file_format>
    private func frameCounts() throws -> (all: Int, copied: Int) {
        let index = try Subprocess.run("od", ["-An", "-v", "-tu4", "-N100", fixture.path + "-shm"])
        let numbers = index.outputText.split { $0.isWhitespace }.compactMap { Int($0) }
        try #require(numbers.count == 25)
        return (numbers[4], numbers[24])
    }

    @Test(
        "loses nothing, whoever of the two is of this library", .proves("ENG-01"),
        arguments: Way.allCases, Guarded.allCases)
    func passive(way: Way, guarded: Guarded) throws {
        let writer = try writer(isGuarded: guarded == .both || guarded == .writer)
        try writer.write { try $0.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, a BLOB)") }
        let checkpointer = try checkpointer(
            way, isGuarded: guarded == .both || guarded == .checkpointer)
        let isExposed = hasDefect && guarded == .neither
        do {
            let (rowCount, pauseCount) = try provoke(writer, checkpointer, way, .passive)
            #expect(pauseCount == 1)
            #expect(rowCount == 48)
            let frames = try frameCounts()
            #expect((frames.copied > frames.all) == isExposed, "\(frames)")
            // Where it is so, no program reads the frames that follow, and none copies them.
            #expect(isExposed || isWhole(rowCount), "\(frames)")
        } catch let error as DatabaseError {
            // What is lost may be noticed at once.
            #expect(isExposed, "\(error)")
        }
    }

    @Test(
        "loses nothing in the modes that wait for writers", .proves("ENG-01"),
        arguments: [Database.CheckpointMode.full, .restart, .truncate])
    func waiting(mode: Database.CheckpointMode) throws {
        let writer = try writer(isGuarded: true)
        try writer.write { try $0.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, a BLOB)") }
        let checkpointer = try checkpointer(.queue, isGuarded: true)
        let (rowCount, pauseCount) = try provoke(writer, checkpointer, .queue, mode)
        #expect(pauseCount == 1)
        #expect(isWhole(rowCount))
    }

    @Test("is not refused because another one writes and nothing is left to do", .proves("ENG-01"))
    func idle() throws {
        let (writer, other) = (try writer(isGuarded: true), try writer(isGuarded: true))
        try writer.write { try $0.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, a BLOB)") }
        for _ in 0..<40 { try writer.write(Self.insert) }
        let first = try writer.inDatabase { try $0.checkpoint(.passive) }
        try writer.inDatabase { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            let second = try other.inDatabase { try $0.checkpoint(.passive) }
            #expect(first == second)
            #expect(first.walFrameCount == first.checkpointedFrameCount)
            // Nor is the log kept from beginning anew.
            try Self.insert(db)
            try db.execute(sql: "COMMIT")
        }
        let third = try other.inDatabase { try $0.checkpoint(.passive) }
        #expect(third.walFrameCount < 5)
        #expect(isWhole(41))
    }

    @Test("is followed by a log that begins anew, as long as nobody reads it", .proves("ENG-01"))
    func logStaysShort() throws {
        let writer = try writer(isGuarded: true)
        try writer.write { try $0.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, a BLOB)") }
        var longest = 0
        for _ in 0..<100 {
            try writer.write(Self.insert)
            let frames = try writer.inDatabase { try $0.checkpoint(.passive) }
            #expect(frames.walFrameCount == frames.checkpointedFrameCount)
            longest = max(longest, frames.walFrameCount)
        }
        #expect(longest < 10)
        #expect(isWhole(100))
    }

    @Test(
        "that has lost commits, between other programs, is noticed by a backup", .proves("ENG-01"))
    func damagedIndex() throws {
        let writer = try writer(isGuarded: false)
        try writer.write { try $0.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, a BLOB)") }
        let other = try checkpointer(.queue, isGuarded: false)
        for _ in 0..<40 { try writer.write(Self.insert) }
        _ = try writer.inDatabase { try $0.checkpoint(.passive) }
        let pause = CheckpointPause { try? writer.write(Self.insert) }
        try other.writeWithoutTransaction { db in
            let connection = try db.connection()
            try pause.during(connection) { _ = try db.checkpoint(.passive) }
        }
        let key = try Array(fixture.key.utf8).withUnsafeBytes { try CipherKey(parsing: $0) }
        let file = DatabaseFile(path: fixture.path, key: key)
        guard hasDefect else { return try CommittedPages(of: file).close() }
        let error = #expect(throws: DatabaseFileError.self) { try CommittedPages(of: file) }
        #expect(error?.code == .damaged)
    }

    @Test("leaves what others in the process open as it is", .proves("ENG-01"))
    func othersInTheProcess() throws {
        _ = try writer(isGuarded: true)
        let memory = try DatabaseQueue()
        #expect(try memory.read { try Int.fetchOne($0, sql: "SELECT 1") } == 1)
        let plain = try ConnectionHandle(
            path: fixture.directory.path(of: "plain.db"), flags: [.readWrite, .create],
            isGuarded: false)
        #expect(try plain.firstText("SELECT 1") == "1")
        #expect(ConnectionHandle.defaultFileSystem == "unix")
    }
}
