import Dispatch
import Strongroom

private let accessCount = 2000
private let selectSQL = "SELECT 1"

/// What it costs to be let in.
func accessWorkloads() -> [Workload] {
    [
        Workload(
            name: "read { SELECT 1 }", aim: .microseconds(1.5), operations: accessCount,
            library: { database in
                var sum: UInt64 = 0
                for _ in 0..<accessCount {
                    let value = try database.queue.read { try Int.fetchOne($0, sql: "SELECT 1") }
                    sum += UInt64(value ?? 0)
                }
                return { sum }
            },
            c: { try $0.withConnection(readInTransactions) }),
        Workload(
            name: "pool.read { SELECT 1 }", aim: .microseconds(1.5), operations: accessCount,
            library: { database in
                var sum: UInt64 = 0
                for _ in 0..<accessCount {
                    let value = try database.pool.read { try Int.fetchOne($0, sql: selectSQL) }
                    sum += UInt64(value ?? 0)
                }
                return { sum }
            },
            c: { try $0.withConnection(readInTransactions) }),
        Workload(
            name: "await pool.read { SELECT 1 }", operations: accessCount,
            library: { try readInTask($0.pool) },
            c: { try $0.withConnection(readInTransactions) }),
        Workload(
            name: "2 threads read, in the time of 1", aim: .ratio(2 / 1.8), operations: 2,
            library: { database in try sums(database.pool, threads: 2) },
            c: { database in try sums(database.pool, threads: 1) }),
    ]
}

/// One task that suspends at every access.
private func readInTask(_ pool: DatabasePool) throws -> Workload.Outcome {
    let isDone = DispatchSemaphore(value: 0)
    // Safety: this thread waits for the task.
    nonisolated(unsafe) var sum: UInt64 = 0
    Task.detached {
        for _ in 0..<accessCount {
            let value = try? await pool.read { try Int.fetchOne($0, sql: selectSQL) }
            sum += UInt64(value ?? 0)
        }
        isDone.signal()
    }
    isDone.wait()
    let result = sum
    return { result }
}

/// Both sides are the library here: each thread does the same work, so that twice the threads
/// should need the same time. It is a matter of wall time.
private func sums(_ pool: DatabasePool, threads: Int) throws -> Workload.Outcome {
    // Safety: each thread has its own element.
    nonisolated(unsafe) var results = [UInt64](repeating: 0, count: threads)
    results.withUnsafeMutableBufferPointer { results in
        // Safety: as above.
        nonisolated(unsafe) let results = results
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for _ in 0..<200 {
                let sum = try? pool.read { db in
                    try Int.fetchOne(db, sql: "SELECT SUM(quantity) FROM item WHERE id <= 500")
                }
                results[thread] += UInt64(sum ?? 0)
            }
        }
    }
    let result = results[0]
    return { result }
}

/// The same guarantee: nobody else's writes are seen inside of one read.
private func readInTransactions(_ connection: OpaquePointer) throws -> Workload.Outcome {
    let begin = try CStatement(connection, "BEGIN DEFERRED TRANSACTION")
    let select = try CStatement(connection, "SELECT 1")
    let commit = try CStatement(connection, "COMMIT TRANSACTION")
    defer { [begin, select, commit].forEach { $0.finalize() } }
    var sum: UInt64 = 0
    for _ in 0..<accessCount {
        try begin.run()
        if try select.step() {
            sum += UInt64(select.int64(0))
        }
        select.reset()
        try commit.run()
    }
    return { sum }
}
