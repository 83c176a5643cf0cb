import Dispatch
import StrongroomTables

private let tableCount = 10
private let queryCount = 100
private let commitCount = 20

/// A thousand live queries on ten tables, beside who runs the queries of the table again by hand.
func liveQueryWorkloads() -> [Workload] {
    let live = LiveQueries()
    return [
        Workload(
            name: "typed: commits, 1,000 live queries on 10 tables", aim: .ratio(2),
            operations: commitCount,
            prepare: { try live.start(at: $0.rawKeyPath) },
            library: { _ in
                for number in 0..<commitCount { try live.commitAndWait(number) }
                return { 0 }
            },
            c: { _ in
                for number in 0..<commitCount { try live.commitAndFetch(number) }
                return { 0 }
            }),
        Workload(
            name: "typed: commits beside 1,000 live queries", aim: .ratio(1.1),
            operations: commitCount,
            prepare: { try live.start(at: $0.rawKeyPath) },
            library: { _ in
                for _ in 0..<commitCount { try live.commitElsewhere(of: live.observed) }
                return { 0 }
            },
            c: { _ in
                for _ in 0..<commitCount { try live.commitElsewhere(of: live.unobserved) }
                return { 0 }
            }),
    ]
}

private final class LiveQueries {
    private var queues: [DatabaseQueue] = []
    private var wrappers: [FetchAll<Int>] = []
    private let arrivals = CountingScheduler()

    /// The queue on which live queries run, and one on the same database that nobody observes.
    var observed: DatabaseQueue { queues[0] }
    var unobserved: DatabaseQueue { queues[1] }

    func start(at path: String) throws {
        guard queues.isEmpty else { return }
        for _ in 0..<2 {
            let queue = try BenchmarkDatabase.open(path, BenchmarkDatabase.rawKey)
            try queue.inDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
            queues.append(queue)
        }
        try unobserved.write(Self.createTables)
        for table in 0..<tableCount {
            for query in Self.queries(of: table) {
                // It has its first value when it is made.
                wrappers.append(FetchAll(query, database: observed, scheduler: arrivals))
            }
        }
    }

    private static func createTables(_ db: Database) throws {
        try db.execute(sql: "CREATE TABLE IF NOT EXISTS live_other (number INTEGER)")
        try db.execute(sql: "INSERT INTO live_other VALUES (0)")
        for table in 0..<tableCount {
            try db.execute(
                sql: """
                    CREATE TABLE live_\(table) (id INTEGER PRIMARY KEY, part INTEGER, number INTEGER);
                    CREATE INDEX live_\(table)_part ON live_\(table)(part);
                    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
                    INSERT INTO live_\(table) SELECT i, i % \(queryCount), 0 FROM n;
                    """)
        }
    }

    private static func queries(of table: Int) -> [SQLQueryExpression<Int>] {
        (0..<queryCount).map { part in
            #sql(
                "SELECT number FROM live_\(raw: table) WHERE part = \(bind: part) ORDER BY id",
                as: Int.self)
        }
    }

    private func commit(_ number: Int) throws {
        try observed.write {
            try $0.execute(sql: "UPDATE live_\(number % tableCount) SET number = number + 1")
        }
    }

    /// All queries of the table have another value after it.
    func commitAndWait(_ number: Int) throws {
        try commit(number)
        arrivals.wait(queryCount)
    }

    /// The same, on the connection that nobody observes.
    func commitAndFetch(_ number: Int) throws {
        let table = number % tableCount
        try unobserved.write {
            try $0.execute(sql: "UPDATE live_\(table) SET number = number + 1")
        }
        for query in Self.queries(of: table) {
            let values = try unobserved.read { try query.fetchAll($0) }
            guard values.count == 10 else { fatalError("a query gave \(values.count) rows") }
        }
    }

    func commitElsewhere(of queue: DatabaseQueue) throws {
        try queue.write { try $0.execute(sql: "UPDATE live_other SET number = number + 1") }
    }
}

/// Delivers at once, on the thread that has the value, and counts.
private final class CountingScheduler: ValueObservationScheduler, Hashable {
    private let arrivals = DispatchSemaphore(value: 0)

    func immediateInitialValue() -> Bool { false }

    func schedule(_ action: @escaping @Sendable () -> Void) {
        action()
        arrivals.signal()
    }

    func wait(_ count: Int) {
        for _ in 0..<count { arrivals.wait() }
    }

    static func == (lhs: CountingScheduler, rhs: CountingScheduler) -> Bool { lhs === rhs }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
