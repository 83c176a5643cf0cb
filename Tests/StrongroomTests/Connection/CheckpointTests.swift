import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct CheckpointTests {
    let fixture: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase()
    }

    private func code(_ body: () throws -> Void) -> ResultCode? {
        DatabaseError.thrown(by: body)?.resultCode
    }

    @Test(.proves("IRQ-007"))
    func `A checkpoint moves the log into the database, as far as its mode and others let it`()
        throws
    {
        let plain = try DatabaseQueue()
        let none = try plain.inDatabase { try $0.checkpoint() }
        #expect(none == (-1, -1))

        let pool = try fixture.openPool { $0.busyMode = .immediateError }
        try pool.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
        for (mode, value) in [
            (Database.CheckpointMode.passive, CInt(0)), (.full, 1), (.restart, 2), (.truncate, 3),
        ] {
            #expect(mode.rawValue == value)
            try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
            let frames = try pool.writeWithoutTransaction { try $0.checkpoint(mode) }
            #expect(frames.walFrameCount == frames.checkpointedFrameCount, "\(mode)")
            #expect((frames.walFrameCount == 0) == (mode == .truncate), "\(mode)")
        }
        try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (3)") }
        try pool.writeWithoutTransaction { db in
            #expect(code { try db.checkpoint(on: "unknown") } == .SQLITE_ERROR)
            _ = try db.checkpoint(on: nil)
        }
        #expect(
            code {
                try pool.write { db in
                    try db.execute(sql: "INSERT INTO t VALUES (4)")
                    try db.checkpoint()
                }
            } == .SQLITE_LOCKED)
        let snapshot = try pool.makeSnapshot()
        try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (5)") }
        #expect(code { _ = try pool.writeWithoutTransaction { try $0.checkpoint() } } == nil)
        for mode in [Database.CheckpointMode.full, .restart, .truncate] {
            let code = code { _ = try pool.writeWithoutTransaction { try $0.checkpoint(mode) } }
            #expect(code == .SQLITE_BUSY, "\(mode)")
        }
        try snapshot.close()
        #expect(
            code { _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) } } == nil)
    }
}
