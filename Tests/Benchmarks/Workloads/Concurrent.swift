import Foundation
import Strongroom
import Synchronization

private let transactionCount = 100
private let rowsPerTransaction = 20

/// Short reads of a pool on several threads, beside as many connections of the C API: alone, and
/// while somebody writes. One operation is a transaction of 20 rows that are looked up by their keys.
func concurrentWorkloads(rows: Int) -> [Workload] {
    let ids = Array(lookedUpIDs(rows: rows).prefix(transactionCount * rowsPerTransaction))
    let threads = [1, 2, 4, 8].flatMap { count in
        [false, true].map { reading(ids, threads: count, besideWriter: $0) }
    }
    return threads + [queueReading(ids), taskReading(ids, tasks: 100)]
}

private typealias Writing = @Sendable (Int64) throws -> Void

private func reading(_ ids: [Int64], threads: Int, besideWriter: Bool) -> Workload {
    let twins = CConnections()
    var name = "pool, \(threads) \(threads == 1 ? "thread" : "threads")"
    if besideWriter { name += " beside a writer" }
    return Workload(
        name: name, operations: threads * transactionCount,
        prepare: { try twins.open($0.queue.path, count: threads + 1) },
        library: { database in
            let pool = database.pool
            let writing: Writing = { try change(pool, $0) }
            let items = try beside(besideWriter ? writing : nil) {
                try onThreads(threads) { _ in try read(pool, ids) }
            }
            return { items.digests }
        },
        c: { _ in
            let connections = twins.connections
            let writing: Writing = { try changeInC(connections[threads], $0) }
            let items = try beside(besideWriter ? writing : nil) {
                try onThreads(threads) { try readInC(connections[$0], ids) }
            }
            return { items.digests }
        })
}

/// A pool beside a queue, for one thread: it must not be slower.
private func queueReading(_ ids: [Int64]) -> Workload {
    Workload(
        name: "pool beside a queue, 1 thread", aim: .ratio(1), operations: transactionCount,
        library: { database in
            let items = try read(database.pool, ids)
            return { [items].digests }
        },
        c: { database in
            let items = try read(database.queue, ids)
            return { [items].digests }
        })
}

/// Many tasks that wait for few connections, beside a thread for each connection.
private func taskReading(_ ids: [Int64], tasks: Int) -> Workload {
    let twins = CConnections()
    let threads = 5
    return Workload(
        name: "pool, \(tasks) tasks", operations: tasks * transactionCount,
        prepare: { try twins.open($0.queue.path, count: threads) },
        library: { database in
            let pool = database.pool
            let items = try waiting {
                try await withThrowingTaskGroup(of: [Item].self) { group in
                    for _ in 0..<tasks { group.addTask { try await readInTask(pool, ids) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
            return { items.digests }
        },
        c: { _ in
            let connections = twins.connections
            let items = try onThreads(threads) { number in
                try (0..<tasks / threads).map { _ in try readInC(connections[number], ids) }
            }
            return { items.flatMap { $0 }.digests }
        })
}

// MARK: - The two sides

private func read(_ reader: some DatabaseReader, _ ids: [Int64]) throws -> [Item] {
    var items: [Item] = []
    for start in stride(from: 0, to: ids.count, by: rowsPerTransaction) {
        try reader.read { try look(up: ids[start..<start + rowsPerTransaction], $0, &items) }
    }
    return items
}

private func readInTask(_ pool: DatabasePool, _ ids: [Int64]) async throws -> [Item] {
    var items: [Item] = []
    for start in stride(from: 0, to: ids.count, by: rowsPerTransaction) {
        items += try await pool.read { db in
            var items: [Item] = []
            try look(up: ids[start..<start + rowsPerTransaction], db, &items)
            return items
        }
    }
    return items
}

private func look(up ids: ArraySlice<Int64>, _ db: Database, _ items: inout [Item]) throws {
    let statement = try db.cachedStatement(sql: lookupSQL)
    for id in ids {
        let row = try Row.fetchOne(statement, arguments: [id])
        if let row { items.append(Item(positionsOf: row)) }
    }
}

private func change(_ pool: DatabasePool, _ number: Int64) throws {
    try pool.write { db in
        try db.execute(sql: changeSQL, arguments: [number % 1000, "a name", number, 1.5])
    }
}

private func readInC(_ address: Int, _ ids: [Int64]) throws -> [Item] {
    let connection = try connection(at: address)
    let statement = try CStatement(connection, lookupSQL)
    defer { statement.finalize() }
    var items: [Item] = []
    for start in stride(from: 0, to: ids.count, by: rowsPerTransaction) {
        try CStatement.execute(connection, "BEGIN")
        for id in ids[start..<start + rowsPerTransaction] {
            statement.bind(1, id)
            if try statement.step() { items.append(Item(statement)) }
            statement.reset()
        }
        try CStatement.execute(connection, "COMMIT")
    }
    return items
}

private func changeInC(_ address: Int, _ number: Int64) throws {
    let connection = try connection(at: address)
    try CStatement.execute(connection, "BEGIN IMMEDIATE")
    let statement = try CStatement(connection, changeSQL)
    defer { statement.finalize() }
    statement.bind(1, number % 1000)
    statement.bind(2, "a name")
    statement.bind(3, number)
    statement.bind(4, 1.5)
    try statement.run()
    try CStatement.execute(connection, "COMMIT")
}

private let changeSQL = "INSERT OR REPLACE INTO stock VALUES (?, ?, ?, ?)"

private func connection(at address: Int) throws -> OpaquePointer {
    guard let connection = OpaquePointer(bitPattern: address) else { throw CFailure(code: -1) }
    return connection
}

// MARK: - Threads

extension [[Item]] {
    /// All threads read the same, and the order of the tasks is nobody's.
    fileprivate var digests: UInt64 { reduce(0) { $0 &+ $1.digest } }
}

/// Runs `body` on threads of its own; the results are in the threads' order.
private func onThreads<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Value
) throws -> [Value] {
    let results = Results<Value>()
    let group = DispatchGroup()
    for number in 0..<count {
        group.enter()
        Thread {
            let result = Result { try body(number) }
            results.values.withLock { $0[number] = result }
            group.leave()
        }.start()
    }
    group.wait()
    let values = results.values.withLock { $0 }
    return try (0..<count).compactMap { try values[$0]?.get() }
}

private final class Results<Value: Sendable>: Sendable {
    let values = Mutex<[Int: Result<Value, any Error>]>([:])
}

/// Runs `body` while a thread writes, if there is one that does.
private func beside<Value>(
    _ write: Writing?, _ body: () throws -> Value
) throws -> Value {
    guard let write else { return try body() }
    let stop = Results<Int>()
    let group = DispatchGroup()
    group.enter()
    Thread {
        var number: Int64 = 0
        while stop.values.withLock({ $0.isEmpty }) {
            number += 1
            if let error = Result(catching: { try write(number) }).failure {
                stop.values.withLock { $0[1] = .failure(error) }
            }
        }
        group.leave()
    }.start()
    let value = try body()
    let failure = stop.values.withLock { values in
        defer { values[0] = .success(0) }
        return values[1]
    }
    group.wait()
    _ = try failure?.get()
    return value
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

private func waiting<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
) throws -> Value {
    let results = Results<Value>()
    let semaphore = DispatchSemaphore(value: 0)
    Task.detached {
        do {
            let value = try await body()
            results.values.withLock { $0[0] = .success(value) }
        } catch {
            results.values.withLock { $0[0] = .failure(error) }
        }
        semaphore.signal()
    }
    semaphore.wait()
    guard let result = results.values.withLock({ $0[0] }) else { throw CFailure(code: -1) }
    return try result.get()
}
