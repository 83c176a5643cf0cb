import Strongroom

private let fullUpdateSQL = "UPDATE stock SET name = ?, quantity = ?, price = ? WHERE id = ?"

/// Records that are fetched, found, inserted and updated.
func recordWorkloads(rows: Int) -> [Workload] {
    fetchingRecords(rows: rows) + [findingRecords(rows: rows)] + insertingRecords()
        + [
            .inTransaction(
                "update Codable records", aim: .ratio(2), operations: Int(bulkCount),
                prepare: { try fillStock($0, count: updatedCount) }, inspect: stockDigest,
                library: { db in
                    for id in 1...bulkCount { try CodableStockItem(StockItem(id)).update(db) }
                    return { 0 }
                }, c: updateInC)
        ]
}

private func fetchingRecords(rows: Int) -> [Workload] {
    [
        .inTransaction(
            "fetch record types by position", aim: .ratio(1.1), operations: rows,
            library: { db in
                let records = try PositionedItem.fetchAll(db, sql: itemsSQL)
                return { records.map(\.item).digest }
            }, c: recordsInC),
        .inTransaction(
            "fetch record types by column name", aim: .ratio(1.3), operations: rows,
            library: { db in
                let records = try NamedItem.fetchAll(db, sql: itemsSQL)
                return { records.map(\.item).digest }
            }, c: recordsInC),
        .inTransaction(
            "fetch Codable records", aim: .ratio(1.6), operations: rows,
            library: { db in
                let records = try CodableItem.fetchAll(db, sql: itemsSQL)
                return { records.map(\.item).digest }
            }, c: recordsInC),
    ]
}

private func findingRecords(rows: Int) -> Workload {
    let ids = lookedUpIDs(rows: rows)
    return .inTransaction(
        "fetch one record by key", aim: .ratio(3), operations: ids.count,
        library: { db in
            let records = try ids.compactMap { try CodableItem.fetchOne(db, key: $0) }
            return { records.map(\.item).digest }
        },
        c: { connection in
            let items = try lookUp(connection, lookupSQL, ids) { Item($0) }
            return { items.digest }
        })
}

private func insertingRecords() -> [Workload] {
    [
        .inTransaction(
            "insert records", aim: .ratio(1.5), operations: Int(bulkCount),
            prepare: emptyStock, inspect: stockDigest,
            library: { db in
                for id in 1...bulkCount { try StockItem(id).insert(db) }
                return { 0 }
            }, c: insertInC),
        .inTransaction(
            "insert Codable records", aim: .ratio(1.8), operations: Int(bulkCount),
            prepare: emptyStock, inspect: stockDigest,
            library: { db in
                for id in 1...bulkCount { try CodableStockItem(StockItem(id)).insert(db) }
                return { 0 }
            }, c: insertInC),
        .inTransaction(
            "insert all records, against one by one", aim: .ratio(1), operations: Int(bulkCount),
            prepare: emptyStock, inspect: stockDigest,
            library: { db in
                try StockItem.insertAll(db, (1...bulkCount).map(StockItem.init))
                return { 0 }
            }, c: insertInC),
    ]
}

private func updateInC(_ connection: OpaquePointer) throws -> Workload.Outcome {
    let update = try CStatement(connection, fullUpdateSQL)
    defer { update.finalize() }
    for id in 1...bulkCount {
        update.bind(1, stockName(id))
        update.bind(2, id % 1000)
        update.bind(3, Double(id) / 4)
        update.bind(4, id)
        try update.run()
    }
    return { 0 }
}
