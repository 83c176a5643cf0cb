import Foundation
import Strongroom
import StrongroomTestSupport
import Synchronization
import Testing

/// The libraries below free what they encrypt with when a process calls `exit`, while other threads
/// still write. Here that happens for real, at another moment in every round.
@Suite("A process that ends while it works") struct ProcessEndTests {
    private let fixture: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase()
    }

    private static func writer(_ path: String, _ journalMode: String) throws -> any DatabaseWriter {
        let configuration = FixtureDatabase.configuration()
        let writer: any DatabaseWriter =
            journalMode == "WAL"
            ? try DatabasePool(path: path, configuration: configuration)
            : try DatabaseQueue(path: path, configuration: configuration)
        try writer.write { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS t (a)") }
        return writer
    }

    private static func insert(_ db: Database) throws {
        try db.execute(sql: "INSERT INTO t VALUES (zeroblob(9000))")
    }

    /// Ends the process as soon as the threads that were started have come so far.
    private static func end(after count: Int, threads: Int, _ work: @escaping @Sendable () -> Bool)
    {
        let done = DispatchSemaphore(value: 0)
        for _ in 0..<threads {
            Thread.detachNewThread { while work() { done.signal() } }
        }
        for _ in 0..<count { done.wait() }
        exit(EXIT_SUCCESS)
    }

    @Test(
        "What another thread was writing at exit is whole in the file", .proves("ENG-04"),
        arguments: ["WAL", "DELETE"])
    func writing(journalMode: String) async throws {
        for round in 0..<8 {
            let path = fixture.path + "-\(round)"
            await Self.write(path, journalMode, round: round)
            let shell = SQLCipherShell(path: path, key: .passphrase(fixture.key))
            #expect(try shell.run("PRAGMA cipher_integrity_check;") == "")
            #expect(try shell.cell("PRAGMA integrity_check") == "ok")
            #expect(try shell.cell("SELECT count(*) > 20 FROM t") == 1)
        }
    }

    private static func write(_ path: String, _ journalMode: String, round: Int) async {
        await #expect(processExitsWith: .success) { [path, journalMode, round] in
            let writer = try ProcessEndTests.writer(path, journalMode)
            ProcessEndTests.end(after: 21 + round, threads: 1) {
                (try? writer.write(ProcessEndTests.insert)) != nil
            }
        }
    }

    @Test(
        "Connections that other threads open, read and close at exit do no harm", .proves("ENG-04"))
    func readingAndClosing() async throws {
        try Self.writer(fixture.path, "WAL").close()
        for round in 0..<8 { await Self.openAndClose(fixture.path, round: round) }
    }

    private static func openAndClose(_ path: String, round: Int) async {
        await #expect(processExitsWith: .success) { [path, round] in
            ProcessEndTests.end(after: 7 + round, threads: 3) {
                (try? ProcessEndTests.writer(path, "WAL")) != nil
            }
        }
    }

    /// What the function given to `atexit` writes with.
    private static let last = Mutex<(any DatabaseWriter)?>(nil)

    @Test(
        "The thread that ends the process may be writing, and may use a database as it ends",
        .proves("ENG-04"))
    func endingThread() async throws {
        await Self.writeAtExit(fixture.path)
        await Self.exitInWrite(fixture.path)
        let shell = fixture.shell()
        #expect(try shell.cell("SELECT count(*) FROM t") == 1)
        #expect(try shell.cell("PRAGMA integrity_check") == "ok")
    }

    private static func writeAtExit(_ path: String) async {
        await #expect(processExitsWith: .success) { [path] in
            let writer = try ProcessEndTests.writer(path, "WAL")
            ProcessEndTests.last.withLock { $0 = writer }
            atexit {
                do {
                    try ProcessEndTests.last.withLock { try $0?.write(ProcessEndTests.insert) }
                } catch {
                    _exit(EXIT_FAILURE)
                }
            }
        }
    }

    private static func exitInWrite(_ path: String) async {
        await #expect(processExitsWith: .success) { [path] in
            try ProcessEndTests.writer(path, "WAL").write { db in
                try ProcessEndTests.insert(db)
                exit(EXIT_SUCCESS)
            }
        }
    }
}
