import Strongroom

let lookupSQL = "SELECT \(Item.columns) FROM item WHERE id = ?"
private let nameSQL = "SELECT name FROM item WHERE id = ?"

/// One row or one value by its key, again and again.
func lookupWorkloads(rows: Int) -> [Workload] {
    let ids = lookedUpIDs(rows: rows)
    return [
        .inTransaction(
            "look up a record, cached statement", operations: ids.count,
            library: { db in
                let items = try ids.compactMap { id in
                    let statement = try db.cachedStatement(sql: lookupSQL)
                    return try Row.fetchOne(statement, arguments: [id])
                        .map(Item.init(positionsOf:))
                }
                return { items.digest }
            },
            c: { connection in
                let items = try lookUp(connection, lookupSQL, ids) { Item($0) }
                return { items.digest }
            }),
        .inTransaction(
            "look up a record, SQL text", operations: ids.count,
            library: { db in
                let items = try ids.compactMap { id in
                    try Row.fetchOne(db, sql: lookupSQL, arguments: [id])
                        .map(Item.init(positionsOf:))
                }
                return { items.digest }
            },
            c: { connection in
                let items = try lookUp(connection, lookupSQL, ids) { Item($0) }
                return { items.digest }
            }),
        .inTransaction(
            "look up a value, SQL text", operations: ids.count,
            library: { db in
                let names = try ids.compactMap { id in
                    try String.fetchOne(db, sql: nameSQL, arguments: [id])
                }
                return { digest(names) }
            },
            c: { connection in
                let names = try lookUp(connection, nameSQL, ids) { $0.text(0) }
                return { digest(names) }
            }),
    ]
}

func lookedUpIDs(rows: Int) -> [Int64] {
    var random = SeededGenerator(seed: 7)
    return (0..<2000).map { _ in Int64.random(in: 1...Int64(rows), using: &random) }
}

func lookUp<Element>(
    _ connection: OpaquePointer, _ sql: String, _ ids: [Int64],
    _ decode: (CStatement) throws -> Element
) throws -> [Element] {
    let statement = try CStatement(connection, sql)
    defer { statement.finalize() }
    return try ids.compactMap { id in
        statement.bind(1, id)
        defer { statement.reset() }
        return try statement.step() ? try decode(statement) : nil
    }
}

private func digest(_ values: [String]) -> UInt64 {
    var digest = Digest()
    values.forEach { digest.add($0) }
    return digest.value
}
