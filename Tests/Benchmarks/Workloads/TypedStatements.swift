import StrongroomTables

@Table("stock") struct StockRow {
    let id: Int
    var name: String
    var quantity: Int
    var price: Double
}

private let foundSQL = """
    SELECT id, quantity, shelf, updated, name, category, code, price, weight, added FROM wideItem \
    WHERE id = ?
    """

/// Typed statements that are made, and run, again and again.
func typedStatementWorkloads(rows: Int) -> [Workload] {
    let ids = lookedUpIDs(rows: rows).map(Int.init)
    return [
        .inTransaction(
            "typed: find by key", aim: .ratio(1.6), operations: ids.count, prepare: makeWideItems,
            library: { db in
                let items = try ids.compactMap { try WideItem.find($0).fetchOne(db) }
                return { items.digest }
            },
            c: { connection in
                let items = try lookUp(connection, foundSQL, ids.map(Int64.init)) {
                    try WideItem($0)
                }
                return { items.digest }
            }),
        Workload(
            name: "typed: build a select", aim: .microseconds(1.5), operations: ids.count,
            library: { _ in
                let queries = ids.map { id in
                    WideItem.where { $0.quantity > id && $0.shelf.eq(3) }.order(by: \.name)
                        .limit(10)
                }
                return { UInt64(queries.count) }
            },
            c: { _ in { UInt64(ids.count) } }),
        Workload(
            name: "typed: build a find", aim: .microseconds(0.3), operations: ids.count,
            library: { _ in
                let queries = ids.map { WideItem.find($0) }
                return { UInt64(queries.count) }
            },
            c: { _ in { UInt64(ids.count) } }),
        .inTransaction(
            "typed: insert rows", aim: .ratio(1.15), operations: Int(bulkCount),
            prepare: emptyStock, inspect: stockDigest,
            library: { db in
                let stock = (1...Int(bulkCount)).map { id in
                    StockRow(
                        id: id, name: stockName(Int64(id)), quantity: id % 1000,
                        price: Double(id) / 4)
                }
                try StockRow.insert { stock }.execute(db)
                return { 0 }
            },
            c: insertInC),
        .inTransaction(
            "typed: update by key", aim: .ratio(1.2), operations: 10_000, prepare: fillStock,
            inspect: stockDigest,
            library: { db in
                for id in 1...10_000 {
                    try StockRow.find(id).update {
                        $0.quantity = id % 977
                        $0.name = stockName(Int64(id) + 1)
                    }.execute(db)
                }
                return { 0 }
            },
            c: updateStockInC),
    ]
}
