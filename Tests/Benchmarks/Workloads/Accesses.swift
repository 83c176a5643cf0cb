import Strongroom

private let accessCount = 2000

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
            c: { try $0.withConnection(readInTransactions) })
    ]
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
