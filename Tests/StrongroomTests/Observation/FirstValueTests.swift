import Dispatch
import Strongroom
import StrongroomTestSupport
import Testing

/// What happens between the first fetch of an observation of a pool and the moment from which the
/// writer tells it of commits.
@Suite(.timeLimit(.minutes(30))) struct FirstValueTests {
    /// An observation whose first fetch waits.
    struct HeldObservation {
        let database: ObservedDatabase
        let values = Values<Int>()
        let fetchCount = Locked(0)
        private let isFetching = DispatchSemaphore(value: 0)
        private let mayGoOn = DispatchSemaphore(value: 0)
        private let cancellable: AnyDatabaseCancellable

        init(_ database: ObservedDatabase) {
            self.database = database
            cancellable = ValueObservation.trackingConstantRegion {
                [fetchCount, isFetching, mayGoOn] db in
                let count = try ObservedDatabase.count(db)
                let isFirst = fetchCount.withLock { count in
                    count += 1
                    return count == 1
                }
                if isFirst {
                    isFetching.signal()
                    mayGoOn.wait()
                }
                return count
            }.start(in: database, values)
        }

        /// Does something while the first value is being fetched.
        func whileFetching(_ action: () throws -> Void) rethrows {
            isFetching.wait()
            defer { mayGoOn.signal() }
            try action()
        }

        /// Waits until the values are those, and an additional one once a player was added.
        func expect(_ expected: [Int], location: SourceLocation = #_sourceLocation) throws {
            values.wait(until: { $0 == expected }, location)
            try database.writer.settle()
            try database.addPlayer()
            let last = (expected.last ?? 0) + 1
            values.wait(until: { $0.last == last }, location)
            #expect(values.all == expected + [last], sourceLocation: location)
        }
    }

    @Test(.proves("OBS-024"))
    func `A commit that leaves the region alone gives no second first value`() throws {
        let database = try ObservedDatabase(.pool)
        let observation = HeldObservation(database)
        try observation.whileFetching {
            try database.run("INSERT INTO team(name) VALUES ('a'); DELETE FROM team")
            try database.run("UPDATE team SET name = 'b'")
        }
        try observation.expect([0])
        #expect(observation.fetchCount.withLock { $0 } == 2)
    }

    @Test(
        .proves("OBS-024"),
        arguments: [
            "INSERT INTO player(name) VALUES ('a')",
            "INSERT INTO team(name) VALUES ('a'); INSERT INTO player(name) VALUES ('a')",
            "SAVEPOINT s; INSERT INTO player(name) VALUES ('a'); RELEASE s",
            """
            CREATE TRIGGER t AFTER INSERT ON team BEGIN INSERT INTO player(name) VALUES ('a'); END;
            INSERT INTO team(name) VALUES ('a')
            """,
        ])
    func `A commit that touches the region is seen, whenever it comes`(sql: String) throws {
        let database = try ObservedDatabase(.pool)
        let observation = HeldObservation(database)
        try observation.whileFetching { try database.run(sql) }
        try observation.expect([0, 1])
    }

    @Test(.proves("OBS-024"))
    func `A transaction that began before the observation is seen`() throws {
        let database = try ObservedDatabase(.pool)
        let hasBegun = DispatchSemaphore(value: 0)
        let mayCommit = DispatchSemaphore(value: 0)
        let hasCommitted = DispatchSemaphore(value: 0)
        database.writer.asyncWriteWithoutTransaction { db in
            try? db.inTransaction {
                try db.execute(sql: "INSERT INTO player(name) VALUES ('a')")
                hasBegun.signal()
                mayCommit.wait()
                return .commit
            }
            hasCommitted.signal()
        }
        hasBegun.wait()
        let observation = HeldObservation(database)
        observation.whileFetching {
            mayCommit.signal()
            hasCommitted.wait()
        }
        try observation.expect([0, 1])
    }

    @Test(.proves("OBS-024"))
    func `A change that somebody tells of is seen`() throws {
        let database = try ObservedDatabase(.pool)
        let observation = HeldObservation(database)
        try observation.whileFetching {
            try database.writer.write { try $0.notifyChanges(in: Table("player")) }
        }
        // The value is the same, and is fetched once more.
        try observation.expect([0, 0])
    }
}
