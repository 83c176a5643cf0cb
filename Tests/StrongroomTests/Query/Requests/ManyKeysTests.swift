import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// More keys than a statement has variables, or than an expression may be deep.
@Suite struct ManyKeysTests {
    private struct Item: Codable, Hashable, Identifiable, FetchableRecord, PersistableRecord {
        var id: Int64
        var name: String
    }

    private struct Seat: Codable, Hashable, FetchableRecord, PersistableRecord {
        var line: Int64
        var place: Int64
        static let tickets = hasMany(Ticket.self)
    }

    private struct Ticket: Codable, Hashable, FetchableRecord, PersistableRecord {
        var line: Int64
        var place: Int64
    }

    private let count: Int64 = 40_000
    private let fixture: FixtureDatabase
    private let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        let count = count
        try queue.write { db throws in
            try db.create(table: "item") { table in
                table.primaryKey("id", .integer)
                table.column("name", .text).unique()
            }
            try db.create(table: "seat") { table in
                table.primaryKey {
                    table.column("line", .integer)
                    table.column("place", .integer)
                }
            }
            try db.create(table: "ticket") { table in
                table.column("line", .integer)
                table.column("place", .integer)
                table.foreignKey(["line", "place"], references: "seat")
            }
            let numbers =
                "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT \(count))"
            try db.execute(
                sql: """
                    \(numbers) INSERT INTO item SELECT i, 'it''s ' || i FROM n;
                    \(numbers) INSERT INTO seat SELECT i, -i FROM n;
                    \(numbers) INSERT INTO ticket SELECT i, -i FROM n WHERE i % 2;
                    """)
        }
    }

    @Test(.proves("QRY-072"))
    func `Rows are found and deleted by any number of keys`() throws {
        let ids = Array(1...count)
        try queue.write { db throws in
            #expect(try Item.filter(keys: ids).fetchCount(db) == Int(count))
            #expect(try Item.fetchAll(db, ids: ids).count == Int(count))
            let names = ids.map { "it's \($0)" }
            #expect(try Item.filter(names.contains(Column("name"))).fetchCount(db) == Int(count))
            let bytes = names.map { Data($0.utf8) }
            let cast = Column("name").sqlExpression
            #expect(try Item.filter(bytes.contains(cast)).fetchCount(db) == 0)
            #expect(try Item.deleteAll(db, ids: ids) == Int(count))
        }
    }

    @Test(.proves("QRY-073"))
    func `Keys of several columns can be many`() throws {
        let keys = (1...5_000).map { ["line": $0, "place": -$0] }
        try queue.write { db throws in
            #expect(try Seat.filter(keys: keys).fetchCount(db) == 5_000)
            let seats = try Row.fetchAll(db, Seat.including(all: Seat.tickets).limit(20_000))
            #expect(seats.count == 20_000)
            #expect(seats.reduce(0) { $0 + ($1.prefetchedRows["tickets"]?.count ?? 0) } == 10_000)
            #expect(try Ticket.deleteAll(db) == Int(count / 2))
            #expect(try Seat.deleteAll(db, keys: keys) == 5_000)
        }
    }
}
