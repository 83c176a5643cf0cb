import Dispatch
import Strongroom

private let commitCount = 200

/// What it costs that somebody wants to know of commits.
func observingWorkloads() -> [Workload] {
    let observers = CommitObservers()
    return [
        observedCommits("200 commits, one observer", observers, aim: .ratio(1.5)),
        // Against what anybody would need who tells another thread of each value.
        observedCommits(
            "200 commits, one observer, C hands over, too", observers, handsOver: true),
        // As a queue is by default: each commit waits for the disk.
        observedCommits("200 durable commits, one observer", observers, isDurable: true),
        Workload(
            name: "commits, 1,000 row observers", aim: .ratio(2), operations: commitCount,
            library: { database in
                try commit(to: observers.queue(at: database.rawKeyPath, ofRows: 1000))
            },
            c: { try commit(to: observers.queue(at: $0.rawKeyPath)) }),
        Workload(
            name: "commits that nobody observes", aim: .ratio(1.05), operations: commitCount,
            library: { database in
                try commit(to: observers.queue(at: database.rawKeyPath, ofOtherTable: true))
            },
            c: { try commit(to: observers.queue(at: $0.rawKeyPath)) }),
    ]
}

/// The commits go on while values are told; only the last one is waited for.
private func observedCommits(
    _ name: String, _ observers: CommitObservers, aim: Workload.Aim? = nil,
    isDurable: Bool = false, handsOver: Bool = false
) -> Workload {
    Workload(
        name: name, aim: aim, operations: commitCount,
        library: { database in
            let queue = try observers.queue(at: database.rawKeyPath, isDurable: isDurable)
            try observeCommits(of: queue)
            return { 0 }
        },
        c: { database in
            let queue = try observers.queue(at: database.rawKeyPath, isDurable: isDurable)
            try queue.inDatabase { db in
                guard let connection = db.sqliteConnection else { return }
                try commitAndFetchInC(connection, handsOver: handsOver)
            }
            return { 0 }
        })
}

/// Connections to one database, which differ in who observes them.
private final class CommitObservers {
    private var queues: [String: DatabaseQueue] = [:]
    private var cancellables: [AnyDatabaseCancellable] = []

    func queue(
        at path: String, ofRows count: Int = 0, ofOtherTable: Bool = false,
        isDurable: Bool = false
    ) throws -> DatabaseQueue {
        let name = "\(count) \(ofOtherTable) \(isDurable)"
        if let queue = queues[name] { return queue }
        let queue = try BenchmarkDatabase.open(path, BenchmarkDatabase.rawKey)
        try queue.inDatabase { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            try db.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "OFF")")
        }
        try queue.write { db in
            for id in 1...1000 {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO stock VALUES (?, 'name', 1, 1.5)", arguments: [id])
            }
        }
        for id in 0..<count { observe(Table("stock").filter(Column("id") == id + 1), in: queue) }
        if ofOtherTable { observe(Table("item"), in: queue) }
        queues[name] = queue
        return queue
    }

    private func observe(_ region: any DatabaseRegionConvertible, in queue: DatabaseQueue) {
        cancellables.append(
            DatabaseRegionObservation(tracking: [region]).start(in: queue, onError: { _ in }) {
                _ in
            })
    }
}

private let updateSQL = "UPDATE stock SET quantity = quantity + 1 WHERE id = 500"
private let sumSQL = "SELECT quantity FROM stock WHERE id = 500"

private func commit(to queue: DatabaseQueue) throws -> Workload.Outcome {
    for _ in 0..<commitCount {
        try queue.write { try $0.execute(sql: updateSQL) }
    }
    return { 0 }
}

private func observeCommits(of queue: DatabaseQueue) throws {
    let wanted = try queue.read { try Int.fetchOne($0, sql: sumSQL) ?? 0 } + commitCount
    let isOver = DispatchSemaphore(value: 0)
    let cancellable = ValueObservation.tracking { try Int.fetchOne($0, sql: sumSQL) ?? 0 }
        .start(
            in: queue, scheduling: .async(onQueue: DispatchQueue(label: "values")),
            onError: { _ in isOver.signal() },
            onChange: { if $0 == wanted { isOver.signal() } })
    _ = try commit(to: queue)
    isOver.wait()
    cancellable.cancel()
}

private func commitAndFetchInC(_ connection: OpaquePointer, handsOver: Bool) throws {
    let values = DispatchQueue(label: "values")
    let isOver = DispatchSemaphore(value: 0)
    let begin = try CStatement(connection, "BEGIN IMMEDIATE TRANSACTION")
    let update = try CStatement(connection, updateSQL)
    let commit = try CStatement(connection, "COMMIT TRANSACTION")
    let sum = try CStatement(connection, sumSQL)
    var total: Int64 = 0
    for _ in 0..<commitCount {
        try begin.run()
        try update.run()
        try commit.run()
        while try sum.step() { total += sum.int64(0) }
        sum.reset()
        if handsOver { values.async { [total] in if total >= 0 { isOver.signal() } } }
    }
    if handsOver { for _ in 0..<commitCount { isOver.wait() } }
    for statement in [begin, update, commit, sum] { statement.finalize() }
}
