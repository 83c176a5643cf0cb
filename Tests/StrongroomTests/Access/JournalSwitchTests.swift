import Dispatch
import Strongroom
import StrongroomTestSupport
import Testing

/// A database begins to keep a log while another connection writes to it.
@Suite(.timeLimit(.minutes(30))) struct JournalSwitchTests {
    let fixture: FixtureDatabase
    let other: DatabaseQueue
    let release = DispatchSemaphore(value: 0)
    let released = DispatchSemaphore(value: 0)

    /// Has another connection hold the lock of a writer, until it is released.
    init() throws {
        fixture = try FixtureDatabase()
        other = try fixture.open { $0.busyMode = .timeout(60) }
        try other.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        let holding = DispatchSemaphore(value: 0)
        other.asyncWrite(
            { [release] db in
                try db.execute(sql: "INSERT INTO t VALUES (1)")
                holding.signal()
                release.wait()
            },
            completion: { [released] _, result in
                if case .failure(let error) = result { Issue.record(error) }
                released.signal()
            })
        holding.wait()
    }

    private func open(_ kind: WriterKind, _ busyMode: Database.BusyMode) throws
        -> any DatabaseWriter
    {
        try fixture.open(kind) { configuration in
            configuration.journalMode = .wal
            configuration.busyMode = busyMode
        }
    }

    private func expectLog(_ database: any DatabaseWriter) throws {
        released.wait()
        let mode = try database.read { db in
            #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 1)
            return try String.fetchOne(db, sql: "PRAGMA journal_mode")
        }
        #expect(mode == "wal")
    }

    @Test(.proves("CNF-023"), arguments: WriterKind.allCases)
    func `A function is asked whether to wait, and how often it was`(kind: WriterKind) throws {
        let tries = Locked<[Int]>([])
        let database = try open(
            kind,
            .callback { [release] number in
                tries.withLock { $0.append(number) }
                release.signal()
                return true
            })
        try expectLog(database)
        #expect(tries.withLock { $0.first } == 0)
    }

    @Test(.proves("CNF-023"), arguments: WriterKind.allCases)
    func `Without a wish to wait, or when the time is over, the database does not open`(
        kind: WriterKind
    ) throws {
        let modes: [Database.BusyMode] = [
            .immediateError, .timeout(0.01), .callback { $0 < 3 },
        ]
        for mode in modes {
            let error = #expect(throws: DatabaseError.self) { _ = try open(kind, mode) }
            #expect(error?.resultCode == .SQLITE_BUSY)
        }
        release.signal()
        try expectLog(try open(kind, .timeout(60)))
    }
}
