import Strongroom

let itemsSQL = "SELECT \(Item.columns) FROM item"

/// Many rows at once, in each of the shapes that they can be had in.
func fetchingWorkloads(rows: Int) -> [Workload] {
    [
        .inTransaction(
            "fetch records by position", aim: .ratio(1.1), operations: rows,
            library: { db in
                let items = try records(db, Item.init(positionsOf:))
                return { items.digest }
            }, c: recordsInC),
        .inTransaction(
            "fetch records by column name", aim: .ratio(1.3), operations: rows,
            library: { db in
                let items = try records(db, Item.init(namesOf:))
                return { items.digest }
            }, c: recordsInC),
        .inTransaction(
            "fetch copied rows", aim: .ratio(1.5), operations: rows,
            library: { db in
                let rows = try Row.fetchAll(db, sql: itemsSQL)
                return { digest(rows.map { $0.databaseValues.map(Cell.init) }) }
            }, c: rowsInC),
        .inTransaction(
            "iterate a cursor of rows", aim: .ratio(1.1), operations: rows,
            library: iterateRows, c: iterateRowsInC),
        .inTransaction(
            "fetch [Int64]", aim: .ratio(1.15), operations: rows,
            library: { db in
                let values = try Int64.fetchAll(db, sql: "SELECT updated FROM item")
                return { digest(values) }
            },
            c: { connection in
                let values = try column(connection, "SELECT updated FROM item") { $0.int64(0) }
                return { digest(values) }
            }),
        .inTransaction(
            "fetch [String]", aim: .ratio(1.15), operations: rows,
            library: { db in
                let values = try String.fetchAll(db, sql: "SELECT name FROM item")
                return { digest(values) }
            },
            c: { connection in
                let values = try column(connection, "SELECT name FROM item") { $0.text(0) }
                return { digest(values) }
            }),
    ]
}

private func records(_ db: Database, _ decode: (Row) -> Item) throws -> [Item] {
    var items: [Item] = []
    let cursor = try Row.fetchCursor(db, sql: itemsSQL)
    while let row = try cursor.next() {
        items.append(decode(row))
    }
    return items
}

func recordsInC(_ connection: OpaquePointer) throws -> Workload.Outcome {
    let items = try column(connection, itemsSQL) { Item($0) }
    return { items.digest }
}

private func rowsInC(_ connection: OpaquePointer) throws -> Workload.Outcome {
    let rows = try column(connection, itemsSQL) { statement in
        let count = statement.columnCount
        return [Cell](unsafeUninitializedCapacity: Int(count)) { cells, initializedCount in
            for column in 0..<count {
                cells.initializeElement(at: Int(column), to: Cell(statement, column))
            }
            initializedCount = Int(count)
        }
    }
    return { digest(rows) }
}

/// Reads a few cells of each row, and keeps nothing.
private func iterateRows(_ db: Database) throws -> Workload.Outcome {
    var sum: Int64 = 0
    var total = 0.0
    let cursor = try Row.fetchCursor(db, sql: itemsSQL)
    while let row = try cursor.next() {
        let quantity: Int64 = row[3]
        let price: Double = row[4]
        let updated: Int64 = row[6]
        sum &+= quantity &+ updated
        total += price
    }
    return { digest([sum, Int64(total * 100)]) }
}

private func iterateRowsInC(_ connection: OpaquePointer) throws -> Workload.Outcome {
    var sum: Int64 = 0
    var total = 0.0
    let statement = try CStatement(connection, itemsSQL)
    defer { statement.finalize() }
    while try statement.step() {
        sum &+= statement.int64(3) &+ statement.int64(6)
        total += statement.double(4)
    }
    return { digest([sum, Int64(total * 100)]) }
}

/// One element for each row.
private func column<Element>(
    _ connection: OpaquePointer, _ sql: String, _ decode: (CStatement) -> Element
) throws -> [Element] {
    var elements: [Element] = []
    let statement = try CStatement(connection, sql)
    defer { statement.finalize() }
    while try statement.step() {
        elements.append(decode(statement))
    }
    return elements
}

private func digest(_ values: [Int64]) -> UInt64 {
    var digest = Digest()
    values.forEach { digest.add($0) }
    return digest.value
}

private func digest(_ values: [String]) -> UInt64 {
    var digest = Digest()
    values.forEach { digest.add($0) }
    return digest.value
}

private func digest(_ rows: [[Cell]]) -> UInt64 {
    var digest = Digest()
    for row in rows {
        row.forEach { $0.add(to: &digest) }
    }
    return digest.value
}
