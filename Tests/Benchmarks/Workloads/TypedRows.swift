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

/// A rack, in which many of the rows are.
@Table("rack") struct Rack {
    let id: Int
    var name: String
    var height: Double
}

@Selection struct WideItemLine {
    let name: String
    let quantity: Int
    let price: Double
}

let wideColumns =
    "id, quantity, shelf, updated, name, category, code, price, weight, added"
private let datelessColumns =
    "id, quantity, shelf, updated, name, category, code, price, weight"

private let pairColumns =
    datelessColumns.split(separator: ", ").map { "wideItem.\($0)" }.joined(separator: ", ")
    + ", rack.id, rack.name, rack.height"
private let pairSource = "wideItem JOIN rack ON wideItem.shelf = rack.id"

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
            CREATE TABLE rack (id INTEGER PRIMARY KEY, name TEXT NOT NULL, height REAL NOT NULL);
            WITH RECURSIVE number (id) AS (
                VALUES (0) UNION ALL SELECT id + 1 FROM number LIMIT 97
            )
            INSERT INTO rack SELECT id, 'Rack number ' || id, id / 4.0 FROM number;
            """)
}

/// Rows of tables and selections, next to a loop in C that makes the same values.
func typedRowWorkloads(rows: Int) -> [Workload] {
    wholeRowWorkloads(rows: rows) + selectionWorkloads(rows: rows)
}

private func wholeRowWorkloads(rows: Int) -> [Workload] {
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
    ]
}

private func selectionWorkloads(rows: Int) -> [Workload] {
    [
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
        .inTransaction(
            "typed: fetch joined pairs", aim: .ratio(1.10), operations: rows,
            prepare: makeWideItems,
            library: { db in
                let pairs = try DatelessItem.join(Rack.all) { $0.shelf.eq($1.id) }.fetchAll(db)
                return { digest(pairs) }
            },
            c: { connection in
                let pairs = try elements(connection, pairColumns, from: pairSource) {
                    (DatelessItem($0), Rack($0, from: 9))
                }
                return { digest(pairs) }
            }),
    ]
}

private func elements<Element>(
    _ connection: OpaquePointer, _ columns: String, from source: String = "wideItem",
    _ decode: (CStatement) throws -> Element
) throws -> [Element] {
    var elements: [Element] = []
    let statement = try CStatement(connection, "SELECT \(columns) FROM \(source)")
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

extension Rack {
    init(_ statement: CStatement, from index: Int32) {
        self.init(
            id: Int(statement.int64(index)), name: statement.text(index + 1),
            height: statement.double(index + 2))
    }
}

extension WideItem {
    /// The values of a row of Strongroom, by position.
    init(positionsOf row: Row) {
        self.init(
            id: row[0], quantity: row[1], shelf: row[2], updated: row[3], name: row[4],
            category: row[5], code: row[6], price: row[7], weight: row[8], added: row[9])
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

private func digest(_ pairs: [(DatelessItem, Rack)]) -> UInt64 {
    var digest = Digest()
    digest.add(bits: pairs.map(\.0).digest)
    for (_, rack) in pairs {
        digest.add(Int64(rack.id))
        digest.add(rack.name)
        digest.add(rack.height)
    }
    return digest.value
}
