import Strongroom
import StrongroomCore
import StrongroomSchema
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite struct JournalTests {
    private static let schema = """
        CREATE TABLE t (id TEXT PRIMARY KEY NOT NULL, a, b, c, hits INTEGER NOT NULL DEFAULT 0);
        """
    private static let declarations = [SyncedTable("t", merge: ["hits": .counter])]

    @Test(.proves("SYN-032"))
    func `a year without a hub leaves as many notes as there are rows and columns`() throws {
        let fixture = try CaptureFixture(Self.schema, Self.declarations)
        var random = SeededGenerator(seed: 2026)
        var most: Int64 = 0
        try fixture.write { db throws in
            let statement = try db.makeStatement(
                sql: "UPDATE t SET a = ?, hits = hits + 1 WHERE id = ?")
            for id in 0..<400 {
                try db.execute(sql: "INSERT INTO t (id) VALUES (?)", arguments: ["\(id)"])
            }
            // A hundred edits a day, and a look at the journal each day.
            for day in 0..<365 {
                for edit in 0..<100 {
                    try statement.execute(
                        arguments: [
                            day * 1000 + edit, "\(Int.random(in: 0..<400, using: &random))",
                        ])
                }
                try Journal.mergeNotesIfNeeded(db, threshold: 3000)
                most = max(most, try Journal.noteCount(db))
            }
            #expect(most < 3200)
            try Journal.mergeNotes(db)
            #expect(try Journal.noteCount(db) == 400 * 3)
            let sum = try fixture.taken(db).reduce(0) {
                $0 + ($1.differences.values.first?.amount ?? 0)
            }
            #expect(sum == 365 * 100)
        }
    }

    @Test(.proves("SYN-032"))
    func `at 100,000 notes they are merged, and then at twice of what remains`() throws {
        let fixture = try CaptureFixture(Self.schema, Self.declarations)
        #expect(Journal.mergeThreshold == 100_000)
        try fixture.write { db throws in
            func insert(_ first: Int, _ count: Int) throws {
                try db.execute(
                    sql: """
                        WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 + ?2 - 1)
                        INSERT INTO t (id) SELECT i FROM n
                        """, arguments: [first, count])
            }
            try insert(0, 80)
            #expect(try !Journal.mergeNotesIfNeeded(db, threshold: 80))
            try insert(80, 1)
            #expect(try Journal.mergeNotesIfNeeded(db, threshold: 80))
            #expect(try Journal.noteCount(db) == 81)
            try insert(81, 81)
            #expect(try !Journal.mergeNotesIfNeeded(db, threshold: 80))
            try insert(162, 1)
            #expect(try Journal.mergeNotesIfNeeded(db, threshold: 80))
            #expect(try Journal.rows(db).rows.count == 163)
        }
    }

    @Test(.proves("SYN-032"))
    func `merged notes come to the same rows, and of a column the last time is kept`() throws {
        let fixture = try CaptureFixture(RandomProgram.schema, RandomProgram.declarations)
        let count = try Fuzzing().run("merging of notes", inputs: 40) { random in
            var program = RandomProgram(random: random)
            try fixture.queue.inDatabase { db throws in
                try db.execute(sql: "DELETE FROM strongroom_sync_journal")
                for _ in 0..<50 { try? db.execute(sql: program.statement()) }
                // Times that jump forth and back.
                let notes = try Journal.lastID(db)
                for id in 0...notes {
                    try db.execute(
                        sql: "UPDATE strongroom_sync_journal SET time = 2460000 + ? WHERE id = ?",
                        arguments: [Int.random(in: 0...9, using: &program.random), id])
                }
                let before = try Journal.rows(db).rows
                try Journal.mergeNotes(db)
                let after = try Journal.rows(db).rows
                try Fuzzing.expect(Set(before) == Set(after), "\(before)\n\(after)")
                let merged = try Journal.noteCount(db)
                try Journal.mergeNotes(db)
                try Fuzzing.expect(try Journal.noteCount(db) == merged, "merged twice")
            }
            _ = random.next()
        }
        #expect(count > 0)
    }

    @Test(.proves("SYN-020"))
    func `the journal is read in parts, and what a batch has is removed`() throws {
        let fixture = try CaptureFixture(Self.schema, Self.declarations)
        try fixture.write { db throws in
            for id in 0..<10 {
                try db.execute(sql: "INSERT INTO t (id) VALUES (?)", arguments: ["\(id)"])
            }
            try db.execute(sql: "UPDATE t SET a = 1")
            var ids: [String] = []
            var part = try Journal.rows(db, limit: 7)
            var parts = 1
            while part.hasMore {
                ids += try fixture.words(db, part.rows)
                part = try Journal.rows(db, after: part.last, limit: 7)
                parts += 1
            }
            ids += try fixture.words(db, part.rows)
            #expect(parts == 3 && ids.count == 20)
            #expect(ids.suffix(10).allSatisfy { $0.hasSuffix(": a") })
            try Journal.remove(db, through: 15)
            #expect(try Journal.rows(db).rows.count == 5)
            // Nothing is left behind when a transaction ends without a commit.
            try db.execute(sql: "SAVEPOINT s; UPDATE t SET b = 1; ROLLBACK TO s; RELEASE s")
            #expect(try Journal.rows(db).rows.count == 5)
        }
    }
}
