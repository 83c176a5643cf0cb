import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Observations that missed what GRDB tells, or told what it does not.
@Suite(.timeLimit(.minutes(30))) struct GRDBObservationTests {
    /// Starts an observation, runs SQL, and waits for the last value.
    private func values(
        _ database: ObservedDatabase, _ observation: ValueObservation<some ValueReducer<Int>>,
        running steps: [String], until last: Int
    ) async throws -> [Int] {
        let values = Values<Int>()
        let cancellable = observation.start(
            in: database.writer, scheduling: .async(onQueue: database.queue),
            onError: values.fail, onChange: values.add)
        defer { cancellable.cancel() }
        await values.reached { $0.count == 1 }
        for (index, sql) in steps.enumerated() {
            try database.run(sql)
            await values.reached { $0.count == index + 2 }
        }
        #expect(values.all.last == last)
        return values.all
    }

    @Test(
        .proves("CMP-21"),
        arguments: WriterKind.allCases,
        [
            "fts3(name)", "fts4(name)", "fts4(content=\"player\", name)", "fts5(name)",
            "fts5(name, content='player', content_rowid='id')", "rtree(id, a, b)",
        ])
    func `Changes of virtual tables are told`(kind: WriterKind, module: String) async throws {
        let database = try ObservedDatabase(kind)
        guard try isAvailable(module, database) else { return }
        let isTree = module.hasPrefix("rtree")
        try database.run("CREATE VIRTUAL TABLE t USING \(module)")
        let query =
            isTree
            ? "SELECT COUNT(*) FROM t WHERE a >= 1" : "SELECT COUNT(*) FROM t WHERE t MATCH 'foo'"
        let insertions = (1...2).map { id in
            isTree
                ? "INSERT INTO t VALUES (\(id), 1, 2)"
                : "INSERT INTO player (name) VALUES ('foo'); INSERT INTO t (rowid, name) VALUES (\(id), 'foo')"
        }
        let observation = ValueObservation.tracking { db in
            try Int.fetchOne(db, sql: query) ?? -1
        }
        #expect(
            try await values(database, observation, running: insertions, until: 2) == [0, 1, 2])
    }

    private func isAvailable(_ module: String, _ database: ObservedDatabase) throws -> Bool {
        let name = String(module.prefix { $0 != "(" })
        return try database.writer.read { db in
            try Bool.fetchOne(
                db, sql: "SELECT 1 FROM pragma_module_list WHERE name = ?", arguments: [name])
                ?? false
        }
    }

    @Test(.proves("CMP-21"), arguments: WriterKind.allCases)
    func `A full-text table that follows another is told`(kind: WriterKind) async throws {
        let database = try ObservedDatabase(kind)
        try await database.writer.write { db in
            try db.create(virtualTable: "found", using: FTS4()) { t in
                t.synchronize(withTable: "player")
                t.column("name")
            }
        }
        let observation = ValueObservation.tracking { db in
            try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM found WHERE found MATCH 'a'") ?? -1
        }
        let insertion = "INSERT INTO player (name) VALUES ('a')"
        #expect(
            try await values(database, observation, running: [insertion, insertion], until: 2)
                == [0, 1, 2])
    }

    struct Team: Codable, FetchableRecord, TableRecord {
        static let players = hasMany(Player.self, using: ForeignKey(["score"]))
        var id: Int64
    }

    struct Player: Codable, FetchableRecord, TableRecord {
        var id: Int64
        var score: Int64
    }

    @Test(.proves("CMP-22"), arguments: WriterKind.allCases)
    func `Rows that nothing leads to yet are observed`(kind: WriterKind) async throws {
        let database = try ObservedDatabase(kind)
        let observation = ValueObservation.trackingConstantRegion { db in
            let rows = try Row.fetchAll(db, Team.including(all: Team.players))
            return rows.reduce(0) { $0 + ($1.prefetchedRows["players"]?.count ?? 0) }
        }
        let steps = [
            "INSERT INTO team (id) VALUES (1)", "INSERT INTO player (score) VALUES (1)",
            "INSERT INTO player (score) VALUES (1)",
        ]
        #expect(
            try await values(database, observation, running: steps, until: 2) == [0, 0, 1, 2])
    }

    @Test(.proves("CMP-24"), arguments: WriterKind.allCases)
    func `What is read to fill another table is observed`(kind: WriterKind) async throws {
        let database = try ObservedDatabase(kind)
        for sql in [
            "CREATE TEMP TABLE copy AS SELECT * FROM player",
            "CREATE TEMP TABLE copy (id); INSERT INTO copy SELECT id FROM player",
        ] {
            try database.run("DELETE FROM player")
            var observation = ValueObservation.tracking { db -> Int in
                try db.execute(sql: sql)
                defer { try? db.execute(sql: "DROP TABLE copy") }
                return try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM copy") ?? -1
            }
            observation.requiresWriteAccess = true
            let insertion = "INSERT INTO player (name) VALUES ('a')"
            #expect(
                try await values(database, observation, running: [insertion], until: 1) == [0, 1])
        }
    }

    @Test(.proves("CMP-23"), arguments: WriterKind.allCases)
    func `A write that is cancelled after its commit ends no observation`(
        kind: WriterKind
    ) async throws {
        let database = try ObservedDatabase(kind)
        let values = Values<Int>()
        let task = Locked<Task<Void, any Error>?>(nil)
        // It is fetched on the connection that writes, in the access of whoever writes.
        let observation = ValueObservation.tracking { db -> Int in
            task.withLock { $0 }?.cancel()
            return try ObservedDatabase.count(db)
        }
        let cancellable = observation.start(
            in: database.writer, scheduling: .async(onQueue: database.queue),
            onError: values.fail, onChange: values.add)
        defer { cancellable.cancel() }
        await values.reached { $0.count == 1 }
        for count in 1...5 {
            let isReady = Locked(false)
            let write = Task {
                while !isReady.withLock({ $0 }) { await Task.yield() }
                try await database.writer.writeWithoutTransaction { db in
                    try db.execute(sql: "INSERT INTO player (name) VALUES ('a')")
                }
            }
            task.withLock { $0 = write }
            isReady.withLock { $0 = true }
            _ = await write.result
            await values.reached { $0.last == count }
        }
        #expect(values.error == nil)
    }

    @Test(.proves("CMP-25", onMainActor: true), arguments: WriterKind.allCases)
    @MainActor func `What an immediate observer writes comes later`(kind: WriterKind) async throws {
        let database = try ObservedDatabase(kind)
        let writer = database.writer
        let seen = SchedulingTests.MainValues()
        let depth = Locked(0)
        let cancellable = ValueObservation.tracking(ObservedDatabase.count).start(
            in: writer, scheduling: .immediate
        ) { error in
            Issue.record(error)
        } onChange: { count in
            let outer = depth.withLock { depth in
                depth += 1
                return depth
            }
            #expect(outer == 1)
            seen.add(count)
            if count < 3 {
                do {
                    try writer.write { try $0.execute(sql: "INSERT INTO player DEFAULT VALUES") }
                } catch {
                    Issue.record(error)
                }
            }
            depth.withLock { $0 -= 1 }
        }
        #expect(seen.all == [0])
        await seen.wait(for: 3)
        cancellable.cancel()
        #expect(seen.all == [0, 1, 2, 3])
    }
}
