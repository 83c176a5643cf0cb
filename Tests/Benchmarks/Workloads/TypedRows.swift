import Foundation
import StrongroomTables

/// A row of ten columns.
@Table("wideItem") struct WideItem {
    let id: Int
    var quantity: Int
    var shelf: Int
    var updated: Int
    var name: String
    var category: String
    var code: String
    var price: Double
    var weight: Double
    var added: Date
}

/// The same row without the date, whose text takes longest to read.
@Table("wideItem") struct DatelessItem {
    let id: Int
    var quantity: Int
    var shelf: Int
    var updated: Int
    var name: String
    var category: String
    var code: String
    var price: Double
    var weight: Double
}

@Selection struct WideItemLine {
    let name: String
    let quantity: Int
    let price: Double
}

private let wideColumns =
    "id, quantity, shelf, updated, name, category, code, price, weight, added"
private let datelessColumns =
    "id, quantity, shelf, updated, name, category, code, price, weight"

/// Makes the table of typed rows unless it is there.
func makeWideItems(_ db: Database) throws {
    guard try !db.tableExists("wideItem") else { return }
    try db.execute(
        sql: """
            CREATE TABLE wideItem (id INTEGER PRIMARY KEY, quantity INTEGER NOT NULL,
                shelf INTEGER NOT NULL, updated INTEGER NOT NULL, name TEXT NOT NULL,
                category TEXT NOT NULL, code TEXT NOT NULL, price REAL NOT NULL,
                weight REAL NOT NULL, added TEXT NOT NULL);
            INSERT INTO wideItem SELECT id, quantity, id % 97, updated, name, category,
                'code ' || (id % 1009), price, ifnull(weight, 1.5),
                strftime('%Y-%m-%d %H:%M:%f', updated, 'unixepoch') FROM item;
            """)
}

/// Rows of tables and selections, next to a loop in C that makes the same values.
func typedRowWorkloads(rows: Int) -> [Workload] {
    [
        .inTransaction(
            "typed: fetch rows of ten columns", aim: .ratio(1.05), operations: rows,
            prepare: makeWideItems,
            library: { db in
                let items = try WideItem.fetchAll(db)
                return { items.digest }
            },
            c: { connection in
                let items = try elements(connection, wideColumns, WideItem.init)
                return { items.digest }
            }),
        .inTransaction(
            "typed: fetch rows without the date", aim: .ratio(1.05), operations: rows,
            prepare: makeWideItems,
            library: { db in
                let items = try DatelessItem.fetchAll(db)
                return { items.digest }
            },
            c: { connection in
                let items = try elements(connection, datelessColumns, DatelessItem.init)
                return { items.digest }
            }),
        .inTransaction(
            "typed: fetch a selection of three", aim: .ratio(1.10), operations: rows,
            prepare: makeWideItems,
            library: { db in
                let lines = try WideItem.select {
                    WideItemLine.Columns(name: $0.name, quantity: $0.quantity, price: $0.price)
                }.fetchAll(db)
                return { digest(lines.map { ($0.name, $0.quantity, $0.price) }) }
            },
            c: { connection in
                let lines = try elements(connection, "name, quantity, price") {
                    WideItemLine(
                        name: $0.text(0), quantity: Int($0.int64(1)), price: $0.double(2))
                }
                return { digest(lines.map { ($0.name, $0.quantity, $0.price) }) }
            }),
        .inTransaction(
            "typed: fetch a tuple of three", aim: .ratio(1.10), operations: rows,
            prepare: makeWideItems,
            library: { db in
                let lines = try WideItem.select { ($0.name, $0.quantity, $0.price) }.fetchAll(db)
                return { digest(lines) }
            },
            c: { connection in
                let lines = try elements(connection, "name, quantity, price") {
                    ($0.text(0), Int($0.int64(1)), $0.double(2))
                }
                return { digest(lines) }
            }),
    ]
}

private func elements<Element>(
    _ connection: OpaquePointer, _ columns: String, _ decode: (CStatement) throws -> Element
) throws -> [Element] {
    var elements: [Element] = []
    let statement = try CStatement(connection, "SELECT \(columns) FROM wideItem")
    defer { statement.finalize() }
    while try statement.step() { elements.append(try decode(statement)) }
    return elements
}

extension WideItem {
    /// The values of a row by the conversions that the library makes.
    init(_ statement: CStatement) throws {
        self.init(
            id: Int(statement.int64(0)), quantity: Int(statement.int64(1)),
            shelf: Int(statement.int64(2)), updated: Int(statement.int64(3)),
            name: statement.text(4), category: statement.text(5), code: statement.text(6),
            price: statement.double(7), weight: statement.double(8),
            added: try date(statement.text(9)))
    }
}

private func date(_ text: String) throws -> Date {
    guard let date = Date.fromDatabaseValue(text.databaseValue) else { throw CFailure(code: -2) }
    return date
}

extension DatelessItem {
    init(_ statement: CStatement) {
        self.init(
            id: Int(statement.int64(0)), quantity: Int(statement.int64(1)),
            shelf: Int(statement.int64(2)), updated: Int(statement.int64(3)),
            name: statement.text(4), category: statement.text(5), code: statement.text(6),
            price: statement.double(7), weight: statement.double(8))
    }
}

extension [WideItem] {
    var digest: UInt64 {
        var digest = Digest()
        for item in self {
            for number in [item.id, item.quantity, item.shelf, item.updated] {
                digest.add(Int64(number))
            }
            for text in [item.name, item.category, item.code] { digest.add(text) }
            digest.add(item.price)
            digest.add(item.weight)
            digest.add(item.added.timeIntervalSinceReferenceDate)
        }
        return digest.value
    }
}

extension [DatelessItem] {
    fileprivate var digest: UInt64 {
        var digest = Digest()
        for item in self {
            for number in [item.id, item.quantity, item.shelf, item.updated] {
                digest.add(Int64(number))
            }
            for text in [item.name, item.category, item.code] { digest.add(text) }
            digest.add(item.price)
            digest.add(item.weight)
        }
        return digest.value
    }
}

private func digest(_ lines: [(String, Int, Double)]) -> UInt64 {
    var digest = Digest()
    for line in lines {
        digest.add(line.0)
        digest.add(Int64(line.1))
        digest.add(line.2)
    }
    return digest.value
}
