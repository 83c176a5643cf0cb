import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct ValueObservationTests {
    struct Player: Codable, FetchableRecord, PersistableRecord, Identifiable, Equatable, Sendable {
        static let databaseTableName = "player"
        enum Columns {
            static let id = Column("id")
            static let name = Column("name")
            static let score = Column("score")
            static let rowid = Column.rowID
        }
        var id: Int
        var name: String
        var score: Int
    }

    @Test(.proves("OBS-001", "OBS-005", "OBS-011"), arguments: WriterKind.allCases)
    func `The value comes first as it is, then after each change`(kind: WriterKind) throws {
        let database = try ObservedDatabase(kind)
        let values = Values<Int>()
        let observation = ValueObservation.tracking(ObservedDatabase.count)
        let cancellable = observation.start(in: database, values)
        values.wait(for: 0)
        try database.addPlayer()
        values.wait(for: 1)
        #expect(throws: ObservedFailure.self) {
            try database.writer.write { db in
                try db.execute(sql: "DELETE FROM player")
                throw ObservedFailure()
            }
        }
        try database.writer.write { db in
            try db.inSavepoint {
                try db.execute(sql: "DELETE FROM player")
                return .rollback
            }
        }
        try database.run("INSERT INTO team(name) VALUES ('a')")
        try database.addPlayer()
        values.wait(for: 2)
        cancellable.cancel()
        #expect(values.all == [0, 1, 2], "neither what is rolled back, nor another table")
    }

    @Test(.proves("OBS-001"), arguments: WriterKind.allCases)
    func `What a value is read from may be another each time`(kind: WriterKind) throws {
        let database = try ObservedDatabase(kind)
        try database.run("INSERT INTO player VALUES (1, 'a', 0)")
        let values = Values<String>()
        let observation = ValueObservation.tracking { db in
            let score = try Int.fetchOne(db, sql: "SELECT score FROM player WHERE id = 1")
            guard score != 0 else { return "zero" }
            return try String.fetchOne(db, sql: "SELECT name FROM team") ?? "none"
        }
        let cancellable = observation.start(in: database, values)
        values.wait(for: "zero")
        try database.run("INSERT INTO team(name) VALUES ('red')")
        try database.run("UPDATE player SET score = 1")
        values.wait(for: "red")
        try database.run("UPDATE team SET name = 'blue'")
        values.wait(for: "blue")
        cancellable.cancel()
        #expect(values.all == ["zero", "red", "blue"])
    }

    @Test(.proves("OBS-002"), arguments: WriterKind.allCases)
    func `A constant region misses changes of what only later fetches read`(
        kind: WriterKind
    ) throws {
        let database = try ObservedDatabase(kind)
        let values = Values<Int>()
        let observation = ValueObservation.trackingConstantRegion { db in
            let count = try ObservedDatabase.count(db)
            return count == 0 ? 0 : try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM team") ?? -1
        }
        let cancellable = observation.start(in: database, values)
        values.wait(for: 0)
        try database.run("INSERT INTO team(name) VALUES ('red')")
        try database.addPlayer()
        values.wait(for: 1)
        try database.run("INSERT INTO team(name) VALUES ('blue')")
        try database.writer.settle()
        #expect(values.all.last == 1)
        try database.addPlayer()
        values.wait(for: 2)
        cancellable.cancel()
    }

    @Test(.proves("OBS-003"), arguments: WriterKind.allCases)
    func `The region can be given`(kind: WriterKind) throws {
        let database = try ObservedDatabase(kind)
        let values = Values<Int>()
        let others = Values<Int>()
        let first = ValueObservation.tracking(
            region: Table("team"), Player.filter(id: 2), fetch: ObservedDatabase.count)
        let second = ValueObservation.tracking(
            regions: [Table("team"), Player.filter(id: 2)], fetch: ObservedDatabase.count)
        let cancellables = [first.start(in: database, values), second.start(in: database, others)]
        values.wait(for: 0)
        others.wait(for: 0)
        try database.run("INSERT INTO player VALUES (1, 'a', 0)")
        try database.run("INSERT INTO player VALUES (2, 'b', 0)")
        values.wait(for: 2)
        others.wait(for: 2)
        try database.run("INSERT INTO player VALUES (3, 'c', 0)")
        try database.run("INSERT INTO team VALUES (1, 'a')")
        values.wait(for: 3)
        others.wait(for: 3)
        #expect(values.all == [0, 2, 3] && others.all == [0, 2, 3])
        cancellables.forEach { $0.cancel() }
    }

    @Test(.proves("OBS-004"), arguments: WriterKind.allCases)
    func `Several requests see one state`(kind: WriterKind) throws {
        let database = try ObservedDatabase(kind)
        let values = Values<[Int]>()
        let observation = ValueObservation.tracking { db in
            [
                try Player.fetchCount(db), try Table("team").fetchCount(db),
                try Int.fetchOne(db, sql: "SELECT TOTAL(score) FROM player") ?? -1,
            ]
        }
        let cancellable = observation.start(in: database, values)
        values.wait(for: [0, 0, 0])
        for number in 1...20 {
            try database.run(
                """
                INSERT INTO player VALUES (\(number), 'a', 1); INSERT INTO team(name) VALUES ('b')
                """)
        }
        values.wait(for: [20, 20, 20])
        cancellable.cancel()
        #expect(values.all.allSatisfy { Set($0).count == 1 })
    }

    @Test(.proves("OBS-012"), arguments: WriterKind.allCases)
    func `An error ends the observation`(kind: WriterKind) throws {
        let database = try ObservedDatabase(kind)
        let values = Values<Int>()
        let observation = ValueObservation.tracking { db in
            let count = try ObservedDatabase.count(db)
            if count == 1 { throw ObservedFailure() }
            return count
        }
        let cancellable = observation.start(in: database, values)
        values.wait(for: 0)
        try database.addPlayer()
        values.waitForError()
        #expect(values.error is ObservedFailure)
        try database.addPlayer()
        try database.writer.settle()
        database.queue.sync {}
        #expect(values.all == [0])
        cancellable.cancel()

        let failing = Values<Int>()
        let first = ValueObservation.tracking { db in
            try Int.fetchOne(db, sql: "SELECT * FROM nothing") ?? 0
        }.start(in: database, failing)
        failing.waitForError()
        #expect(failing.all == [])
        first.cancel()
    }

    @Test(.proves("OBS-013", "OBS-014"), arguments: WriterKind.allCases)
    func `It ends when it is cancelled, or nobody holds it, and lets its database go`(
        kind: WriterKind
    ) throws {
        weak var observed: (any DatabaseWriter)?
        let values = Values<Int>()
        var cancellable: AnyDatabaseCancellable?
        let fixture: FixtureDatabase
        do {
            let database = try ObservedDatabase(kind)
            fixture = database.fixture
            observed = database.writer
            let observation = ValueObservation.tracking(ObservedDatabase.count)
            cancellable = AnyDatabaseCancellable(observation.start(in: database, values))
            values.wait(for: 0)
        }
        do {
            let writer = try #require(observed)
            try writer.write { try $0.execute(sql: "INSERT INTO player(name) VALUES ('a')") }
            values.wait(for: 1)
            cancellable = nil
            #expect(cancellable == nil)
            try writer.write { try $0.execute(sql: "INSERT INTO player(name) VALUES ('b')") }
            try writer.settle()
        }
        #expect(values.all == [0, 1])
        // What still runs on the queues of the database lets go of it soon.
        let deadline = ContinuousClock.now + .seconds(60)
        while observed != nil, .now < deadline { sched_yield() }
        #expect(observed == nil)
        let other = try fixture.open(kind)
        #expect(try other.read(ObservedDatabase.count) == 2)

        let count = Locked(0)
        let counting = AnyDatabaseCancellable { count.withLock { $0 += 1 } }
        counting.cancel()
        counting.cancel()
        #expect(count.withLock { $0 } == 1)
    }

    @Test(.proves("OBS-017"), arguments: WriterKind.allCases)
    func `Values can be mapped, and repeated ones dropped`(kind: WriterKind) throws {
        let database = try ObservedDatabase(kind)
        let values = Values<String>()
        let observation = ValueObservation.tracking(ObservedDatabase.count)
            .map { $0 / 2 }.removeDuplicates()
            .map { "\($0)" }.removeDuplicates { $0 == $1 }
        let cancellable = observation.start(in: database, values)
        values.wait(for: "0")
        for _ in 1...4 { try database.addPlayer() }
        values.wait(for: "2")
        #expect(values.all == ["0", "1", "2"] || values.all == ["0", "2"])
        cancellable.cancel()

        let failing = Values<Int>()
        let failed = ValueObservation.tracking(ObservedDatabase.count).map { value in
            dispatchPrecondition(condition: .notOnQueue(.main))
            if value > 4 { throw ObservedFailure() }
            return value
        }.start(in: database, failing)
        failing.wait(for: 4)
        try database.addPlayer()
        failing.waitForError()
        failed.cancel()
    }

    @Test(.proves("OBS-019"), arguments: WriterKind.allCases)
    func `A fetch may write only where that is asked for`(kind: WriterKind) throws {
        let database = try ObservedDatabase(kind)
        let failing = Values<Int>()
        var observation = ValueObservation.tracking { db in
            let count = try ObservedDatabase.count(db)
            if count < 3 { try db.execute(sql: "INSERT INTO player(name) VALUES ('written')") }
            #expect(db.isInsideTransaction)
            return count
        }
        #expect(!observation.requiresWriteAccess)
        let failed = observation.start(in: database, failing)
        failing.waitForError()
        #expect((failing.error as? DatabaseError)?.resultCode == .SQLITE_READONLY)
        failed.cancel()
        observation.requiresWriteAccess = true
        let values = Values<Int>()
        let cancellable = observation.start(in: database, values)
        values.wait(for: 0)
        try database.run("DELETE FROM team; INSERT INTO player(name) VALUES ('a')")
        values.wait(for: 2)
        #expect(try database.writer.read(ObservedDatabase.count) == 3)
        cancellable.cancel()
    }

    @Test(.proves("OBS-020"))
    func `What never changes gives one value`() throws {
        let database = try ObservedDatabase(.pool)
        let pool = try #require(database.writer as? DatabasePool)
        var readers: [any DatabaseReader] = [try pool.makeSnapshot()]
        readers.append(try database.fixture.open { $0.readonly = true })
        readers.append(AnyDatabaseReader(try database.fixture.openPool { $0.readonly = true }))
        let observation = ValueObservation.tracking(ObservedDatabase.count)
        for reader in readers {
            let values = Values<Int>()
            let cancellable = observation.start(
                in: reader, scheduling: .async(onQueue: database.queue), onError: values.fail,
                onChange: values.add)
            values.wait(for: 0)
            try database.run("INSERT INTO player(name) VALUES ('a'); DELETE FROM player")
            database.queue.sync {}
            #expect(values.all == [0])
            cancellable.cancel()
        }
    }

    @Test(.proves("OBS-021"), arguments: WriterKind.allCases)
    func `A region can be added that is not read`(kind: WriterKind) throws {
        let database = try ObservedDatabase(kind)
        let values = Values<Int>()
        let count = Locked(0)
        let observation = ValueObservation.tracking { db in
            try db.registerAccess(to: Table("team"))
            return count.withLock { count in
                count += 1
                return count
            }
        }
        let cancellable = observation.start(in: database, values)
        values.wait(for: 1)
        try database.addPlayer()
        try database.run("INSERT INTO team(name) VALUES ('a')")
        values.wait(for: 2)
        cancellable.cancel()
        try database.writer.read { try $0.registerAccess(to: Table("team")) }
    }
}
