import StrongroomTables

private let fullUpdateSQL = "UPDATE stock SET name = ?, quantity = ?, price = ? WHERE id = ?"

/// Records that are fetched, found, inserted and updated.
func recordWorkloads(rows: Int) -> [Workload] {
    fetchingRecords(rows: rows) + findingRecords(rows: rows) + insertingRecords()
        + [
            updating("update Codable records", aim: 2) { CodableStockItem(StockItem($0)) },
            updating("update @Record records", aim: 1.6) { MacroStockItem(StockItem($0)) },
        ]
}

private func updating(
    _ name: String, aim: Double, _ record: @escaping (Int64) -> some PersistableRecord
) -> Workload {
    .inTransaction(
        name, aim: .ratio(aim), operations: Int(bulkCount),
        prepare: { try fillStock($0, count: updatedCount) }, inspect: stockDigest,
        library: { db in
            for id in 1...bulkCount { try record(id).update(db) }
            return { 0 }
        }, c: updateInC)
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
        .inTransaction(
            "fetch @Record records", aim: .ratio(1.1), operations: rows,
            library: { db in
                let records = try MacroItem.fetchAll(db, sql: itemsSQL)
                return { records.map(\.item).digest }
            }, c: recordsInC),
        // What Codable costs by itself: the rows are stepped over, and the decoder makes up values.
        .inTransaction(
            "decode Codable records from constants", operations: rows,
            library: { db in
                var records: [CodableItem] = []
                let cursor = try Row.fetchCursor(db, sql: itemsSQL)
                while try cursor.next() != nil {
                    records.append(try CodableItem(from: ConstantDecoder()))
                }
                return { UInt64(records.count) }
            },
            c: { connection in
                let outcome = try recordsInC(connection)
                return { outcome() == 0 ? 0 : UInt64(rows) }
            }),
    ]
}

private func findingRecords(rows: Int) -> [Workload] {
    [
        finding("fetch one record by key", aim: 3, rows: rows, CodableItem.self, \.item),
        finding("fetch one @Record record by key", aim: 2, rows: rows, MacroItem.self, \.item),
    ]
}

private func finding<Record: FetchableRecord & TableRecord>(
    _ name: String, aim: Double, rows: Int, _ type: Record.Type,
    _ item: @escaping (Record) -> Item
) -> Workload {
    let ids = lookedUpIDs(rows: rows)
    return .inTransaction(
        name, aim: .ratio(aim), operations: ids.count,
        library: { db in
            let records = try ids.compactMap { try Record.fetchOne(db, key: $0) }
            return { records.map(item).digest }
        },
        c: { connection in
            let items = try lookUp(connection, lookupSQL, ids) { Item($0) }
            return { items.digest }
        })
}

private func insertingRecords() -> [Workload] {
    [
        inserting("insert records", aim: 1.5) { StockItem($0) },
        inserting("insert Codable records", aim: 1.8) { CodableStockItem(StockItem($0)) },
        inserting("insert @Record records", aim: 1.5) { MacroStockItem(StockItem($0)) },
        .inTransaction(
            "insert all records, against one by one", aim: .ratio(1), operations: Int(bulkCount),
            prepare: emptyStock, inspect: stockDigest,
            library: { db in
                try StockItem.insertAll(db, (1...bulkCount).map(StockItem.init))
                return { 0 }
            }, c: insertInC),
    ]
}

private func inserting(
    _ name: String, aim: Double, _ record: @escaping (Int64) -> some PersistableRecord
) -> Workload {
    .inTransaction(
        name, aim: .ratio(aim), operations: Int(bulkCount), prepare: emptyStock,
        inspect: stockDigest,
        library: { db in
            for id in 1...bulkCount { try record(id).insert(db) }
            return { 0 }
        }, c: insertInC)
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
