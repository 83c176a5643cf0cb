import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// Tables whose columns have types that stand beside them.
private enum Shop {
    enum Kind: String, QueryBindable, Codable { case retail, trade }
    struct Note: Codable, Equatable { var text: String }
    static let firstNumber = 7

    @Table struct Customer: Identifiable, Equatable {
        let id: UUID
        var kind = Kind.retail
        var former: Kind?
        @Column(as: Note.JSONRepresentation.self) var note = Note(text: "none")
        @Column(as: [Kind].JSONRepresentation?.self) var others: [Kind]?
        var number: Int = firstNumber
    }
    @Table struct Purchase: Identifiable {
        let id: Int
        var customerID: Customer.ID
        var total = 0.0
    }
    @Table struct Crate<Content: QueryBindable>: Identifiable where Content.QueryOutput == Content {
        let id: Int
        var content: Content
        var former: Content?
        var kind = Kind.trade
    }
}

extension Shop {
    @Selection fileprivate struct Line {
        let kind: Kind
        let customer: Customer
        let purchase: Purchase?
    }
    @Selection fileprivate enum Found: Equatable { case customer(Customer), sort(Kind = .trade) }
}

private struct Depot<Place: Sendable> {
    enum Size: Int, QueryBindable { case small, large }
    @Table("parcels") struct Parcel: Identifiable {
        let id: Int
        var size = Size.large
    }
}

@Suite struct NestedTablesTests {
    private let fixture: FixtureDatabase
    private let database: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        database = try fixture.open()
        try database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE customers (id TEXT PRIMARY KEY, kind TEXT NOT NULL, former TEXT,
                        note TEXT NOT NULL, others TEXT, number INTEGER NOT NULL);
                    CREATE TABLE purchases (id INTEGER PRIMARY KEY, customerID TEXT NOT NULL,
                        total REAL NOT NULL);
                    CREATE TABLE crates (id INTEGER PRIMARY KEY, content, former, kind TEXT NOT NULL);
                    CREATE TABLE parcels (id INTEGER PRIMARY KEY, size INTEGER NOT NULL);
                    """)
        }
    }

    @Test("Types and defaults beside a table are found", .proves("TBL-011"))
    func besides() throws {
        try database.write { db in
            let ada = Shop.Customer(id: UUID(), former: .trade, others: [.trade, .retail])
            try Shop.Customer.insert { ada }.execute(db)
            try Shop.Customer.insert { Shop.Customer.Draft(id: UUID(), kind: .trade) }.execute(db)
            try Shop.Purchase.insert { Shop.Purchase.Draft(customerID: ada.id, total: 2.5) }
                .execute(db)
            #expect(try Shop.Customer.find(ada.id).fetchOne(db) == ada)
            let other = try #require(try Shop.Customer.where { $0.kind.eq(.trade) }.fetchOne(db))
            #expect(other.note == Shop.Note(text: "none") && other.others == nil)
            #expect(other.number == 7 && other.former == nil)
            let lines = try Shop.Customer.leftJoin(Shop.Purchase.all) { $0.id.eq($1.customerID) }
                .order { $1.total }
                .select { Shop.Line.Columns(kind: $0.kind, customer: $0, purchase: $1) }
                .fetchAll(db)
            #expect(lines.map(\.kind) == [.trade, .retail])
            #expect(lines.map(\.customer) == [other, ada])
            #expect(lines.map(\.purchase?.total) == [nil, 2.5])
            let found = try Shop.Customer.order { $0.kind }
                .select { Shop.Found.Columns.sort($0.kind) }.fetchAll(db)
            #expect(found == [.sort(.retail), .sort(.trade)])
        }
    }

    @Test("A column may have the type that a table is made for", .proves("TBL-011"))
    func generic() throws {
        try database.write { db in
            try Shop.Crate.insert {
                Shop.Crate<Int>.Draft(content: 5)
                Shop.Crate<Int>.Draft(id: 7, content: 6, former: 4, kind: .retail)
            }.execute(db)
            try Shop.Crate<Int>.find(7).update {
                $0.content += 1
                $0.former = nil
            }.execute(db)
            let query = Shop.Crate<Int>.where { $0.content.gt(5) }
            let crate = try #require(try query.fetchOne(db))
            #expect(crate.content == 7 && crate.former == nil && crate.kind == .retail)
            let rows = try Shop.Crate<Int>.order { $0.id.desc() }.select {
                Shop.Crate<Int>.Columns(id: $0.id, content: $0.content + 1)
            }.fetchAll(db)
            #expect(rows.map(\.content) == [8, 6] && rows.map(\.kind) == [.trade, .trade])
            try Shop.Crate<Int>.delete().execute(db)
            try Shop.Crate.insert { Shop.Crate<String>.Draft(content: "x", former: "y") }.execute(
                db)
            #expect(try Shop.Crate<String>.select(\.former).fetchAll(db) == ["y"])
        }
    }

    @Test("A table may stand in a generic type", .proves("TBL-011"))
    func inGeneric() throws {
        try database.write { db in
            try Depot<Int>.Parcel.insert { Depot<Int>.Parcel.Draft() }.execute(db)
            let sizes = try Depot<Int>.Parcel.all.fetchAll(db).map(\.size)
            #expect(sizes == [.large])
        }
    }
}
