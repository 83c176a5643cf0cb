import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct RegionObservationTests {
    typealias Player = ValueObservationTests.Player

    /// The statements of which a region learns.
    func touches(
        _ region: any DatabaseRegionConvertible, _ statements: [String]
    ) throws -> [String] {
        let database = try ObservedDatabase(.queue)
        try database.run(
            """
            INSERT INTO player VALUES (1, 'a', 10), (2, 'b', 20), (3, 'c', 30);
            INSERT INTO team VALUES (1, 'red');
            CREATE VIEW best AS SELECT name FROM player WHERE score > 10;
            """)
        let touched = Collected()
        let current = Locked("")
        let cancellable = DatabaseRegionObservation(tracking: [region]).start(
            in: database.writer, onError: { touched.add("\($0)") }
        ) { _ in touched.add(current.withLock { $0 }) }
        for statement in statements {
            current.withLock { $0 = statement }
            try database.run(statement)
        }
        cancellable.cancel()
        return touched.texts
    }

    static let statements = [
        "UPDATE player SET score = 11 WHERE id = 1",
        "UPDATE player SET name = 'x' WHERE id = 2",
        "UPDATE player SET name = 'y' WHERE id = 3",
        "UPDATE player SET id = 4 WHERE id = 2",
        "DELETE FROM player WHERE id = 1",
        "INSERT INTO player VALUES (1, 'n', 1)",
        "DELETE FROM player WHERE id = 3",
        "INSERT INTO team VALUES (2, 'blue')",
    ]

    @Test(.proves("OBS-036"))
    func `Updates of columns that are not tracked do not touch a region`() throws {
        let names = try touches(Player.select(Column("name")), Self.statements)
        #expect(
            names
                == Self.statements.filter {
                    !$0.contains("score") && !$0.contains("SET id") && !$0.contains("team")
                })
        let scores = try touches(Player.select(Column("score")), Self.statements.prefix(3) + [])
        #expect(scores == [Self.statements[0]])
    }

    @Test(.proves("OBS-025"))
    func `Requests limited to rows are touched by changes of these only`() throws {
        let one = [0, 4, 5].map { Self.statements[$0] }
        // A row that gets another id may be any.
        let oneOrMoved = [0, 3, 4, 5].map { Self.statements[$0] }
        let requests: [any DatabaseRegionConvertible] = [
            Player.filter(id: 1), Player.filter(key: 1), Player.filter(key: "1"),
            Player.filter(key: ["id": 1]), Player.filter { $0.id == 1 },
            Player.filter { $0.rowid == 1 }.filter { $0.score > 0 },
            Player.filter { $0.id == 1 && $0.score > 0 },
            Player.filter { 1.0.databaseValue == $0.id },
            Table("player").filter(Column("id") == 1),
        ]
        for request in requests {
            #expect(try touches(request, Self.statements) == oneOrMoved)
        }
        let two: [any DatabaseRegionConvertible] = [
            Player.filter(ids: [1, 3]), Player.filter(keys: [1, 3]),
            Player.filter { [1, 3].contains($0.id) }, Player.filter { $0.id == 1 || $0.id == 3 },
        ]
        for request in two {
            #expect(
                try touches(request, Self.statements)
                    == Self.statements.filter { !$0.contains("team") && !$0.contains("'x'") })
        }
        let whole: [any DatabaseRegionConvertible] = [
            Player.filter(sql: "id = 1"), Player.filter { $0.id == 1 || $0.score > 0 },
            Player.filter { $0.id != 1 }, SQLRequest<Row>(sql: "SELECT * FROM player WHERE id = 1"),
            Player.filter { $0.id == 1 }.select(sql: "*, (SELECT COUNT(*) FROM player)"),
        ]
        for request in whole {
            #expect(try touches(request, Self.statements) == Self.statements.dropLast())
        }
        #expect(try touches(Player.filter(ids: []), Self.statements) == [])
        #expect(one.count == 3)
    }

    @Test(.proves("OBS-025"), arguments: WriterKind.allCases)
    func `A value read by a key is only read again for its row`(kind: WriterKind) throws {
        let database = try ObservedDatabase(kind)
        try database.run("INSERT INTO player VALUES (1, 'a', 10), (2, 'b', 20)")
        let fetches: [@Sendable (Database) throws -> Int?] = [
            { try Player.fetchOne($0, id: 1)?.score },
            { try Player.fetchOne($0, key: 1)?.score },
            { try Player.filter { $0.id == 1 }.fetchAll($0).first?.score },
            { try Player.find($0, id: 1).score },
        ]
        for fetch in fetches {
            try database.run("UPDATE player SET score = 10 WHERE id = 1")
            let values = Values<Int?>()
            let regions = Collected()
            let cancellable = ValueObservation.tracking(fetch)
                .handleEvents(willTrackRegion: { regions.add("\($0)") })
                .start(in: database, values)
            values.wait(for: 10)
            try database.writer.settle()
            try database.run("UPDATE player SET score = 21 WHERE id = 2")
            try database.run("UPDATE player SET score = 11 WHERE id = 1")
            values.wait(for: 11)
            #expect(values.all == [10, 11])
            #expect(regions.texts == ["player(id,name,score)[1]"])
            cancellable.cancel()
        }
    }

    @Test(.proves("OBS-033", "OBS-034", "OBS-057"))
    func `Regions can be joined, compared, asked and shown`() throws {
        let queue = try ObservedDatabase(.queue).writer
        try queue.read { db in
            func region(_ request: some DatabaseRegionConvertible) throws -> DatabaseRegion {
                try request.databaseRegion(db)
            }
            #expect("\(DatabaseRegion())" == "empty" && DatabaseRegion().isEmpty)
            #expect("\(DatabaseRegion.fullDatabase)" == "full database")
            #expect(try region(.fullDatabase).isFullDatabase)
            let players = try region(Table("player"))
            #expect("\(players)" == "player(id,name,score)")
            let names = try region(SQLRequest<Row>(sql: "SELECT id, name FROM player"))
            #expect("\(names)" == "player(id,name)")
            let counted = try region(SQLRequest<Row>(sql: "SELECT COUNT(*) FROM player"))
            #expect("\(counted)" == "player(*)")
            let teams = try region(SQLRequest<Row>(sql: "SELECT COUNT(*) FROM team"))
            #expect("\(counted.union(teams))" == "player(*),team(*)")
            let rows = try region(Player.filter(ids: [3, 1]).select(Column("id"), Column("name")))
            #expect("\(rows)" == "player(id,name)[1,3]")
            var union = rows
            union.formUnion(try region(Player.filter(id: 2).select(Column("name"))))
            #expect("\(union)" == "player(id,name)[1,2,3]")
            #expect(union != rows && rows.union(rows) == rows)
            #expect("\(rows.union(names))" == "player(id,name)")
            #expect(rows.union(.fullDatabase) == .fullDatabase)

            #expect(names.isModified(byEventsOfKind: .insert(tableName: "player")))
            #expect(names.isModified(byEventsOfKind: .delete(tableName: "PLAYER")))
            #expect(!names.isModified(byEventsOfKind: .delete(tableName: "team")))
            #expect(
                names.isModified(
                    byEventsOfKind: .update(tableName: "player", columnNames: ["score", "Name"])))
            #expect(
                !names.isModified(
                    byEventsOfKind: .update(tableName: "player", columnNames: ["score"])))
            #expect(!DatabaseRegion().isModified(byEventsOfKind: .insert(tableName: "player")))
            #expect(
                DatabaseRegion.fullDatabase.isModified(byEventsOfKind: .insert(tableName: "x")))

            let wrapped = AnyDatabaseRegionConvertible(Table("player"))
            #expect(try region(wrapped) == players)
            #expect(try region(AnyDatabaseRegionConvertible { _ in names }) == names)
        }
    }

    @Test(.proves("OBS-033"))
    func `A region knows the events that change it`() throws {
        final class Matcher: TransactionObserver {
            let region: DatabaseRegion
            var lines: [String] = []
            init(_ region: DatabaseRegion) { self.region = region }
            func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
                region.isModified(byEventsOfKind: eventKind)
            }
            func databaseDidChange(with event: DatabaseEvent) {
                if region.isModified(by: event) { lines.append("\(event.kind) \(event.rowID)") }
            }
            func databaseDidCommit(_ db: Database) {}
            func databaseDidRollback(_ db: Database) {}
        }
        let database = try ObservedDatabase(.queue)
        let matcher = Matcher(
            try database.writer.read { try Player.filter(ids: [1, 2]).databaseRegion($0) })
        database.writer.add(transactionObserver: matcher)
        try database.run("INSERT INTO player VALUES (1, 'a', 1), (3, 'c', 3)")
        try database.run("UPDATE player SET score = 2")
        try database.run("UPDATE player SET id = 5 WHERE id = 1")
        try database.run("INSERT INTO team VALUES (1, 'a')")
        try database.run("DELETE FROM player WHERE id = 3; DELETE FROM player")
        #expect(matcher.lines == ["insert 1", "update 1", "update 5"])
    }

    @Test(.proves("OBS-035"))
    func `The region of a view is that of its tables`() throws {
        let expected =
            [Self.statements[0], Self.statements[1], Self.statements[2]]
            + Self.statements[4...6]
        #expect(try touches(Table("best"), Self.statements) == expected)
        #expect(try touches(Table("best").all(), Self.statements) == expected)
        #expect(
            try touches(SQLRequest<Row>(sql: "SELECT * FROM best"), Self.statements) == expected)
        #expect(try touches(DatabaseRegion(), Self.statements) == [])
        #expect(
            try touches(DatabaseRegion.fullDatabase, Self.statements) == Self.statements)
    }

    @Test(.proves("OBS-026"))
    func `What is not noticed can be told`() throws {
        let database = try ObservedDatabase(.pool)
        let values = Values<Int>()
        let observation = ValueObservation.tracking(ObservedDatabase.count)
        let cancellable = observation.start(in: database, values)
        values.wait(for: 0)
        try database.writer.settle()
        try database.run("ALTER TABLE player ADD COLUMN other")
        let other = try database.fixture.open()
        try other.write { try $0.execute(sql: "INSERT INTO player(name) VALUES ('a')") }
        try database.writer.settle()
        database.queue.sync {}
        #expect(values.all == [0])
        try database.writer.writeWithoutTransaction { db in
            try db.notifyChanges(in: Table("player"))
        }
        values.wait(for: 1)
        cancellable.cancel()
    }

    @Test(.proves("OBS-023"))
    func `A pool fetches beside later writes where the region is constant`() throws {
        let database = try ObservedDatabase(.pool)
        let isBlocked = Locked(false)
        let go = DispatchSemaphore(value: 0)
        let fetching = DispatchSemaphore(value: 0)
        let values = Values<Int>()
        let observation = ValueObservation.trackingConstantRegion { db in
            if isBlocked.withLock({ $0 }) {
                fetching.signal()
                go.wait()
            }
            return try ObservedDatabase.count(db)
        }
        let cancellable = observation.start(in: database, values)
        values.wait(for: 0)
        try database.writer.settle()
        isBlocked.withLock { $0 = true }
        try database.addPlayer()
        fetching.wait()
        // Were it fetched by the writer, these would never end.
        try database.addPlayer()
        try database.addPlayer()
        isBlocked.withLock { $0 = false }
        go.signal()
        values.wait(for: 3)
        cancellable.cancel()
        #expect(values.all == values.all.sorted())

        let threads = Locked<[UInt]>([])
        let other = Values<Int>()
        let varying = ValueObservation.tracking { db in
            threads.withLock { $0.append(UInt(bitPattern: db.sqliteConnection)) }
            return try ObservedDatabase.count(db)
        }.start(in: database, other)
        other.wait(for: 3)
        try database.writer.settle()
        let writer = try database.writer.writeWithoutTransaction { db in
            try db.execute(sql: "INSERT INTO player(name) VALUES ('a')")
            #expect(threads.withLock { $0.last } == UInt(bitPattern: db.sqliteConnection))
            return UInt(bitPattern: db.sqliteConnection)
        }
        #expect(threads.withLock { $0.first } != writer)
        other.wait(for: 4)
        varying.cancel()
    }

    @Test(.proves("OBS-022"))
    func `A value may be a snapshot`() throws {
        let database = try ObservedDatabase(.pool)
        let values = Values<DatabaseSnapshotPool>()
        let cancellable = ValueObservation.trackingConstantRegion { db in
            try db.registerAccess(to: Table("player"))
            return try DatabaseSnapshotPool(db)
        }.start(in: database, values)
        values.wait { $0.count >= 1 }
        try database.addPlayer()
        values.wait { values in (try? values.last?.read(ObservedDatabase.count)) == 1 }
        cancellable.cancel()
    }
}
