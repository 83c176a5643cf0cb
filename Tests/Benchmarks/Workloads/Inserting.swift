import Strongroom

private let insertionSQL = "INSERT INTO stock (id, name, quantity, price) VALUES (?, ?, ?, ?)"
let bulkCount: Int64 = 10_000
private let transactionCount: Int64 = 500

/// New rows, many in one transaction or each in its own.
func insertingWorkloads() -> [Workload] {
    [
        .inTransaction(
            "insert by SQL and arguments", aim: .ratio(2), operations: Int(bulkCount),
            prepare: emptyStock, inspect: stockDigest,
            library: { db in
                for id in 1...bulkCount {
                    try db.execute(sql: insertionSQL, arguments: arguments(id))
                }
                return { 0 }
            },
            c: insertInC),
        .inTransaction(
            "insert by a kept statement", operations: Int(bulkCount),
            prepare: emptyStock, inspect: stockDigest,
            library: { db in
                let statement = try db.makeStatement(sql: insertionSQL)
                for id in 1...bulkCount {
                    try statement.execute(arguments: arguments(id))
                }
                return { 0 }
            },
            c: insertInC),
        Workload(
            name: "small write transactions", operations: Int(transactionCount),
            prepare: { try $0.queue.inDatabase(emptyStock) }, inspect: stockDigest,
            library: { database in
                for id in 1...transactionCount {
                    try database.queue.write { db in
                        try db.execute(sql: insertionSQL, arguments: arguments(id))
                    }
                }
                return { 0 }
            },
            c: { try $0.withConnection(insertInTransactionsInC) }),
    ]
}

func emptyStock(_ db: Database) throws {
    try db.execute(sql: "DELETE FROM stock")
}

/// What the table `stock` holds, summed up by SQLite.
func stockDigest(_ db: Database) throws -> UInt64 {
    var digest = Digest()
    let sql = "SELECT COUNT(*), SUM(id), SUM(quantity), SUM(price), SUM(LENGTH(name)) FROM stock"
    if let row = try Row.fetchOne(db, sql: sql) {
        row.databaseValues.forEach { Cell($0).add(to: &digest) }
    }
    return digest.value
}

func stockName(_ id: Int64) -> String {
    "Item number \(id) in stock"
}

private func arguments(_ id: Int64) -> StatementArguments {
    [id, stockName(id), id % 1000, Double(id) / 4]
}

func insertInC(_ connection: OpaquePointer) throws -> Workload.Outcome {
    let insertion = try CStatement(connection, insertionSQL)
    defer { insertion.finalize() }
    for id in 1...bulkCount {
        try insert(id, insertion)
    }
    return { 0 }
}

private func insertInTransactionsInC(_ connection: OpaquePointer) throws -> Workload.Outcome {
    let begin = try CStatement(connection, "BEGIN IMMEDIATE TRANSACTION")
    let insertion = try CStatement(connection, insertionSQL)
    let commit = try CStatement(connection, "COMMIT TRANSACTION")
    defer { [begin, insertion, commit].forEach { $0.finalize() } }
    for id in 1...transactionCount {
        try begin.run()
        try insert(id, insertion)
        try commit.run()
    }
    return { 0 }
}

private func insert(_ id: Int64, _ insertion: CStatement) throws {
    insertion.bind(1, id)
    insertion.bind(2, stockName(id))
    insertion.bind(3, id % 1000)
    insertion.bind(4, Double(id) / 4)
    try insertion.run()
}
