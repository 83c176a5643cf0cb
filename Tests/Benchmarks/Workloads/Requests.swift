import Strongroom

private struct ItemRow: TableRecord, FetchableRecord {
    static let databaseTableName = "item"

    enum Columns {
        static let id = Column("id")
        static let quantity = Column("quantity")
    }

    let item: Item

    init(row: Row) {
        item = Item(positionsOf: row)
    }
}

private let requestCount = 2000
private let width: Int64 = 20
private let sql = """
    SELECT * FROM item WHERE id >= ? AND id < ? ORDER BY quantity DESC LIMIT 10
    """

/// A filtered, ordered, limited request.
func requestWorkloads(rows: Int) -> [Workload] {
    var random = SeededGenerator(seed: 11)
    let firstIDs = (0..<requestCount).map { _ in
        Int64.random(in: 1...(Int64(rows) - width), using: &random)
    }
    return [
        .inTransaction(
            "request built and fetched each time", aim: .ratio(3), operations: requestCount,
            library: { db in
                let items = try firstIDs.flatMap { id in
                    try ItemRow.filter { $0.id >= id && $0.id < id + width }
                        .order(\.quantity.desc).limit(10).fetchAll(db)
                }
                return { items.map(\.item).digest }
            },
            c: { try fetch($0, firstIDs) }),
        .inTransaction(
            "the same request fetched again", aim: .ratio(1.5), operations: requestCount,
            library: { db in
                let id = firstIDs[0]
                let request = ItemRow.filter { $0.id >= id && $0.id < id + width }
                    .order(\.quantity.desc).limit(10)
                let items = try firstIDs.flatMap { _ in try request.fetchAll(db) }
                return { items.map(\.item).digest }
            },
            c: { try fetch($0, firstIDs.map { _ in firstIDs[0] }) }),
    ]
}

private func fetch(_ connection: OpaquePointer, _ firstIDs: [Int64]) throws -> Workload.Outcome {
    let statement = try CStatement(connection, sql)
    defer { statement.finalize() }
    var items: [Item] = []
    for id in firstIDs {
        statement.bind(1, id)
        statement.bind(2, id + width)
        while try statement.step() { items.append(Item(statement)) }
        statement.reset()
    }
    return { items.digest }
}
