import Strongroom
import StrongroomTestSupport
import Testing

/// Random statements, savepoints and transactions under an observer, with a list of events by rule.
@Suite struct RandomObserverTests {
    /// What an observer has to be told, by these rules: an event when its statement has ended, or, in a
    /// savepoint, when the outermost savepoint has; none of what was undone, nor of a statement that
    /// is refused; the end of each transaction, also of one in which nothing was changed.
    private struct Program {
        var random: SeededGenerator
        /// The rows, as of each mark to which the program can go back: the first is that of the transaction.
        var marks: [(rows: Set<Int64>, eventCount: Int)] = []
        var rows: Set<Int64> = []
        var events: [String] = []
        var told: [String] = []
        var sql: [String] = []

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        mutating func run(_ db: Database) throws {
            for _ in 0..<Int.random(in: 5...25, using: &random) { try step(db) }
            if !marks.isEmpty { try end(db, by: "COMMIT") }
        }

        private mutating func execute(_ db: Database, _ text: String) throws {
            sql.append(text)
            try db.execute(sql: text)
        }

        private mutating func step(_ db: Database) throws {
            switch Int.random(in: 0...9, using: &random) {
            case 0 where marks.isEmpty:
                try execute(db, "BEGIN")
                marks = [(rows, 0)]
            case 0...1 where marks.count > 1: try endSavepoint(db)
            case 0...1 where !marks.isEmpty: try end(db, by: random.pick(["COMMIT", "ROLLBACK"]))
            case 2 where !marks.isEmpty:
                try execute(db, "SAVEPOINT s\(marks.count)")
                marks.append((rows, events.count))
            default: try change(db)
            }
        }

        private mutating func endSavepoint(_ db: Database) throws {
            let name = "s\(marks.count - 1)"
            if Bool.random(using: &random) {
                try execute(db, "ROLLBACK TO \(name)")
                rows = marks[marks.count - 1].rows
                events.removeSubrange(marks[marks.count - 1].eventCount...)
            }
            try execute(db, "RELEASE \(name)")
            marks.removeLast()
        }

        private mutating func end(_ db: Database, by statement: String) throws {
            let start = marks[0].rows
            try execute(db, statement)
            if statement == "COMMIT" {
                told += events + ["will commit", "commit"]
            } else {
                rows = start
                told.append("rollback")
            }
            (marks, events) = ([], [])
        }

        private mutating func change(_ db: Database) throws {
            let id = Int64.random(in: 1...6, using: &random)
            var made: [String] = []
            switch Int.random(in: 0...3, using: &random) {
            case 0:
                try execute(db, "INSERT OR IGNORE INTO t VALUES (\(id), 0)")
                if rows.insert(id).inserted { made = ["insert \(id)"] }
            case 1:
                try execute(db, "DELETE FROM t WHERE id = \(id)")
                if rows.remove(id) != nil { made = ["delete \(id)"] }
            case 2:
                try execute(db, "UPDATE t SET a = a + 1 WHERE id >= \(id)")
                made = rows.sorted().filter { $0 >= id }.map { "update \($0)" }
            default:
                sql.append("INSERT INTO t VALUES (\(id), 0)")
                let isRefused = rows.contains(id)
                let result = Result { try db.execute(sql: "INSERT INTO t VALUES (\(id), 0)") }
                if case .failure(let error) = result, !isRefused { throw error }
                if !isRefused { made = ["insert \(id)"] }
                rows.insert(id)
                if isRefused { return }
            }
            if marks.isEmpty {
                // A statement that changes no row is a transaction, too.
                told += made + ["will commit", "commit"]
            } else {
                events += made
            }
        }
    }

    private final class Observer: TransactionObserver {
        var told: [String] = []
        var pending: [String] = []
        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
        func databaseDidChange(with event: DatabaseEvent) {
            let kind =
                switch event.kind {
                case .insert: "insert"
                case .delete: "delete"
                case .update: "update"
                }
            pending.append("\(kind) \(event.rowID)")
        }
        func databaseWillCommit() throws { pending.append("will commit") }
        func databaseDidCommit(_ db: Database) {
            told += pending + ["commit"]
            pending = []
        }
        func databaseDidRollback(_ db: Database) {
            told.append("rollback")
            pending = []
        }
    }

    @Test(.proves("CMP-98"))
    func `Random statements and savepoints tell an observer what the rules say`() throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open {
            $0.prepareDatabase { db in
                try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
            }
        }
        try queue.write { try $0.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, a)") }
        var commitCount = 0
        for seed in UInt64(1)...200 {
            let observer = Observer()
            var program = Program(seed: seed)
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "DELETE FROM t")
                db.add(transactionObserver: observer)
                try program.run(db)
                db.remove(transactionObserver: observer)
                let rows = try Int64.fetchSet(db, sql: "SELECT id FROM t")
                #expect(rows == program.rows, "seed \(seed): \(program.sql)")
            }
            #expect(observer.told == program.told, "seed \(seed): \(program.sql)")
            commitCount += program.told.count { $0 == "commit" }
        }
        #expect(commitCount > 500)
    }
}
