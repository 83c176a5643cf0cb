import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Records that came out otherwise than with GRDB.
@Suite struct GRDBRecordTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
    }

    struct Book: Codable, Equatable {
        var title: String
        var year: Int?
    }

    private func row(_ sql: String, adapter: (any RowAdapter)? = nil) throws -> Row {
        try #require(try queue.read { try Row.fetchOne($0, sql: sql, adapter: adapter) })
    }

    @Test(.proves("CMP-63"))
    func `A key that the row does not know stands for the row itself`() throws {
        struct Info: Decodable, FetchableRecord {
            var book: Book
            var chapterCount: Int
        }
        let info = try Info(row: row("SELECT 'Moby' AS title, 1851 AS year, 135 AS chapterCount"))
        #expect(info.book == Book(title: "Moby", year: 1851) && info.chapterCount == 135)
        #expect(throws: (any Error).self) { try Info(row: row("SELECT 135 AS chapterCount")) }

        struct Two: Decodable, FetchableRecord {
            var book: Book
            var other: Book
        }
        let error = #expect(throws: DecodingError.self) {
            try Two(row: row("SELECT 'Moby' AS title"))
        }
        guard case .keyNotFound(let key, _) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(key.stringValue == "other")

        final class Endless: Decodable, FetchableRecord {
            let inner: Endless
        }
        #expect(throws: DatabaseError.self) { try Endless(row: row("SELECT 1 AS a")) }
    }

    @Test(.proves("CMP-44"))
    func `A row is there when one of its scopes is`() throws {
        struct Inner: Decodable, Equatable { var a: Int }
        struct Outer: Decodable, Equatable { var inner: Inner }
        struct Root: Decodable, FetchableRecord { var outer: Outer? }
        let adapter = ScopeAdapter([
            "outer": ScopeAdapter(
                base: EmptyRowAdapter(), scopes: ["inner": SuffixRowAdapter(fromIndex: 0)])
        ])
        let some = try Root(row: row("SELECT 1 AS a", adapter: adapter))
        #expect(some.outer == Outer(inner: Inner(a: 1)))
        let none = try Root(row: row("SELECT NULL AS a", adapter: adapter))
        #expect(none.outer == nil)
        #expect(
            try row("SELECT 1 AS a", adapter: adapter).scopes["outer"]?.containsNonNullValue == true
        )
    }

    @Test(.proves("CMP-45"))
    func `A record that stands for another has the columns that this one says`() throws {
        struct Model: Codable, EncodableRecord {
            var name: String

            func encode(to container: inout PersistenceContainer) throws {
                container["label"] = name.uppercased()
            }
        }
        struct Wrapper: Encodable, EncodableRecord {
            var model: Model

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(model)
            }
        }
        #expect(
            try Wrapper(model: Model(name: "a")).databaseDictionary == ["label": "A".databaseValue])
    }

    struct Player: Codable, FetchableRecord, MutablePersistableRecord {
        var id: Int64?
        var name: String

        mutating func didInsert(_ inserted: InsertionSuccess) {
            id = inserted.persistenceContainer["iD"]
        }
    }

    @Test(.proves("CMP-46", "CMP-47"))
    func `What was inserted has the number of the row`() throws {
        try queue.write { db throws in
            try db.execute(sql: "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
            var player = Player(name: "Arthur")
            try player.insert(db)
            #expect(player.id == 1)
            #expect(try Player(name: "Barbara").inserted(db).id == 2)

            var again = Player(name: "Arthur")
            let name = try again.insertAndFetch(db, onConflict: .ignore) { statement in
                try String.fetchOne(statement)
            } select: { _ in
                [Column("name")]
            }
            #expect(name == nil)
            let id = try again.insertAndFetch(
                db, onConflict: .ignore, selection: [Column("id")]
            ) { try Int64.fetchOne($0) }
            #expect(id == nil)
            #expect(throws: RecordError.self) {
                try Player(name: "Arthur").insertAndFetch(db, onConflict: .ignore)
            }
        }
    }

    @Test(.proves("CMP-48"))
    func `Columns that a row lacks have changed, those without value too`() throws {
        final class Person: Record {
            var (id, name): (Int64?, String?)

            required init(row: Row) throws {
                id = row["id"]
                name = row["name"]
                try super.init(row: row)
            }

            override func encode(to container: inout PersistenceContainer) throws {
                container["id"] = id
                container["name"] = name
            }
        }
        let changes = try Person(row: Row(["name": "A"])).databaseChanges
        #expect(Set(changes.keys).contains("id"))
        #expect(changes["id"] == .some(nil))
    }
}
