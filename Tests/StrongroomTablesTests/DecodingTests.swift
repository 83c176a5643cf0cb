import Foundation
import StrongroomTablesRuntime
import StrongroomTestSupport
import Testing

@Suite struct DecodingTests {
    let library: Library

    init() throws { library = try Library() }

    @Test(.proves("DEC-016"))
    func `no row is told from NULL, and an optional of an optional is nil once`() throws {
        try library.queue.read { db in
            let stars = Item.find(2).select(\.stars)
            #expect(try stars.fetchOne(db) == .some(nil))
            #expect(try Item.find(9).select(\.stars).fetchOne(db) == nil)
            #expect(try stars.fetchAll(db) == [nil])
            let outer: [(Int, Int?)] = try Folder.leftJoin(Item.all) { $0.id.eq($1.folderID) }
                .where { folder, _ in folder.id > 1 }.order { ($0.id, $1.id) }
                .select { ($0.id, $1.stars) }.fetchAll(db)
            #expect(outer.map(\.1) == [5, 5, nil])
        }
    }

    @Test(.proves("DEC-017"))
    func `a cursor goes on after a row that does not fit`() throws {
        try library.queue.write { db in
            try db.execute(sql: "UPDATE items SET stars = 'many' WHERE id = 2")
            let query = Item.order(by: \.id)
            #expect(throws: QueryDecodingError.self) { try query.fetchAll(db) }
            let cursor = try query.fetchCursor(db)
            #expect(try cursor.next()?.id == 1)
            #expect(throws: QueryDecodingError.self) { try cursor.next() }
            #expect(try cursor.next()?.id == 3)
        }
    }

    @Test(.proves("DEC-019"))
    func `a row of the core is decoded by the names of its columns`() throws {
        try library.queue.read { db in
            let sql = "SELECT folderID, title, id, level, stars, isDone FROM items WHERE id = 3"
            let row = try #require(try Row.fetchOne(db, sql: sql))
            let mail = Item(id: 3, title: "mail", stars: 5, level: .high, folderID: 2)
            #expect(try Item.decode(row) == mail)
            let short = try #require(try Row.fetchOne(db, sql: "SELECT id FROM items"))
            #expect(throws: QueryBuildingError.self) { try Item.decode(short) }
        }
    }

    @Test(.proves("DEC-025", "BYD-017"))
    func `SQL is read by the names of its columns`() throws {
        try library.queue.read { db in
            func titles(_ columns: String) throws -> [String] {
                let query: QueryFragment =
                    "SELECT \(raw: columns) FROM folders ORDER BY folders.rank"
                return try SQLQueryExpression<Folder>(query).fetchAll(db).map(\.title)
            }
            #expect(try titles("id, title, rank") == ["home", "work", "empty"])
            #expect(try titles("rank, title, id") == ["home", "work", "empty"])
            #expect(
                try titles("rank AS id, title AS id, rank").sorted() == ["empty", "home", "work"])
            let error = #expect(throws: QueryBuildingError.self) {
                try SQLQueryExpression<Folder>("SELECT id, rank FROM folders").fetchOne(db)
            }
            #expect(error?.message == "the result has no column \"title\" for Folder.title")
            #expect(throws: QueryBuildingError.self) {
                try SQLQueryExpression<Folder>("SELECT id, rank FROM folders WHERE 0").fetchAll(db)
            }
            #expect(throws: QueryBuildingError.self) {
                try _sql("SELECT 1, 2, 3", as: (Int, Int).self).fetchAll(db)
            }
            #expect(throws: QueryBuildingError.self) {
                try _sql("SELECT 1, 2", as: Int.self).fetchAll(db)
            }
            let pairs = try _sql("SELECT 1, 'a'", as: (Int, String).self).fetchAll(db)
            #expect(pairs.count == 1 && pairs[0] == (1, "a"))
        }
    }

    @Test(.proves("DEC-001", "DEC-015", "DEC-022"))
    func `values are read as they were written`() throws {
        func round<Value: QueryBindable & Equatable>(_ value: Value) throws -> Value?
        where Value.QueryOutput == Value, Value.TermValue == Value, Value.RowValue == Value {
            try library.queue.read { try Values(value).fetchOne($0) }
        }
        #expect(try round(true) == true)
        #expect(try round(-7) == -7)
        #expect(try round(Int8.min) == .min)
        #expect(try round(Int16.max) == .max)
        #expect(try round(Int32.min) == .min)
        #expect(try round(Int64.max) == .max)
        #expect(try round(UInt8.max) == .max)
        #expect(try round(UInt16.max) == .max)
        #expect(try round(UInt32.max) == .max)
        #expect(try round(UInt64(Int64.max)) == UInt64(Int64.max))
        #expect(try round(UInt(7)) == 7)
        #expect(try round(Float(0.1)) == 0.1)
        #expect(try round(0.1) == 0.1)
        #expect(try round(-0.0)?.sign == .minus)
        #expect(try round(Double.infinity) == .infinity)
        #expect(try round(-Double.infinity) == -.infinity)
        #expect(try round("a\0b") == "a\0b")
        #expect(try round("abc".prefix(2)) == "ab")
        #expect(try round([UInt8]()) == [])
        #expect(try round(Data([0, 255])) == Data([0, 255]))
        #expect(try round(URL(string: "https://example.org/a?b")!)?.query == "b")
        #expect(try round(Date(timeIntervalSince1970: 0.25)) == Date(timeIntervalSince1970: 0.25))
        let uuid = UUID()
        #expect(try round(uuid) == uuid)
        #expect(try round(Decimal(string: "12.345")!) == Decimal(string: "12.345"))
        try library.queue.read { (db) throws in
            #expect(try Values(Int?.none).fetchOne(db) == .some(nil))
            #expect(try Values(Int?.some(5)).fetchOne(db) == 5)
            let float = _sql("SELECT typeof(\(Float(0.1)))", as: String.self)
            #expect(try float.fetchOne(db) == "real")
            // All of the text is the number.
            for text in ["12abc", "1 2", "", "1,5"] {
                #expect(throws: QueryDecodingError.self) {
                    try _sql("SELECT \(bind: text)", as: Decimal.self).fetchOne(db)
                }
            }
            #expect(try Values(Double.nan.cast(as: Double?.self)).fetchOne(db) == .some(nil))
            let repaired = _sql("SELECT CAST(X'61ff' AS TEXT)", as: String.self)
            #expect(try repaired.fetchOne(db) == "a\u{FFFD}")
        }
    }
}
