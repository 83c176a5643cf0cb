import Dispatch
import Strongroom
import StrongroomTestSupport
import Testing

/// `notifyChanges(in:)` against observers that ask for some events only.
@Suite struct UnknownChangeTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db throws in
            try db.execute(
                sql: """
                    CREATE TABLE test(id INTEGER PRIMARY KEY, a, b);
                    CREATE TABLE other(id INTEGER PRIMARY KEY, a)
                    """)
        }
    }

    /// What an observer asks for, and whether what may have happened to a region is among it.
    struct Filter: Sendable, CustomStringConvertible {
        let description: String
        let table: String
        let columns: Set<String>?
        let observes: @Sendable (DatabaseEventKind) -> Bool

        /// Of nil columns, or tables, all are meant.
        func isHit(by table: String?, _ columns: Set<String>?) -> Bool {
            guard table == nil || table == self.table else { return false }
            guard let columns, let own = self.columns else { return true }
            return !own.isDisjoint(with: columns)
        }
    }

    static let filters = ["test", "other"].flatMap { table in
        [
            Filter(description: "all of \(table)", table: table, columns: nil) {
                $0.tableName == table
            },
            Filter(description: "insertions into \(table)", table: table, columns: nil) {
                $0 == .insert(tableName: table)
            },
            Filter(description: "deletions from \(table)", table: table, columns: nil) {
                $0 == .delete(tableName: table)
            },
            Filter(description: "updates of \(table)", table: table, columns: nil) {
                if case .update(table, _) = $0 { true } else { false }
            },
            Filter(description: "updates of a of \(table)", table: table, columns: ["a"]) {
                if case .update(table, let columns) = $0 { columns.contains("a") } else { false }
            },
            Filter(description: "updates of only a of \(table)", table: table, columns: ["a"]) {
                $0 == .update(tableName: table, columnNames: ["a"])
            },
            Filter(
                description: "updates of id and a of \(table)", table: table, columns: ["id", "a"]
            ) {
                if case .update(table, let columns) = $0 {
                    !columns.isDisjoint(with: ["id", "a"])
                } else {
                    false
                }
            },
        ]
    }

    @Test(.proves("CMP-78"), arguments: filters)
    func `An observer is told when what it asks for may have happened`(filter: Filter) throws {
        let recorder = Recorder()
        recorder.observed = filter.observes
        queue.add(transactionObserver: recorder)
        try queue.write { db throws in
            func isTold(_ region: some DatabaseRegionConvertible) throws -> Bool {
                try db.notifyChanges(in: region)
                return recorder.take().contains("change")
            }
            let rows = Table("test").filter(Column("id") == 1).select(Column("a"))
            let regions: [(any DatabaseRegionConvertible, String?, Set<String>?)] = [
                (DatabaseRegion.fullDatabase, nil, nil), (Table("test"), "test", nil),
                (Table("other"), "other", nil),
                (Table("test").select(Column("a")), "test", ["a"]),
                (Table("test").select(Column("b")), "test", ["b"]),
                (rows, "test", ["a", "id"]),
                (Table("other").select(Column("id")), "other", ["id"]),
            ]
            for (region, table, columns) in regions {
                let isHit = filter.isHit(by: table, columns)
                let name = "\(table ?? "all") \(columns ?? [])"
                #expect(try isTold(region) == isHit, "\(filter), \(name)")
            }
            #expect(try !isTold(DatabaseRegion()))
        }
    }

    @Test(.proves("CMP-78"))
    func `An observer of a virtual table is told when anything may have changed`() throws {
        let recorder = Recorder()
        recorder.observed = { $0.tableName == "texts" }
        try queue.write { try $0.execute(sql: "CREATE VIRTUAL TABLE texts USING fts4(body)") }
        queue.add(transactionObserver: recorder)
        try queue.write { db throws in
            try db.notifyChanges(in: .fullDatabase)
            #expect(recorder.take().contains("change"))
            try db.notifyChanges(in: Table("other"))
            #expect(!recorder.take().contains("change"))
        }
    }

    @Test(.proves("CMP-86"), arguments: WriterKind.allCases)
    func `Observations are told in the order in which they were started`(kind: WriterKind) throws {
        let database = try ObservedDatabase(kind)
        let row = Table("player").filter(Column("id") == 1)
        let regions: [any DatabaseRegionConvertible & Sendable] = [
            Table("player"), row, Table("player").select(Column("name")),
            row.select(Column("score")), DatabaseRegion.fullDatabase, Table("team"),
        ]
        let told = Collected()
        var cancellables: [AnyDatabaseCancellable] = []
        for place in 0..<24 {
            let observation = DatabaseRegionObservation(tracking: regions[place % regions.count])
            cancellables.append(
                observation.start(in: database.writer) { _ in
                } onChange: { _ in
                    told.add("\(place)")
                })
        }
        try database.run(
            """
            INSERT INTO player VALUES (2, 'b', 0), (1, 'a', 0);
            UPDATE player SET name = 'c'; UPDATE player SET score = 1; DELETE FROM team;
            INSERT INTO team VALUES (1, 'a')
            """)
        #expect(told.texts == (0..<24).map(String.init))
        cancellables.forEach { $0.cancel() }
    }

    @Test(.proves("CMP-86"))
    func `Values of one commit are told in the order of their observations`() throws {
        let database = try ObservedDatabase(.queue)
        let told = Collected()
        var cancellables: [AnyDatabaseCancellable] = []
        for place in 0..<12 {
            let name = place % 2 == 0 ? "player" : "team"
            let observation = ValueObservation.tracking { try Table(name).fetchCount($0) }
            cancellables.append(
                observation.start(
                    in: database.writer, scheduling: .async(onQueue: database.queue),
                    onError: { _ in }, onChange: { _ in told.add("\(place)") }))
        }
        database.queue.sync {}
        try database.writer.settle()
        database.queue.sync {}
        let before = told.texts.count
        try database.run("INSERT INTO team DEFAULT VALUES; INSERT INTO player DEFAULT VALUES")
        try database.writer.settle()
        database.queue.sync {}
        #expect(told.texts.dropFirst(before) == (0..<12).map(String.init)[...])
        cancellables.forEach { $0.cancel() }
    }

    @Test(.proves("CMP-79"))
    func `All observers are told that an empty transaction was refused`() throws {
        let first = Recorder(), refusing = Recorder(), last = Recorder()
        refusing.refusesCommit = true
        for recorder in [first, refusing, last] { queue.add(transactionObserver: recorder) }
        try queue.writeWithoutTransaction { db throws in
            try db.beginTransaction(.deferred)
            #expect(throws: Recorder.Refusal.self) { try db.commit() }
            #expect(!db.isInsideTransaction)
        }
        #expect(first.take() == ["will commit", "rollback"])
        #expect(refusing.take() == ["will commit", "rollback"])
        #expect(last.take() == ["rollback"])
        #expect(throws: Recorder.Refusal.self) {
            try queue.inTransaction(.deferred) { _ in .commit }
        }
        #expect(last.take() == ["rollback"])
    }

    @Test(.proves("CMP-79"))
    func `A read-only connection tells of no transaction`() throws {
        let reader = try fixture.open { $0.readonly = true }
        let recorder = Recorder()
        reader.add(transactionObserver: recorder)
        try reader.read { db in _ = try Row.fetchAll(db, sql: "SELECT * FROM test") }
        try reader.writeWithoutTransaction { db throws in
            try db.execute(sql: "BEGIN; SELECT * FROM test; COMMIT")
            try db.execute(sql: "BEGIN; ROLLBACK; SAVEPOINT a; RELEASE a")
            _ = try Row.fetchAll(db, sql: "SELECT * FROM test")
        }
        #expect(recorder.take().isEmpty)
    }
}
