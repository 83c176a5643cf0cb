import Strongroom

private let updateSQL = "UPDATE stock SET quantity = ?, name = ? WHERE id = ?"
let updatedCount: Int64 = 10_000

/// Rows that are there already, each changed by its key, in one transaction.
func updatingWorkloads() -> [Workload] {
    [
        .inTransaction(
            "update by SQL and arguments", aim: .ratio(2), operations: Int(updatedCount),
            prepare: { try fillStock($0, count: updatedCount) }, inspect: stockDigest,
            library: { db in
                for id in 1...updatedCount {
                    try db.execute(sql: updateSQL, arguments: [id % 977, stockName(id + 1), id])
                }
                return { 0 }
            }, c: updateStockInC)
    ]
}

func fillStock(_ db: Database, count: Int64) throws {
    try emptyStock(db)
    try db.execute(
        sql: """
            WITH RECURSIVE number (id) AS (
                VALUES (1) UNION ALL SELECT id + 1 FROM number LIMIT ?
            )
            INSERT INTO stock SELECT id, 'Something', 0, id FROM number
            """,
        arguments: [count])
}

func updateStockInC(_ connection: OpaquePointer) throws -> Workload.Outcome {
    let update = try CStatement(connection, updateSQL)
    defer { update.finalize() }
    for id in 1...updatedCount {
        update.bind(1, id % 977)
        update.bind(2, stockName(id + 1))
        update.bind(3, id)
        try update.run()
    }
    return { 0 }
}
