import Foundation
import StrongroomTables

@Table("stock") struct StockRow {
    let id: Int
    var name: String
    var quantity: Int
    var price: Double
}

private let foundSQL = "SELECT \(wideColumns) FROM wideItem WHERE id = ?"
private let insertSQL = "INSERT INTO stock (id, name, quantity, price) VALUES (?, ?, ?, ?)"
private let updateSQL = "UPDATE stock SET quantity = ?, name = ? WHERE id = ?"
private let keyCount = 20_000
private let rowCount = 100_000

/// Typed statements that are made, and run, again and again.
///
/// Those by key run beside a statement of Strongroom that its user keeps.
func typedStatementWorkloads(rows: Int) -> [Workload] {
    [findWorkload(rows: rows), insertWorkload(), singleInsertWorkload(), updateWorkload()]
        + buildingWorkloads() + dateWorkloads()
}

private func findWorkload(rows: Int) -> Workload {
    var random = SeededGenerator(seed: 7)
    let ids = (0..<keyCount).map { _ in Int.random(in: 1...rows, using: &random) }
    return .inTransaction(
        "typed: find by key, beside a kept statement", aim: .ratio(1.15), operations: keyCount,
        prepare: makeWideItems,
        library: { db in
            let items = try ids.compactMap { try WideItem.find($0).fetchOne(db) }
            return { items.digest }
        },
        kept: { db in
            let statement = try db.makeStatement(sql: foundSQL)
            let items = try ids.compactMap { id in
                try Row.fetchOne(statement, arguments: [id]).map(WideItem.init(positionsOf:))
            }
            return { items.digest }
        })
}

private func insertWorkload() -> Workload {
    .inTransaction(
        "typed: insert rows", aim: .ratio(1.15), operations: rowCount,
        prepare: emptyStock, inspect: stockDigest,
        library: { db in
            let stock = (1...rowCount).map { id in
                StockRow(
                    id: id, name: stockName(Int64(id)), quantity: id % 1000, price: Double(id) / 4)
            }
            try StockRow.insert { stock }.execute(db)
            return { 0 }
        },
        c: { connection in
            // The rows are made first, as they are for the library.
            let stock = (1...rowCount).map { id in
                StockRow(
                    id: id, name: stockName(Int64(id)), quantity: id % 1000, price: Double(id) / 4)
            }
            let insertion = try CStatement(connection, insertSQL)
            defer { insertion.finalize() }
            for row in stock {
                insertion.bind(1, Int64(row.id))
                insertion.bind(2, row.name)
                insertion.bind(3, Int64(row.quantity))
                insertion.bind(4, row.price)
                try insertion.run()
            }
            return { 0 }
        })
}

/// A statement for each row, as forms and synchronisation write them.
private func singleInsertWorkload() -> Workload {
    .inTransaction(
        "typed: insert one row, beside a kept statement", aim: .ratio(1.2), operations: keyCount,
        prepare: emptyStock, inspect: stockDigest,
        library: { db in
            for id in 1...keyCount {
                try StockRow.insert {
                    StockRow(
                        id: id, name: stockName(Int64(id)), quantity: id % 1000,
                        price: Double(id) / 4)
                }.execute(db)
            }
            return { 0 }
        },
        kept: { db in
            let statement = try db.makeStatement(sql: insertSQL)
            for id in 1...keyCount {
                try statement.execute(
                    arguments: [id, stockName(Int64(id)), id % 1000, Double(id) / 4])
            }
            return { 0 }
        })
}

private func updateWorkload() -> Workload {
    .inTransaction(
        "typed: update by key, beside a kept statement", aim: .ratio(1.2), operations: keyCount,
        prepare: { try fillStock($0, count: Int64(keyCount)) }, inspect: stockDigest,
        library: { db in
            for id in 1...keyCount {
                try StockRow.find(id).update {
                    $0.quantity = id % 977
                    $0.name = stockName(Int64(id) + 1)
                }.execute(db)
            }
            return { 0 }
        },
        kept: { db in
            let statement = try db.makeStatement(sql: updateSQL)
            for id in 1...keyCount {
                try statement.execute(arguments: [id % 977, stockName(Int64(id) + 1), id])
            }
            return { 0 }
        })
}

/// Takes what was made, which the optimizer may not leave out.
@inline(never)
private func make(_: consuming some SelectStatement) {}

/// Queries that are made and not run.
private func buildingWorkloads() -> [Workload] {
    [
        .alone("typed: build a select", aim: 1.5, operations: keyCount) {
            for id in 0..<keyCount {
                make(
                    WideItem.where { $0.quantity > id && $0.shelf.eq(3) }
                        .order(by: \.name).limit(10))
            }
            return { UInt64(keyCount) }
        },
        .alone("typed: build a find", aim: 0.3, operations: keyCount) {
            for id in 0..<keyCount { make(WideItem.find(id)) }
            return { UInt64(keyCount) }
        },
    ]
}

private let dates = (0..<keyCount).map {
    Date(timeIntervalSince1970: 1_700_000_000 + Double($0) * 12_345.678)
}

private let dateTexts = dates.map { $0.databaseValue }

/// Dates from and to text.
private func dateWorkloads() -> [Workload] {
    [
        .alone("typed: write a date as text", aim: 0.1, operations: keyCount) {
            let texts = dates.map(\.queryBinding)
            return { UInt64(texts.count) }
        },
        .alone("typed: read a date from text", aim: 0.1, operations: keyCount) {
            let read = dateTexts.compactMap(Date.fromDatabaseValue)
            return { UInt64(read.count) }
        },
    ]
}
